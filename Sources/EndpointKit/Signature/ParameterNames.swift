extension Signature {
    /// The names of a parameter or field as a command line, notes and rules have them: `pet`, `name` for `["pet", "name"]`.
    ///
    /// A value without a label has no name of its own: the fields of a structure without a label stand alone, unless there are several such
    /// structures or a parameter with the name of the field. The keys of a dictionary are data and no part of the names.
    package func names(of path: [String]) -> [String] {
        var names: [String] = []
        var type = ParameterType.object(parameters)
        for (depth, name) in path.enumerated() {
            switch type {
            case .object(let fields), .variants(let fields):
                let field = fields.first { $0.name == name }
                if let position = field?.position {
                    if !isImplied(in: fields, next: path.dropFirst(depth + 1).first, isTop: depth == 0) {
                        names.append(path.count == 1 ? name : "\(position)")
                    }
                } else {
                    names.append(name)
                }
                type = field?.type ?? .json
            case .array(let element):
                names.append(name)
                type = element
            case .dictionary: return names
            default: names.append(name)
            }
        }
        return names
    }

    /// Whether a value without a label among `fields` needs no name, because what follows it has one.
    private func isImplied(in fields: [Parameter], next: String?, isTop: Bool) -> Bool {
        let others = fields.filter { $0.position != nil && (!isTop || $0.type.hasFields) }
        guard isTop else { return others.count == 1 }
        guard let next, others.count == 1 else { return false }
        return !fields.contains { KebabCase.text($0.name) == KebabCase.text(next) }
    }

    /// The type of a parameter or field; nil if there is none.
    package func type(at path: some Collection<String>) -> ParameterType? {
        var type: ParameterType? = .object(parameters)
        for name in path {
            if case .array(let element) = type {
                type = element
            } else {
                type = type?.fields.first { $0.name == name }?.type
            }
        }
        return type
    }

    /// Stands for the position of a list's element in a path and in the name of a flag: `--records.N.name`.
    package static let anyPosition = "N"

    /// A parameter or field, and the way to it.
    package struct Field {
        package let path: [String]
        package let parameter: Parameter
        /// Whether it is a case of an enum with values.
        package let isCase: Bool
        /// Whether it is one of several cases, or in one.
        package let isInCase: Bool
        /// The name of the innermost optional parameter or field around it; nil if there is none.
        package let enclosingOptional: String?
    }

    /// All parameters and fields, each before its own fields.
    package var fields: [Field] { fields(parameters, [], in: nil) }

    private func fields(_ parameters: [Parameter], _ path: [String], in outer: Field?) -> [Field] {
        let areCases = if case .variants = outer?.parameter.type.element { true } else { false }
        var enclosing = outer?.enclosingOptional
        if let outer, outer.parameter.isOptional {
            enclosing = outer.path.count == 1 ? shownName(of: outer.parameter) : KebabCase.text(outer.parameter.name)
        }
        return parameters.flatMap { parameter in
            let field = Field(
                path: path + [parameter.name], parameter: parameter, isCase: areCases,
                isInCase: areCases || outer?.isInCase == true, enclosingOptional: enclosing)
            let inner = field.path + (parameter.type.isArray ? [Self.anyPosition] : [])
            return [field] + fields(parameter.type.element.fields, inner, in: field)
        }
    }

    /// What notes and rules call a parameter or field: the position in a list is no part of it.
    package func key(of path: [String]) -> String {
        if path.count == 1 { return path[0] }
        return names(of: path).filter { $0 != Self.anyPosition && !Self.isPosition($0) }.joined(separator: ".")
    }

    /// Whether a part of a name is the position of an element, from 0.
    package static func isPosition(_ name: String) -> Bool { Int(name).map { $0 >= 0 && String($0) == name } == true }

    /// The parameter or field that notes and rules call `key`; nil if there is none.
    package func parameter(named key: String) -> Parameter? { field(named: key)?.parameter }

    /// The same with the way to it.
    package func field(named key: String) -> Field? {
        fields.first { self.key(of: $0.path) == key }
    }

    /// What a parameter is called where no flag is: `{page}`, `pet` for a structure `Pet` without a label, else `value`, with a number if
    /// there are several.
    package func shownName(of parameter: Parameter) -> String {
        guard parameter.position != nil else { return KebabCase.text(parameter.name) }
        let names = parameters.filter { $0.position != nil }.map { (parameter: $0, name: Self.plainName(of: $0)) }
        let name = Self.plainName(of: parameter)
        let same = names.filter { $0.name == name }
        guard same.count > 1, let index = same.firstIndex(where: { $0.parameter == parameter }) else { return name }
        return "\(name)\(index + 1)"
    }

    /// The same of the parameter of that name.
    func shownName(of name: String) -> String {
        parameters.first { $0.name == name }.map { shownName(of: $0) } ?? name
    }

    private static func plainName(of parameter: Parameter) -> String {
        parameter.typeName.map(KebabCase.text) ?? "value"
    }
}

/// Converts Swift names to the form used on the command line.
package enum KebabCase {
    /// `newMovies` becomes `new-movies`, `collectionID` `collection-id`, `HTTPStatus` `http-status`.
    package static func text(_ name: String) -> String {
        // Most names.
        if name.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) { return name }
        let letters = Array(name.unicodeScalars)
        var result = ""
        for (index, letter) in letters.enumerated() {
            let startsWord =
                index > 0 && letter.isUppercase && letters[index - 1] != "_"
                && (!letters[index - 1].isUppercase || index + 1 < letters.count && letters[index + 1].isLowercase)
            result += (startsWord ? "-" : "") + (letter == "_" ? "-" : letter.properties.lowercaseMapping)
        }
        return result
    }
}

// Faster than `properties` for ASCII, which avoids its table lookups.
extension Unicode.Scalar {
    var isUppercase: Bool { isASCII ? ("A"..."Z").contains(self) : properties.isUppercase }
    var isLowercase: Bool { isASCII ? ("a"..."z").contains(self) : properties.isLowercase }
}

import EndpointKit
import EndpointTools
import JSONText

extension OptionSpec {
    /// The name with 0 for each position.
    var firstName: String {
        name.split(separator: ".").map { $0 == Signature.anyPosition ? "0" : $0 }.joined(separator: ".")
    }

    /// The option under this name, which has positions in place of `N`: `records.0.name` for `records.N.name`; nil if it is another one.
    func named(_ other: String) -> OptionSpec? {
        if name == other { return self }
        let parts = (name.split(separator: "."), other.split(separator: ".").map(String.init))
        guard parts.0.count == parts.1.count, path.contains(Signature.anyPosition),
            zip(parts.0, parts.1).allSatisfy({ $0 == $1 || $0 == Signature.anyPosition && Signature.isPosition($1) })
        else { return nil }
        var positions = parts.1.filter(Signature.isPosition)[...]
        var copy = self
        copy.name = other
        copy.path = path.map { $0 == Signature.anyPosition ? positions.popFirst() ?? $0 : $0 }
        return copy
    }
}

extension Signature {
    /// The flag of a parameter or field without its dashes, nested names joined by dots.
    func flagName(_ path: [String]) -> String {
        names(of: path).map { $0 == Self.anyPosition ? $0 : KebabCase.text($0) }.joined(separator: ".")
    }

    /// The options that set parameters and, for a structure, its fields; with a name, those of that parameter alone, its own first.
    func options(of name: String? = nil) -> [OptionSpec] {
        let unlabelledNames = Set(parameters.filter { $0.position != nil }.map(\.name))
        return fields.filter { name == nil || $0.path[0] == name }.compactMap { parameter in
            let path = parameter.path
            let isUnlabelled = unlabelledNames.contains(path[0])
            // A value without a label has no flag of its own, nor have the elements of such a list.
            if isUnlabelled, path.count == 1 || path[1] == Self.anyPosition { return nil }
            if parameter.isCase, !parameter.type.fields.isEmpty { return nil }
            let isBool = parameter.type == .scalar(.boolean)
            return OptionSpec(
                name: flagName(path), placeholder: parameter.isCase || isBool ? nil : parameter.type.placeholder,
                path: path, isNegatable: isBool)
        }
    }
}

extension Shape {
    /// The name of a parameter's value in help.
    var placeholder: String {
        if let other = nonNull { return other.placeholder + "|null" }
        return switch self {
        case .values: (choices ?? []).joined(separator: "|")
        case .array(let element): element.placeholder
        case .dictionary(let value): "KEY=" + (value.isJSON ? "JSON" : value.placeholder)
        case .object, .open, .variants, .alternatives, .any: "JSON|@FILE|-"
        default: shortName.uppercased()
        }
    }
}

extension Shape {
    var takesNull: Bool { hasParts || nonNull != nil }

    /// What is typed for that value of the parameter `name`: a text for each element of a list, JSON for what has parts. Throws ``UsageError``.
    func texts(of value: JSONValue, for name: String, from source: ValueSource) throws(UsageError) -> [String] {
        if isArray, value.elements?.isEmpty == true { return ["[]"] }
        var texts: [String] = []
        for value in isArray ? value.list : [value] {
            if value.isNull, !hasParts, (isArray ? element : self).nonNull == nil {
                throw .unusableValue(option: name, problem: "null would not be sent; leave it out", source: source)
            }
            if !hasParts, value.elements != nil || value.members != nil {
                throw .invalidValue(option: name, value: value.shown, expected: phrase, source: source)
            }
            // 1.0 is an integer.
            let integer = if case .scalar(.integer) = element { value.integer(Int.self) } else { Int?.none }
            let isQuoted = nonNull != nil && value.string.map { $0 == "null" || $0.hasPrefix("\"") } == true
            texts.append(hasParts || isQuoted ? value.description : integer.map { "\($0)" } ?? value.text)
        }
        return texts
    }

    /// Whether the parameter may be given more than once.
    var takesSeveral: Bool { isArray || isDictionary }

    /// Whether a word for the parameter may be JSON: of a list of texts, only the empty list is.
    func mayBeJSON(_ text: String) -> Bool { hasParts || isArray && text == "[]" }
}

extension EndpointDeclaration {
    /// The parameter of that name, in Swift's spelling, the command line's or snake case; a value without a label also by its type.
    /// Throws ``UsageError`` with the nearest one.
    func parameter(named name: String, from source: ValueSource = .preset) throws(UsageError) -> Parameter {
        let word = KebabCase.text(name)
        if let found = signature.parameters.first(where: {
            KebabCase.text($0.name) == word || signature.shownName(of: $0.name) == word
        }) {
            return found
        }
        let question = NearestWord.question(name, in: signature.parameters.map(\.name))
        throw UsageError("\(self.name) has no parameter '\(name)'\(question)", from: source)
    }

    /// The name of the parameter at `path` in messages: its flag, or `the value` if it has none; with its key for a member of a dictionary.
    func shown(_ path: [String]) -> String {
        if let name = unlabelledName(path) { return "the " + name }
        let isMember = path.count > 1 && signature.type(at: path.dropLast())?.isDictionary == true
        return "--" + signature.flagName(path) + (isMember ? " \(path[path.count - 1])" : "")
    }

    /// How a missing parameter is given: `--page INTEGER`, `--all or --no-all`, `a pet (JSON|@FILE|-)`.
    func syntax(_ path: [String]) -> String {
        guard let type = signature.type(at: path) else { return shown(path) }
        if let name = unlabelledName(path) {
            return "\("aeiou".contains(name.first ?? "x") ? "an" : "a") \(name) (\(type.placeholder))"
        }
        return type == .scalar(.boolean)
            ? "\(shown(path)) or --no-\(signature.flagName(path))" : "\(shown(path)) \(type.placeholder)"
    }

    /// What the parameter or field at `path` is called if there is no flag for it; nil if there is one.
    func unlabelledName(_ path: [String]) -> String? {
        guard let parameter = signature.parameters.first(where: { $0.name == path.first }), parameter.position != nil
        else { return nil }
        let name = signature.shownName(of: parameter.name)
        if path.count == 1 || parameter.type.isDictionary { return name }
        return parameter.type.isArray ? name + "." + signature.flagName(Array(path.dropFirst())) : nil
    }
}

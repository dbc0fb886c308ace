import EndpointKit
import EndpointTools

extension Signature {
    /// Returns the name of the option that sets a parameter or field, without its dashes.
    ///
    ///     flagName(["records", "N", "fullName"])   // "records.N.full-name"
    ///
    /// - Parameter path: The Swift names that lead to the parameter or field.
    func flagName(_ path: [String]) -> String {
        let words = names(of: path).map { $0 == Self.anyPosition ? $0 : KebabCase.text($0) }
        return words.joined(separator: ".")
    }

    /// Returns the options that set parameters and the fields of structures: `--pet`, `--pet.name`.
    ///
    /// - Parameter name: The Swift name of a parameter, for the options of that parameter alone; nil for all
    ///   parameters.
    /// - Returns: The options. The option of a parameter comes before those of its fields.
    func options(of name: String? = nil) -> [OptionSpec] {
        // Only a parameter without a label has a position.
        let unlabelledNames = Set(parameters.filter { $0.position != nil }.map(\.name))
        return fields.compactMap { field in
            // The first name of a field's path is its parameter.
            let parameterName = field.path[0]
            if let name, parameterName != name { return nil }
            return option(setting: field, isUnlabelled: unlabelledNames.contains(parameterName))
        }
    }

    /// Returns the option that sets a parameter or field.
    ///
    /// - Parameters:
    ///   - field: The parameter, or a field of it.
    ///   - isUnlabelled: Whether the parameter has no label, so that its value is a word without a flag.
    /// - Returns: The option; nil for a value that has no flag, and for a field that only the options of its own fields
    ///   set.
    private func option(setting field: Parameter, isUnlabelled: Bool) -> OptionSpec? {
        let path = field.path
        if isUnlabelled {
            // The value itself is a word without a flag. A list of structures has no flags for its elements either.
            let isWholeParameter = path.count == 1
            if isWholeParameter || path[1] == Self.anyPosition { return nil }
        }
        // Setting an associated value of an enum's case also chooses the case.
        let isCaseWithFields = field.isCase && !field.type.fields.isEmpty
        if isCaseWithFields { return nil }

        let isBoolean = field.type == .scalar(.boolean)
        let isSwitch = isBoolean || field.isCase
        return OptionSpec(
            name: flagName(path), placeholder: isSwitch ? nil : field.type.placeholder, path: path,
            isNegatable: isBoolean)
    }
}

extension Signature {
    /// Returns the option that sets the first field of a structure or of a list's first element: `--pet.name TEXT`.
    ///
    /// A field whose value is given as JSON, such as a structure, is only taken if all fields are like this.
    ///
    /// - Parameter path: The Swift names that lead to the structure or list.
    /// - Returns: The option with its placeholder; nil if there are no fields with options.
    func firstFieldSyntax(in path: [String]) -> String? {
        let fieldOptions = options(of: path.first).filter { $0.path.count > path.count && $0.path.starts(with: path) }
        let simpleOption = fieldOptions.first { option in
            guard let type = self.type(at: option.path) else { return false }
            // A text or number that may be null is simple too.
            let typeWithoutNull = type.nonNull ?? type
            return !typeWithoutNull.isJSON
        }
        guard var option = simpleOption ?? fieldOptions.first else { return nil }
        option.name = option.firstElementName
        return option.syntax
    }
}

extension Shape {
    /// The name of a parameter's value in help: `INTEGER`, `asc|desc`, `KEY=TEXT`.
    var placeholder: String {
        switch self {
        case .nullable(let shape): shape.placeholder + "|null"
        case .values: (choices ?? []).joined(separator: "|")
        case .array(let element): element.placeholder
        case .dictionary(let value): "KEY=" + (value.isJSON ? "JSON" : value.placeholder)
        case .object, .open, .variants, .alternatives, .any: "JSON|@FILE|-"
        case .scalar, .model, .null: shortName.uppercased()
        }
    }
}

// MARK: Options of elements

extension OptionSpec {
    /// The name of the option for the first element of each list: `records.0.name` for `records.N.name`.
    var firstElementName: String {
        let words = name.split(separator: ".")
        return words.map { $0 == Signature.anyPosition ? "0" : $0 }.joined(separator: ".")
    }

    /// Returns the option that sets one element of a list, with positions in place of each `N` in the name and path.
    ///
    ///     option.element(named: "records.0.name")   // for the option records.N.name
    ///
    /// - Parameter elementName: A name without its dashes.
    /// - Returns: The option of the element; the option itself for its own name. Nil for any other name.
    func element(named elementName: String) -> OptionSpec? {
        if name == elementName { return self }
        guard let positions = positions(in: elementName) else { return nil }
        var elementOption = self
        elementOption.name = elementName
        let indexesOfLists = path.indices.filter { path[$0] == Signature.anyPosition }
        for (index, position) in zip(indexesOfLists, positions) { elementOption.path[index] = position }
        return elementOption
    }

    /// Returns the positions in the name of an element: `["0"]` for `records.0.name` and the option `records.N.name`.
    ///
    /// - Returns: The positions, one for each `N`; nil if `elementName` is no name of an element of this option.
    private func positions(in elementName: String) -> [String]? {
        guard path.contains(Signature.anyPosition) else { return nil }
        let words = name.split(separator: ".")
        let elementWords = elementName.split(separator: ".")
        guard words.count == elementWords.count else { return nil }
        var positions: [String] = []
        for (word, elementWord) in zip(words, elementWords) {
            if word == Signature.anyPosition {
                guard Signature.isPosition(String(elementWord)) else { return nil }
                positions.append(String(elementWord))
            } else if word != elementWord {
                return nil
            }
        }
        return positions
    }
}

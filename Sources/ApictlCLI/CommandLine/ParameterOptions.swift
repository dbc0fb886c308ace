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

    /// Returns the options that set parameters and the fields of structures.
    ///
    /// - Parameter name: The Swift name of a parameter, for the options of that parameter alone; nil for all
    ///   parameters. The option of a parameter comes before those of its fields.
    func options(of name: String? = nil) -> [OptionSpec] {
        let unlabelledNames = Set(parameters.filter { $0.position != nil }.map(\.name))
        let chosen = name == nil ? fields : fields.filter { $0.path[0] == name }
        return chosen.compactMap { option($0, isUnlabelled: unlabelledNames.contains($0.path[0])) }
    }

    /// Returns the option that sets a parameter or field. Nil if it has none, because a word without a flag or its
    /// fields set it.
    ///
    /// - Parameter isUnlabelled: Whether the parameter has no label, so that its value is a word without a flag.
    private func option(_ parameter: Parameter, isUnlabelled: Bool) -> OptionSpec? {
        let path = parameter.path
        if isUnlabelled {
            // The value itself is a word without a flag. A list of structures has no flags for its elements either.
            let isValue = path.count == 1
            if isValue || path[1] == Self.anyPosition { return nil }
        }
        // A case with values is chosen by setting them.
        let isCaseWithFields = parameter.isCase && !parameter.type.fields.isEmpty
        if isCaseWithFields { return nil }

        let isBoolean = parameter.type == .scalar(.boolean)
        let isSwitch = isBoolean || parameter.isCase
        return OptionSpec(
            name: flagName(path), placeholder: isSwitch ? nil : parameter.type.placeholder, path: path,
            isNegatable: isBoolean)
    }
}

extension Signature {
    /// Returns the option that sets the first field of a structure, or of the first element of a list: `--pet.name TEXT`.
    ///
    /// Fields that are structures themselves are passed over, because their own fields have options.
    ///
    /// - Parameter path: The Swift names that lead to the structure or list.
    /// - Returns: The option with its placeholder; nil if there are no fields with options.
    func firstFieldSyntax(in path: [String]) -> String? {
        let nested = options(of: path.first).filter { $0.path.count > path.count && $0.path.starts(with: path) }
        let field = nested.first { option in
            guard let type = self.type(at: option.path) else { return false }
            return !(type.nonNull ?? type).isJSON
        }
        guard var option = field ?? nested.first else { return nil }
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

    /// Returns the option for elements of lists, with positions in place of each `N`.
    ///
    ///     option.element(named: "records.0.name")   // for the option records.N.name
    ///
    /// - Returns: The option, whose name and path have the positions. Nil if the name is not that of an element.
    func element(named elementName: String) -> OptionSpec? {
        if name == elementName { return self }
        guard path.contains(Signature.anyPosition) else { return nil }
        let words = name.split(separator: ".").map(String.init)
        let elementWords = elementName.split(separator: ".").map(String.init)
        guard words.count == elementWords.count else { return nil }

        var positions: [String] = []
        // The words may only differ where the option has an `N` and the name has a position.
        for (word, elementWord) in zip(words, elementWords) where word != elementWord {
            guard word == Signature.anyPosition, Signature.isPosition(elementWord) else { return nil }
            positions.append(elementWord)
        }
        var remainingPositions = positions[...]
        var element = self
        element.name = elementName
        element.path = path.map { name in
            name == Signature.anyPosition ? remainingPositions.popFirst() ?? name : name
        }
        return element
    }
}

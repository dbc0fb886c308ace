import EndpointKit

extension Signature {
    /// Returns the words that name a parameter or field on a command line, in notes and in rules.
    ///
    /// A parameter without a label has no name of its own, so the fields of its structure stand alone:
    ///
    ///     case create(pet: Pet)      ["pet", "name"]  is  ["pet", "name"]     --pet.name
    ///     case create(_ pet: Pet)    ["_0", "name"]   is  ["name"]            --name
    ///
    /// If there are several such structures, or a parameter with the name of the field, the structure's position stands
    /// before it: `["0", "name"]`. Keys of a dictionary are data and not part of the name.
    ///
    /// - Parameter path: The Swift names that lead to the parameter or field. A value without a label is `_0`, `_1` and
    ///   so on.
    package func names(of path: [String]) -> [String] {
        // A parameter itself has its Swift name, also without a label. The rules below are for the fields in it.
        if path.count <= 1 { return path }
        var shownNames: [String] = []
        var outerType = root
        // Whether a value without a label needs no position, because there is no other one like it in the outer type.
        var isOnlyValueWithoutLabel = isOnlyStructure(withField: path[1])
        for swiftName in path {
            if outerType.isDictionary { break }
            let field = outerType.fields.first { $0.key == swiftName }
            if let position = field?.position {
                if !isOnlyValueWithoutLabel { shownNames.append("\(position)") }
            } else {
                shownNames.append(swiftName)
            }
            // If there is no such field, the names after it are shown as they are.
            outerType = outerType.shape(atPathComponent: swiftName) ?? .any
            isOnlyValueWithoutLabel = outerType.fields.count(where: \.isUnlabelled) == 1
        }
        return shownNames
    }

    /// Whether only one parameter can be meant by the name of a field, such as `--name`.
    ///
    /// That is so if there is a single structure without a label, and no parameter has the name of the field.
    private func isOnlyStructure(withField fieldName: String) -> Bool {
        let unlabelledStructures = root.fields.filter { $0.isUnlabelled && !$0.shape.fields.isEmpty }
        guard unlabelledStructures.count == 1 else { return false }
        return !root.fields.contains { KebabCase.text($0.key) == KebabCase.text(fieldName) }
    }

    /// Returns the type of a parameter or field; nil if there is none at `path`.
    package func type(at path: some Collection<String>) -> Shape? {
        var reachedType = root
        for name in path {
            guard let innerType = reachedType.shape(atPathComponent: name) else { return nil }
            reachedType = innerType
        }
        return reachedType
    }

    /// The name that stands for the position of a list's element in a path and in the name of a flag:
    /// `--records.N.name`.
    package static let anyPosition = "N"

    /// Returns the name that notes and rules have for a parameter or field: `records.name`, without positions in lists.
    package func key(of path: [String]) -> String {
        if path.count == 1 { return path[0] }
        let namesWithoutPositions = names(of: path).filter { $0 != Self.anyPosition && !Self.isPosition($0) }
        return namesWithoutPositions.joined(separator: ".")
    }

    /// Whether a word of a name is the position of an element, from 0. `01` and `+1` are not.
    package static func isPosition(_ name: String) -> Bool {
        guard let position = Int(name), position >= 0 else { return false }
        return String(position) == name
    }

    /// Returns the parameter or field that notes and rules call `key`; nil if there is none.
    package func parameter(named key: String) -> Parameter? { fields.first { self.key(of: $0.path) == key } }

    /// Returns the name of a parameter where it is shown without a flag, such as in the template of a path.
    ///
    /// That is `page-size` for a parameter `pageSize`. A parameter without a label is called after its type, `pet` for
    /// a structure `Pet`, or else `value`. Parameters that would have the same name are numbered: `value1`, `value2`.
    ///
    /// - Parameter name: The parameter's Swift name.
    package func shownName(of name: String) -> String {
        let unlabelledParameters = root.fields.filter(\.isUnlabelled)
        guard let parameter = unlabelledParameters.first(where: { $0.key == name }) else {
            return KebabCase.text(name)
        }
        let parametersWithSameName = unlabelledParameters.filter { $0.unlabelledName == parameter.unlabelledName }
        let isOnlyOne = parametersWithSameName.count == 1
        if isOnlyOne { return parameter.unlabelledName }
        // The parameter is among those with its name, so there is an index.
        let index = parametersWithSameName.firstIndex { $0.key == name } ?? 0
        return "\(parameter.unlabelledName)\(index + 1)"
    }
}

extension Shape.Field {
    /// The name of a parameter without a label: its type's name, or `value` if the type is not the app's own.
    fileprivate var unlabelledName: String {
        guard let typeName else { return "value" }
        return KebabCase.text(typeName)
    }
}

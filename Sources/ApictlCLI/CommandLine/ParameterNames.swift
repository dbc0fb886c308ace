import EndpointKit
import EndpointTools

extension EndpointDeclaration {
    /// Returns the parameter that a person or an agent means by a name.
    ///
    /// - Parameters:
    ///   - name: The name in Swift's spelling, in kebab case or in snake case. A parameter without a label is also
    ///     found by the name of its type.
    ///   - source: The place of the name.
    /// - Throws: ``UsageError`` if there is none, with the nearest name.
    func parameter(named name: String, from source: ValueSource = .preset) throws(UsageError) -> Parameter {
        let kebabName = KebabCase.text(name)
        let match = signature.parameters.first { parameter in
            [KebabCase.text(parameter.name), signature.shownName(of: parameter.name)].contains(kebabName)
        }
        if let match { return match }
        let question = NearestWord.question(name, in: signature.parameters.map(\.name))
        throw UsageError("\(self.name) has no parameter '\(name)'\(question)", from: source)
    }

    /// Returns the name of a parameter or field in messages.
    ///
    /// | Parameter or field | Name |
    /// |---|---|
    /// | with a flag | `--page` |
    /// | without a flag | `the pet` |
    /// | a member of a dictionary | `--filters colour` |
    ///
    /// - Parameter path: The Swift names that lead to the parameter or field, such as `["pet", "name"]`.
    func shown(_ path: [String]) -> String {
        if let name = unlabelledName(path) { return "the " + name }
        let flag = "--" + signature.flagName(path)
        // The parameter itself, which has a path of one name, is no member of anything.
        guard let key = path.dropFirst().last else { return flag }
        let isDictionaryMember = signature.type(at: path.dropLast())?.isDictionary == true
        return isDictionaryMember ? "\(flag) \(key)" : flag
    }

    /// Returns the words that give a missing parameter or field a value, for messages.
    ///
    /// - An integer: `--page INTEGER`.
    /// - A boolean: `--all or --no-all`.
    /// - A structure: `--pet JSON|@FILE|- (or --pet.name TEXT …)`.
    /// - A structure without a flag: `a pet (JSON|@FILE|-)`.
    ///
    /// - Parameters:
    ///   - path: The Swift names that lead to the parameter or field, such as `["pet", "name"]`.
    ///   - name: A better name for a parameter without a flag than its own; nil if there is none.
    func syntax(_ path: [String], name: String? = nil) -> String {
        guard let type = signature.type(at: path) else { return shown(path) }
        if let name = name ?? unlabelledName(path) {
            let startsWithVowel = name.first.map { "aeiou".contains($0) } ?? false
            let article = startsWithVowel ? "an" : "a"
            return "\(article) \(name) (\(type.placeholder))"
        }
        if type == .scalar(.boolean) { return "\(shown(path)) or --no-\(signature.flagName(path))" }
        let alternative = signature.firstFieldSyntax(in: path).map { " (or \($0) …)" } ?? ""
        return "\(shown(path)) \(type.placeholder)\(alternative)"
    }

    /// Returns the name of a parameter or field that has no flag.
    ///
    /// A parameter whose Swift declaration has no label is given without a flag, by its position among the words.
    ///
    /// | Path | Name |
    /// |---|---|
    /// | a parameter without a label | `pet`, after its type |
    /// | a member of a dictionary without a label | `filters`, after the dictionary's type |
    /// | a field in a list without a label | `pets.0.name` |
    ///
    /// - Parameter path: The Swift names that lead to the parameter or field, such as `["pet", "name"]`.
    /// - Returns: The name; nil if there is a flag.
    func unlabelledName(_ path: [String]) -> String? {
        guard let parameter = signature.parameters.first(where: { $0.name == path.first }) else { return nil }
        // Only a parameter without a label has a position among the words.
        let isUnlabelled = parameter.position != nil
        guard isUnlabelled else { return nil }
        let parameterName = signature.shownName(of: parameter.name)
        if path.count == 1 || parameter.type.isDictionary { return parameterName }
        // The fields of a structure have flags. The fields of a list's elements do not.
        guard parameter.type.isArray else { return nil }
        // The names after the parameter are joined as in a flag: `0.name`.
        let fieldName = signature.flagName(Array(path.dropFirst()))
        return parameterName + "." + fieldName
    }
}

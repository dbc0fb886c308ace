import EndpointKit
import EndpointTools

extension EndpointDeclaration {
    /// A parameter or a field of a parameter that an example gives a value to, usually with a flag of its own.
    private struct FlaggedParameter {
        /// The Swift names that lead to the parameter or field.
        let path: [String]
        /// The parameter or field with its value in the example.
        let parameter: Parameter

        /// Whether it is a field of a parameter, and not a whole parameter.
        var isField: Bool { path.count > 1 }
    }

    /// Returns an example as a command line: `apictl call movies.recommended --id 550`.
    ///
    /// - Parameters:
    ///   - example: The call.
    ///   - options: The options after the parameters. Each is an array of its flag and its value.
    ///   - tool: The name of the tool.
    ///   - width: The width that lines should have at most; nil for a single line.
    /// - Returns: The command line, quoted for a shell; nil if the example can't be written as JSON.
    func command(_ example: EndpointCall, _ options: [[String]] = [], tool: String, width: Int?) -> String? {
        guard let words = words(of: example) else { return nil }
        let parts = (words + options).map { $0.map(ShellWord.quoted).joined(separator: " ") }
        return ShellText.command(["\(tool) call"] + parts, width: width)
    }

    /// Returns the endpoint's name and the parameters of an example, each flag with its value.
    ///
    ///     [["movies.recommended"], ["--id", "550"]]
    ///
    /// A parameter with fields is written with flags for the fields if these make the same call, or else as JSON.
    ///
    /// - Returns: The words; nil if the example can't be written as JSON.
    func words(of example: EndpointCall) -> [[String]]? {
        guard let exampleSignature = try? signature.filled(from: example) else { return nil }
        let wholeParameters = exampleSignature.parameters.map { FlaggedParameter(path: [$0.name], parameter: $0) }
        let fields = wholeParameters.flatMap(Self.innermostFields)
        // Flags of fields can't express everything, such as an empty object or a list of several objects.
        let flaggedParameters = makeSameCall(fields, as: example) ? fields : wholeParameters
        let words = flaggedParameters.flatMap { flagged in
            Self.words(of: flagged, flag: "--" + exampleSignature.flagName(flagged.path))
        }
        return [[name]] + words
    }

    /// Whether the flags of these fields make the same call as an example. If no call can be made from them, they do
    /// not.
    private func makeSameCall(_ fields: [FlaggedParameter], as example: EndpointCall) -> Bool {
        let fieldsWithValues = fields.filter { !$0.parameter.example.isEmpty }
        let arguments = fieldsWithValues.flatMap { field in
            // The path of an argument starts with the field's own name, which is the last name of the field's path.
            field.parameter.exampleArguments.map { Argument(field.path + $0.path.dropFirst(), $0.value) }
        }
        guard let call = try? call(arguments) else { return false }
        return call.isSame(as: example)
    }

    /// Returns the fields of a parameter that have flags of their own. A field with fields is replaced by its fields.
    /// If the parameter has no such fields, it is returned itself.
    ///
    ///     pet with the example {"name": "Rex", "owner": {"id": 7}}   →   pet.name, pet.owner.id
    private static func innermostFields(of flagged: FlaggedParameter) -> [FlaggedParameter] {
        let parameter = flagged.parameter
        // The elements of a list without a label have no flags.
        let mayHaveFlags = parameter.position == nil || !parameter.type.isArray
        // The fields of a list are the fields of its only element. Flags can't set the fields of several elements.
        let hasOneObject = !parameter.fields.isEmpty && parameter.example.count == 1
        guard mayHaveFlags, hasOneObject else { return [flagged] }
        let path = parameter.type.isArray ? flagged.path + ["0"] : flagged.path
        return parameter.fields.flatMap { field in
            innermostFields(of: FlaggedParameter(path: path + [field.name], parameter: field))
        }
    }

    /// Returns the words that give a parameter its values in the example.
    ///
    ///     ["--id", "550"]    ["--adult"] or ["--no-adult"] for a boolean    ["--text=--x"] for a value like a flag
    ///
    /// - Returns: An array of words for each value: the flag and the value, or the value alone for a parameter without
    ///   a label.
    private static func words(of flagged: FlaggedParameter, flag: String) -> [[String]] {
        let parameter = flagged.parameter
        let isUnlabelled = !flagged.isField && parameter.position != nil
        let isSwitch = parameter.type == .scalar(.boolean)
        return parameter.typedExample.map { value in
            if isUnlabelled { return [value] }
            if isSwitch { return [value == "true" ? flag : "--no-" + flag.dropFirst(2)] }
            // A value that looks like a flag has to be in the same word.
            return value.hasPrefix("--") ? [flag + "=" + value] : [flag, value]
        }
    }
}

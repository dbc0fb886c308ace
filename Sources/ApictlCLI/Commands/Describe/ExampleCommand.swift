import EndpointKit
import EndpointTools

extension EndpointDeclaration {
    /// A parameter, or a field of a parameter, that has a flag of its own.
    private struct FlaggedParameter {
        let path: [String]
        let parameter: Parameter

        /// Whether it is a field of a parameter.
        var isField: Bool { path.count > 1 }
    }

    /// Returns an example as a command line: `apictl call movies.recommended --id 550`.
    ///
    /// - Parameters:
    ///   - example: The call.
    ///   - options: Options after the parameters, each with its value.
    ///   - tool: The name of the tool.
    ///   - width: The width that lines should have at most; nil for a single line.
    /// - Returns: The command line; nil if the example can't be written as JSON.
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
        guard let signature = try? signature.filled(from: example) else { return nil }
        let whole = signature.parameters.map { FlaggedParameter(path: [$0.name], parameter: $0) }
        let fields = whole.flatMap(Self.fields)
        // Flags of fields can't express everything, such as an empty object or a list of several objects.
        let flagged = makesCall(fields, example) ? fields : whole
        let words = flagged.flatMap { Self.words(of: $0, flag: "--" + signature.flagName($0.path)) }
        return [[name]] + words
    }

    /// Returns whether the flags of these fields make the call of an example. If they can't be read back, they do not.
    private func makesCall(_ fields: [FlaggedParameter], _ example: EndpointCall) -> Bool {
        let arguments = fields.filter { !$0.parameter.example.isEmpty }.flatMap { field in
            field.parameter.exampleArguments.map { Argument(field.path + $0.path.dropFirst(), $0.value) }
        }
        return (try? call(arguments))?.isSame(as: example) == true
    }

    /// Returns the fields of a parameter that have flags of their own, or else the parameter itself.
    private static func fields(_ flagged: FlaggedParameter) -> [FlaggedParameter] {
        let parameter = flagged.parameter
        let isFlag = parameter.position == nil || !parameter.type.isArray
        guard isFlag, !parameter.fields.isEmpty, parameter.example.count == 1 else { return [flagged] }
        // The fields of a list are those of its only element.
        let path = parameter.type.isArray ? flagged.path + ["0"] : flagged.path
        return parameter.fields.flatMap { fields(FlaggedParameter(path: path + [$0.name], parameter: $0)) }
    }

    /// Returns the words of a parameter: the flag with each value of the example, or the values alone without a flag.
    ///
    ///     ["--id", "550"]    ["--adult"] and ["--no-adult"] for a boolean    ["--text=--x"] for a value like a flag
    private static func words(of flagged: FlaggedParameter, flag: String) -> [[String]] {
        let parameter = flagged.parameter
        return parameter.typedExample.map { text in
            if !flagged.isField, parameter.position != nil { return [text] }
            if parameter.type == .scalar(.boolean) { return [text == "true" ? flag : "--no-" + flag.dropFirst(2)] }
            // A value that looks like a flag has to be in the same word.
            return text.hasPrefix("--") ? [flag + "=" + text] : [flag, text]
        }
    }
}

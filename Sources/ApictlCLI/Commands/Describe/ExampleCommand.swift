import EndpointKit

/// An example of an API as a command line.
enum ExampleCommand {
    /// `apictl call movies.recommended --id 550`; nil for an API with a handwritten `Codable`.
    static func text(_ example: any API, tool: String) -> String? {
        words(example).map { ([tool, "call"] + $0.map(ShellText.quoted)).joined(separator: " ") }
    }

    /// The words of the endpoint's name and its parameters; nil as for ``text(_:tool:)``.
    static func words(_ example: any API) -> [String]? {
        guard let signature = try? Signature(of: example) else { return nil }
        let name = type(of: example).name + "." + KebabCase.text(signature.caseName)
        return [name] + signature.parameters.flatMap(words)
    }

    private static func words(_ parameter: Parameter) -> [String] {
        let flag = "--" + KebabCase.text(parameter.name)
        if parameter.position != nil { return parameter.example }
        if parameter.type == .bool {
            return parameter.example.map { $0 == "true" ? flag : "--no-" + flag.dropFirst(2) }
        }
        return parameter.example.flatMap { text in
            text.hasPrefix("--") ? [flag + "=" + text] : [flag, text]
        }
    }
}

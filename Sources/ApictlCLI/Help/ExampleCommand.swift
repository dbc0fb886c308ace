import EndpointKit

/// An example of an API as the command line that makes it.
enum ExampleCommand {
    /// `apictl call movies.recommended --id 550`, or nil for an API whose `Codable` is written by hand.
    static func text(_ example: any API, tool: String) -> String? {
        guard let signature = try? Signature(of: example) else { return nil }
        let name = type(of: example).name + "." + KebabCase.text(signature.caseName)
        let words = [tool, "call", name] + signature.parameters.flatMap(words)
        return words.joined(separator: " ")
    }

    private static func words(_ parameter: Parameter) -> [String] {
        let flag = "--" + KebabCase.text(parameter.name)
        if parameter.position != nil { return parameter.example.map(ShellText.quoted) }
        if parameter.type == .bool {
            return parameter.example.map { $0 == "true" ? flag : "--no-" + flag.dropFirst(2) }
        }
        return parameter.example.flatMap { text in
            text.hasPrefix("--") ? [flag + "=" + ShellText.quoted(text)] : [flag, ShellText.quoted(text)]
        }
    }
}

import EndpointKit

/// The description of an endpoint as text.
enum DescriptionText {
    static func text(_ declaration: EndpointDeclaration, _ context: RunContext) -> String {
        let table = Table(width: context.textWidth)
        let description = EndpointDescription(declaration, tool: context.tool)
        var text = "\(description.name): \(description.summary)\n"
        text += "\(description.method) \(description.path)\n"
        if !description.apiSummary.isEmpty { text += "API: \(description.apiSummary)\n" }
        text += section("Parameters", table.text(description.parameters.map(row)))
        for parameter in description.parameters where parameter.hidesOption {
            text += "  To use call's own \(parameter.flag), write it before the endpoint's name.\n"
        }
        text += section("Headers", description.headers.map { "  \($0)\n" }.joined())
        if let body = description.body { text += section("Body", "  \(body)\n") }
        let response = (declaration.responseShape?.outline).map(indented) ?? "  \(description.returns)\n"
        let pages = description.pages ? "  Pages: --all-pages follows them\n" : ""
        text += section("Response", "\(response)\(pages)  Sample: \(description.sample ? "yes" : "no")\n")
        text += section("Servers", table.text(description.servers.map { [$0.name, $0.url] }))
        text += section("Credentials", description.credentials.map { line($0, context.textWidth) }.joined())
        text += section("Examples", description.examples.map { "  \($0)\n" }.joined())
        return text
    }

    static func section(_ title: String, _ content: String) -> String {
        content.isEmpty ? "" : "\n\(title)\n\(content)"
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    private static func row(_ parameter: EndpointDescription.ParameterDescription) -> [String] {
        let type = parameter.type + (parameter.repeats ? ", repeatable" : "")
        let separator = parameter.repeats ? " \(parameter.flag) " : " "
        let example = parameter.example.isEmpty ? "" : "e.g. " + parameter.example.joined(separator: separator)
        let notes = [
            parameter.values.map { "one of " + $0.joined(separator: ", ") }, parameter.bounds, parameter.note,
            parameter.default.map { "default \($0)" },
            parameter.excludes.map { "not with " + $0.joined(separator: ", ") },
            example.isEmpty || parameter.type == "object" ? nil : example,
        ]
        return [
            parameter.flag, type, parameter.required ? "required" : "optional",
            parameter.places.joined(separator: ", "), notes.compactMap { $0 }.joined(separator: "; "),
        ]
    }

    private static func line(_ credential: EndpointDescription.CredentialDescription, _ width: Int) -> String {
        let choices = credential.alternatives.joined(separator: ", or ")
        let sources = CredentialPages.lines(credential.variables, credential.obtain ?? [])
            .map { "    " + TextWrap.text("to get " + $0, width: width, hang: 6) + "\n" }
        let server = credential.server.map { "on \($0): " } ?? ""
        let text = server + choices + (credential.required ? "" : " (optional)")
        return "  " + TextWrap.text(text, width: width, hang: 4) + "\n" + sources.joined()
    }
}

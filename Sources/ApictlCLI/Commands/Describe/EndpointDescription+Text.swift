import EndpointKit
import EndpointTools

extension EndpointDescription {
    /// The name and summary of the endpoint, and a line with its method and path.
    var title: String {
        let heading = endpoint.summary.isEmpty ? name : "\(name): \(endpoint.summary)"
        return "\(heading)\n\(endpoint.method) \(places.template)\n"
    }

    /// Returns the description of an endpoint as text: its title, then sections from its parameters to examples of
    /// calls. Empty sections are left out.
    func text(_ declaration: EndpointDeclaration, _ context: CommandContext) -> String {
        let table = context.table
        let api = declaration.api
        // A section is indented by two columns.
        let examples = examples(tool: context.invocation, width: table.width - 2).nonEmpty ?? ["none"]
        return [
            title,
            api.summary.isEmpty ? "" : "API: \(api.summary)\n",
            table.section("Parameters", parameters.map(\.row)),
            notesAboutHiddenOptions,
            table.section("Headers", headers.map { [$0] }),
            table.section("Body", bodyRows),
            table.section("Response", responseLines.map { [$0] }),
            table.section("Servers", api.servers.map { [$0.name, $0.url] }),
            table.section("Credentials", credentials.flatMap { $0.rows() }),
            table.section("Examples", examples.map { [$0] }),
            table.section("Left out", declaration.omissions.map { [$0] }),
        ].joined()
    }

    /// A line for each parameter whose flag is also that of an option of `call`. After the endpoint's name, the flag
    /// sets the parameter.
    private var notesAboutHiddenOptions: String {
        let flags = parameters.filter(\.hidesOption).map(\.flag)
        return flags.map { "  To use call's own \($0), write it before the endpoint's name.\n" }.joined()
    }

    /// The media type of the body, and the types that can be chosen instead. Without a body, there are no rows.
    private var bodyRows: [[String]] {
        var rows: [[String]] = []
        if let body = places.endpoint.body { rows.append([body.contentType]) }
        if !bodyTypes.isEmpty { rows.append(["--body-type: one of " + bodyTypes.joined(separator: ", ")]) }
        return rows
    }

    /// The outline of the response's model in lines, then whether there are pages and a sample.
    private var responseLines: [String] {
        let outline = responseShape?.outline ?? returns
        var lines = outline.split(separator: "\n").map(String.init)
        if let pages = endpoint.pages {
            let links = pages.followsLinkHeaders ? "Link headers, if there are any" : "them"
            lines.append("Pages: --all-pages follows " + links)
        }
        lines.append("Sample: \(endpoint.sample != nil ? "yes" : "no")")
        return lines
    }
}

extension ParameterDescription {
    /// The row of the parameter: its flag, its type, whether it is required, its places in the request, and notes.
    var row: [String] { [flagSyntax, typeText, requirement, placesText, notes(withDefault: true)] }

    /// The flag, with both of its forms for a switch: `--[no-]adult`.
    var flagSyntax: String { isSwitch ? "--[no-]" + flag.dropFirst(2) : flag }

    /// The type, and whether the flag can be given several times: `integer, repeatable`.
    var typeText: String { repeats ? "\(type), repeatable" : type }

    /// The parts of the request that have the value: `query, body`.
    var placesText: String { places.joined(separator: ", ") }

    /// Whether the parameter is required, in words.
    var requirement: String {
        if let requiredIn { return "required in \(requiredIn)" }
        return required ? "required" : "optional"
    }

    /// Returns notes about the parameter: its choices and bounds, the note of its declaration, its default value, the
    /// parameters that can't be given with it, and an example.
    ///
    /// - Parameter withDefault: Whether the default value is one of the notes. Documentation leaves it out, because it
    ///   may depend on the environment.
    func notes(withDefault: Bool) -> String {
        var notes: [String] = []
        if let values { notes.append("one of " + values.joined(separator: ", ")) }
        if let bounds { notes.append(bounds) }
        if let note { notes.append(note) }
        if withDefault, let `default` { notes.append("default \(`default`)") }
        if !excludes.isEmpty { notes.append("not with " + excludes.joined(separator: ", ")) }
        // The flag of a switch shows all that it can be, and an object would be too long.
        let showsExample = !example.isEmpty && !isSwitch && type != "object"
        if showsExample { notes.append("e.g. " + example.joined(separator: ", ")) }
        return notes.joined(separator: "; ")
    }
}

extension Shape {
    /// The type of a parameter in a word or two, such as `integer`, `text`, `KEY=text` or `text or null`.
    ///
    /// A list has the name of its elements, because its flag is repeated for each.
    var shortName: String {
        if let other = nonNull { return other.shortName + " or null" }
        return switch self {
        case .scalar(.string): "text"
        case .scalar: name
        case .values: "choice"
        case .array(let element): element.shortName
        case .dictionary(let value): "KEY=" + value.shortName
        case .object, .open, .variants: "object"
        case .nullable, .alternatives, .model, .null, .any: "JSON"
        }
    }
}

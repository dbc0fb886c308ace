import APIImport
import EndpointKit
import JSONText

/// Documentation of endpoints as one page.
struct DocsPage {
    /// The columns of a command on a page of two columns.
    private static let width = 66
    /// The most fields that are named beside their model.
    private static let maxFields = 40

    private let format: DocsFormat
    private let models: ModelNames
    private let resolver: Resolver
    /// The identifiers in use.
    private var identifiers: NameTable

    /// The page. Throws `Signature.NotACase` for an API with a handwritten `Codable`.
    static func text(_ catalogue: CatalogueDescription, _ format: DocsFormat, _ context: RunContext) throws -> String {
        let apis = try catalogue.apis.map { ($0, try $0.details()) }
        let endpoints = apis.flatMap(\.1)
        var page = try DocsPage(format, ModelNames(endpoints), context)
        let own = apis.map { api, endpoints in
            DocsFormat.Section(
                id: page.identifiers.unique(api.api.name), title: api.api.name, summary: api.api.summary,
                sections: endpoints.map { page.section($0) })
        }
        let rows = zip(own, catalogue.apis).map { section, api -> DocsFormat.Row in
            let name = format.link(section.title, to: "#" + section.id)
            let servers = api.api.servers.map { format.text($0.name + " ") + format.code($0.url) }
            let summary = section.summary.isEmpty ? [] : [format.text(section.summary)]
            return (nil, [[name] + summary, servers, page.lines(api.api.declaredCredentials())])
        }
        let header = page.mock(endpoints) + format.table(["API", "Servers", "Credentials"], rows)
        let models = page.models.entries.map { entry in
            let fields = page.fields(entry.model.shape, of: entry.api)
            let facts = fields.isEmpty ? format.lines([page.type(entry.model.shape, of: entry.api)]) : fields
            return DocsFormat.Section(id: entry.id, title: entry.title, facts: facts)
        }
        let count = endpoints.count.counted("endpoint")
        return format.page(
            "\(context.tool) API reference",
            "Version \(context.version): \(count) of \(apis.count.counted("API")). "
                + "Each endpoint is a command for a shell and an enum case in Swift.", count, header,
            own + (models.isEmpty ? [] : [.init(id: "models", title: "Models", sections: models)]))
    }

    private init(_ format: DocsFormat, _ models: ModelNames, _ context: RunContext) throws {
        var context = context
        // What a page says must not depend on variables and configuration.
        context.environment.variable = { _ in nil }
        resolver = try Resolver(context, environmentFiles: [], apis: [])
        (self.format, self.models) = (format, models)
        identifiers = NameTable(["content", "models"] + models.entries.map(\.id))
    }

    // MARK: Models

    private func type(_ shape: Shape, of api: any API.Type) -> String {
        shape.words.map { text, isModel in
            let entry = isModel ? models.entry(text, of: api, .response) : nil
            return entry.map { format.link($0.title, to: "#" + $0.id) } ?? format.text(text)
        }.joined()
    }

    /// A table of the fields of objects of that shape, not of those of models, for which there is a table elsewhere.
    private func fields(_ shape: Shape, of api: any API.Type) -> String {
        let rows = shape.fieldsInside().map { field -> DocsFormat.Row in
            let type = type(field.shape, of: api) + (field.isOptional ? format.text(", optional") : "")
            return (nil, [[format.code(field.path.joined(separator: "."))], [type]])
        }
        return format.table(["Field", "Type"], rows)
    }

    // MARK: Endpoints

    /// How a server with the samples is started and called; nothing if there is no sample.
    private func mock(_ endpoints: [EndpointDescription]) -> String {
        let shown = endpoints.first { $0.endpoint.sample != nil && !$0.parameters.contains(where: \.hidesOption) }
        let options = [["--base-url", "http://127.0.0.1:8080"], ["--auth", "none"]]
        guard let shown, let command = command(shown, options) else { return "" }
        let text = "Without keys or network: start a server with the samples, and call it from another shell."
        return format.lines([format.text(text)])
            + format.code("Server", "\(resolver.context.tool) mock \(shown.api.name) --no-auth", of: shown.api.name)
            + format.code("Call", command, of: shown.name)
    }

    private func command(_ endpoint: EndpointDescription, _ options: [[String]] = []) -> String? {
        let declaration = endpoint.declaration
        return declaration.command(declaration.firstCall, options, tool: resolver.context.tool, width: Self.width)
    }

    private mutating func section(_ endpoint: EndpointDescription) -> DocsFormat.Section {
        let (shape, id) = (endpoint.responseShape, identifiers.unique(endpoint.name))
        let method = format.method(endpoint.endpoint.method.rawValue)
        var facts = format.lines([method + format.code(endpoint.places.template)])
        func add(_ title: String, _ content: String) { facts += format.heading(title) + content }
        if !endpoint.parameters.isEmpty {
            let rows = endpoint.parameters.map { parameter -> DocsFormat.Row in
                let row = parameter.row(withDefault: false)
                let cells = [row[1] + ", " + row[2], row[3], row[4]].map { [format.text($0)] }
                let id = identifiers.unique("\(endpoint.name).\(row[0].drop { $0 == "-" })")
                return (id, [[format.code(row[0])]] + cells)
            }
            add("Parameters", format.table(["Name", "Type", "In", "Notes"], rows))
        }
        if !endpoint.headers.isEmpty { add("Headers", format.lines(endpoint.headers.map(format.code))) }
        if let body = endpoint.places.endpoint.body { add("Body", format.lines([format.code(body.contentType)])) }
        if endpoint.endpoint.credentials != nil { add("Credentials", format.lines(lines(endpoint.credentials))) }
        var result = shape.map { type($0.root, of: endpoint.api) } ?? format.text(endpoint.returns)
        let fields = (shape.flatMap { $0.fields(of: $0.root) } ?? []).map(\.key)
        let names = fields.prefix(Self.maxFields).joined(separator: ", ") + (fields.count > Self.maxFields ? ", …" : "")
        if !fields.isEmpty { result += format.text(": " + names) }
        let pages = format.text("Pages: ") + format.code("--all-pages") + format.text(" follows them")
        add("Response", format.lines([result] + (endpoint.endpoint.pages != nil ? [pages] : [])))
        facts += shape.map { self.fields($0.root, of: endpoint.api) } ?? ""
        return DocsFormat.Section(
            id: id, title: endpoint.name, summary: endpoint.endpoint.summary, facts: facts, code: code(endpoint))
    }

    /// A line for each alternative.
    private func lines(_ credentials: [DeclaredCredential]) -> [String] {
        if credentials.isEmpty { return [format.text("none")] }
        // The second column is the page where a person gets it.
        return credentials.flatMap { $0.rows() }.map { row in
            format.text(row[0]) + (row[1].hasPrefix("http") ? format.text(": ") + format.link(row[1], to: row[1]) : "")
        }
    }

    /// The call in a shell, with curl and in Swift, and the sample.
    private func code(_ endpoint: EndpointDescription) -> String {
        let (declaration, response) = (endpoint.declaration, endpoint.endpoint.response)
        var words = CallWords(declaration)
        words.call = declaration.firstCall
        let curl = (try? resolver.plan(words, .curl)).map { plan in
            ShellText.command(CurlInvocation(plan, resolver.context), width: Self.width)
        }
        var swift = SwiftCall.text(declaration.firstCall)
        let start = "let \(response.kind == .empty ? "_" : "result"): \(response.name) = try await client.send("
        if start.count + swift.count >= Self.width { swift = "\n    \(swift)\n" }
        let all = [
            (resolver.context.tool, command(endpoint)), ("curl", curl), ("Swift", start + swift + ")"),
            ("Sample", endpoint.endpoint.sample.map(Self.text)),
        ]
        return all.map { title, text in
            (text?.nonEmpty).map { format.code(title, $0, of: endpoint.name) } ?? ""
        }.joined()
    }

    /// The text of a sample without what looks like a credential; JSON is indented.
    private static func text(of sample: Sample) -> String {
        let bytes = BodyToken.removed(from: sample.bytes, sample.contentType)
        // As on a terminal, what a reader can't see is written as an escape.
        let output = BufferOutput(isTerminal: true)
        let printer = BodyPrinter(output: output, style: .pretty(indent: .spaces(2)))
        let isJSON = (try? printer.printJSON(bytes)) != nil
        let text = isJSON ? output.bytes : TerminalFilter.shown(bytes, on: output)
        return text.map { String(decoding: $0, as: UTF8.self) } ?? "(\(bytes.count) bytes of \(sample.contentType))"
    }
}

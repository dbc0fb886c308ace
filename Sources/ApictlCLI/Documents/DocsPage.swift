import APIImport
import EndpointKit
import EndpointTools
import JSONText

/// Documentation of endpoints as one page.
struct DocsPage {
    /// The columns of a command on a page of two columns.
    private static let width = 66
    /// The most fields that are named beside their model.
    private static let maxFields = 40

    private let format: DocsFormat
    private let models: SchemaNames
    private let resolver: CallResolver
    /// The identifiers in use.
    private var identifiers: NameTable

    /// The page. Throws `NotAnEnumCase` for an API with a handwritten `Codable`.
    static func text(_ catalogue: CatalogueDescription, _ format: DocsFormat, _ context: CommandContext) throws
        -> String
    {
        var context = context
        // What a page says must not depend on variables and configuration.
        context.environment.variable = { _ in nil }
        context.configuration = .success(nil)
        let apis = try catalogue.apis.map { (api: $0.api, endpoints: try $0.details()) }
        let endpoints = apis.flatMap(\.endpoints)
        let models = SchemaNames(endpoints)
        var page = DocsPage(
            format: format, models: models, resolver: try CallResolver(context, environmentFiles: [], apis: []),
            identifiers: NameTable(["content", "models"] + models.entries.map(\.id)))
        let own = apis.map { api, endpoints in
            DocsFormat.Section(
                id: page.identifiers.unique(api.name), title: api.name, facts: format.lines([format.text(api.summary)]),
                sections: endpoints.map { page.section($0) })
        }
        let rows = zip(own, apis).map { section, one -> DocsFormat.Row in
            let name = format.link(section.title, to: "#" + section.id)
            let servers = one.api.servers.map { format.text($0.name + " ") + format.code($0.url) }
            let cells = [[name, format.text(one.api.summary)], servers, page.lines(one.api.declaredCredentials())]
            return (nil, cells.map { $0.filter { !$0.isEmpty }.joined(separator: "<br>") })
        }
        let described = models.entries.map { entry in
            let (shape, api) = (entry.model.shape, entry.api)
            let facts = page.fields(shape, of: api).nonEmpty ?? format.lines([page.type(shape, of: api)])
            return DocsFormat.Section(id: entry.id, title: entry.title, facts: facts)
        }
        let count = endpoints.count.counted("endpoint")
        return format.page(
            "\(context.tool) API reference",
            "Version \(context.version): \(count) of \(apis.count.counted("API")). "
                + "Each endpoint is a command for a shell and an enum case in Swift.", count,
            page.mock(endpoints) + format.table(["API", "Servers", "Credentials"], rows),
            own + (described.isEmpty ? [] : [.init(id: "models", title: "Models", sections: described)]))
    }

    // MARK: Models

    private func type(_ shape: Shape, of api: CatalogueAPI) -> String {
        shape.words.map { word in
            let entry = word.isModel ? models.entry(word.text, of: api, .response) : nil
            return entry.map { format.link($0.title, to: "#" + $0.id) } ?? format.text(word.text)
        }.joined()
    }

    /// A table of the fields of objects of that shape, not of those of models, for which there is a table elsewhere.
    private func fields(_ shape: Shape, of api: CatalogueAPI) -> String {
        let rows = shape.fieldsInside().map { field -> DocsFormat.Row in
            let type = type(field.shape, of: api) + (field.isOptional ? format.text(", optional") : "")
            return (nil, [format.code(field.path.joined(separator: ".")), type])
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
        let rows = endpoint.parameters.map { parameter -> DocsFormat.Row in
            let row = parameter.row(withDefault: false)
            let id = identifiers.unique("\(endpoint.name).\(row[0].drop { $0 == "-" })")
            return (id, [format.code(row[0])] + [row[1] + ", " + row[2], row[3], row[4]].map(format.text))
        }
        let body = endpoint.places.endpoint.body.map { [format.code($0.contentType)] } ?? []
        let credentials = endpoint.endpoint.credentials == nil ? [] : lines(endpoint.credentials)
        var result = shape.map { type($0.root, of: endpoint.api) } ?? format.text(endpoint.returns)
        let fields = (shape.map { $0.namedFields(of: $0.root) } ?? []).map(\.key)
        let names = fields.prefix(Self.maxFields).joined(separator: ", ") + (fields.count > Self.maxFields ? ", …" : "")
        if !fields.isEmpty { result += format.text(": " + names) }
        let follows = format.text("Pages: ") + format.code("--all-pages") + format.text(" follows them")
        let response = format.lines([result, endpoint.endpoint.pages == nil ? "" : follows])
        let facts = [
            format.lines([format.text(endpoint.endpoint.summary)]),
            format.lines([format.method(endpoint.endpoint.method.rawValue) + format.code(endpoint.places.template)]),
            format.block("Parameters", format.table(["Name", "Type", "In", "Notes"], rows)),
            format.block("Headers", format.lines(endpoint.headers.map(format.code))),
            format.block("Body", format.lines(body)),
            format.block("Credentials", format.lines(credentials)),
            format.block("Response", response + (shape.map { self.fields($0.root, of: endpoint.api) } ?? "")),
        ]
        return DocsFormat.Section(id: id, title: endpoint.name, facts: facts.joined(), code: code(endpoint))
    }

    /// A line for each alternative.
    private func lines(_ credentials: [ConfigurableCredential]) -> [String] {
        if credentials.isEmpty { return [format.text("none")] }
        // The second column is the page where a person gets it.
        return credentials.flatMap { $0.rows() }.map { row in
            format.text(row[0]) + (row[1].hasPrefix("http") ? format.text(": ") + format.link(row[1], to: row[1]) : "")
        }
    }

    /// The call in a shell, with curl and in Swift, and the sample.
    private func code(_ endpoint: EndpointDescription) -> String {
        let (declaration, response) = (endpoint.declaration, endpoint.endpoint.response)
        var request = CallRequest(declaration)
        request.call = declaration.firstCall
        let curl = (try? resolver.curlPlan(resolver.context.completed(request))).map { plan in
            ShellText.command(CurlCommandText(plan, resolver.context), width: Self.width)
        }
        let swift = SwiftCall.text(declaration.firstCall).map { call in
            let start = "let \(response.kind == .empty ? "_" : "result"): \(response.name) = try await client.send("
            return start + (start.count + call.count >= Self.width ? "\n    \(call)\n" : call) + ")"
        }
        return format.code(resolver.context.tool, command(endpoint), of: endpoint.name)
            + format.code("curl", curl, of: endpoint.name)
            + format.code("Swift", swift, of: endpoint.name)
            + format.code("Sample", endpoint.endpoint.sample.map(Self.text), of: endpoint.name)
    }

    /// The text of a sample without secrets; JSON is indented.
    private static func text(of sample: Sample) -> String {
        let bytes = SecretRules.redacted(sample.bytes, contentType: sample.contentType)
        let text = (try? JSONFormatter(style: .pretty(indent: .spaces(2))).formatted(bytes)) ?? bytes
        if text.prefix(8192).contains(0) { return "(\(bytes.count) bytes of \(sample.contentType))" }
        return String(decoding: text, as: UTF8.self)
    }
}

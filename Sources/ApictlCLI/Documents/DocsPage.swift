import APIImport
import EndpointKit
import EndpointTools
import JSONText
import OpenAPI

/// Makes the documentation of endpoints as one page. The format decides only on the markup.
struct DocsPage {
    /// The width of a command in characters, which fits into the right one of the page's two columns.
    private static let width = 66
    /// The most fields that are named beside their model.
    private static let maxFields = 40

    private let format: any DocsMarkup
    private let models: ComponentNames
    private let resolver: CallResolver
    /// The identifiers in use. A further section with the same name gets a number.
    private var identifiers: NameTable

    /// Returns the page about a catalogue.
    ///
    /// Variables and the configuration are hidden from the page, so that it is the same on every machine and has no
    /// secret.
    ///
    /// - Throws: `NotAnEnumCase` for an API with a handwritten `Codable`.
    static func text(
        _ catalogue: CatalogueDescription, _ format: DocsFormat, _ context: CommandContext
    ) throws -> String {
        var context = context
        context.environment.variable = { _ in nil }
        context.configuration = .success(nil)
        let apis = try catalogue.apis.map { PageAPI(api: $0.api, endpoints: try $0.details()) }
        var page = try DocsPage(apis.flatMap(\.endpoints), format, context)
        return page.text(apis, context)
    }

    /// An API with the endpoints that are on the page.
    private struct PageAPI {
        let api: CatalogueAPI
        let endpoints: [EndpointDescription]
    }

    /// Prepares a page about endpoints: collects the models of their responses, and reserves the identifiers that the
    /// template and the sections of models have.
    private init(_ endpoints: [EndpointDescription], _ format: DocsFormat, _ context: CommandContext) throws {
        self.format = format.markup
        models = ComponentNames(
            endpoints.map { ComponentNames.Source($0.api, $0.responseShape, .response) },
            of: endpoints.map(\.declaration))
        resolver = try CallResolver(context, environmentFiles: [], apis: [])
        identifiers = NameTable(["content", "models"] + models.entries.map(\.id))
    }

    /// Returns the page: an overview, a section for each API, and one with all models.
    private mutating func text(_ apis: [PageAPI], _ context: CommandContext) -> String {
        let endpoints = apis.flatMap(\.endpoints)
        let count = endpoints.count.counted("endpoint")
        let summary =
            "Version \(context.version): \(count) of \(apis.count.counted("API")). "
            + "Each endpoint is a command for a shell and an enum case in Swift."
        // Endpoints come first, because links in the overview need their identifiers.
        var sections = apis.map { section($0) }
        let rows = zip(sections, apis).map { overviewRow($1.api, section: $0) }
        let header = mock(endpoints) + format.table(["API", "Servers", "Credentials"], rows)
        let modelSections = models.entries.map { modelSection($0) }
        if !modelSections.isEmpty {
            sections.append(DocsSection(id: "models", title: "Models", sections: modelSections))
        }
        return format.page(
            DocsContents(
                title: "\(context.tool) API reference", summary: summary, count: count, header: header,
                sections: sections))
    }

    /// Returns the section of an API, which contains the sections of its endpoints.
    private mutating func section(_ documented: PageAPI) -> DocsSection {
        let api = documented.api
        let id = identifiers.unique(api.name)
        return DocsSection(
            id: id, title: api.name, facts: format.lines([format.text(api.summary)]),
            sections: documented.endpoints.map { section($0) })
    }

    /// Returns the row of an API in the table at the start of the page: name with summary, servers, and credentials.
    private func overviewRow(_ api: CatalogueAPI, section: DocsSection) -> DocsRow {
        let name = format.link(section.title, to: "#" + section.id)
        let servers = api.servers.map { format.text($0.name + " ") + format.code($0.url) }
        let cells = [[name, format.text(api.summary)], servers, lines(api.declaredCredentials())]
        return DocsRow(cells: cells.map { lines in lines.filter { !$0.isEmpty }.joined(separator: "<br>") })
    }

    // MARK: Models

    /// Returns the section of a model: the table of its fields, or its type if it is no object.
    private func modelSection(_ entry: ComponentNames.Entry) -> DocsSection {
        let shape = entry.model.shape
        var facts = fields(shape, of: entry.api)
        if facts.isEmpty { facts = format.lines([type(shape, of: entry.api)]) }
        return DocsSection(id: entry.id, title: entry.title, facts: facts)
    }

    /// Returns the name of a shape, in which names of models are links to their sections: `[Movie]` with a link at
    /// `Movie`.
    private func type(_ shape: Shape, of api: CatalogueAPI) -> String {
        shape.words.map { word in
            let entry = word.isModel ? models.entry(word.text, of: api, .response) : nil
            return entry.map { format.link($0.title, to: "#" + $0.id) } ?? format.text(word.text)
        }.joined()
    }

    /// Returns a table of the fields of an object; empty for other shapes.
    ///
    /// A field of a nested object has a row such as `owner.name`. The fields of a model are in the section of the
    /// model.
    private func fields(_ shape: Shape, of api: CatalogueAPI) -> String {
        let rows = shape.fieldsInside().map { field -> DocsRow in
            let type = type(field.shape, of: api) + (field.isOptional ? format.text(", optional") : "")
            return DocsRow(cells: [format.code(field.path.joined(separator: ".")), type])
        }
        return format.table(["Field", "Type"], rows)
    }

    // MARK: Endpoints

    /// Returns two commands: one starts a server with the samples, the other calls an endpoint on it. The text is empty
    /// if no endpoint has a sample.
    private func mock(_ endpoints: [EndpointDescription]) -> String {
        // The options of the call follow the endpoint's name, where a parameter of the same name would hide them.
        let shown = endpoints.first { $0.endpoint.sample != nil && !$0.parameters.contains(where: \.hidesOption) }
        let options = [["--base-url", "http://127.0.0.1:8080"], ["--auth", "none"]]
        guard let shown, let command = command(shown, options) else { return "" }
        let text = "Without keys or network: start a server with the samples, and call it from another shell."
        return format.lines([format.text(text)])
            + format.code("Server", "\(resolver.context.tool) mock \(shown.api.name) --no-auth", of: shown.api.name)
            + format.code("Call", command, of: shown.name)
    }

    /// Returns the first call of an endpoint as a command line.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - options: Options with their values, to add to the command.
    /// - Returns: The command; nil if the call can't be typed.
    private func command(_ endpoint: EndpointDescription, _ options: [[String]] = []) -> String? {
        let declaration = endpoint.declaration
        return declaration.command(declaration.firstCall, options, tool: resolver.context.tool, width: Self.width)
    }

    /// Returns the section of an endpoint.
    private mutating func section(_ endpoint: EndpointDescription) -> DocsSection {
        let id = identifiers.unique(endpoint.name)
        let facts = [
            format.lines([format.text(endpoint.endpoint.summary)]),
            format.lines([format.method(endpoint.endpoint.method.rawValue) + format.code(endpoint.places.template)]),
            format.block("Parameters", parameters(endpoint)),
            format.block("Headers", format.lines(endpoint.headers.map(format.code))),
            format.block("Body", body(endpoint)),
            format.block("Credentials", credentials(endpoint)),
            format.block("Response", response(endpoint)),
        ]
        return DocsSection(id: id, title: endpoint.name, facts: facts.joined(), code: code(endpoint))
    }

    /// Returns the table of an endpoint's parameters. Each row has an identifier, such as `movies.video.id`, for links.
    private mutating func parameters(_ endpoint: EndpointDescription) -> String {
        var rows: [DocsRow] = []
        for parameter in endpoint.parameters {
            // The cells of this row are flag, type, requirement, places and notes.
            let row = parameter.row(withDefault: false)
            let name = parameter.flag.drop { $0 == "-" }
            let type = row[1] + ", " + row[2]
            let cells = [
                format.code(row[0]), format.text(type), format.text(row[3]), format.text(row[4]),
            ]
            rows.append(DocsRow(id: identifiers.unique("\(endpoint.name).\(name)"), cells: cells))
        }
        return format.table(["Name", "Type", "In", "Notes"], rows)
    }

    /// Returns the content type of requests; an empty text if they have no body.
    private func body(_ endpoint: EndpointDescription) -> String {
        guard let body = endpoint.places.endpoint.body else { return "" }
        return format.lines([format.code(body.contentType)])
    }

    /// Returns the credentials that an endpoint declares itself; an empty text if those of its API apply, which the
    /// overview shows.
    private func credentials(_ endpoint: EndpointDescription) -> String {
        endpoint.endpoint.credentials == nil ? "" : format.lines(lines(endpoint.credentials))
    }

    /// Returns the name of the response's model with the names of its fields, a line about pages, and a table of the
    /// fields if the response is an object itself.
    private func response(_ endpoint: EndpointDescription) -> String {
        let pages = format.text("Pages: ") + format.code("--all-pages") + format.text(" follows them")
        let pagesLine = endpoint.endpoint.pages == nil ? "" : pages
        guard let shape = endpoint.responseShape else {
            return format.lines([format.text(endpoint.returns), pagesLine])
        }
        let names = shape.namedFields(of: shape.root).map(\.key)
        var model = type(shape.root, of: endpoint.api)
        if !names.isEmpty {
            let more = names.count > Self.maxFields ? ", …" : ""
            model += format.text(": " + names.prefix(Self.maxFields).joined(separator: ", ") + more)
        }
        return format.lines([model, pagesLine]) + fields(shape.root, of: endpoint.api)
    }

    /// Returns a line for each alternative of credentials, with a link to the page where a person gets it.
    private func lines(_ credentials: [ConfigurableCredential]) -> [String] {
        if credentials.isEmpty { return [format.text("none")] }
        return credentials.flatMap { $0.rows() }.map { row in
            // The second column is the page where a person gets the credential.
            let page = row[1]
            guard page.hasPrefix("http") else { return format.text(row[0]) }
            return format.text(row[0] + ": ") + format.link("where to get it", to: page)
        }
    }

    /// Returns the first call of an endpoint as a command of this tool, as a command of curl and in Swift, and the
    /// sample.
    ///
    /// A form that the call does not have is left out.
    private func code(_ endpoint: EndpointDescription) -> String {
        let sample = endpoint.endpoint.sample.map(Self.text)
        return format.code(resolver.context.tool, command(endpoint), of: endpoint.name)
            + format.code("curl", curlCommand(endpoint.declaration), of: endpoint.name)
            + format.code("Swift", swiftCall(endpoint), of: endpoint.name)
            + format.code("Sample", sample, of: endpoint.name)
    }

    /// Returns the first call of an endpoint as a command of curl; nil if curl can't send it. The page then lacks this
    /// part.
    private func curlCommand(_ declaration: EndpointDeclaration) -> String? {
        var request = CallRequest(declaration)
        request.call = declaration.firstCall
        guard let plan = try? resolver.curlPlan(resolver.context.completed(request)) else { return nil }
        return ShellText.command(CurlCommandText(plan, resolver.context), width: Self.width)
    }

    /// Returns the first call of an endpoint in Swift; nil if no enum declares it, as for an API of a document.
    ///
    ///     let result: Movie = try await client.send(Movies.video(id: 550))
    ///
    /// A call that is too long for this line has a line of its own.
    private func swiftCall(_ endpoint: EndpointDescription) -> String? {
        guard let call = SwiftCall.text(endpoint.declaration.firstCall) else { return nil }
        let response = endpoint.endpoint.response
        let name = response.kind == .empty ? "_" : "result"
        let start = "let \(name): \(response.name) = try await client.send("
        let isLong = start.count + call.count >= Self.width
        return start + (isLong ? "\n    \(call)\n" : call) + ")"
    }

    /// Returns the text of a sample without secrets. JSON is indented. Of binary data, only the size is shown.
    private static func text(of sample: Sample) -> String {
        let bytes = SecretRules.redacted(sample.bytes, contentType: sample.contentType)
        let text = (try? JSONFormatter(style: .pretty(indent: .spaces(2))).formatted(bytes)) ?? bytes
        // A zero byte near the beginning means binary data.
        if text.prefix(8192).contains(0) { return "(\(bytes.count) bytes of \(sample.contentType))" }
        return String(decoding: text, as: UTF8.self)
    }
}

extension ComponentNames.Entry {
    /// The identifier of the model's section.
    fileprivate var id: String { "model-" + name }
}

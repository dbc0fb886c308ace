import APIImport
import EndpointKit
import EndpointTools
import JSONText
import OpenAPI

/// Makes the documentation of endpoints as one page. The format decides only on the markup.
struct DocsPage {
    /// The width of a command in characters, which fits into the right one of the page's two columns.
    private static let commandWidth = 66
    /// The most fields that are named beside their model.
    private static let maxNamedFields = 40
    /// The number of bytes at the beginning of a sample that tell whether it is text. Git looks at about as many.
    private static let examinedByteCount = 8192

    private let markup: any DocsMarkup
    /// The models of all responses, each with the name under which the page describes it.
    private let models: ComponentNames
    private let resolver: CallResolver
    /// The identifiers in use. A further section with the same name gets a number.
    private var identifiers: NameTable

    /// Returns the page about the endpoints of a catalogue.
    ///
    /// Variables and the configuration are hidden from the page, so that it is the same on every machine and has no
    /// secret.
    ///
    /// - Throws: `NotAnEnumCase` for an API whose enum implements `Codable` by hand, which hides its cases.
    static func text(
        about catalogue: CatalogueDescription, in format: DocsFormat, context: CommandContext
    ) throws -> String {
        var contextWithoutVariables = context
        contextWithoutVariables.environment.variable = { _ in nil }
        contextWithoutVariables.configuration = .success(nil)
        let apis = try catalogue.apis.map { PageAPI(api: $0.api, endpoints: try $0.details()) }
        var page = try DocsPage(
            about: apis.flatMap(\.endpoints), markup: format.markup, context: contextWithoutVariables)
        return page.writePage(about: apis, version: context.version)
    }

    /// An API with the endpoints that are on the page.
    private struct PageAPI {
        let api: CatalogueAPI
        let endpoints: [EndpointDescription]
    }

    /// Prepares a page about endpoints: collects the models of their responses, and reserves the identifiers that the
    /// template and the sections of models have.
    private init(
        about endpoints: [EndpointDescription], markup: any DocsMarkup, context: CommandContext
    ) throws {
        self.markup = markup
        models = ComponentNames(
            endpoints.map { ComponentNames.Source($0.responseShape, of: $0.api, use: .response) },
            of: endpoints.map(\.declaration))
        resolver = try CallResolver(context, environmentFiles: [], apis: [])
        identifiers = NameTable(["content", "models"] + models.entries.map(\.sectionID))
    }

    /// Writes the page: an overview, a section for each API, and one with all models. Takes an identifier for each
    /// section.
    private mutating func writePage(about apis: [PageAPI], version: String) -> String {
        let endpoints = apis.flatMap(\.endpoints)
        let endpointCount = endpoints.count.counted("endpoint")
        let summary = """
            Version \(version): \(endpointCount) of \(apis.count.counted("API")). \
            Each endpoint is a command for a shell and an enum case in Swift.
            """
        // The sections of APIs come first, because links in the overview need their identifiers.
        var sections: [DocsSection] = []
        var overviewRows: [DocsRow] = []
        for documented in apis {
            let section = makeSection(about: documented)
            sections.append(section)
            overviewRows.append(overviewRow(for: documented.api, section: section))
        }
        let overview = markup.table(columnTitles: ["API", "Servers", "Credentials"], rows: overviewRows)
        let modelSections = models.entries.map(modelSection)
        if !modelSections.isEmpty {
            sections.append(DocsSection(id: "models", title: "Models", sections: modelSections))
        }
        return markup.page(
            DocsContents(
                title: "\(resolver.context.tool) API reference", summary: summary, endpointCount: endpointCount,
                header: mockCommands(for: endpoints) + overview, sections: sections))
    }

    /// Makes the section of an API, which contains the sections of its endpoints. Takes an identifier for each of them.
    private mutating func makeSection(about documented: PageAPI) -> DocsSection {
        let api = documented.api
        let id = identifiers.unique(api.name)
        let summary = markup.paragraph(nonEmptyLinesOf: [markup.escaped(api.summary)])
        var endpointSections: [DocsSection] = []
        for endpoint in documented.endpoints { endpointSections.append(makeSection(about: endpoint)) }
        return DocsSection(id: id, title: api.name, descriptionMarkup: summary, sections: endpointSections)
    }

    /// Returns the row of an API in the table at the start of the page: name with summary, servers, and credentials.
    private func overviewRow(for api: CatalogueAPI, section: DocsSection) -> DocsRow {
        let name = markup.link(section.title, to: "#" + section.id)
        let servers = api.servers.map { markup.escaped($0.name + " ") + markup.inlineCode($0.url) }
        let linesOfCells = [[name, markup.escaped(api.summary)], servers, lines(about: api.declaredCredentials())]
        return DocsRow(cells: linesOfCells.map { lines in lines.filter { !$0.isEmpty }.joined(separator: "<br>") })
    }

    // MARK: Models

    /// Returns the section of a model: the table of its fields, or its type if it is no object.
    private func modelSection(_ entry: ComponentNames.Entry) -> DocsSection {
        let shape = entry.model.shape
        var descriptionMarkup = fieldTable(of: shape, in: entry.api)
        if descriptionMarkup.isEmpty {
            descriptionMarkup = markup.paragraph(lines: [linkedTypeName(of: shape, in: entry.api)])
        }
        return DocsSection(id: entry.sectionID, title: entry.title, descriptionMarkup: descriptionMarkup)
    }

    /// Returns the type name of a shape, in which names of models are links to their sections: `[Movie]` with a link at
    /// `Movie`.
    ///
    /// - Parameters:
    ///   - shape: The shape of a response or field.
    ///   - api: The API that has the models. Another API may have different models of the same name.
    private func linkedTypeName(of shape: Shape, in api: CatalogueAPI) -> String {
        shape.words.map { word in
            guard word.isModel, let entry = models.entry(word.text, of: api, use: .response) else {
                return markup.escaped(word.text)
            }
            return markup.link(entry.title, to: "#" + entry.sectionID)
        }.joined()
    }

    /// Returns a table of the fields of an object; empty for other shapes.
    ///
    /// A field of a nested object has a row such as `owner.name`. The fields of a model are in the section of the
    /// model.
    private func fieldTable(of shape: Shape, in api: CatalogueAPI) -> String {
        let rows = shape.fieldsInside().map { field -> DocsRow in
            let path = markup.inlineCode(field.path.joined(separator: "."))
            var type = linkedTypeName(of: field.shape, in: api)
            if field.isOptional { type += markup.escaped(", optional") }
            return DocsRow(cells: [path, type])
        }
        return markup.table(columnTitles: ["Field", "Type"], rows: rows)
    }

    // MARK: Endpoints

    /// Returns two commands: one starts a server with the samples, the other calls an endpoint on it. The text is empty
    /// if no endpoint has a sample, or if the call can't be typed.
    private func mockCommands(for endpoints: [EndpointDescription]) -> String {
        // The options of the call follow the endpoint's name, where a parameter of the same name would hide them.
        let shownEndpoint = endpoints.first { endpoint in
            endpoint.endpoint.sample != nil && !endpoint.parameters.contains(where: \.hidesOption)
        }
        let callOptions = [["--base-url", "http://127.0.0.1:8080"], ["--auth", "none"]]
        guard let shownEndpoint, let callCommand = command(for: shownEndpoint, options: callOptions) else { return "" }
        let api = shownEndpoint.api.name
        let mockCommand = "\(resolver.context.tool) mock \(api) --no-auth"
        let explanation = "Without keys or network: start a server with the samples, and call it from another shell."
        return markup.paragraph(lines: [markup.escaped(explanation)])
            + markup.codeBlock("Server", code: mockCommand, of: api)
            + markup.codeBlock("Call", code: callCommand, of: shownEndpoint.name)
    }

    /// Returns the first call of an endpoint as a command line.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint that is called.
    ///   - options: Options with their values, to add to the command.
    /// - Returns: The command; nil if the call can't be typed.
    private func command(for endpoint: EndpointDescription, options: [[String]]) -> String? {
        let declaration = endpoint.declaration
        return declaration.command(
            declaration.firstCall, options, tool: resolver.context.tool, width: Self.commandWidth)
    }

    /// Makes the section of an endpoint. Takes an identifier for the section and for each parameter.
    private mutating func makeSection(about endpoint: EndpointDescription) -> DocsSection {
        let id = identifiers.unique(endpoint.name)
        let method = markup.methodName(endpoint.endpoint.method.rawValue)
        let headers = endpoint.headers.map(markup.inlineCode)
        let descriptionMarkup = [
            markup.paragraph(nonEmptyLinesOf: [markup.escaped(endpoint.endpoint.summary)]),
            markup.paragraph(lines: [method + markup.inlineCode(endpoint.places.template)]),
            markup.block("Parameters", content: makeParameterTable(of: endpoint)),
            markup.block("Headers", content: markup.paragraph(nonEmptyLinesOf: headers)),
            markup.block("Body", content: bodyType(of: endpoint)),
            markup.block("Credentials", content: ownCredentials(of: endpoint)),
            markup.block("Response", content: responseMarkup(of: endpoint)),
        ]
        return DocsSection(
            id: id, title: endpoint.name, descriptionMarkup: descriptionMarkup.joined(), code: codeBlocks(for: endpoint)
        )
    }

    /// Makes the table of an endpoint's parameters. Takes an identifier for each row, such as `movies.video.id`, so
    /// that links can lead to it.
    private mutating func makeParameterTable(of endpoint: EndpointDescription) -> String {
        var rows: [DocsRow] = []
        for parameter in endpoint.parameters {
            let cells = [
                markup.inlineCode(parameter.flagSyntax),
                markup.escaped("\(parameter.typeText), \(parameter.requirement)"),
                markup.escaped(parameter.placesText),
                markup.escaped(parameter.notes(withDefault: false)),
            ]
            let name = parameter.flag.drop { $0 == "-" }
            rows.append(DocsRow(id: identifiers.unique("\(endpoint.name).\(name)"), cells: cells))
        }
        return markup.table(columnTitles: ["Name", "Type", "In", "Notes"], rows: rows)
    }

    /// Returns the content type of an endpoint's requests; an empty text if they have no body.
    private func bodyType(of endpoint: EndpointDescription) -> String {
        guard let body = endpoint.places.endpoint.body else { return "" }
        return markup.paragraph(lines: [markup.inlineCode(body.contentType)])
    }

    /// Returns the credentials that an endpoint declares itself; an empty text if those of its API apply, which the
    /// overview shows.
    private func ownCredentials(of endpoint: EndpointDescription) -> String {
        if endpoint.endpoint.credentials == nil { return "" }
        return markup.paragraph(nonEmptyLinesOf: lines(about: endpoint.credentials))
    }

    /// Returns the description of an endpoint's response: the name of its model with the names of its fields, a line
    /// about pages, and a table of the fields if the response is an object without a model's name.
    private func responseMarkup(of endpoint: EndpointDescription) -> String {
        var pagesLine = ""
        if endpoint.endpoint.pages != nil {
            pagesLine = markup.escaped("Pages: ") + markup.inlineCode("--all-pages") + markup.escaped(" follows them")
        }
        guard let shape = endpoint.responseShape else {
            return markup.paragraph(nonEmptyLinesOf: [markup.escaped(endpoint.returns), pagesLine])
        }
        var modelLine = linkedTypeName(of: shape.root, in: endpoint.api)
        let fieldNames = shape.namedFields(of: shape.root).map(\.key)
        if !fieldNames.isEmpty {
            let ellipsis = fieldNames.count > Self.maxNamedFields ? ", …" : ""
            let shownNames = fieldNames.prefix(Self.maxNamedFields).joined(separator: ", ")
            modelLine += markup.escaped(": " + shownNames + ellipsis)
        }
        return markup.paragraph(nonEmptyLinesOf: [modelLine, pagesLine]) + fieldTable(of: shape.root, in: endpoint.api)
    }

    /// Returns a line for each alternative of credentials, with a link to the page where a person gets it.
    private func lines(about credentials: [ConfigurableCredential]) -> [String] {
        if credentials.isEmpty { return [markup.escaped("none")] }
        return credentials.flatMap { $0.rows() }.map { row in
            // The columns of this row are the way in which the credential is sent, and where a person gets it.
            let description = row[0]
            let page = row[1]
            guard page.hasPrefix("http") else { return markup.escaped(description) }
            return markup.escaped(description + ": ") + markup.link("where to get it", to: page)
        }
    }

    // MARK: Code

    /// Returns the first call of an endpoint as a command of this tool, as a command of curl and in Swift, and the
    /// sample.
    ///
    /// A form that the call does not have is left out.
    private func codeBlocks(for endpoint: EndpointDescription) -> String {
        let sampleText = endpoint.endpoint.sample.map(Self.text)
        let toolCommand = command(for: endpoint, options: [])
        return markup.codeBlock(resolver.context.tool, code: toolCommand, of: endpoint.name)
            + markup.codeBlock("curl", code: curlCommand(for: endpoint.declaration), of: endpoint.name)
            + markup.codeBlock("Swift", code: swiftCall(of: endpoint), of: endpoint.name)
            + markup.codeBlock("Sample", code: sampleText, of: endpoint.name)
    }

    /// Returns the first call of an endpoint as a command of curl; nil if curl can't send it.
    private func curlCommand(for declaration: EndpointDeclaration) -> String? {
        var request = CallRequest(declaration)
        request.call = declaration.firstCall
        guard let plan = try? resolver.resolveForCurl(resolver.context.completed(request)) else { return nil }
        return ShellText.command(CurlCommandText(plan, resolver.context), width: Self.commandWidth)
    }

    /// Returns the first call of an endpoint in Swift; nil if no enum declares it, as for an API of a document.
    ///
    ///     let result: Movie = try await client.send(Movies.video(id: 550))
    ///
    /// A call that is too long for this line has a line of its own.
    private func swiftCall(of endpoint: EndpointDescription) -> String? {
        guard let call = SwiftCall.text(endpoint.declaration.firstCall) else { return nil }
        let response = endpoint.endpoint.response
        let name = response.kind == .empty ? "_" : "result"
        let start = "let \(name): \(response.name) = try await client.send("
        let isLong = start.count + call.count >= Self.commandWidth
        return start + (isLong ? "\n    \(call)\n" : call) + ")"
    }

    /// Returns the text of a sample without secrets. JSON is indented. Of binary data, only the size is shown.
    private static func text(of sample: Sample) -> String {
        let bytes = SecretRules.redacted(sample.bytes, contentType: sample.contentType)
        let text = (try? JSONFormatter(style: .pretty(indent: .spaces(2))).formatted(bytes)) ?? bytes
        // A zero byte near the beginning means binary data.
        let isBinary = text.prefix(examinedByteCount).contains(0)
        return isBinary ? "(\(bytes.count) bytes of \(sample.contentType))" : String(decoding: text, as: UTF8.self)
    }
}

extension ComponentNames.Entry {
    /// The identifier of the model's section on the page.
    fileprivate var sectionID: String { "model-" + name }
}

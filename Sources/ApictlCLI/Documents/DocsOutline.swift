import APIImport
import EndpointKit
import JSONText

/// Documentation as headings, lines of text, tables and code, which printers write as HTML and Markdown.
struct DocsOutline {
    /// A part of a line.
    enum Span {
        case text(String), code(String), method(String)
        /// What leads to a URL, or to a `#` and an identifier.
        case link(String, to: String)
    }

    typealias Line = [Span]

    /// The first cell is the heading of the row.
    struct Row {
        var id: String?
        let cells: [[Line]]
    }

    enum Block {
        case heading(String)
        case lines([Line])
        case table([String], [Row])
        case code(title: String, String)
    }

    struct Section {
        let id: String
        let title: String
        var summary = ""
        var blocks: [Block] = []
        var sections: [Section] = []
    }

    /// The identifier of all but the contents.
    static let contentID = "content"
    /// The identifier of the section on models.
    static let modelsID = "models"

    let title: String
    let summary: String
    /// How many endpoints there are.
    let count: Int
    let blocks: [Block]
    let sections: [Section]
}

extension DocsOutline {
    /// Throws `Signature.NotACase` for an API with a handwritten `Codable`.
    init(_ catalogue: CatalogueDescription, _ context: RunContext) throws {
        let apis = try catalogue.apis.map { ($0, try $0.details(tool: context.tool)) }
        let endpoints = apis.flatMap(\.1)
        var builder = try DocsBuilder(ModelNames(endpoints), context)
        let own = apis.map { api, endpoints in
            Section(
                id: builder.unique(api.api.name), title: api.api.name, summary: api.api.summary,
                sections: endpoints.map { builder.section($0) })
        }
        let rows = zip(own, catalogue.apis).map { section, api in
            Row(cells: [
                [[.link(section.title, to: "#" + section.id)]]
                    + (section.summary.isEmpty ? [] : [[.text(section.summary)]]),
                api.api.servers.map { [.text($0.name + " "), .code($0.url)] }, Self.lines(api.credentials),
            ])
        }
        self.count = endpoints.count
        title = "\(context.tool) API reference"
        summary =
            "Version \(context.version): \(self.count.counted("endpoint")) of \(apis.count.counted("API")). "
            + "Each endpoint is a command for a shell and an enum case in Swift."
        blocks = builder.mock(endpoints) + [.table(["API", "Servers", "Credentials"], rows)]
        let models = builder.sections(of: endpoints)
        sections = own + (models.isEmpty ? [] : [Section(id: Self.modelsID, title: "Models", sections: models)])
    }

    /// A line for each alternative.
    static func lines(_ credentials: [CredentialDescription]) -> [Line] {
        if credentials.isEmpty { return [[.text("none")]] }
        return credentials.flatMap { zip($0.rows, $0.alternatives) }.map { row, alternative in
            let page = alternative.obtain.flatMap { $0.hasPrefix("http") ? $0 : nil }
            return [.text(row[0])] + (page.map { [.text(": "), .link($0, to: $0)] } ?? [])
        }
    }
}

/// Makes the sections of the documentation.
private struct DocsBuilder {
    /// The columns of a command on a page of two columns.
    private static let width = 66
    /// The most fields that are named beside their model.
    private static let maxFields = 40

    private let models: ModelNames
    private let resolver: Resolver
    /// The identifiers in use, lowercased.
    private var taken: Set<String>

    init(_ models: ModelNames, _ context: RunContext) throws {
        var context = context
        // What a page says must not depend on variables and configuration.
        context.environment.variable = { _ in nil }
        resolver = try Resolver(context, environmentFiles: [], apis: [])
        self.models = models
        taken = Set([DocsOutline.contentID, DocsOutline.modelsID] + models.entries.map { $0.id.lowercased() })
    }

    private var tool: String { resolver.context.tool }

    /// `id`, with a number if another identifier is like it, whatever the case.
    mutating func unique(_ id: String) -> String {
        let free = (1...).lazy.map { $0 == 1 ? id : "\(id)-\($0)" }.first { !taken.contains($0.lowercased()) } ?? id
        taken.insert(free.lowercased())
        return free
    }

    // MARK: Models

    /// A section on each model of responses.
    func sections(of endpoints: [EndpointDescription]) -> [DocsOutline.Section] {
        var known: Set<String> = []
        return endpoints.flatMap { endpoint in
            (endpoint.responseShape?.models ?? []).compactMap { model -> DocsOutline.Section? in
                guard let entry = entry(model.name, in: endpoint), known.insert(entry.name).inserted else { return nil }
                let rows = rows(model.shape, in: endpoint)
                let type = DocsOutline.Block.lines([type(model.shape, in: endpoint)])
                return DocsOutline.Section(
                    id: entry.id, title: entry.title, blocks: [rows.isEmpty ? type : .table(["Field", "Type"], rows)])
            }
        }
    }

    private func entry(_ name: String, in endpoint: EndpointDescription) -> ModelNames.Entry? {
        models.entry(name, of: endpoint.api, .response)
    }

    private func type(_ shape: Shape, in endpoint: EndpointDescription) -> DocsOutline.Line {
        shape.words.map { text, isModel in
            (isModel ? entry(text, in: endpoint) : nil).map { .link($0.title, to: "#" + $0.id) } ?? .text(text)
        }
    }

    /// The fields of objects of that shape.
    private func rows(
        _ shape: Shape, in endpoint: EndpointDescription, path: String = "", areCases: Bool = false
    ) -> [DocsOutline.Row] {
        switch shape {
        case .object(let fields):
            fields.flatMap { field in
                let end: DocsOutline.Line = field.isOptional || areCases ? [.text(", optional")] : []
                let row = DocsOutline.Row(cells: [[[.code(path + field.key)]], [type(field.shape, in: endpoint) + end]])
                return [row] + rows(field.shape, in: endpoint, path: path + field.key + ".")
            }
        case .array(let element), .dictionary(let element): rows(element, in: endpoint, path: path)
        case .union(let shapes): shapes.flatMap { rows($0, in: endpoint, path: path, areCases: true) }
        case .scalar, .values, .model, .null, .any: []
        }
    }

    // MARK: Endpoints

    /// How a server with the samples is started and called; nothing if there is no sample.
    func mock(_ endpoints: [EndpointDescription]) -> [DocsOutline.Block] {
        let shown = endpoints.first { $0.endpoint.sample != nil && !$0.parameters.contains(where: \.hidesOption) }
        guard let shown, let command = command(shown) else { return [] }
        let isOpen = shown.credentials.isEmpty
        let text = "Without keys or network: start a server with the samples, and call it from another shell."
        return [
            .lines([[.text(text)]]),
            .code(title: "Server", "\(tool) mock \(shown.api.name)" + (isOpen ? "" : " --no-auth")),
            .code(
                title: "Call",
                command + " \\\n      --base-url http://127.0.0.1:8080" + (isOpen ? "" : " --auth none")),
        ]
    }

    private func command(_ endpoint: EndpointDescription) -> String? {
        let (declaration, call) = (endpoint.declaration, endpoint.declaration.firstCall)
        let line = declaration.command(call, tool: tool, width: nil)
        if let line, line.utf8.count > Self.width { return declaration.command(call, tool: tool, width: Self.width) }
        return line
    }

    mutating func section(_ endpoint: EndpointDescription) -> DocsOutline.Section {
        let (shape, id, method) = (endpoint.responseShape, unique(endpoint.name), endpoint.endpoint.method.rawValue)
        var blocks = [DocsOutline.Block.lines([[.method(method), .code(endpoint.places.template)]])]
        func add(_ title: String, _ lines: [DocsOutline.Line]) {
            if !lines.isEmpty { blocks += [.heading(title), .lines(lines)] }
        }
        if !endpoint.parameters.isEmpty {
            let rows = endpoint.parameters.map { parameter in
                let row = parameter.row(withDefault: false)
                return DocsOutline.Row(
                    id: unique("\(endpoint.name).\(row[0].drop { $0 == "-" })"),
                    cells: [[[.code(row[0])]]] + [row[1] + ", " + row[2], row[3], row[4]].map { [[.text($0)]] })
            }
            blocks += [.heading("Parameters"), .table(["Name", "Type", "In", "Notes"], rows)]
        }
        add("Headers", endpoint.headers.map { [.code($0)] })
        add("Body", endpoint.places.endpoint.body.map { [[.code($0.contentType)]] } ?? [])
        if endpoint.endpoint.credentials != nil { add("Credentials", DocsOutline.lines(endpoint.credentials)) }
        var result = shape.map { type($0.root, in: endpoint) } ?? [.text(endpoint.returns)]
        let fields = (shape.flatMap { $0.fields(of: $0.root) } ?? []).map(\.key)
        let names = fields.prefix(Self.maxFields).joined(separator: ", ") + (fields.count > Self.maxFields ? ", …" : "")
        if !fields.isEmpty { result.append(.text(": " + names)) }
        let pages: DocsOutline.Line = [.text("Pages: "), .code("--all-pages"), .text(" follows them")]
        add("Response", [result] + (endpoint.endpoint.pages != nil ? [pages] : []))
        // Of models, there is a table elsewhere.
        if let shape, case let rows = rows(shape.root, in: endpoint), !rows.isEmpty {
            blocks.append(.table(["Field", "Type"], rows))
        }
        return DocsOutline.Section(
            id: id, title: endpoint.name, summary: endpoint.endpoint.summary, blocks: blocks + code(endpoint))
    }

    /// The call in a shell, with curl and in Swift, and the sample.
    private func code(_ endpoint: EndpointDescription) -> [DocsOutline.Block] {
        let (declaration, response) = (endpoint.declaration, endpoint.endpoint.response)
        var words = CallWords(declaration)
        words.call = declaration.firstCall
        let curl = (try? resolver.plan(words, .curl)).map { plan in
            ShellText.command(CurlInvocation(plan, resolver.context), width: Self.width)
        }
        var swift = SwiftCall.text(declaration.firstCall)
        let start = "let \(response.kind == .empty ? "_" : "result"): \(response.name) = try await client.send("
        if start.count + swift.count >= Self.width { swift = "\n    \(swift)\n" }
        let sample = endpoint.endpoint.sample.map(Self.text)
        let all = [(tool, command(endpoint)), ("curl", curl), ("Swift", start + swift + ")"), ("Sample", sample)]
        return all.compactMap { title, text in text.flatMap { $0.isEmpty ? nil : .code(title: title, $0) } }
    }

    /// The text of a sample without what looks like a credential; JSON is indented.
    private static func text(of sample: Sample) -> String {
        let bytes = BodyToken.removed(from: sample.bytes, sample.contentType)
        // As on a terminal, what a reader can't see is written as an escape.
        let output = BufferOutput(isTerminal: true)
        let printer = BodyPrinter(output: output, style: .pretty(indent: .spaces(2)), palette: nil)
        let isJSON = (try? printer.printJSON(bytes)) != nil
        let text = isJSON ? output.bytes : TerminalFilter.shown(bytes, on: output)
        return text.map { String(decoding: $0, as: UTF8.self) } ?? "(\(bytes.count) bytes of \(sample.contentType))"
    }
}

extension ModelNames.Entry {
    fileprivate var id: String { "model-" + name }
}

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

    let title: String
    let summary: String
    /// How many endpoints there are.
    let count: Int
    /// The identifier of all that follows the contents.
    let contentID: String
    let blocks: [Block]
    let sections: [Section]
}

extension DocsOutline {
    /// Throws `Signature.NotACase` for an API with a handwritten `Codable`.
    init(_ catalogue: CatalogueDescription, _ context: RunContext) throws {
        var builder = try DocsBuilder(context)
        let apis = try catalogue.apis.map { api in
            (api, try api.details(tool: context.tool).map { ($0, $0.responseShape) })
        }
        builder.name(models: apis.map { ($0.0.api, $0.1.compactMap(\.1)) })
        sections =
            apis.map { api, endpoints in
                Section(
                    id: builder.unique(api.name), title: api.name, summary: api.summary,
                    sections: endpoints.map { builder.section($0, $1) })
            } + builder.models
        contentID = builder.unique("content")
        count = apis.reduce(0) { $0 + $1.1.count }
        title = "\(context.tool) API reference"
        summary =
            "Version \(context.version): \(count) endpoint\(count == 1 ? "" : "s") of "
            + "\(apis.count) API\(apis.count == 1 ? "" : "s"). "
            + "Each endpoint is a command for a shell and an enum case in Swift."
        let rows = zip(sections, catalogue.apis).map { section, api in
            Row(cells: [
                [[.link(api.name, to: "#" + section.id)]] + (api.summary.isEmpty ? [] : [[.text(api.summary)]]),
                api.servers.map { [.text($0.name + " "), .code($0.url)] }, Self.lines(api.credentials),
            ])
        }
        blocks = builder.mock(apis.flatMap(\.1).map(\.0)) + [.table(["API", "Servers", "Credentials"], rows)]
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
    private static let maxFields = 40

    private let resolver: Resolver
    /// The identifiers in use, lowercased.
    private var taken: Set<String> = []
    /// The title and identifier of each model of an API.
    private var names: [String: (title: String, id: String)] = [:]
    private var known: [(title: String, id: String, api: any API.Type, shape: Shape)] = []

    init(_ context: RunContext) throws {
        var context = context
        // What a page says must not depend on variables and configuration.
        context.environment.variable = { _ in nil }
        resolver = try Resolver(context, environmentFiles: [], apis: [])
    }

    private var tool: String { resolver.context.tool }

    /// `id` as an identifier that no other is like, whatever the case.
    mutating func unique(_ id: String) -> String {
        let id = String(String.UnicodeScalarView(id.unicodeScalars.filter { !$0.properties.isWhitespace }))
        let candidates = (1...).lazy.map { $0 == 1 ? id : "\(id)-\($0)" }
        let free = candidates.first { !taken.contains($0.lowercased()) } ?? id
        taken.insert(free.lowercased())
        return free
    }

    /// Names each model once, with the API's type before the name if another API has a model of the same name.
    mutating func name(models: [(api: any API.Type, shapes: [ModelShape])]) {
        var owners: [String: Set<String>] = [:]
        for (api, shapes) in models {
            for model in shapes.flatMap(\.models) { owners[model.name, default: []].insert(api.name) }
        }
        for (api, shapes) in models {
            for model in shapes.flatMap(\.models) where names[Self.key(model.name, api)] == nil {
                let title = (owners[model.name]?.count == 1 ? "" : "\(api)") + model.name
                let id = unique("model-" + title.filter { $0.isLetter || $0.isNumber || "_.".contains($0) })
                names[Self.key(model.name, api)] = (title, id)
                known.append((title, id, api, model.shape))
            }
        }
    }

    private static func key(_ model: String, _ api: any API.Type) -> String { "\(api.name) \(model)" }

    /// The section on models; none if there are no models.
    var models: [DocsOutline.Section] {
        mutating get {
            if known.isEmpty { return [] }
            let sections = known.map { model in
                let rows = rows(model.shape, model.api)
                return DocsOutline.Section(
                    id: model.id, title: model.title,
                    blocks: [rows.isEmpty ? .lines([type(model.shape, model.api)]) : .table(["Field", "Type"], rows)])
            }
            return [DocsOutline.Section(id: unique("models"), title: "Models", sections: sections)]
        }
    }

    private func type(_ shape: Shape, _ api: any API.Type) -> DocsOutline.Line {
        shape.words.map { text, isModel in
            let name = isModel ? names[Self.key(text, api)] : nil
            return name.map { .link($0.title, to: "#" + $0.id) } ?? .text(text)
        }
    }

    /// The fields of objects of that shape.
    private func rows(
        _ shape: Shape, _ api: any API.Type, in path: String = "", areCases: Bool = false
    ) -> [DocsOutline.Row] {
        switch shape {
        case .object(let fields):
            fields.flatMap { field in
                let end: DocsOutline.Line = field.isOptional || areCases ? [.text(", optional")] : []
                let row = DocsOutline.Row(cells: [[[.code(path + field.key)]], [type(field.shape, api) + end]])
                return [row] + rows(field.shape, api, in: path + field.key + ".")
            }
        case .array(let element), .dictionary(let element): rows(element, api, in: path)
        case .union(let shapes): shapes.flatMap { rows($0, api, in: path, areCases: true) }
        case .scalar, .values, .model, .null, .any: []
        }
    }

    /// How a server with the samples is started and called; nothing if there is no sample.
    func mock(_ endpoints: [EndpointDescription]) -> [DocsOutline.Block] {
        guard let endpoint = endpoints.first(where: { $0.sample && $0.body == nil }) ?? endpoints.first(where: \.sample)
        else { return [] }
        let isOpen = endpoint.credentials.isEmpty
        let options = ["--base-url", "http://127.0.0.1:8080"] + (isOpen ? [] : ["--auth", "none"])
        let words = endpoint.declaration.words(of: endpoint.declaration.firstCall) ?? []
        return [
            .lines([
                [.text("Without keys or network: start a server with the samples, and call it from another shell.")]
            ]),
            .code(title: "Server", "\(tool) mock \(endpoint.declaration.api.name)" + (isOpen ? "" : " --no-auth")),
            .code(title: "Call", command([["\(tool) call"], options] + words)),
        ]
    }

    private func command(_ parts: [[String]]) -> String {
        ShellText.command(
            [parts[0].joined()] + parts.dropFirst().map { $0.map(ShellText.quoted).joined(separator: " ") },
            width: Self.width)
    }

    mutating func section(_ endpoint: EndpointDescription, _ shape: ModelShape?) -> DocsOutline.Section {
        let (declaration, api) = (endpoint.declaration, endpoint.declaration.api)
        let id = unique(endpoint.name)
        var blocks = [DocsOutline.Block.lines([[.method(endpoint.method), .code(endpoint.path)]])]
        func add(_ title: String, _ lines: [DocsOutline.Line]) {
            if !lines.isEmpty { blocks += [.heading(title), .lines(lines)] }
        }
        if !endpoint.parameters.isEmpty {
            let rows = endpoint.parameters.map { parameter in
                let row = parameter.row(withDefault: false)
                let name = row[0].drop { $0 == "-" }
                return DocsOutline.Row(
                    id: unique("\(endpoint.name).\(name)"),
                    cells: [[[.code(row[0])]], [[.text(row[1] + ", " + row[2])]], [[.text(row[3])]], [[.text(row[4])]]])
            }
            blocks += [.heading("Parameters"), .table(["Name", "Type", "In", "Notes"], rows)]
        }
        add("Headers", endpoint.headers.map { [.code($0)] })
        add("Body", endpoint.body.map { [[.code($0)]] } ?? [])
        if endpoint.endpoint.credentials != nil { add("Credentials", DocsOutline.lines(endpoint.credentials)) }
        var result = shape.map { type($0.root, api) } ?? [.text(endpoint.returns)]
        let fields = shape.flatMap { $0.fields(of: $0.root) } ?? []
        let more = fields.count > Self.maxFields ? ", …" : ""
        if !fields.isEmpty {
            result.append(.text(": " + fields.prefix(Self.maxFields).map(\.key).joined(separator: ", ") + more))
        }
        add(
            "Response",
            [result] + (endpoint.pages ? [[.text("Pages: "), .code("--all-pages"), .text(" follows them")]] : []))
        // What is not an object or a model has no table elsewhere.
        if let shape, case let rows = rows(shape.root, api), !rows.isEmpty {
            blocks.append(.table(["Field", "Type"], rows))
        }

        let call = declaration.firstCall
        if let words = declaration.words(of: call) {
            blocks.append(.code(title: tool, command([["\(tool) call"]] + words)))
        }
        var words = CallWords(declaration)
        words.call = call
        if let plan = try? resolver.plan(words, .curl) {
            let curl = CurlInvocation(plan, resolver.context)
            blocks.append(.code(title: "curl", ShellText.command(curl, width: Self.width)))
        }
        let response = endpoint.endpoint.response
        let swift = "let \(response.kind == .empty ? "_" : "result"): \(response.name) = try await client.send("
        let argument = SwiftCall.text(call)
        let fits = swift.count + argument.count < Self.width
        blocks.append(.code(title: "Swift", swift + (fits ? argument : "\n    \(argument)\n") + ")"))
        if let sample = endpoint.endpoint.sample, case let text = Self.text(of: sample), !text.isEmpty {
            blocks.append(.code(title: "Sample", text))
        }
        return DocsOutline.Section(id: id, title: endpoint.name, summary: endpoint.summary, blocks: blocks)
    }

    /// The text of a sample without what looks like a credential; JSON is indented.
    private static func text(of sample: Sample) -> String {
        let bytes = BodyToken.removed(from: sample.bytes, sample.contentType)
        var formatter = JSONFormatter(style: .pretty(indent: .spaces(2)), escapesControls: true)
        var formatted: [UInt8] = []
        do {
            try formatter.feed(bytes, into: &formatted)
            try formatter.finish(into: &formatted)
        } catch {
            if bytes.prefix(8192).contains(0) { return "(\(bytes.count) bytes of \(sample.contentType))" }
            formatted = bytes
        }
        return String(decoding: formatted, as: UTF8.self)
    }
}

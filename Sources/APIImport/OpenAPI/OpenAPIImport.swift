import EndpointKit
import JSONText

/// The APIs of a document in Swift text: a namespace with an enum for each tag, and models.
package struct OpenAPIImport {
    /// An endpoint in the report.
    package struct Endpoint {
        package let name: String
        package let path: String
        /// The enum that it belongs to.
        package let type: String
        let text: EndpointText

        package var method: String { text.method }
        package var comments: [String] { text.comments }
        /// The arm of the switch, as it stands in the enum.
        package var arm: String { text.arm(usesReturn: true).printed(indent: 12) }
    }

    /// The name on the command line, before those of the enums.
    package let name: String
    /// The name of the namespace.
    package let type: String
    package private(set) var files: [(path: String, text: String)] = []
    package private(set) var endpoints: [Endpoint] = []
    package private(set) var modelNames: [String] = []
    /// The properties of all models, and those of them that are of any type for other reasons than that the document says so.
    package private(set) var properties = (all: 0, undescribed: 0, loose: 0)
    package private(set) var parameterCount = 0
    package private(set) var bytesCount = 0
    /// What became `JSONValue` and why, with the places in the document.
    package let loose: [(pointer: String, reason: String)]
    /// Whether anything became `JSONValue`, bytes or a comment.
    package var isLoose: Bool {
        bytesCount > 0 || properties.loose > 0 || loose.contains { $0.reason != SchemaReader.otherKeys }
            || endpoints.contains { !$0.comments.isEmpty }
    }
    package private(set) var notes: [String] = []
    package private(set) var variables: [NeededVariable] = []
    private let text: ModelText
    private let security: OpenAPISecurity
    private let document: OpenAPIDocument
    private let sweep: SecretSweep
    private var credentials: [Credential] = []

    /// The declaration of the list of APIs, which only the file of a namespace has.
    package static let listDeclaration = "static let apis: [any API.Type]"

    /// The models of a file each, at most; more stand together by the enum that uses them first.
    private static let mostModelFiles = 60

    /// Reads a document, and what `read` gives of the files beside it. Throws ``OpenAPIError``, and what `read` throws.
    package init(
        _ bytes: [UInt8], name source: String, _ choices: ImportChoices = ImportChoices(),
        read: @escaping (String) throws -> [UInt8]
    ) throws {
        var options = choices
        document = try OpenAPIDocument(bytes, name: source, read: read)
        let named = OpenAPINames.api(options.api, title: document.root["info"]?["title"]?.string)
        name = named.name
        var types = NameTable(SwiftNames.typesInUse.union(options.taken))
        type = types.unique(named.type)
        // What is in the namespace may have names of what is beside it.
        (options.taken, types) = ([], NameTable(SwiftNames.typesInUse.union([type])))
        sweep = SecretSweep(api: name)
        security = try OpenAPISecurity(document, prefix: sweep.prefix, origin: options.origin)

        let operations = try DocumentOperation.all(document).map(OpenAPIOperation.init)
        guard !operations.isEmpty else { throw document.error(document.root, "there is no operation in 'paths'") }
        var groups = OpenAPINames.groups(operations)
        Self.nameEnums(&groups, document, &types)
        options.type = type
        options.taken.formUnion(groups.map(\.type))
        var schemas = SchemaReader(document)
        for index in groups.indices {
            groups[index].nameCases(options)
            let api = "\(name).\(groups[index].name)"
            groups[index].operations.removeAll { operation in
                let names = [operation.key, operation.path, "\(api).\(KebabCase.text(operation.name))"]
                let others = [operation.id].compactMap(\.self) + operation.tags.map { "tag:" + $0 }
                return options.isKept?(names + others) == false
            }
            for place in groups[index].operations.indices {
                try groups[index].operations[place].read(&schemas, sweep)
            }
        }
        groups.removeAll(where: \.operations.isEmpty)
        try schemas.finish()
        let all = groups.flatMap(\.operations)
        schemas.mark(sent: all.flatMap(\.sent), received: all.compactMap(\.response))
        loose = schemas.loose
        bytesCount = all.reduce(0) { $0 + $1.bytesCount }
        parameterCount = all.reduce(0) { $0 + $1.parameterCount }

        var names = InferredModelNames(options, given: schemas.given)
        for operation in all { if let type = operation.response { names.name(type, subject: operation.subject) } }
        for operation in all {
            if let body = operation.body { names.name(body.type, subject: SwiftNames.words(operation.name)) }
        }
        let used = names.order.filter { $0.isSent || $0.isReceived }
        text = ModelText(schemas.models, fieldNames: options.fieldNames)

        try addNamespace(groups.map(\.type))
        var owners: [InferredModel: String] = [:]
        for group in groups {
            try addEnum(group)
            let types = group.operations.flatMap { $0.sent + [$0.response].compactMap(\.self) }
            InferredModel.visit(types.compactMap(\.leaf.model)) { model in
                owners.updateValue(owners[model] ?? group.type, forKey: model) == nil
            }
        }
        let isEach = used.count <= Self.mostModelFiles
        addModels(used) { isEach ? $0.name : (owners[$0] ?? "Other") + "+Models" }
        modelNames = used.map(\.name)
        for field in used.flatMap(\.fields) {
            properties.all += 1
            guard let reason = field.type.reasonForJSON else { continue }
            if reason == SchemaReader.undescribed { properties.undescribed += 1 } else { properties.loose += 1 }
        }
    }

    /// Names the enums, which leaves the names of schemas alone.
    private static func nameEnums(
        _ groups: inout [OpenAPIGroup], _ document: OpenAPIDocument, _ types: inout NameTable
    ) {
        let schemas = document.root["components"]?["schemas"] ?? document.root["definitions"]
        for (key, _) in schemas?.members ?? [] { _ = types.unique(SwiftNames.typeName(SwiftNames.words(key))) }
        for index in groups.indices {
            let name = SwiftNames.typeName(groups[index].words)
            let proposals = [name, name.hasSuffix("s") ? name + "API" : name + "s"]
            groups[index].type = types.unique(proposals.first { !types.contains($0) } ?? name + "API")
        }
    }

    // MARK: Files

    private mutating func addNamespace(_ enums: [String]) throws {
        let info = document.root["info"]
        let title = SchemaReader.sentence(info?["title"]?.string, longest: 60)
        let version = info?["version"]?.string.map { " (version \(SchemaReader.sentence($0, longest: 40)))" } ?? ""
        let (servers, problems) = try security.servers(document.root["servers"])
        notes += problems
        var lines: [SwiftLine] = [
            .comment("All of it, for a list of APIs."),
            "public \(Self.listDeclaration) = \(SwiftText.list("[", enums.map { "\($0).self" }, "]"))", "",
            "static let servers = \(servers)",
        ]
        if let (all, problem) = try security.credentials(document.root["security"]) {
            credentials = all
            notes += problem.map { [$0] } ?? []
            variables.add(all)
        }
        if !credentials.isEmpty { lines.append("static let credentials: [Credential] = \(credentials.list)") }
        let comment = SwiftLine.comment("\(title.isEmpty ? type : title)\(version).")
        add("\(type).swift", [comment, .block("public enum \(type)", lines)])
    }

    private mutating func add(_ path: String, imports: Set<String> = ["EndpointKit"], _ lines: [SwiftLine]) {
        files.append((path, InferredModels.imports(imports) + lines.printed()))
    }

    private mutating func addEnum(_ group: OpenAPIGroup) throws {
        let (own, words, api) = (group.type, group.words, "\(name).\(group.name)")
        let tag = document.root["tags"]?.elements?.first { $0["name"]?.string.map { SwiftNames.words($0) } == words }
        var summary = SchemaReader.sentence(tag?["description"]?.string, longest: 80)
        if summary.isEmpty { summary = SwiftNames.sentence(words) }
        let texts = try group.operations.map { operation in
            let credentials = try security.credentials(operation.source.value["security"])
            let own = credentials.flatMap { $0.list == self.credentials ? nil : $0 }
            variables.add(own?.list ?? [])
            var text = operation.written(sweep, credentials: own?.list)
            text.comments += own?.problem.map { [$0] } ?? []
            return text
        }
        endpoints += zip(group.operations, texts).map { operation, text in
            Endpoint(name: "\(api).\(KebabCase.text(operation.name))", path: operation.path, type: own, text: text)
        }
        let hasDate = texts.contains { text in
            [text.declaration.line, text.example?.line ?? "", text.returns].contains { $0.contains("Date") }
        }
        var servers: SwiftText = "\(type).servers"
        if let declared = group.operations[0].source.servers {
            let (own, problems) = try security.servers(declared)
            servers = own
            notes += problems.map { "\(api): \($0)" }
        }
        var members: [SwiftLine] = [
            "public static let name = \"\(api)\"", "public static let summary = \(SwiftText.literal(summary))",
            "public static let servers = \(servers)",
        ]
        if !credentials.isEmpty { members.append("public static let credentials = \(type).credentials") }
        let lines: [SwiftLine] = [
            .comment(summary + (summary.hasSuffix(".") ? "" : ".")),
            EndpointText.api(own, texts, usesReturn: true, members: members),
        ]
        let imports: Set = hasDate ? ["EndpointKit", "Foundation"] : ["EndpointKit"]
        add("\(own).swift", imports: imports, [.block("extension \(type)", lines)])
        var samples: [(String, JSONValue)] = []
        for operation in group.operations {
            guard let sample = operation.sample else { continue }
            if let problem = ImportedEndpoint.problem(ofSample: sample.written.count) {
                notes.append("\(operation.key): \(problem)")
            } else {
                samples.append((operation.name, sample))
            }
        }
        if !samples.isEmpty { addSamples(own, samples) }
    }

    /// The examples of responses as one text: files would have to be embedded as lists of bytes, which take a minute to compile per megabyte.
    private mutating func addSamples(_ own: String, _ samples: [(String, JSONValue)]) {
        let all = Array(JSONValue(samples).written)
        // In JSON, three quotes never stand together; `\#`, which would end the literal, is escaped.
        let text = String(decoding: JSONFormatter.indented(all) ?? all, as: UTF8.self)
            .replacingBytes(of: ##"\#"##, with: ##"\\u0023"##)
        let lines: [SwiftLine] = text.split(separator: "\n").map { "\(TerminalText.escaped(String($0)))" }
        let members: [SwiftLine] = [
            .comment("The examples of the document."),
            "public static let samples: Samples? = Samples(Array(sampleText.utf8))", "",
            "private static let sampleText = #\"\"\"", .indented(lines + ["\"\"\"#"]),
        ]
        // Files in a directory `Samples` are resources, which are not compiled.
        add("\(own)+Samples.swift", [.block("extension \(type).\(own)", members)])
    }

    private mutating func addModels(
        _ models: [InferredModel], file: (InferredModel) -> String
    ) {
        for (file, models) in models.grouped(by: file) {
            let declarations = models.map(text.declaration)
            let lines: [SwiftLine] = declarations.flatMap { [""] + $0.lines }
            let imports = declarations.reduce(into: Set<String>()) { $0.formUnion($1.imports) }
            add("Models/\(file).swift", imports: imports, [.block("extension \(type)", Array(lines.dropFirst()))])
        }
    }
}

import EndpointKit
import JSONText

/// The files that are written for a document: a namespace, an enum for each tag with its samples, and models.
struct DocumentFiles {
    /// A file of Swift.
    struct File {
        /// The path in the directory of the import.
        let path: String
        let text: String
    }

    /// An endpoint with the enum that it belongs to.
    struct WrittenEndpoint {
        let operation: ImportedOperation
        let group: OperationGroup
        let text: EndpointText
    }

    /// The most models that get a file each. If there are more, a file holds the models that an enum uses first.
    private static let maxModelFiles = 60
    /// The declaration of the list of APIs, which only the file of a namespace has.
    static let listDeclaration = "static let apis: [any API.Type]"

    private let description: DocumentDescription
    private(set) var files: [File] = []
    private(set) var endpoints: [WrittenEndpoint] = []
    /// Whether a file has samples.
    private(set) var hasSamples = false
    /// Samples that are left out.
    private(set) var notes: [String] = []

    /// Writes the files of a document.
    init(_ description: DocumentDescription) {
        self.description = description
        addNamespace()
        for group in description.groups { addEnum(group) }
        addModels()
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: The name of the file without `.swift`.
    ///   - directory: The directory in that of the import, with a slash at its end.
    ///   - imports: The modules that the file imports.
    ///   - lines: The lines after the imports.
    private mutating func add(
        _ name: String, in directory: String = "", imports: Set<String> = ["EndpointKit"], _ lines: [SwiftLine]
    ) {
        let path = directory + SwiftNames.fileName(ofType: name)
        files.append(File(path: path, text: InferredModels.imports(imports) + lines.printed()))
    }

    // MARK: Namespace

    /// Adds the file of the namespace, with the list of the enums, the servers and the shared credentials.
    private mutating func addNamespace() {
        let enums = description.groups.map { "\($0.type).self" as SwiftText }
        var lines: [SwiftLine] = [
            .comment("The APIs of the document, for a list of APIs."),
            "public \(Self.listDeclaration) = \(SwiftText.list("[", enums, "]"))", "",
            "static let servers\(description.servers.servers.isEmpty ? ": [Server]" : "") = \(SwiftText.servers(description.servers.servers))",
        ]
        if !description.credentials.isEmpty {
            lines.append("static let credentials: [Credential] = \(description.credentials.list)")
        }
        let title = description.title.isEmpty ? description.type : description.title
        let version = description.version.isEmpty ? "" : " (version \(description.version))"
        let comment = SwiftLine.comment("\(title)\(version).")
        add(description.type, [comment, .block("public enum \(description.type)", lines)])
    }

    // MARK: Enums

    /// Adds the file of a group's enum, and the file of its samples.
    ///
    /// An endpoint states its credentials only if they are not those of the enum.
    private mutating func addEnum(_ group: OperationGroup) {
        let namespace = description.type
        let credentials = credentials(of: group)
        let texts = group.operations.map { operation in
            let own = operation.credentials == credentials ? nil : operation.credentials
            return operation.written(description.sweep, credentials: own)
        }
        endpoints += zip(group.operations, texts).map {
            WrittenEndpoint(operation: $0, group: group, text: $1)
        }
        let tagSummary = description.tagSummaries[group.words] ?? ""
        let summary = tagSummary.isEmpty ? SwiftNames.sentence(group.words) : tagSummary
        let sampleLines = sampleLines(of: group)
        let info = APIInfoText(
            name: "\(description.name).\(group.name)", summary: summary, servers: servers(of: group),
            credentials: text(of: credentials), samples: sampleLines == nil ? nil : "Array(sampleText.utf8)")
        var lines = [EndpointText.api(group.type, texts, usesReturn: true, info: info)]
        // Without a description, the summary only repeats the name of the enum.
        if !tagSummary.isEmpty { lines.insert(.comment(summary + (summary.hasSuffix(".") ? "" : ".")), at: 0) }
        let usesDates = zip(group.operations, texts).contains(where: Self.usesDate)
        let imports: Set = usesDates ? ["EndpointKit", "Foundation"] : ["EndpointKit"]
        add(group.type, imports: imports, [.block("extension \(namespace)", lines)])
        if let sampleLines {
            hasSamples = true
            // Files in a directory `Samples` are resources, which are not compiled.
            add("\(group.type)+Samples", [.block("extension \(namespace).\(group.type)", sampleLines)])
        }
    }

    /// Returns the credentials of an enum: those that most of its operations need, or else those of the namespace.
    ///
    /// So only a minority of the operations states credentials of their own.
    private func credentials(of group: OperationGroup) -> [Credential] {
        let groups = group.operations.grouped(by: \.credentials)
        let majority = groups.first { $0.elements.count * 2 > group.operations.count }
        return majority?.key ?? description.credentials
    }

    /// Returns the text of an enum's credentials, which refers to those of the namespace if they are equal.
    ///
    /// - Returns: The text; nil if no credentials are needed.
    private func text(of credentials: [Credential]) -> SwiftText? {
        if credentials.isEmpty { return nil }
        return credentials == description.credentials ? "\(description.type).credentials" : credentials.list
    }

    /// Returns the text of an enum's servers: its own, or else those of the namespace.
    ///
    /// Servers of its own that are left out are added to ``notes``.
    private mutating func servers(of group: OperationGroup) -> SwiftText {
        guard let own = group.operations.first?.ownServers else { return "\(description.type).servers" }
        let servers = DeclaredServers(own, documentURL: description.documentURL)
        notes += servers.note.map { ["\(description.name).\(group.name): \($0)"] } ?? []
        return .servers(servers.servers)
    }

    /// Whether the text of an endpoint names `Date`, so that its file must import Foundation.
    ///
    /// The example may have a date in a model that is declared in another file.
    private static func usesDate(_ operation: ImportedOperation, _ text: EndpointText) -> Bool {
        let types = text.parameters.filter { !$0.isInQuery }.map(\.type) + [operation.response].compactMap(\.self)
        return types.contains { $0.module == "Foundation" } || text.example?.line.contains("Date(time") == true
    }

    // MARK: Samples

    /// Returns the declaration of `sampleText`, which holds the examples of responses as one text.
    ///
    /// As files they would have to be embedded as lists of bytes, which take a minute to compile per megabyte. Samples
    /// that are left out are added to ``notes``.
    ///
    /// - Returns: The lines; nil if there are no examples.
    private mutating func sampleLines(of group: OperationGroup) -> [SwiftLine]? {
        var samples: [(String, JSONValue)] = []
        for operation in group.operations {
            guard let sample = operation.sample else { continue }
            if let problem = ImportedEndpoint.problem(ofSample: sample.written.count) {
                notes.append("\(operation.key): \(problem)")
            } else {
                samples.append((operation.name, sample))
            }
        }
        if samples.isEmpty { return nil }
        let all = Array(JSONValue(samples).written)
        // In JSON, three quotes never stand together. `\#`, which would end the literal, is escaped.
        let text = String(decoding: JSONFormatter.indented(all) ?? all, as: UTF8.self)
            .replacingBytes(of: ##"\#"##, with: ##"\\u0023"##)
        let lines: [SwiftLine] = text.split(separator: "\n").map { "\(TerminalText.escaped(String($0)))" }
        return [
            .comment("The examples of the document."),
            "static let sampleText = #\"\"\"", .indented(lines + ["\"\"\"#"]),
        ]
    }

    // MARK: Models

    /// Adds the files of the models: one for each model, or, if there are many, one for each enum that uses them first.
    private mutating func addModels() {
        let models = description.models.used
        let owners = owners()
        let areAlone = models.count <= Self.maxModelFiles
        let text = description.models.text
        let grouped = models.grouped { model in areAlone ? model.name : (owners[model] ?? "Other") + "+Models" }
        for (name, models) in grouped {
            let declarations = models.map(text.declaration)
            let lines: [SwiftLine] = declarations.flatMap { [""] + $0.lines }
            let imports = declarations.reduce(into: Set<String>()) { $0.formUnion($1.imports) }
            add(
                name, in: "Models/", imports: imports,
                [.block("extension \(description.type)", Array(lines.dropFirst()))])
        }
    }

    /// Returns the name of the enum that uses each model first.
    private func owners() -> [InferredModel: String] {
        var owners: [InferredModel: String] = [:]
        for group in description.groups {
            let types = group.operations.flatMap { $0.sent + [$0.response].compactMap(\.self) }
            InferredModel.visit(types.compactMap(\.leaf.model)) { model in
                owners.updateValue(owners[model] ?? group.type, forKey: model) == nil
            }
        }
        return owners
    }
}

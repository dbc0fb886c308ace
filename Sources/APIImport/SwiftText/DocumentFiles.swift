import EndpointKit
import JSONText

/// The Swift files that are written for a document: a namespace, an enum for each tag with its samples, and models.
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

    /// The most models that get a file each. If there are more, there is a file for the models of each enum.
    private static let maxModelFiles = 60
    /// The declaration of the list of APIs, which only the file of a namespace has.
    static let listDeclaration = "static let apis: [any API.Type]"

    private let description: DocumentDescription
    private(set) var files: [File] = []
    private(set) var endpoints: [WrittenEndpoint] = []
    /// Whether a file has samples.
    private(set) var hasSamples = false
    /// Remarks about samples and servers that are left out.
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
    ///   - directory: A directory inside of that of the import, with a slash at its end; empty for that of the import.
    ///   - imports: The modules that the file imports.
    ///   - lines: The lines after the imports.
    private mutating func addFile(
        named name: String, in directory: String = "", imports: Set<String> = ["EndpointKit"], lines: [SwiftLine]
    ) {
        let path = directory + SwiftNames.fileName(ofType: name)
        files.append(File(path: path, text: InferredModels.imports(imports) + lines.printed()))
    }

    // MARK: Namespace

    /// Adds the file of the namespace: an enum with the list of the APIs, the servers and the shared credentials.
    private mutating func addNamespace() {
        let enums = description.groups.map { "\($0.type).self" as SwiftText }
        var lines: [SwiftLine] = [
            .comment("The APIs of the document, for a list of APIs."),
            "public \(Self.listDeclaration) = \(SwiftText.list("[", enums, "]"))", "",
            "static \(Self.declaration(of: description.servers))",
        ]
        if !description.credentials.isEmpty {
            lines.append("static let credentials: [Credential] = \(description.credentials.list)")
        }
        let title = description.title.isEmpty ? description.type : description.title
        let version = description.version.isEmpty ? "" : " (version \(description.version))"
        let comment = SwiftLine.comment("\(title)\(version).")
        addFile(named: description.type, lines: [comment, .block("public enum \(description.type)", lines)])
    }

    /// Returns the declaration of servers: `let servers = [Server("main", url: "https://example.com")]`.
    private static func declaration(of servers: DeclaredServers) -> SwiftText {
        // The type of an empty array has to be stated.
        let type = servers.servers.isEmpty ? ": [Server]" : ""
        return "let servers\(type) = \(SwiftText.servers(servers.servers))"
    }

    // MARK: Enums

    /// Adds the file with the enum of a group of operations, and the file with its samples if it has any.
    private mutating func addEnum(_ group: OperationGroup) {
        let sharedCredentials = credentials(of: group)
        let texts = group.operations.map { operation in
            // Only an endpoint that needs other credentials than the enum declares them.
            let hasOwnCredentials = operation.credentials != sharedCredentials
            return operation.endpointText(
                secrets: description.secrets, credentials: hasOwnCredentials ? operation.credentials : nil)
        }
        endpoints += zip(group.operations, texts).map { operation, text in
            WrittenEndpoint(operation: operation, group: group, text: text)
        }
        let samples = collectSamples(of: group)
        let info = makeInfo(of: group, credentials: sharedCredentials, hasSamples: !samples.isEmpty)
        var lines: [SwiftLine] = []
        if let comment = makeComment(on: group) { lines.append(.comment(comment)) }
        lines.append(EndpointText.apiDeclaration(named: group.type, endpoints: texts, usesReturn: true, info: info))
        let usesDates = zip(group.operations, texts).contains(where: Self.usesDate)
        let imports: Set = usesDates ? ["EndpointKit", "Foundation"] : ["EndpointKit"]
        addFile(named: group.type, imports: imports, lines: [.block("extension \(description.type)", lines)])
        addSamples(samples, of: group)
    }

    /// Returns the Swift text of an enum's `APIInfo`, which its endpoints share: its name, summary, servers,
    /// credentials and samples.
    ///
    /// Servers that are left out are added to ``notes``.
    ///
    /// - Parameters:
    ///   - group: The operations of the enum.
    ///   - credentials: The credentials of the enum, which its endpoints need unless they declare others.
    ///   - hasSamples: Whether the enum has the constant `sampleText` with the samples in one string.
    private mutating func makeInfo(
        of group: OperationGroup, credentials: [Credential], hasSamples: Bool
    ) -> APIInfoText {
        let tagSummary = description.tagSummaries[group.words] ?? ""
        let summaryByTagName = SwiftNames.sentence(group.words)
        return APIInfoText(
            name: "\(description.name).\(group.name)",
            summary: tagSummary.isEmpty ? summaryByTagName : tagSummary,
            servers: servers(of: group),
            credentials: text(of: credentials),
            samples: hasSamples ? "Array(sampleText.utf8)" : nil)
    }

    /// Returns the comment of an enum: the description of its tag as a sentence; nil if the document has none.
    private func makeComment(on group: OperationGroup) -> String? {
        guard let summary = description.tagSummaries[group.words], !summary.isEmpty else { return nil }
        return summary.hasSuffix(".") ? summary : summary + "."
    }

    /// Returns the credentials of an enum: those that more than half of its operations need, or else those of the
    /// namespace.
    ///
    /// Operations that need others declare them.
    private func credentials(of group: OperationGroup) -> [Credential] {
        let groups = group.operations.grouped(by: \.credentials)
        let majority = groups.first { $0.elements.count * 2 > group.operations.count }
        return majority?.key ?? description.credentials
    }

    /// Returns the expression of an enum's credentials: `Shop.credentials` if they equal those of the namespace, or
    /// else `[.bearer(variable: "SHOP_TOKEN")]`.
    ///
    /// - Returns: The expression; nil if no credentials are needed.
    private func text(of credentials: [Credential]) -> SwiftText? {
        if credentials.isEmpty { return nil }
        return credentials == description.credentials ? "\(description.type).credentials" : credentials.list
    }

    /// Returns the expression of an enum's servers: `Shop.servers` for those of the namespace, or else
    /// `[Server("main", url: "https://example.com")]`.
    ///
    /// A note is added about servers that are left out.
    private mutating func servers(of group: OperationGroup) -> SwiftText {
        // All operations of a group have the same servers.
        guard let ownServers = group.operations.first?.ownServers else { return "\(description.type).servers" }
        let declared = DeclaredServers(ownServers, documentURL: description.documentURL)
        if let note = declared.note { notes.append("\(description.name).\(group.name): \(note)") }
        return .servers(declared.servers)
    }

    /// Whether the text of an endpoint names `Date`, so that its file must import Foundation.
    ///
    /// The example may have a date in a model that is declared in another file.
    private static func usesDate(_ operation: ImportedOperation, _ text: EndpointText) -> Bool {
        let types = text.parameters.filter { !$0.isQueryField }.map(\.type) + [operation.response].compactMap(\.self)
        return types.contains { $0.module == "Foundation" } || text.example?.line.contains("Date(time") == true
    }

    // MARK: Samples

    /// Adds a file with the examples of a group's responses in one string literal, as an extension of the enum.
    ///
    /// The examples are not embedded as files, because SwiftPM would write each file as a list of bytes. A megabyte of
    /// these takes a minute to compile.
    ///
    /// - Parameters:
    ///   - samples: The examples by the names of the cases.
    ///   - group: The operations of the enum.
    private mutating func addSamples(_ samples: [(String, JSONValue)], of group: OperationGroup) {
        if samples.isEmpty { return }
        hasSamples = true
        let json = Array(JSONValue(samples).written)
        // The literal is between `#"""` and `"""#`. JSON never has three quotes in a row, and `\#`, which would begin
        // an interpolation, is escaped.
        let text = String(decoding: JSONFormatter.indented(json) ?? json, as: UTF8.self)
            .replacingBytes(of: ##"\#"##, with: ##"\\u0023"##)
        let lines: [SwiftLine] = text.split(separator: "\n").map { "\(TerminalText.escaped(String($0)))" }
        let members: [SwiftLine] = [
            .comment("The examples of the document."),
            "static let sampleText = #\"\"\"", .indented(lines + ["\"\"\"#"]),
        ]
        // Files in a directory `Samples` are resources, which are not compiled.
        let block = SwiftLine.block("extension \(description.type).\(group.type)", members)
        addFile(named: "\(group.type)+Samples", lines: [block])
    }

    /// Returns the samples of a group's operations by the names of the cases. A sample that is too long adds a note.
    private mutating func collectSamples(of group: OperationGroup) -> [(String, JSONValue)] {
        var samples: [(String, JSONValue)] = []
        for operation in group.operations {
            guard let sample = operation.sample else { continue }
            if let problem = ImportedEndpoint.sampleProblem(byteCount: sample.written.count) {
                notes.append("\(operation.key): \(problem)")
            } else {
                samples.append((operation.name, sample))
            }
        }
        return samples
    }

    // MARK: Models

    /// Adds the files of the models.
    ///
    /// Each model has a file of its own. If there are too many models, each enum has one file for all of its models.
    private mutating func addModels() {
        let models = description.models.used
        let hasFileForEach = models.count <= Self.maxModelFiles
        let enumNames = namesOfFirstEnums()
        // Models that no enum uses are in the file `Other+Models.swift`.
        let modelsByFile = models.grouped { model in
            hasFileForEach ? model.name : (enumNames[model] ?? "Other") + "+Models"
        }
        for (fileName, modelsOfFile) in modelsByFile {
            let declarations = modelsOfFile.map(description.models.text.declaration)
            let linesAfterEmptyLines: [SwiftLine] = declarations.flatMap { [""] + $0.lines }
            let imports = declarations.reduce(into: Set<String>()) { $0.formUnion($1.imports) }
            let block = SwiftLine.block("extension \(description.type)", Array(linesAfterEmptyLines.dropFirst()))
            addFile(named: fileName, in: "Models/", imports: imports, lines: [block])
        }
    }

    /// Returns for each model the name of the first enum whose requests or responses use it.
    private func namesOfFirstEnums() -> [InferredModel: String] {
        var enumNames: [InferredModel: String] = [:]
        for group in description.groups {
            let types = group.operations.flatMap { $0.sentTypes + [$0.response].compactMap(\.self) }
            // The search goes on to the models in a model only at its first visit.
            InferredModel.visit(types.compactMap(\.leaf.model)) { model in
                let isFirstVisit = enumNames[model] == nil
                if isFirstVisit { enumNames[model] = group.type }
                return isFirstVisit
            }
        }
        return enumNames
    }
}

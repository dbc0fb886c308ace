import APIImport
import EndpointKit
import JSONText

/// `import`: writes Swift for curl commands, JSON, recordings and OpenAPI documents.
struct ImportCommand: Command {
    static let name = "import"
    static let usage = "import [options] curl|json|har|openapi SOURCE…"
    static let summary = "write Swift for a curl command, a response or a document"
    static let operands = CommandOperands.valueAndFiles(ImportKind.allCases.map(\.rawValue))
    static let foreignPrograms: Set = ["curl"]
    static let table = ImportOptions.table

    /// Explains, for the help, the kinds of sources, what is sent, what happens to secrets, and which files are
    /// written.
    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(
            rows: [
                ["curl ARGUMENTS…", "a curl command; after the word curl, all words are curl's"],
                ["curl -", "curl commands on stdin, for a POSIX shell: a browser's \"Copy as cURL (bash)\""],
                ["json SOURCE…", "samples of one endpoint: a URL, a file, or - for stdin"],
                ["har FILE", "every different request of a recording, with its response"],
                [
                    "openapi SOURCE",
                    "an OpenAPI or Swagger document in JSON or YAML: an enum for each tag, and models, in files",
                ],
            ],
            paragraphs: [
                """
                The code is a start for you to edit. A GET is sent for its response. Other requests are sent only with \
                --send.
                """,
                """
                A secret in a header or query becomes a credential that is read from a variable. Secrets in bodies and \
                samples become \(SecretRules.mark). '\(context.tool) help credentials' has the rules for secrets. \
                Check the samples before you commit them.
                """,
                """
                Importing again writes new files. Files that differ are listed and stay as they are, unless you give \
                --force.
                """,
                """
                Samples are written to the directory Samples next to the nearest Catalogue.swift, and the API is added \
                to the list in that file. Without a Catalogue.swift, samples are written to DIR/Samples.
                """,
                """
                --into FILE.swift adds to an enum that has the layout of swift format. For an enum with another layout, \
                it prints the lines.
                """,
                """
                With --check, nothing is written. A document is compared with endpoints, as with \(context.tool) check \
                --document.
                """,
            ],
            example: """
                Examples:
                  \(context.tool) import curl https://api.example.com/me -H 'Authorization: Bearer …'
                  \(context.tool) import --name shop --into Endpoints/Shop har recording.har
                  \(context.tool) import --only 'GET /pets/*' openapi https://example.com/openapi.json

                """)
    }

    /// The kind of the sources; nil if the first word after `import` names none.
    private let kind: ImportKind?
    /// The words after the kind.
    private let sources: ArraySlice<SourcedText>
    /// The word in place of a kind, for the message that it is none; nil if there is no word.
    private let kindWord: SourcedText?
    private let options: ImportOptions

    /// Takes the words of the command line, and checks that the options fit each other and the kind of import.
    ///
    /// - Throws: ``UsageError`` if they do not. A missing kind is reported by ``run(_:)``.
    init(_ words: CommandWords<ImportOptions>) throws {
        kindWord = words.operands.first
        kind = kindWord.flatMap { ImportKind(rawValue: $0.text) }
        sources = words.operands.dropFirst()
        options = words.options
        try refuseOptionsWithoutEffect()
        try checkName()
        try checkComparisonOptions()
    }

    // MARK: Checks of options

    /// Refuses an option that has no effect on the kind of import: `import json --only …`.
    ///
    /// - Throws: ``UsageError`` that names the option.
    private func refuseOptionsWithoutEffect() throws(UsageError) {
        guard let kind, let option = options.common.given.first(where: kind.optionsWithoutEffect.contains) else {
            return
        }
        throw UsageError("--\(option) has no effect on import \(kind.rawValue)")
    }

    /// Refuses an option that describes a request, because only samples without a request are imported:
    /// `import json FILE --path /p`.
    ///
    /// - Throws: ``UsageError`` that names the option.
    private func refuseRequestOptions() throws(UsageError) {
        let requestOptions: Set = ["header", "method", "path", "response", "send"]
        if let option = options.common.given.first(where: requestOptions.contains) {
            throw UsageError("--\(option) has no effect on samples without a request: import json URL FILE…")
        }
    }

    /// Checks that `--name` has at most one dot, between API and endpoint: `movies.popular`.
    ///
    /// With `--into FILE.swift`, the API in the file may be one of a group, whose own name has a dot. Then two dots are
    /// allowed: `kinto.buckets.list`.
    ///
    /// - Throws: ``UsageError`` for a name with more dots.
    private func checkName() throws(UsageError) {
        let isIntoFile = options.into?.hasSuffix(".swift") == true
        guard let name = options.name, !isIntoFile else { return }
        let dotCount = name.count { $0 == "." }
        if dotCount > 1 { throw UsageError("--name: expected a name such as movies or movies.popular") }
    }

    /// Checks that `--check` is given for a document only, and the options of its comparison only with `--check`.
    ///
    /// - Throws: ``UsageError`` that names the option.
    private func checkComparisonOptions() throws(UsageError) {
        if options.compares {
            if kind != .openapi { throw UsageError("--check needs openapi SOURCE") }
            return
        }
        if options.check.judging.baseline != nil { throw UsageError("--baseline needs --check") }
        let reports = options.check.reports.files.keys.map(\.option)
        if let report = reports.min() { throw UsageError("--\(report) needs --check") }
    }

    // MARK: Running

    /// Imports the sources, or compares a document with APIs if `--check` is given.
    ///
    /// - Throws: ``UsageError`` for an error in the command line and for an error in what is imported, ``FileError``,
    ///   and ``Failure``.
    func run(_ context: CommandContext) async throws -> ExitCode {
        // After a signal, a request has 200 ms to end.
        context.environment.signals.startHandling(.milliseconds(200))
        guard let kind else {
            let wrongWord = kindWord.map { ", got \($0.shown)" } ?? ""
            throw UsageError("import needs a kind of source: curl, json, har or openapi\(wrongWord)")
        }
        do {
            if options.compares { return try await compare(context) }
            return try await importSources(of: kind, context)
        } catch let error as ImportError {
            throw UsageError(error.text)
        }
    }

    /// Compares the document that the command line names with the endpoints that the words after it choose.
    ///
    /// - Returns: The exit code of `check --document`.
    /// - Throws: ``UsageError`` if there is no document, and the errors of `check --document`.
    private func compare(_ context: CommandContext) async throws -> ExitCode {
        guard let source = sources.first else {
            throw UsageError("import openapi needs a URL, a file, or - for stdin")
        }
        let patterns = Array(sources.dropFirst())
        // The document and the file of `--baseline` can't both be stdin.
        var filesToRead = [source]
        if let baseline = options.check.judging.baseline { filesToRead.append(baseline) }
        try UsageError.requireAtMostOneStdin(among: filesToRead)
        let document = DocumentSource(name: nil, source)
        let check = DocumentCheck(context: context, options: options.check(of: document))
        return try await check.run(document, patterns)
    }

    /// Reads the sources, makes Swift of them, and writes it.
    ///
    /// | Sources | Result |
    /// |---|---|
    /// | a document | a directory of files |
    /// | samples without a request: files or stdin | models |
    /// | requests with their responses | an API with its models |
    private func importSources(of kind: ImportKind, _ context: CommandContext) async throws -> ExitCode {
        let imported = try await ImportSources(sources, of: kind, options: options, context: context)
        var output = ImportOutput(options: options, context: context, notes: imported.notes)
        if kind == .openapi, let source = sources.first {
            try output.addDocument(ImportedDocument(source, in: imported, files: context.environment.files))
        } else if imported.requests.isEmpty {
            try refuseRequestOptions()
            try output.addModels(of: imported.parseSamples(), named: modelStem(for: imported.samples))
        } else {
            try output.addAPI(of: imported.requests, isOneEndpoint: kind == .json)
        }
        return try output.finish()
    }

    /// Returns the word after which the model of samples is named: the endpoint in `--name`, or else the first file.
    ///
    /// `--name movies.popular` gives `popular`, and the file `data/page.v1.json` gives `page`.
    private func modelStem(for samples: [ImportSources.Sample]) -> String {
        let endpoint = options.name?.split(separator: ".").last.map(String.init)
        let path = endpoint ?? samples.first?.name ?? ""
        let fileName = path.split(separator: "/").last ?? ""
        return fileName.split(separator: ".").first.map(String.init) ?? "response"
    }
}

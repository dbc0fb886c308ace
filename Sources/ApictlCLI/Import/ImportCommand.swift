import APIImport
import EndpointKit
import JSONText

/// `import`: writes Swift for curl commands, JSON, recordings and OpenAPI documents.
struct ImportCommand: Command {
    static let name = "import"
    static let usage = "import [options] curl|json|har|openapi SOURCE…"
    static let summary = "write Swift for a curl command, a response or a document"
    static let operands = CommandOperands.valueAndFiles(["curl", "json", "har", "openapi"])
    static let foreignPrograms: Set = ["curl"]
    static let table = ImportOptions.table

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
                "The code is a start for you to edit. A GET is sent for its response; nothing else without --send.",
                """
                Secrets in headers and queries: each becomes a credential read from a variable. Secrets in bodies and \
                samples become \(SecretRules.mark). '\(context.tool) help credentials' says what a secret is: check the \
                samples before you commit them.
                """,
                "Importing again writes new files; files that differ stay as they are and are listed, without --force.",
                "Samples are written to Samples beside the nearest Catalogue.swift, where the API is added to the list; or to DIR/Samples.",
                "--into FILE.swift expects an enum as swift format lays it out, and prints the lines for another.",
                "With --check, nothing is written: a document is compared with endpoints, as \(context.tool) check --document does.",
            ],
            example: """
                Examples:
                  \(context.tool) import curl https://api.example.com/me -H 'Authorization: Bearer …'
                  \(context.tool) import --name shop --into Endpoints/Shop har recording.har
                  \(context.tool) import --only 'GET /pets/*' openapi https://example.com/openapi.json

                """)
    }

    /// The options that have no effect on a kind of import, by the kind.
    private static let otherOptions: [String: Set<String>] = [
        "openapi": ["method", "path", "send", "response", "map", "struct"], "json": ["only", "skip"],
        "har": ["header", "response", "send"], "curl": ["header"],
    ]

    private let words: [SourcedText]
    private let options: ImportOptions

    /// Takes the words of the command line, and checks that the options fit each other and the kind of import.
    ///
    /// - Throws: ``UsageError`` if they do not.
    init(_ words: CommandWords<ImportOptions>) throws {
        self.words = words.others
        options = words.options
        try checkKind()
        try checkName()
        try checkComparison()
    }

    /// Checks that no option is given which has no effect on what is imported: `import json --only …` is an error.
    private func checkKind() throws(UsageError) {
        let kind = words.first?.text ?? ""
        let withoutEffect = Self.otherOptions[kind] ?? []
        if let option = options.common.given.first(where: withoutEffect.contains) {
            throw UsageError("--\(option) has no effect on import \(kind)")
        }
    }

    /// Checks that no option is given that describes a request, where there are only samples: `import json FILE --path /p`.
    private func checkModelsOnly() throws(UsageError) {
        let ofRequests: Set = ["header", "method", "path", "response", "send"]
        if let option = options.common.given.first(where: ofRequests.contains) {
            throw UsageError("--\(option) has no effect on samples without a request: import json URL FILE…")
        }
    }

    /// Checks that `--name` has at most one dot, between API and endpoint: `movies.popular`.
    ///
    /// In an existing file, the API may be one of a group, whose own name has a dot. Then two dots are allowed:
    /// `kinto.buckets.list`.
    private func checkName() throws(UsageError) {
        let isIntoFile = options.into?.hasSuffix(".swift") == true
        guard let name = options.name, !isIntoFile else { return }
        let dots = name.filter { $0 == "." }
        if dots.count > 1 { throw UsageError("--name: expected a name such as movies or movies.popular") }
    }

    /// Checks that `--check`, which compares a document with endpoints, is given for a document only, and that options
    /// of the comparison are given only with it.
    private func checkComparison() throws(UsageError) {
        if options.compares {
            if words.first?.text != "openapi" { throw UsageError("--check needs openapi SOURCE") }
            return
        }
        if options.check.judging.baseline != nil { throw UsageError("--baseline needs --check") }
        let reports = options.check.reports.files.keys.map(\.option)
        if let report = reports.min() { throw UsageError("--\(report) needs --check") }
    }

    /// Imports, or compares with `--check`. An error in what is imported is reported like one in the command line.
    func run(_ context: CommandContext) async throws -> ExitCode {
        do {
            return try await carryOut(context)
        } catch let error as ImportError {
            throw UsageError(error.text)
        }
    }

    /// Reads the sources, makes the code, and writes it.
    ///
    /// | Import | Result |
    /// |---|---|
    /// | `openapi … --check` | a comparison of the document with APIs; nothing is written |
    /// | `openapi` | a directory of files |
    /// | samples alone: files or stdin | models |
    /// | requests with their responses | an API with its models |
    private func carryOut(_ context: CommandContext) async throws -> ExitCode {
        context.environment.signals.watch(.milliseconds(200))
        if options.compares {
            guard words.count > 1 else { throw UsageError("import openapi needs a URL, a file, or - for stdin") }
            try UsageError.check(readers: [words[1]] + [options.check.judging.baseline].compactMap(\.self))
            let document = DocumentSource(name: nil, words[1])
            return try await DocumentCheck(context: context, options: options.check(of: document))
                .run(document, Array(words.dropFirst(2)))
        }
        let sources = try await ImportSources(words, options, context)
        var output = ImportOutput(options, context, notes: sources.notes)
        if words[0].text == "openapi" {
            try output.add(sources, words[1])
        } else if sources.requests.isEmpty {
            try checkModelsOnly()
            // The model is named after the endpoint in `--name` or after the first file: `response` for
            // `data/response.v1.json`.
            let name = options.name?.split(separator: ".").last.map(String.init) ?? sources.samples[0].name
            let stem = name.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? "response"
            try output.add([(stem, sources.documents())])
        } else {
            try output.add(sources.requests, isOneEndpoint: words[0].text == "json")
        }
        return try output.finish()
    }
}

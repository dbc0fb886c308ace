import APIImport
import EndpointKit
import EndpointTools
import JSONText

/// `import`: makes Swift out of curl commands, JSON, recordings and OpenAPI documents.
struct ImportCommand: Command {
    static let name = "import"
    static let usage = "import [options] curl|json|har|openapi SOURCE…"
    static let summary = "make Swift out of a curl command, a response, a recording or an OpenAPI document"
    static let operands = Operands.valueAndFiles(["curl", "json", "har", "openapi"])
    static let foreignPrograms: Set = ["curl"]
    static let table = ImportOptions.table

    static func notes(_ context: RunContext) -> CommandNotes {
        CommandNotes(
            rows: [
                ["curl ARGUMENTS…", "a curl command; after the word curl, all words are curl's"],
                ["curl -", "curl commands on stdin, as copied from a browser or from documentation"],
                ["json SOURCE…", "samples of one endpoint: a URL, a file, or - for stdin"],
                ["har FILE", "every different request of a recording, with its response"],
                [
                    "openapi SOURCE",
                    "an OpenAPI or Swagger document in JSON: an enum for each tag, and models, in files",
                ],
            ],
            paragraphs: [
                "The text is a start, for people to go on with. A GET is sent for its response; nothing else without --send.",
                "A credential with a variable stands for each secret in a header or query, and \(SecretRules.mark) for those in bodies and samples. What a secret is, '\(context.tool) help credentials' says: check the samples before you commit them.",
                "With --check, nothing is written: a document is compared with the endpoints that PATTERN matches, without one with all.",
            ],
            example: """
                Examples:
                  \(context.tool) import curl https://api.example.com/me -H 'Authorization: Bearer …'
                  \(context.tool) import --name shop --into Endpoints/Shop har recording.har
                  \(context.tool) import --only 'GET /pets/*' openapi https://example.com/openapi.json
                  \(context.tool) import openapi openapi.json --check shop --baseline known.json

                """)
    }

    /// The options that one kind of import does not have.
    private static let otherOptions: [String: Set<String>] = [
        "openapi": ["method", "path", "send", "response", "map", "struct"], "json": ["only", "skip", "models"],
        "curl": ["models"], "har": ["models", "response", "send"],
    ]

    private let words: [Word]
    private let options: ImportOptions

    init(_ words: CommandWords<ImportOptions>) throws {
        self.words = words.others
        options = words.options
        if options.compares, self.words.first?.text != "openapi" { throw UsageError("--check needs openapi SOURCE") }
        let kind = self.words.first?.text ?? ""
        if let option = options.common.given.first(where: (Self.otherOptions[kind] ?? []).contains) {
            throw UsageError("--\(option) has no effect on import \(kind)")
        }
        // Only an API in a file may be one of a document, with a point in its name.
        if options.into?.hasSuffix(".swift") != true, options.name.map({ $0.count { $0 == "." } > 1 }) == true {
            throw UsageError("--name: expected a name such as movies or movies.popular")
        }
        let (baseline, reports) = (options.check.baseline, options.check.reports)
        if !options.compares, baseline != nil || !reports.isEmpty {
            throw UsageError("--\(baseline == nil ? reports.keys.map(\.option).min() ?? "" : "baseline") needs --check")
        }
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        do {
            return try await carryOut(context)
        } catch let error as ImportError {
            throw UsageError(error.text)
        }
    }

    private func carryOut(_ context: RunContext) async throws -> ExitCode {
        context.environment.watchSignals(.milliseconds(200))
        let sources = try await ImportSources(words, options, context)
        if options.compares {
            let (document, name, read) = try sources.document(words[1], context)
            return try await DocumentCheck(context: context, options: options.documentCheck)
                .run(document, name: name, Array(words.dropFirst(2)), read: read)
        }
        var output = ImportOutput(options, context, notes: sources.notes)
        if words[0].text == "openapi" {
            try output.add(sources, words[1])
        } else if sources.requests.isEmpty {
            let name = options.name?.split(separator: ".").last.map(String.init) ?? sources.samples[0].name
            let stem = name.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? "response"
            try output.add([(stem, sources.documents())])
        } else {
            try output.add(sources.requests, isOneEndpoint: words[0].text == "json")
        }
        return try output.finish()
    }
}

/// What an import tells at its end, for people and for programs.
struct ImportSummary {
    var api = ""
    /// What there is of it.
    var contents = ""
    var endpoints: [JSONValue] = []
    var models: [String] = []
    /// Whether something became JSON of any kind, bytes or a comment.
    var isLoose = false
    /// What only one kind of import has for programs.
    var details: [(String, JSONValue)] = []
    var notes: [String]
    var variables: [NeededVariable] = []
    /// The files that were written.
    var files: [String] = []
    /// The command to try next, quoted for a shell.
    var next: String?

    /// Writes what people should know to stderr; `directory` is the one of most files.
    func print(_ context: RunContext, _ directory: String?) throws {
        guard !context.reportsJSON else { return }
        var lines = [api.isEmpty ? contents : "\(api): \(contents)"] + notes.map { "note: \($0)" }
        let own = files.filter { path in directory.map { path.hasPrefix($0 + "/") } ?? false }
        if let directory, !own.isEmpty { lines.append("wrote \(directory): \(own.count.counted("file"))") }
        lines += files.filter { !own.contains($0) }.map { "wrote \($0)" }
        if !variables.isEmpty { lines.append("to set: \(variables.map(\.description).joined(separator: ", "))") }
        if !endpoints.isEmpty {
            let help = "'\(context.tool) help credentials' says which secrets are removed"
            lines.append("check the samples before you commit them; \(help)")
        }
        // Quoted words are safe to show, and may have line breaks.
        let text = lines.map { $0.safeToShow + "\n" }.joined() + (next.map { "next: \($0)\n" } ?? "")
        try context.environment.stderr.write(text)
    }

    /// The same for programs.
    var json: [UInt8] {
        let members: [(String, JSONValue)] =
            [("version", 1), ("api", JSONValue(api)), ("endpoints", JSONValue(endpoints)), ("models", models.json)]
            + details + [("notes", notes.json), ("variables", variables.map(\.name).json), ("files", files.json)]
        return Array(JSONValue(members).written) + [UInt8(ascii: "\n")]
    }
}

/// `import openapi SOURCE --check`: compares a document with the APIs that are compiled, with the reports and the baseline of `check`.
struct DocumentCheck {
    let context: RunContext
    let options: CheckOptions

    /// Compares the document in `bytes` with the endpoints that `patterns` match; `read` gives the files beside it. Throws ``UsageError`` and
    /// ``FileError``, and what `read` throws.
    func run(
        _ bytes: [UInt8], name: String, _ patterns: [Word], read: @escaping (String) throws -> [UInt8]
    ) async throws -> ExitCode {
        let catalogue = try context.registry.description(matching: patterns)
        let own = try OpenAPIWriter.document(catalogue, tool: context.tool, server: nil)
        let comparison: OpenAPIComparison
        do {
            comparison = try OpenAPIComparison(bytes, name: name, own: own, isStrict: options.strict, read: read)
        } catch let error as OpenAPIError {
            throw UsageError(error.description)
        }
        let found = Dictionary(comparison.results.map { ($0.name, $0.problems) }) { $0 + $1 }
        var results: [CheckResult] = []
        for declaration in try catalogue.apis.flatMap({ try EndpointDeclaration.all(of: $0.api) }) {
            guard let problems = found[declaration.name] else { continue }
            results.append(Self.result(declaration, problems))
        }
        // What no endpoint has is told of an API of which all is compared, that of the document's server or the first; a baseline may have had
        // some of it.
        let whole = try catalogue.apis.filter { try EndpointSummary.all(of: $0.api).count == $0.endpoints.count }
            .map { $0.api.name }
        let known = results.map(\.call.declaration).filter { whole.contains($0.api.name) }
        let served = comparison.hosts.lazy.compactMap { host in
            known.first { $0.api.servers.contains { (try? $0.base())?.host == host } }
        }.first
        if let missing = found[""], !missing.isEmpty || options.baseline != nil, let first = served ?? known.first {
            results.append(Self.result(first, missing, name: first.api.name, caseName: "the rest of the document"))
        }
        return try await CheckReport.write(options, context, of: results.map(\.call)) {
            [results] report, terminal, _ in
            for result in results { try terminal.show(report.add(result)) }
            report.finish(of: results.count)
        }
    }

    private static func result(
        _ declaration: EndpointDeclaration, _ problems: [CheckProblem], name: String? = nil, caseName: String? = nil
    ) -> CheckResult {
        let call = CheckedCall(declaration, declaration.endpoint, example: 1, name: name, caseName: caseName)
        return CheckResult(call, CheckOutcome(verdict: problems.verdict, problems: problems))
    }
}

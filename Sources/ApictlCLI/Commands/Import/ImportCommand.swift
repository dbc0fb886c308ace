import APIImport
import EndpointKit
import JSONText

/// `import`: makes Swift out of curl commands, JSON, recordings and OpenAPI documents.
struct ImportCommand: Command {
    static let name = "import"
    static let usage =
        "import [options] curl ARGUMENTS… | json SOURCE… | har FILE | openapi SOURCE [--check [PATTERN…]]"
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
                "Secrets are not written: a credential with a variable stands for each.",
                "With --check, nothing is written: a document is compared with the endpoints that PATTERN matches, without one with all.",
            ],
            example: """
                Examples:
                  \(context.tool) import curl https://api.example.com/users/42 -H 'Authorization: Bearer …'
                  \(context.tool) import --name shop --into Endpoints/Shop har recording.har
                  \(context.tool) import --only 'GET /pets/*' openapi https://api.example.com/openapi.json
                  \(context.tool) import openapi openapi.json --check shop --baseline known.json

                """)
    }

    private let words: [Word]
    private let options: ImportOptions

    init(_ words: CommandWords<ImportOptions>) throws {
        self.words = words.others
        options = words.options
        if options.compares, self.words.first?.text != "openapi" { throw UsageError("--check needs openapi SOURCE") }
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
        let sources = try await ImportSources(words, options, context)
        if options.compares {
            let (document, read) = try sources.document(words[1], context)
            return try await DocumentCheck(context: context, options: options.documentCheck)
                .run(document, name: words[1].text, Array(words.dropFirst(2)), read: read)
        }
        if words[0].text == "openapi" {
            let isLoose = try OpenAPIOutput(sources, words[1], options, context).finish(context)
            return options.strict && isLoose ? .failure : .success
        }
        let choices = try options.choices(context.environment)
        var output = ImportOutput(options, context.environment.files)
        var summary = ImportSummary(notes: sources.notes, directory: output.directory)
        if sources.requests.isEmpty {
            let name = options.name?.split(separator: ".").last.map(String.init) ?? sources.samples[0].name
            let stem = name.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? "response"
            let models = try InferredModels([.init(stem, sources.documents())], options: choices)
            output.add(models.declarations)
            summary.add(models)
        } else {
            try output.add(sources.requestsWithSamples(), choices, &summary)
        }
        if options.into?.hasSuffix(".swift") == false, !options.force, context.registry.api(summary.api) != nil {
            throw UsageError(
                "there is an API \(summary.api) already: --into FILE.swift adds to it, --name gives another name")
        }
        try output.finish(context, &summary)
        try summary.print(context)
        if let report = options.report { try context.environment.files.replace(report, with: summary.json) }
        return options.strict && summary.isLoose ? .failure : .success
    }
}

/// What an import tells at its end.
struct ImportSummary {
    var api = ""
    var endpoints: [ImportedEndpoint] = []
    var models: [String] = []
    /// What became JSON of any kind, or bytes.
    var loose: [String] = []
    var notes: [String]
    var variables: [String] = []
    /// The files that were written, and the directory of most of them.
    var files: [String] = []
    private let directory: String?

    init(notes: [String], directory: String?) { (self.notes, self.directory) = (notes, directory) }

    var isLoose: Bool { !loose.isEmpty }

    mutating func add(_ models: InferredModels) {
        add(models.declarations)
        notes += models.notes
        if let coding = models.coding { notes.append("the API needs: static let coding = \(coding)") }
    }

    /// Adds a scaffold, and returns it. Throws ``UsageError`` if it is empty.
    mutating func added(_ scaffold: Scaffold) throws(UsageError) -> Scaffold {
        if scaffold.endpoints.isEmpty { throw UsageError("no request matches --only and --skip") }
        api = scaffold.name
        endpoints = scaffold.endpoints
        variables = scaffold.variables
        add(scaffold.models)
        loose += scaffold.looseEndpoints
        if !scaffold.omittedHeaders.isEmpty {
            notes.append("headers left out: " + scaffold.omittedHeaders.sorted().joined(separator: ", "))
        }
        notes += scaffold.notes
        return scaffold
    }

    private mutating func add(_ declarations: [InferredModels.Declaration]) {
        models += declarations.map(\.name)
        loose += declarations.filter(\.isLoose).map(\.name)
    }

    /// Writes what people should know to stderr.
    func print(_ context: RunContext) throws {
        guard !context.reportsJSON else { return }
        var lines = [endpoints.count.counted("endpoint") + ", " + models.count.counted("model")]
        if !api.isEmpty { lines[0] = "\(api): \(lines[0])" }
        if !loose.isEmpty { lines[0] += "; with JSON of any kind or bytes: \(loose.joined(separator: ", "))" }
        lines += notes.map { "note: \($0)" }
        let own = files.filter { path in directory.map { path.hasPrefix($0 + "/") } ?? false }
        if let directory, !own.isEmpty { lines.append("wrote \(directory): \(own.count.counted("file"))") }
        lines += files.filter { !own.contains($0) }.map { "wrote \($0)" }
        if !variables.isEmpty { lines.append("to set: \(variables.joined(separator: ", "))") }
        var text = lines.map { $0.safeToShow + "\n" }.joined()
        if let words = endpoints.first?.callWords {
            // Quoted words are safe to show, and may have line breaks.
            text +=
                "next: swift run \(context.tool) call \(words.map { ShellText.quoted($0) }.joined(separator: " "))\n"
        }
        try context.environment.stderr.write(text)
    }

    /// The same for programs.
    var json: [UInt8] {
        let all = endpoints.map { endpoint in
            JSONValue([
                ("name", JSONValue("\(api).\(KebabCase.text(endpoint.name))")), ("method", JSONValue(endpoint.method)),
                ("path", JSONValue(endpoint.template)),
            ])
        }
        let members: [(String, JSONValue)] = [
            ("version", 1), ("api", JSONValue(api)), ("endpoints", JSONValue(all)), ("models", .list(models)),
            ("loose", .list(loose)), ("notes", .list(notes)), ("variables", .list(variables)), ("files", .list(files)),
        ]
        return Array(JSONValue(members).written) + [UInt8(ascii: "\n")]
    }
}

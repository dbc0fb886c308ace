import APIImport
import EndpointKit

/// What an import makes: text on stdout, new files of a directory or more of an API's file, and a summary.
struct ImportOutput {
    var options: ImportOptions
    let context: RunContext
    /// Nil if no files of their own are written.
    var directory: String?
    var summary: ImportSummary
    private var text = ""
    private var changes: [(path: String, bytes: [UInt8])] = []

    init(_ options: ImportOptions, _ context: RunContext, notes: [String]) {
        (self.options, self.context, summary) = (options, context, ImportSummary(notes: notes))
        guard let into = options.into, !into.hasSuffix(".swift") else { return }
        directory = String(into.utf8.count > 1 && into.hasSuffix("/") ? into.dropLast() : into[...])
    }

    // MARK: Files

    var files: any FileSystem { context.environment.files }

    /// The project that the files are for; nil without one.
    var project: ImportProject? {
        guard let path = directory ?? options.into else { return nil }
        if let project = ImportProject(path, files) { return project }
        // Within `Endpoints`, the path need not have its name.
        let isInside = !path.hasPrefix("/") && files.realPath(".").hasSuffix("/Endpoints")
        return isInside ? ImportProject("../Endpoints/" + path.trimmingPrefix("./"), files) : nil
    }

    /// What is in a file; nil if there is none. Throws ``FileError``.
    func content(_ path: String) throws -> [UInt8]? {
        do {
            return try files.readAll(path)
        } catch let error as FileError where error.isMissing {
            return nil
        }
    }

    /// Adds a file to write, which must be new unless `--force` is given. Throws ``FileError``.
    mutating func write(_ path: String, _ bytes: [UInt8], mayExist: Bool = false) throws {
        if !mayExist, !options.force, try content(path) != nil {
            throw FileError(.write, path, reason: "it exists; --force overwrites it")
        }
        changes.append((path, bytes))
    }

    /// Adds a text for stdout.
    mutating func print(_ more: String) { text += more }

    /// Refuses the names of other APIs, that are compiled or in the project, unless `--force` is given; `own` are those that are replaced. Throws
    /// ``UsageError``.
    func check(names: [String], besides own: Set<String> = [], isKnown: Bool = false, hint: String = "") throws {
        guard !options.force else { return }
        let others = Set(context.registry.apis.map { $0.name }).subtracting(own)
            .union(project?.apiNames(files) ?? [])
        if let name = names.first(where: { isKnown || others.contains($0) }) {
            throw UsageError("there is an API \(name) already: \(hint)--name gives another name")
        }
    }

    /// Prints the text, writes the files, and tells what was done.
    mutating func finish() throws -> ExitCode {
        if !text.isEmpty { try context.environment.stdout.write(text) }
        if options.dryRun {
            summary.notes += changes.map { "would write \($0.path)" }
        } else {
            for (path, bytes) in changes { try files.write(bytes, to: path) }
            summary.files = changes.map(\.path)
        }
        try summary.print(context, directory)
        if options.report == "-" {
            try context.environment.stdout.write(summary.json)
        } else if let report = options.report {
            try files.replace(report, with: summary.json)
        }
        return options.strict && summary.isLoose ? .failure : .success
    }

    // MARK: Samples and requests

    /// Adds models of samples without a request.
    mutating func add(_ samples: [InferredModels.Response]) throws {
        var choices = try options.choices(context.environment)
        choices.taken = project?.names ?? []
        let models = try InferredModels(samples, options: choices)
        let all =
            InferredModels.imports(of: models.declarations) + models.declarations.map(\.text).joined(separator: "\n")
        if let directory {
            try write(InferredModels.files(models.declarations), in: directory + "/")
        } else if let into = options.into {
            try write(into, all.exactBytes)
        } else {
            text += all
        }
        summary.notes += models.notes
        if let coding = models.coding { summary.notes.append("the API needs: static let coding = \(coding)") }
        count([], models.declarations)
    }

    /// The names of the samples of the directories beside that one as resources, of which a target can have one each.
    private func resources(beside directory: String) -> Set<String> {
        let parent = FilePlace.directory(of: directory)
        let others = (try? files.list(parent + ".", directories: true)) ?? []
        let samples = others.filter { parent + $0 != directory }.map { "\(parent)\($0)/Samples" }
        return Set(samples.flatMap { (try? files.list($0)) ?? [] }.map(ImportedEndpoint.resource))
    }

    private mutating func write(_ files: some Sequence<(path: String, text: [UInt8])>, in directory: String) throws {
        for (path, text) in files { try write(directory + path, text) }
    }

    /// Tells what there is, and what of it became JSON of any kind, or bytes.
    private mutating func count(
        _ endpoints: [ImportedEndpoint], loose: [String] = [], _ models: [InferredModels.Declaration]
    ) {
        let loose = loose + models.filter(\.isLoose).map(\.name)
        summary.models = models.map(\.name)
        summary.contents = "\(endpoints.count.counted("endpoint")), \(models.count.counted("model"))"
        if !loose.isEmpty { summary.contents += "; with JSON of any kind or bytes: \(loose.joined(separator: ", "))" }
        (summary.isLoose, summary.details) = (!loose.isEmpty, [("loose", loose.json)])
    }

    /// The API of these requests. Throws ``UsageError`` if it is empty, and what its models do.
    private mutating func scaffold(_ requests: [ImportedRequest], _ choices: ImportChoices) throws -> Scaffold {
        let scaffold = try Scaffold(requests, choices)
        guard let first = scaffold.endpoints.first else { throw UsageError("no request matches --only and --skip") }
        summary.api = scaffold.name
        summary.variables = scaffold.variables
        if !scaffold.omittedHeaders.isEmpty {
            summary.notes.append("headers left out: " + scaffold.omittedHeaders.sorted().joined(separator: ", "))
        }
        summary.notes += scaffold.notes
        summary.endpoints = scaffold.endpoints.map { endpoint in
            JSONValue([
                ("name", JSONValue("\(scaffold.name).\(KebabCase.text(endpoint.name))")),
                ("method", JSONValue(endpoint.method)), ("path", JSONValue(endpoint.template)),
            ])
        }
        let words = first.callWords.map { word in
            let pieces = ImportedRequest.pieces(word)
            if pieces.count == 1 { return ShellText.quoted(word) }
            return pieces.map { $1 ? "\"$\($0)\"" : $0.isEmpty ? "" : ShellText.quoted($0) }.joined()
        }.joined(separator: " ")
        summary.next = "swift run \(context.tool) call \(words)"
        count(scaffold.endpoints, loose: scaffold.looseEndpoints, scaffold.models)
        return scaffold
    }

    /// Adds the API of these requests, which may be of one endpoint.
    mutating func add(_ requests: [ImportedRequest], isOneEndpoint: Bool) throws {
        var choices = try options.choices(context.environment)
        choices.isOneEndpoint = isOneEndpoint
        let file = directory == nil ? options.into : nil
        if let file, let source = try content(file) {
            return try insert(requests, &choices, file, String(exactBytes: source))
        }
        let project = project
        choices.keepsSamples = directory != nil
        choices.taken = (project?.names ?? []).union(directory.map(resources) ?? [])
        let scaffold = try scaffold(requests, choices)
        let name = scaffold.name
        guard directory ?? file != nil else { return print(scaffold.text(withModels: true)) }
        let isListed = project?.apis.contains(SwiftNames.typeName(SwiftNames.words(name))) ?? false
        try check(names: [name], isKnown: isListed, hint: "--into FILE.swift adds to it, ")
        if let file { try write(file, scaffold.text(withModels: true).exactBytes) }
        if let directory { try write(scaffold.files, in: directory + "/") }
        let hasSamples = choices.keepsSamples && scaffold.endpoints.contains { $0.sample != nil }
        if let edits = project?.adding(scaffold.type, hasSamples: hasSamples) {
            for edit in edits { try write(edit.path, edit.text.exactBytes, mayExist: true) }
        } else {
            let samples = hasSamples ? "; in Package.swift, to the target: resources: [.embedInCode(\"Samples\")]" : ""
            summary.notes.append("still to add: \(scaffold.type).self to the list of APIs\(samples)")
        }
    }

    // MARK: An API that exists

    /// Inserts the endpoints into the enum in the file at `path`, or prints what belongs there.
    private mutating func insert(
        _ requests: [ImportedRequest], _ choices: inout ImportChoices, _ path: String, _ source: String
    ) throws {
        let file = SwiftFile(source)
        let names = file.apis.map { Self.literal(after: "static let name = ", file.text(of: $0)) }
        // Of several APIs, that of --name; those of a document have a point in their names.
        let given = options.name ?? ""
        let index = names.firstIndex { $0.map { "\(given).".hasPrefix($0 + ".") } ?? false } ?? names.indices.first
        guard let index else { throw UsageError("\(path): there is no enum of an API in it") }
        if given == names[index] { choices.endpoint = nil }
        let type = file.apis[index]
        choices.type = type
        choices.api = names[index] ?? Self.literal(after: "static let name = ", source) ?? choices.api
        choices.keepsSamples = source.contains("PackageResources.")
        let directory = FilePlace.directory(of: path)
        choices.taken = files.typeNames(in: [directory + ".", directory + "Models"].flatMap(files.swiftFiles))
            .union(file.typeNames()).union(project?.names ?? []).union(resources(beside: String(directory.dropLast())))
        choices.coding = file.coding
        // A server's own path is not repeated.
        var declared = names[index] == nil ? source : file.text(of: type)
        let words = SwiftFile.words(declared)
        // They may be those of a namespace, in another file: `servers = Petstore.servers`.
        let owner = zip(words, zip(words.dropFirst(), words.dropFirst(2))).first {
            $0 == "servers" && $1.1 == "servers"
        }
        for beside in owner == nil ? [] : files.swiftFiles(in: directory + ".") {
            guard let owner = owner?.1.0, let text = try? files.readAll(beside) else { continue }
            let file = SwiftFile(String(exactBytes: text))
            if file.typeNames(areInner: false).contains(owner) { declared += file.text(of: owner) }
        }
        let servers = declared.split(separator: "Server(").dropFirst().compactMap {
            Self.literal(after: ", ", String($0)).flatMap { try? BaseURL($0) }
        }
        let stripped = requests.map { request in
            var request = request
            let bases = servers.filter { $0.text.dropLast($0.path.utf8.count) == request.origin }
            if let base = bases.first(where: { (request.path + "/").hasPrefix($0.path + "/") }) {
                request.path.removeFirst(base.path.count)
            } else if !servers.isEmpty {
                let url = request.origin + (bases.isEmpty ? "" : request.path)
                summary.notes.append("\(type) has no server for \(url), where the request went")
            }
            return request
        }
        let scaffold = try scaffold(stripped, choices)
        if !scaffold.variables.isEmpty {
            let own = file.hasMember("credentials", of: type) ? "has its own" : "has none, so that it is sent without"
            summary.notes.append("the credentials of the request are not added: \(type) \(own)")
            summary.variables = []
        }
        let known = scaffold.endpoints.map(\.name).filter { file.hasMember($0, of: type) }
        let result = scaffold.endpoints.reduce(known.isEmpty ? source : nil) { text, endpoint in
            text.flatMap { SwiftFile($0).inserting(endpoint, into: type) }
        }
        guard let result else {
            let reason =
                known.isEmpty
                ? "it isn't sure where the endpoint belongs in \(type); add the lines above"
                : "\(type) has \(known.joined(separator: ", ")) already; --name \(scaffold.name).NAME gives another name"
            summary.notes.append("\(path) is not changed: \(reason)")
            for endpoint in scaffold.endpoints {
                text += "    case \(endpoint.declaration)\n\n        \(endpoint.example),\n\n\(endpoint.arm)\n"
            }
            text += scaffold.models.map(\.text).joined(separator: "\n")
            return
        }
        try write(path, result.exactBytes, mayExist: true)
        let added = scaffold.files.dropFirst().filter { choices.keepsSamples || !$0.path.hasPrefix("Samples/") }
        try write(added, in: directory)
    }

    /// The literal after the first `start` in a text of Swift.
    private static func literal(after start: String, _ text: String) -> String? {
        guard let place = text.firstRange(of: start + "\"")?.upperBound else { return nil }
        return String(text[place...].prefix { $0 != "\"" })
    }
}

extension FileSystem {
    /// Replaces a file, whose directories are made. Throws ``FileError``.
    func write(_ bytes: [UInt8], to path: String) throws {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        for end in parts.indices where !["", ".", ".."].contains(parts[end]) {
            try makeDirectory(parts[...end].joined(separator: "/"))
        }
        try replace(path, with: bytes)
    }
}

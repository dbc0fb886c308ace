import APIImport
import EndpointKit

/// The output of an import: text for stdout, files, and a summary.
///
/// Functions `add` collect the output. Nothing is written before ``finish()``, so that sources with an error leave no
/// files.
struct ImportOutput {
    let options: ImportOptions
    let context: CommandContext
    /// The directory of the import's files, without a slash at its end; nil if there are none.
    var directory: String?
    var summary: ImportSummary
    private var text = ""
    /// The files to write.
    private var changes: [FileChange] = []
    /// Existing files of the project that get further lines, such as `Catalogue.swift`.
    ///
    /// They are written last, and only if no file differs, because the new lines refer to the other files and must
    /// compile.
    private var edits: [FileChange] = []

    /// A file with its new content.
    private struct FileChange {
        let path: String
        let bytes: [UInt8]
    }

    /// Prepares the output.
    ///
    /// - Parameters:
    ///   - options: The options. If `--into` names a directory, it is ``directory``.
    ///   - context: The context.
    ///   - notes: Remarks about the sources, for the summary.
    init(_ options: ImportOptions, _ context: CommandContext, notes: [String]) {
        self.options = options
        self.context = context
        summary = ImportSummary(notes: notes)
        guard let into = options.into, !into.hasSuffix(".swift") else { return }
        directory = String(into.utf8.count > 1 && into.hasSuffix("/") ? into.dropLast() : into[...])
    }

    // MARK: Files

    /// The file system.
    var files: any FileSystem { context.environment.files }

    /// The target that the files become a part of; nil if there is no `Catalogue.swift`.
    var target: ImportTarget? { (directory ?? options.into).flatMap { ImportTarget(of: $0, files) } }

    /// Returns the content of a file; nil if the file does not exist.
    ///
    /// - Throws: ``FileError`` if the file can't be read.
    func content(_ path: String) throws -> [UInt8]? {
        do {
            return try files.readAll(path)
        } catch let error as FileError where error.isMissing {
            return nil
        }
    }

    /// Adds a file to write.
    ///
    /// A file that exists with another content is only overwritten with `--force`. Otherwise the summary lists it as
    /// differing, and the import fails at its end.
    ///
    /// - Throws: ``FileError`` if the existing file can't be read.
    mutating func write(_ path: String, _ bytes: [UInt8]) throws {
        let existing = try content(path)
        if existing == bytes { return }
        if existing == nil || options.force {
            changes.append(FileChange(path: path, bytes: bytes))
        } else {
            summary.differing.append(path)
        }
    }

    /// Adds files to write to a directory.
    ///
    /// - Parameters:
    ///   - files: The files with their paths in the directory.
    ///   - directory: The path of the directory, with a slash at its end; empty for the current one.
    private mutating func write(_ files: [(path: String, text: [UInt8])], in directory: String) throws {
        for (path, text) in files { try write(directory + path, text) }
    }

    /// Adds an API or a document to the list in `Catalogue.swift`.
    ///
    /// Without this file, or if its list has an unknown layout, a note in the summary says what is still to add.
    mutating func register(_ entry: CatalogueList.Entry) throws {
        guard let edit = target?.adding(entry) else {
            return summary.notes.append("still to add: \(entry.text) to the list of APIs")
        }
        let bytes = edit.text.exactBytes
        if try content(edit.path) != bytes { edits.append(FileChange(path: edit.path, bytes: bytes)) }
    }

    /// Checks that no other API, compiled or in the target, has one of these names. With `--force`, nothing is checked.
    ///
    /// - Parameters:
    ///   - names: The names of the imported APIs.
    ///   - replaced: The names of the APIs that the import may overwrite.
    ///   - hint: Another solution, for the message. It comes before the advice to choose another name.
    /// - Throws: ``UsageError`` if a name is taken.
    func check(names: [String], replaced: Set<String>, hint: String = "") throws {
        guard !options.force else { return }
        let others = Set(context.registry.apis.map { $0.name }).subtracting(replaced).union(target?.apiNames ?? [])
        guard let name = names.first(where: others.contains) else { return }
        throw UsageError("there is an API \(name) already: \(hint)--name gives another name")
    }

    // MARK: The end

    /// Prints the text, writes the files, and tells what was done.
    ///
    /// - Returns: The exit code: a failure with `--strict` if something became JSON of any kind or bytes.
    /// - Throws: ``Failure`` with a list of the files that differ and were left as they are, and the errors of writing.
    mutating func finish() throws -> ExitCode {
        if !text.isEmpty { try context.environment.stdout.write(text) }
        let all = changes + (summary.differing.isEmpty ? edits : [])
        if options.dryRun {
            summary.notes += all.map { "would write \($0.path)" }
        } else {
            for change in all { try files.write(change.bytes, to: change.path) }
            summary.files = all.map(\.path)
        }
        try summary.print(context, directory)
        if options.report == "-" {
            try context.environment.stdout.write(summary.json)
        } else if let report = options.report {
            try files.replace(report, with: summary.json)
        }
        if let failure { throw failure }
        return options.strict && summary.isLoose ? .failure : .success
    }

    /// The failure that lists the files which were left as they are; nil if there are none.
    private var failure: Failure? {
        let count = summary.differing.count
        guard count > 0 else { return nil }
        let start = count == 1 ? "1 file differs and was" : "\(count) files differ and were"
        let skipped = edits.map { "  not changed either: \($0.path)" }
        return Failure(
            "\(start) not written; --force overwrites:", .failure,
            hints: (summary.differing.map { "  " + $0 } + skipped).map { .fact($0) })
    }

    // MARK: Samples and requests

    /// Adds models that are made from samples without a request.
    ///
    /// Each model has a file of its own in a directory. Otherwise all models are one text, for the file of `--into` or
    /// stdout.
    mutating func add(_ samples: [InferredModels.Response]) throws {
        var choices = try options.choices(context.environment)
        choices.taken = target?.names ?? []
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

    /// Counts endpoints and models in the summary, and lists those that became JSON of any kind, or bytes.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints.
    ///   - loose: The names of the endpoints whose responses have no model.
    ///   - models: The models.
    private mutating func count(
        _ endpoints: [ImportedEndpoint], loose: [String] = [], _ models: [InferredModels.Declaration]
    ) {
        let loose = loose + models.filter(\.isLoose).map(\.name)
        summary.models = models.map(\.name)
        summary.contents = "\(endpoints.count.counted("endpoint")), \(models.count.counted("model"))"
        if !loose.isEmpty { summary.contents += "; with JSON of any kind or bytes: \(loose.joined(separator: ", "))" }
        summary.isLoose = !loose.isEmpty
        summary.details = [("loose", loose.json)]
    }

    /// Makes the API of requests, and describes it in the summary.
    ///
    /// - Throws: ``UsageError`` if `--only` and `--skip` leave no request, and the errors of making models.
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
        // A secret is a variable of the shell, which must not be in single quotes: `--key "$SHOP_KEY"`.
        let words = first.callWords.map { word in
            let pieces = ImportedRequest.pieces(word)
            if pieces.count == 1 { return ShellText.quoted(word) }
            return pieces.map { $1 ? "\"$\($0)\"" : $0.isEmpty ? "" : ShellText.quoted($0) }.joined()
        }.joined(separator: " ")
        summary.next = "swift run \(context.tool) call \(words)"
        count(scaffold.endpoints, loose: scaffold.looseEndpoints, scaffold.models)
        return scaffold
    }

    /// Adds the API of requests: to an existing file, as a new file, as files of a directory, or to stdout.
    ///
    /// - Parameters:
    ///   - requests: The requests with their responses.
    ///   - isOneEndpoint: Whether the requests call one endpoint with different parameters, as for `import json`.
    mutating func add(_ requests: [ImportedRequest], isOneEndpoint: Bool) throws {
        var choices = try options.choices(context.environment)
        choices.isOneEndpoint = isOneEndpoint
        let file = directory == nil ? options.into : nil
        if let file, let source = try content(file) {
            return try insert(requests, &choices, file, String(exactBytes: source))
        }
        let target = target
        let samplesDirectory = target?.samplesDirectory ?? directory.map { $0 + "/Samples/" } ?? ""
        choices.keepsSamples = directory != nil
        // New types must have other names than the types of the target. All samples of a target share one directory.
        choices.taken = target?.names ?? []
        choices.sampleFiles = Set(directory == nil ? [] : files.names(in: samplesDirectory))
        let scaffold = try scaffold(requests, choices)
        guard let path = directory ?? file else {
            text += scaffold.text(withModels: true)
            return
        }
        try check(scaffold, in: path, target)
        if let file { try write(file, scaffold.text(withModels: true).exactBytes) }
        if let directory {
            try write([scaffold.file] + scaffold.modelFiles, in: directory + "/")
            try write(samples: scaffold, in: samplesDirectory, isFirst: choices.sampleFiles.isEmpty)
        }
        try register(.api(scaffold.type))
    }

    /// Checks that no other API has the name of this one. With `--force`, nothing is checked.
    ///
    /// - Parameters:
    ///   - scaffold: The new API.
    ///   - path: The directory or file that is written. An API that is in this directory already may be replaced.
    ///   - target: The target that the files become a part of.
    /// - Throws: ``UsageError`` if another API has the name.
    private func check(_ scaffold: Scaffold, in path: String, _ target: ImportTarget?) throws {
        let replaced = path.hasSuffix(".swift") ? [] : files.apiNames(in: files.swiftFiles(in: path + "/"))
        let hint = "--into FILE.swift adds to it, "
        try check(names: [scaffold.name], replaced: replaced, hint: hint)
        // The enum may be in the list of `Catalogue.swift`, although no file with it was found.
        let isListed = target?.lists(.api(scaffold.type)) ?? false
        if isListed, !replaced.contains(scaffold.name), !options.force {
            throw UsageError("there is an API \(scaffold.name) already: \(hint)--name gives another name")
        }
    }

    /// Adds the files of samples.
    ///
    /// - Parameters:
    ///   - scaffold: The API with its samples.
    ///   - directory: The directory of samples, with a slash at its end.
    ///   - isFirst: Whether the directory has no samples yet. Then a note says how to make it a resource of the target.
    private mutating func write(samples scaffold: Scaffold, in directory: String, isFirst: Bool) throws {
        let samples = scaffold.sampleFiles
        if samples.isEmpty { return }
        for (file, text) in samples { try write(directory + file, text) }
        if isFirst {
            summary.notes.append(
                "still to add, in Package.swift, to the target: resources: [.embedInCode(\"Samples\")]")
        }
    }

    // MARK: An API that exists

    /// Inserts endpoints into the enum of an API in an existing file, or prints the lines if they can't be inserted.
    ///
    /// They can't if the enum has a member of this name already, or another layout than swift format gives it.
    ///
    /// - Parameters:
    ///   - requests: The requests that the endpoints are made of.
    ///   - choices: The choices, which get the names and the coding of the existing API.
    ///   - path: The path of the file.
    ///   - source: The content of the file.
    /// - Throws: ``UsageError`` if the file has no enum of an API.
    private mutating func insert(
        _ requests: [ImportedRequest], _ choices: inout ImportChoices, _ path: String, _ source: String
    ) throws {
        let file = SwiftFile(source)
        let names = file.apis.map { Self.literal(after: "static let name = ", file.text(of: $0)) }
        let isNamed = { [options] (name: String?) in
            // An API `shop.pets` has a dot in its name, so that `--name shop.pets.find` is compared with whole names of
            // APIs.
            name.map { "\(options.name ?? "").".hasPrefix($0 + ".") } ?? false
        }
        // Of several enums, the one that `--name` names is meant, or else the first one.
        guard let index = names.firstIndex(where: isNamed) ?? names.indices.first else {
            throw UsageError("\(path): there is no enum of an API in it")
        }
        let type = file.apis[index]
        let directory = FilePlace.directory(of: path)
        let target = target
        let samplesDirectory = target?.samplesDirectory ?? directory + "Samples/"
        let neighbours = files.swiftFiles(in: directory) + files.swiftFiles(in: directory + "Models/")
        // The part after the dot belongs to the API's own name then, so that no name of an endpoint is given.
        if options.name == names[index] { choices.endpoint = nil }
        choices.type = type
        choices.api = names[index] ?? Self.literal(after: "static let name = ", source) ?? choices.api
        // An API that refers to resources of its package already gets further ones.
        choices.keepsSamples = source.contains("PackageResources.")
        choices.taken = files.typeNames(in: neighbours).union(file.typeNames(includesNested: true))
        choices.taken.formUnion(target?.names ?? [])
        choices.sampleFiles = Set(files.names(in: samplesDirectory))
        choices.coding = file.coding
        let servers = servers(in: names[index] == nil ? source : file.text(of: type), beside: directory)
        let scaffold = try scaffold(requests.map { withoutServerPath($0, servers, type) }, choices)
        noteCredentials(of: scaffold, hasOwn: file.hasMember("credentials", of: type), type)

        let known = scaffold.endpoints.map(\.name).filter { file.hasMember($0, of: type) }
        if !known.isEmpty {
            let way = "--name \(scaffold.name).NAME gives another name"
            return print(scaffold, notIn: path, "\(type) has \(known.joined(separator: ", ")) already; \(way)")
        }
        // The text is read again for each endpoint, because every insertion moves the lines after it.
        let result = scaffold.endpoints.reduce(String?.some(source)) { text, endpoint in
            text.flatMap { SwiftFile($0).inserting(endpoint, into: type) }
        }
        guard let result else {
            let reason = "\(type) is not laid out as swift format does it; add the lines above"
            return print(scaffold, notIn: path, reason)
        }
        edits.append(FileChange(path: path, bytes: result.exactBytes))
        try write(scaffold.modelFiles, in: directory)
        if choices.keepsSamples { try write(samples: scaffold, in: samplesDirectory, isFirst: false) }
    }

    /// Returns a request whose path starts after the path of the API's server: `/movie/550` for `/3/movie/550`.
    ///
    /// A request to a server that the API does not have stays as it is, and is noted.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - servers: The base URLs of the API's servers.
    ///   - type: The name of the enum, for the note.
    private mutating func withoutServerPath(
        _ request: ImportedRequest, _ servers: [BaseURL], _ type: String
    ) -> ImportedRequest {
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

    /// Notes that the credentials of the requests were not added to the existing enum, if the requests have any.
    ///
    /// - Parameters:
    ///   - scaffold: The endpoints.
    ///   - hasOwn: Whether the enum declares credentials.
    ///   - type: The name of the enum.
    private mutating func noteCredentials(of scaffold: Scaffold, hasOwn: Bool, _ type: String) {
        if scaffold.variables.isEmpty { return }
        let found = hasOwn ? "has its own" : "has none, so that it is sent without"
        summary.notes.append("the credentials of the request are not added: \(type) \(found)")
        summary.variables = []
    }

    /// Adds the lines to stdout that would have been inserted into a file, with the models, and notes the reason.
    private mutating func print(_ scaffold: Scaffold, notIn path: String, _ reason: String) {
        summary.notes.append("\(path) is not changed: \(reason)")
        for endpoint in scaffold.endpoints {
            text += "    case \(endpoint.declaration)\n\n        \(endpoint.example),\n\n\(endpoint.arm)\n"
        }
        text += scaffold.models.map(\.text).joined(separator: "\n")
    }

    /// Returns the base URLs of the servers that an enum declares, found by the words `Server(` in its text.
    ///
    /// The enum may take the servers of a namespace in another file of the directory: `servers = Petstore.servers`.
    /// Files that can't be read are skipped: a server that is not found is only missing from the comparison with the
    /// requests.
    ///
    /// - Parameters:
    ///   - text: The text of the enum.
    ///   - directory: The directory of its file.
    private func servers(in text: String, beside directory: String) -> [BaseURL] {
        var text = text
        let start = "static let servers = "
        if let place = text.firstRange(of: start)?.upperBound {
            let value = text[place...].prefix { !$0.isNewline }
            if value.hasSuffix(".servers") {
                let owner = String(value.dropLast(".servers".count))
                for path in files.swiftFiles(in: directory) {
                    guard let other = try? files.readAll(path) else { continue }
                    let declared = SwiftFile(String(exactBytes: other)).typeNames(includesNested: false)
                    if declared.contains(owner) { text += String(exactBytes: other) }
                }
            }
        }
        return text.split(separator: "Server(").dropFirst().compactMap { arguments in
            // The URL is the second argument: `Server("main", "https://…")`.
            Self.literal(after: ", ", String(arguments)).flatMap { try? BaseURL($0) }
        }
    }

    /// Returns the content of the string literal after the first `start` in Swift source; nil if there is none.
    ///
    ///     literal(after: "name = ", #"static let name = "movies""#)  →  movies
    private static func literal(after start: String, _ text: String) -> String? {
        guard let place = text.firstRange(of: start + "\"")?.upperBound else { return nil }
        return String(text[place...].prefix { $0 != "\"" })
    }
}

extension FileSystem {
    /// Writes a file, which may exist, and makes the directories around it.
    ///
    /// - Throws: ``FileError``
    func write(_ bytes: [UInt8], to path: String) throws {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        for end in parts.indices where !["", ".", ".."].contains(parts[end]) {
            try makeDirectory(parts[...end].joined(separator: "/"))
        }
        try replace(path, with: bytes)
    }
}

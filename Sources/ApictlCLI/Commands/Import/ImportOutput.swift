import APIImport
import EndpointKit

/// Where the text of an import goes: stdout, new files of a directory, or an API's file.
struct ImportOutput {
    private let options: ImportOptions
    private let files: any FileSystem
    private var text = ""
    /// Files to write, and whether they may exist.
    private var written: [(path: String, bytes: [UInt8], mayExist: Bool)] = []

    init(_ options: ImportOptions, _ files: any FileSystem) {
        self.options = options
        self.files = files
    }

    var directory: String? {
        guard let into = options.into, !into.hasSuffix(".swift") else { return nil }
        return String(into.utf8.count > 1 && into.hasSuffix("/") ? into.dropLast() : into[...])
    }

    /// Adds models of samples without a request.
    mutating func add(_ models: [InferredModels.Declaration]) {
        if let directory { return add(models, to: directory) }
        text += InferredModels.imports(of: models) + models.map(\.text).joined(separator: "\n")
    }

    private mutating func add(_ models: [InferredModels.Declaration], to directory: String) {
        for model in models {
            let text = InferredModels.imports(model.imports) + model.text
            written.append(("\(directory)/\(model.name).swift", text.exactBytes, false))
        }
    }

    private mutating func add(samplesOf scaffold: Scaffold, to directory: String) {
        for sample in scaffold.endpoints.compactMap(\.sample) {
            written.append(("\(directory)/Samples/\(sample.file)", sample.text, false))
        }
    }

    /// Adds the API of these requests.
    mutating func add(_ requests: [ImportedRequest], _ choices: ImportChoices, _ summary: inout ImportSummary) throws {
        if let into = options.into, directory == nil { return try insert(requests, choices, &summary, into) }
        var choices = choices
        let project = directory.flatMap { ImportProject($0, files) }
        choices.keepsSamples = directory != nil
        choices.taken = project?.typeNames ?? []
        let scaffold = try summary.added(Scaffold(requests, choices))
        guard let directory else {
            text += scaffold.text(withModels: true)
            return
        }
        written.append(("\(directory)/\(scaffold.type).swift", scaffold.text(withModels: false).exactBytes, false))
        add(scaffold.models, to: "\(directory)/Models")
        add(samplesOf: scaffold, to: directory)
        let hasSamples = scaffold.endpoints.contains { $0.sample != nil }
        if let edits = project?.adding(scaffold.type, hasSamples: hasSamples) {
            written += edits.map { ($0.path, $0.text.exactBytes, true) }
        } else {
            let samples = hasSamples ? "; in Package.swift, to the target: resources: [.embedInCode(\"Samples\")]" : ""
            summary.notes.append("still to add: \(scaffold.type).self to the list of APIs\(samples)")
        }
    }

    // MARK: An API that exists

    /// Inserts the endpoints into the enum in the file at `path`, or prints what belongs there.
    private mutating func insert(
        _ requests: [ImportedRequest], _ choices: ImportChoices, _ summary: inout ImportSummary, _ path: String
    ) throws {
        let source = String(exactBytes: try files.open(path).readAll(name: path))
        let words = source.split { !$0.isLetter && !$0.isNumber && $0 != ":" && $0 != "_" }.map(String.init)
        guard let place = words.firstIndex(of: "enum"), place + 2 < words.count, words[place + 1].hasSuffix(":") else {
            throw UsageError("\(path): there is no enum of an API in it")
        }
        let type = String(words[place + 1].dropLast())
        var choices = choices
        choices.type = type
        choices.api = Self.literal(after: "static let name = ", source) ?? choices.api
        choices.keepsSamples = source.contains("PackageResources.")
        let directory = FilePlace.directory(of: path)
        choices.taken = files.typeNames(in: [directory + ".", directory + "Models"])
            .union(SwiftFile(source)?.typeNames ?? [])
            .union(ImportProject(String(directory.dropLast()), files)?.typeNames ?? [])
        choices.coding = SwiftFile(source)?.coding
        // A server's own path is not repeated.
        let servers = source.split(separator: "Server(").dropFirst().compactMap {
            Self.literal(after: ", ", String($0))
        }
        let stripped = requests.map { request in
            var request = request
            for server in servers where server.hasPrefix(request.origin) {
                let prefix = server.dropFirst(request.origin.count)
                if prefix.count > 1, request.path.hasPrefix(prefix + "/") { request.path.removeFirst(prefix.count) }
            }
            return request
        }
        let scaffold = try summary.added(Scaffold(stripped, choices))
        if !scaffold.variables.isEmpty {
            summary.notes.append("the credentials of the request are not added: \(type) has its own")
            summary.variables = []
        }
        let result = scaffold.endpoints.reduce(Optional(source)) { text, endpoint in
            let arm = endpoint.arm.split(separator: "\n").map { String($0.dropFirst(8)) }.joined(separator: "\n")
            return text.flatMap(SwiftFile.init)?
                .inserting(case: endpoint.declaration, example: endpoint.example, arm: arm, into: type)
        }
        guard let result else {
            summary.notes.append(
                "\(path) is not changed: it isn't sure where the endpoint belongs in \(type); add the lines above")
            for endpoint in scaffold.endpoints {
                text += "    case \(endpoint.declaration)\n\n        \(endpoint.example),\n\n\(endpoint.arm)\n"
            }
            text += scaffold.models.map(\.text).joined(separator: "\n")
            return
        }
        written.append((path, result.exactBytes, true))
        add(scaffold.models, to: directory + "Models")
        if choices.keepsSamples { add(samplesOf: scaffold, to: directory.isEmpty ? "." : String(directory.dropLast())) }
    }

    /// The literal after the first `start` in a text of Swift.
    private static func literal(after start: String, _ text: String) -> String? {
        guard let place = text.firstRange(of: start + "\"")?.upperBound else { return nil }
        return String(text[place...].prefix { $0 != "\"" })
    }

    // MARK: Writing

    /// Prints the text, and writes the files, all of which must be new unless `--force` is given.
    func finish(_ context: RunContext, _ summary: inout ImportSummary) throws {
        if !text.isEmpty { try context.environment.stdout.write(text) }
        if options.dryRun {
            summary.notes += written.map { "would write \($0.path)" }
            return
        }
        for file in written where !file.mayExist && !options.force && (try? files.open(file.path)) != nil {
            throw FileError(.write, file.path, reason: "it exists; --force overwrites it")
        }
        for file in written {
            try files.write(file.bytes, to: file.path)
            summary.files.append(file.path)
        }
    }
}

/// The package around a directory in `Endpoints/`, with the lists that an API belongs to.
struct ImportProject {
    /// The name of the API's directory.
    private let name: String
    private let catalogue: (path: String, text: String)
    private let package: (path: String, text: String)
    /// The types in the directories of the other APIs.
    let typeNames: Set<String>

    /// Nil if the directory's parent is not `Endpoints` with a catalogue, in a package.
    init?(_ directory: String, _ files: any FileSystem) {
        func text(_ path: String) -> (path: String, text: String)? {
            (try? files.open(path).readAll(name: path)).map { (path, String(exactBytes: $0)) }
        }
        let parts = directory.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[parts.count - 2] == "Endpoints", let name = parts.last else { return nil }
        let parent = parts.dropLast().joined(separator: "/")
        let root = parts.dropLast(2).map { $0 + "/" }.joined()
        guard let catalogue = text("\(parent)/Catalogue.swift"), let package = text("\(root)Package.swift") else {
            return nil
        }
        (self.name, self.catalogue, self.package) = (String(name), catalogue, package)
        let others = package.text.split(separator: ".embedInCode(\"").dropFirst().map {
            $0.prefix { !"/\"".contains($0) }
        }
        typeNames = files.typeNames(
            in: others.filter { $0 != name }.flatMap { ["\(parent)/\($0)", "\(parent)/\($0)/Models"] })
    }

    /// The two files with the API in them; nil if it is not sure where it belongs.
    func adding(_ type: String, hasSamples: Bool) -> [(path: String, text: String)]? {
        var (list, resources) = (catalogue.text, package.text)
        if list.firstRange(of: "\(type).self") == nil {
            guard let start = list.firstRange(of: "apis: [any API.Type] = [")?.upperBound,
                let end = list[start...].firstRange(of: "\n    ]")?.lowerBound
            else { return nil }
            list.insert(contentsOf: "\n        \(type).self,", at: end)
        }
        let line = ".embedInCode(\"\(name)/Samples\"),"
        if hasSamples, resources.firstRange(of: line) == nil {
            guard let last = resources.ranges(of: ".embedInCode(\"").last,
                let end = resources[last.lowerBound...].firstIndex(of: "\n"),
                let start = resources[..<last.lowerBound].lastIndex(of: "\n")
            else { return nil }
            resources.insert(contentsOf: resources[start..<last.lowerBound] + line, at: end)
        }
        return [(path: catalogue.path, text: list), (path: package.path, text: resources)]
            .filter { $0.text != catalogue.text && $0.text != package.text }
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

    /// The names of the types in the Swift files of directories, of which some may not exist.
    fileprivate func typeNames(in directories: [String]) -> Set<String> {
        var names: Set<String> = []
        for directory in directories {
            for file in (try? list(directory)) ?? [] where file.hasSuffix(".swift") {
                let text = try? open("\(directory)/\(file)").readAll(name: file)
                names.formUnion(text.flatMap { SwiftFile(String(exactBytes: $0))?.typeNames } ?? [])
            }
        }
        return names
    }
}

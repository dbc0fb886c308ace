import APIImport
import EndpointKit

/// Endpoints that are inserted into the enum of an API in an existing file.
extension ImportOutput {
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
    mutating func insert(
        _ requests: [ImportedRequest], _ choices: inout ImportChoices, _ path: String, _ source: String
    ) throws {
        let file = SwiftFile(source)
        let (type, name) = try chosenAPI(of: file, path)
        let directory = FilePlace.directory(of: path)
        let target = target
        let samplesDirectory = target?.samplesDirectory ?? directory + "Samples/"
        let neighbours = files.swiftFiles(in: directory) + files.swiftFiles(in: directory + "Models/")
        // The part after the dot belongs to the API's own name then, so that no name of an endpoint is given.
        if options.name == name { choices.endpoint = nil }
        choices.type = type
        choices.api = name ?? DeclaredAPIInfo.all(in: source).first?.name ?? choices.api
        // An API that refers to resources of its package already gets further ones.
        choices.keepsSamples = source.contains("PackageResources.")
        choices.taken = files.typeNames(in: neighbours).union(file.typeNames(includesNested: true))
        choices.taken.formUnion(target?.names ?? [])
        choices.sampleFiles = Set(files.names(in: samplesDirectory))
        choices.coding = file.coding
        let declaration = name == nil ? source : file.text(of: type)
        let info = DeclaredAPIInfo.all(in: declaration).first
        let servers = servers(in: declaration, or: info?.ownerOfServers, beside: directory)
        let scaffold = try scaffold(requests.map { withoutServerPath($0, servers, type) }, choices)
        noteCredentials(of: scaffold, hasOwn: info?.hasCredentials == true, type)

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

    /// Returns the enum of an API in a file: the one that `--name` names, or else the first one.
    ///
    /// - Returns: The name of the enum, and the name of the API; nil if the enum has no literal as its name.
    /// - Throws: ``UsageError`` if the file has no enum of an API.
    private func chosenAPI(of file: SwiftFile, _ path: String) throws(UsageError) -> (type: String, name: String?) {
        let names = file.apis.map { DeclaredAPIInfo.all(in: file.text(of: $0)).first?.name }
        let chosen = names.firstIndex { name in
            // An API `shop.pets` has a dot in its name, so that `--name shop.pets.find` is compared with whole names of
            // APIs.
            name.map { "\(options.name ?? "").".hasPrefix($0 + ".") } ?? false
        }
        guard let index = chosen ?? names.indices.first else {
            throw UsageError("\(path): there is no enum of an API in it")
        }
        return (file.apis[index], names[index])
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
        if scaffold.endpoints.contains(where: { !$0.isSafe }) {
            summary.notes.append(
                "the calls of requests that write belong into 'placeholders': 'check' sends 'examples'")
        }
        for endpoint in scaffold.endpoints {
            text += "    case \(endpoint.declaration)\n\n        \(endpoint.example),\n\n\(endpoint.arm)\n"
        }
        text += scaffold.models.map(\.text).joined(separator: "\n")
    }

    /// Returns the base URLs of the servers that an enum declares, found by the words `Server(` in its text.
    ///
    /// The enum may take the servers of a namespace in another file of the directory: `servers: Petstore.servers`.
    /// Files that can't be read are skipped: a server that is not found is only missing from the comparison with the
    /// requests.
    ///
    /// - Parameters:
    ///   - text: The text of the enum.
    ///   - owner: The namespace; nil if the enum has servers of its own.
    ///   - directory: The directory of its file.
    private func servers(in text: String, or owner: String?, beside directory: String) -> [BaseURL] {
        var text = text
        if let owner {
            for path in files.swiftFiles(in: directory) {
                guard let other = try? files.readAll(path) else { continue }
                let declared = SwiftFile(String(exactBytes: other)).typeNames(includesNested: false)
                if declared.contains(owner) { text += String(exactBytes: other) }
            }
        }
        return text.split(separator: "Server(").dropFirst().compactMap { arguments in
            // The URL has a label: `Server("main", url: "https://…")`.
            Self.literal(after: "url: ", String(arguments)).flatMap { try? BaseURL($0) }
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

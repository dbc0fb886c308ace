import APIImport
import EndpointKit

/// Endpoints that are inserted into the enum of an API in an existing file.
extension ImportOutput {
    /// Inserts endpoints into the enum of an API in an existing file, or prints the lines if they can't be inserted.
    ///
    /// They can't be inserted if the enum has a member of the same name already, or another layout than swift format
    /// gives it.
    ///
    /// - Parameters:
    ///   - requests: The requests that the endpoints are made of.
    ///   - file: The file.
    ///   - newAPIChoices: The choices for a new API. The existing API keeps its own names and coding.
    /// - Throws: ``UsageError`` if the file has no enum of an API.
    mutating func insertEndpoints(
        of requests: [ImportedRequest], into file: ExistingFile, newAPIChoices: ImportChoices
    ) throws {
        let api = try chosenAPI(in: file)
        let choices = completedChoices(newAPIChoices, for: api, in: file)
        // The declaration says which servers and credentials the API has. Without a literal name, such as
        // `name: "movies"`, it can't be read from the enum alone.
        let declaration = api.name == nil ? file.source : file.swift.text(of: api.type)
        let declaredAPI = DeclaredAPIInfo.all(in: declaration).first
        let servers = declaredServers(
            in: declaration, andNamespace: declaredAPI?.ownerOfServers, ofFileIn: file.directory)
        let relativeRequests = requests.map { removeServerPath(from: $0, servers: servers, of: api) }
        let scaffold = try makeScaffold(of: relativeRequests, choices: choices)
        noteOmittedCredentials(
            of: scaffold, insertedInto: api, declaresCredentials: declaredAPI?.hasCredentials == true)

        try insertOrPrint(scaffold, into: api, in: file, keepsSamples: choices.keepsSamples)
    }

    /// Changes the file of an API so that it has new endpoints, and adds files for their models. If the endpoints can't
    /// be inserted, prints their lines instead.
    ///
    /// - Parameters:
    ///   - scaffold: The endpoints with their models and samples.
    ///   - api: The enum of the API.
    ///   - file: The file with the enum.
    ///   - keepsSamples: Whether samples are written into files too.
    private mutating func insertOrPrint(
        _ scaffold: Scaffold, into api: ExistingAPI, in file: ExistingFile, keepsSamples: Bool
    ) throws {
        switch Self.insertion(of: scaffold, into: api, source: file.source) {
        case .impossible(let reason):
            printLines(of: scaffold, insteadOfChanging: file.path, because: reason)
        case .changedSource(let changedSource):
            edits.append(FileChange(path: file.path, bytes: changedSource.exactBytes))
            try addFiles(scaffold.modelFiles, in: file.directory)
            if keepsSamples { try addSamples(of: scaffold, in: samplesDirectory(for: file)) }
        }
    }

    /// A Swift file of the project, before the import changes it.
    struct ExistingFile {
        let path: String
        let source: String
        /// The declarations in the source.
        let swift: SwiftFile
        /// The directory of the file, with a slash at its end; empty for the current one.
        let directory: String

        /// Parses the source of the file at a path.
        init(path: String, source: String) {
            self.path = path
            self.source = source
            swift = SwiftFile(source)
            directory = FilePlace.directory(of: path)
        }
    }

    /// The enum of an API in an existing file.
    private struct ExistingAPI {
        /// The name of the enum, such as `Movies`.
        let type: String
        /// The name of the API, such as `movies`; nil if the enum has no literal as its name.
        let name: String?
    }

    /// Returns the enum of an API in a file: the one that `--name` names, or else the first one.
    ///
    /// - Throws: ``UsageError`` if the file has no enum of an API.
    private func chosenAPI(in file: ExistingFile) throws(UsageError) -> ExistingAPI {
        let apis = file.swift.apis.map { type in
            ExistingAPI(type: type, name: DeclaredAPIInfo.all(in: file.swift.text(of: type)).first?.name)
        }
        let namedAPI = apis.first { api in
            guard let chosenName = options.name, let name = api.name else { return false }
            // `--name shop.pets.find` means the API `shop.pets`, and must not mean one that is named `shop.pet`.
            return chosenName == name || chosenName.hasPrefix(name + ".")
        }
        guard let api = namedAPI ?? apis.first else {
            throw UsageError("\(file.path): there is no enum of an API in it")
        }
        return api
    }

    /// Returns the choices for endpoints of an existing API: its name and coding, and the names that are not free.
    ///
    /// - Parameters:
    ///   - newAPIChoices: The choices for a new API, which are completed.
    ///   - api: The existing API.
    ///   - file: The file that declares the API.
    private func completedChoices(
        _ newAPIChoices: ImportChoices, for api: ExistingAPI, in file: ExistingFile
    ) -> ImportChoices {
        var choices = newAPIChoices
        // If `--name` is the API's name, which may have a dot, its last part is not the name of an endpoint.
        if options.name == api.name { choices.endpoint = nil }
        choices.type = api.type
        choices.api = api.name ?? DeclaredAPIInfo.all(in: file.source).first?.name ?? choices.api
        choices.coding = file.swift.coding
        // An API that refers to resources of its package already gets further ones.
        choices.keepsSamples = file.source.contains("PackageResources.")
        let neighbours = files.swiftFiles(in: file.directory) + files.swiftFiles(in: file.directory + "Models/")
        choices.taken = files.typeNames(in: neighbours).union(file.swift.typeNames(includesNested: true))
        choices.taken.formUnion(findTarget()?.takenTypeNames ?? [])
        choices.sampleFiles = Set(files.names(in: samplesDirectory(for: file)))
        return choices
    }

    /// Returns the directory for samples of the API in a file, with a slash at its end: the target's directory, or else
    /// `Samples` beside the file.
    private func samplesDirectory(for file: ExistingFile) -> String {
        findTarget()?.samplesDirectory ?? file.directory + "Samples/"
    }

    /// The result of inserting endpoints into the enum of an API.
    private enum Insertion {
        /// The text of the file with the endpoints.
        case changedSource(String)
        /// The endpoints can't be inserted, for a reason that a person is told.
        case impossible(reason: String)
    }

    /// Returns the text of a file with new endpoints in the enum of an API.
    ///
    /// Inserting is impossible if the enum has a member with the name of an endpoint, or if its layout is not the one
    /// that swift format gives it.
    ///
    /// - Parameters:
    ///   - scaffold: The Swift source that was made of requests, with the endpoints.
    ///   - api: The enum.
    ///   - source: The text of the file so far.
    private static func insertion(
        of scaffold: Scaffold, into api: ExistingAPI, source: String
    ) -> Insertion {
        let file = SwiftFile(source)
        let existingMembers = scaffold.endpoints.map(\.name).filter { file.hasMember($0, of: api.type) }
        if !existingMembers.isEmpty {
            let solution = "--name \(scaffold.name).NAME gives another name"
            let members = existingMembers.joined(separator: ", ")
            return .impossible(reason: "\(api.type) has \(members) already; \(solution)")
        }
        var changedSource = source
        for endpoint in scaffold.endpoints {
            // The text is read again for each endpoint, because every insertion moves the lines after it.
            guard let sourceWithEndpoint = SwiftFile(changedSource).inserting(endpoint, into: api.type) else {
                let reason = "\(api.type) is not laid out as swift format does it; add the lines above"
                return .impossible(reason: reason)
            }
            changedSource = sourceWithEndpoint
        }
        return .changedSource(changedSource)
    }

    /// Adds the lines to stdout that would have been inserted into a file, with the models, and notes the reason.
    private mutating func printLines(
        of scaffold: Scaffold, insteadOfChanging path: String, because reason: String
    ) {
        summary.notes.append("\(path) is not changed: \(reason)")
        if scaffold.endpoints.contains(where: { !$0.isSafe }) {
            summary.notes.append(
                "the calls of requests that write belong into 'placeholders': 'check' sends 'examples'")
        }
        for endpoint in scaffold.endpoints {
            text += """
                    case \(endpoint.declaration)

                        \(endpoint.example),

                \(endpoint.arm)

                """
        }
        text += scaffold.models.map(\.text).joined(separator: "\n")
    }

    /// Notes that the credentials of the requests were not added to the existing enum, if the requests have any.
    /// Removes their variables from the summary, because nobody needs to set them.
    ///
    /// - Parameters:
    ///   - scaffold: The endpoints with the credentials of their requests.
    ///   - api: The enum.
    ///   - declaresCredentials: Whether the enum declares credentials of its own.
    private mutating func noteOmittedCredentials(
        of scaffold: Scaffold, insertedInto api: ExistingAPI, declaresCredentials: Bool
    ) {
        if scaffold.variables.isEmpty { return }
        let consequence = declaresCredentials ? "has its own" : "has none, so that its calls are sent without"
        summary.notes.append("the credentials of the request are not added: \(api.type) \(consequence)")
        summary.variables = []
    }

    // MARK: Servers

    /// Returns a request whose path starts after the path of the API's server: with the server
    /// `https://api.example/3`, `/3/movie/550` becomes `/movie/550`.
    ///
    /// A request to a server that the API does not have stays as it is, and is noted in the summary.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - servers: The base URLs of the API's servers; empty if none was found, so that nothing is noted.
    ///   - api: The API, for the note.
    private mutating func removeServerPath(
        from request: ImportedRequest, servers: [BaseURL], of api: ExistingAPI
    ) -> ImportedRequest {
        // A base URL without its path is an origin: scheme, host and port.
        let serversOfOrigin = servers.filter { $0.text.dropLast($0.path.utf8.count) == request.origin }
        // The slashes keep the server's path `/3` from matching the request's path `/30`.
        let matchingServer = serversOfOrigin.first { (request.path + "/").hasPrefix($0.path + "/") }
        var request = request
        if let matchingServer {
            request.path.removeFirst(matchingServer.path.count)
        } else if !servers.isEmpty {
            let url = serversOfOrigin.isEmpty ? request.origin : request.origin + request.path
            summary.notes.append("\(api.type) has no server for \(url), where the request went")
        }
        return request
    }

    /// Returns the base URLs of the servers that an enum declares, found by the words `Server(` in its text.
    ///
    /// The enum may take the servers of a namespace in another file of the directory: `servers: Petstore.servers`.
    /// Files that can't be read are skipped: a server that is not found is only missing from the comparison with the
    /// requests.
    ///
    /// - Parameters:
    ///   - declaration: The text of the enum.
    ///   - namespace: The namespace that has the servers; nil if the enum has servers of its own.
    ///   - directory: The directory of the enum's file.
    private func declaredServers(
        in declaration: String, andNamespace namespace: String?, ofFileIn directory: String
    ) -> [BaseURL] {
        var text = declaration
        if let namespace {
            for path in files.swiftFiles(in: directory) {
                guard let bytes = try? files.readAll(path) else { continue }
                let source = String(exactBytes: bytes)
                let declaresNamespace = SwiftFile(source).typeNames(includesNested: false).contains(namespace)
                if declaresNamespace { text += source }
            }
        }
        return text.split(separator: "Server(").dropFirst().compactMap { arguments in
            // The URL has a label: `Server("main", url: "https://…")`.
            guard let url = Self.literal(after: "url: ", in: String(arguments)) else { return nil }
            return try? BaseURL(url)
        }
    }

    /// Returns the content of the string literal after the first occurrence of a text in Swift source; nil if there is
    /// none.
    ///
    ///     literal(after: "name = ", in: #"static let name = "movies""#)  →  movies
    private static func literal(after prefix: String, in source: String) -> String? {
        guard let start = source.firstRange(of: prefix + "\"")?.upperBound else { return nil }
        return String(source[start...].prefix { $0 != "\"" })
    }
}

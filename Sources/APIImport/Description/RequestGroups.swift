import EndpointKit
import EndpointTools
import JSONText

/// Requests without secrets, in the groups that become endpoints.
struct RequestGroups {
    /// The requests that become one endpoint: those of one method and path, and of one operation of GraphQL.
    struct Group {
        /// The requests; the first is the example.
        let requests: [ImportedRequest]
        let path: ImportedPath
        /// The name of the case.
        let name: String
        /// The credentials that were taken out of the example.
        let credentials: [Credential]
        let operation: GraphQLOperation?

        var method: String { requests[0].method }

        /// The words for the subject of the responses, from which their model is named.
        var subject: String {
            guard let operation, !operation.words.isEmpty else { return path.subject }
            return operation.words.joined(separator: "_")
        }
    }

    /// A request whose secrets have been taken out.
    private typealias Cleaned = (request: ImportedRequest, credentials: [Credential])
    /// A request with what decides about its group.
    private typealias Routed = (cleaned: Cleaned, path: ImportedPath, operation: GraphQLOperation?)

    private(set) var groups: [Group] = []
    /// The credentials of most groups.
    private(set) var credentials: [Credential] = []
    /// Remarks for people to look at, each one once.
    private(set) var notes: [String] = []
    /// The names of the headers that were left out.
    private(set) var omittedHeaders: [String] = []
    /// Removes the secrets of all requests and responses from other texts.
    private(set) var sweep: SecretSweep

    /// Takes the secrets out of requests, groups them, and names the groups.
    ///
    /// - Parameters:
    ///   - requests: The requests with their responses.
    ///   - api: The name of the API, after which variables are named.
    ///   - options: Which requests are kept, and names.
    init(_ requests: [ImportedRequest], api: String, _ options: ImportChoices) {
        sweep = SecretSweep(api: api)
        let cleaned = cleaned(requests)
        let routed = routed(cleaned, options)
        let groups = routed.grouped { routed in
            // A line break is in no method, and in no path.
            "\(routed.cleaned.request.method) \(routed.path.shown)\n\(routed.operation?.query ?? "")"
        }
        credentials = Self.mostFrequent(groups.map(\.elements[0].cleaned.credentials))
        var names = NameTable(Scaffold.reserved)
        for (_, requests) in groups {
            if let group = Self.group(requests, &names, options) { self.groups.append(group) }
        }
    }

    // MARK: Secrets

    /// Returns the requests without secrets and without headers that say nothing about the API, each with the
    /// credentials that it had.
    ///
    /// A secret of one request is removed from all of them. The notes of the requests are kept.
    private mutating func cleaned(_ requests: [ImportedRequest]) -> [Cleaned] {
        var requests = requests
        for index in requests.indices { requests[index].readParts() }
        sweep.learn(&requests)
        return requests.map { request in
            var request = request
            omitNoise(&request)
            let credentials = sweep.credentials(of: &request)
            for note in request.notes where !notes.contains(note) { notes.append(note) }
            return (request, credentials)
        }
    }

    /// Headers that a browser or a tool adds, or that a client of its own sets.
    private static let noise: Set<String> = [
        "accept-encoding", "accept-language", "cache-control", "connection", "content-length", "dnt", "expect", "host",
        "if-modified-since", "if-none-match", "origin", "postman-token", "pragma", "priority", "referer", "save-data",
        "te", "transfer-encoding", "upgrade-insecure-requests",
    ]

    /// Removes the headers that say nothing about the API.
    ///
    /// A note will name them, except for the usual `Accept`, which each request of the generated endpoint has anyway.
    private mutating func omitNoise(_ request: inout ImportedRequest) {
        var kept: [ImportedRequest.NameValue] = []
        for header in request.headers {
            let name = header.name.lowercased()
            if Self.isUsualAccept(name, header.value ?? "") { continue }
            if !Self.isNoise(name, header.value ?? "") {
                kept.append(header)
            } else if !omittedHeaders.contains(name) {
                omittedHeaders.append(name)
            }
        }
        request.headers = kept
    }

    /// Whether a header says that JSON is preferred, as the requests of each endpoint say by themselves.
    private static func isUsualAccept(_ name: String, _ value: String) -> Bool {
        name == "accept" && ["*/*", "application/json"].contains(value.prefix { $0 != "," })
    }

    /// Whether a header says nothing about the API.
    private static func isNoise(_ name: String, _ value: String) -> Bool {
        let agents = ["Mozilla/", "PostmanRuntime/", "insomnia/", "curl/", "apictl/"]
        if name == "user-agent" { return agents.contains { value.hasPrefix($0) } }
        return noise.contains(name) || name.hasPrefix("sec-") || name.hasPrefix(":")
    }

    // MARK: Groups

    /// Finds the path template and the operation of each request. All secrets are known, so that they become parameters.
    private mutating func routed(_ requests: [Cleaned], _ options: ImportChoices) -> [Routed] {
        let written = options.path.map(ImportedPath.init(written:))
        let others = options.isOneEndpoint ? requests.map { ImportedPath.split($0.request.path) } : []
        let sweep = sweep
        let routed = requests.map { cleaned -> Routed in
            let path = cleaned.request.path
            let operation = GraphQLOperation(cleaned.request)
            if let written, written.values(path) != nil { return (cleaned, written, operation) }
            let template = ImportedPath(path, others: others) { sweep.cleaned($0) != $0 }
            return (cleaned, template, operation)
        }
        if let written, !routed.contains(where: { $0.path.shown == written.shown }) {
            notes.append("no request has the path \(written.shown)")
        }
        return routed
    }

    /// Returns the credentials that most endpoints have, if they have any.
    private static func mostFrequent(_ credentials: [[Credential]]) -> [Credential] {
        let all = credentials.filter { !$0.isEmpty }
        let counts = Dictionary(all.map { ($0, 1) }, uniquingKeysWith: +)
        return all.first { counts[$0] == counts.values.max() } ?? []
    }

    /// Returns the group of requests; nil if the options leave them out.
    private static func group(
        _ requests: [Routed], _ names: inout NameTable, _ options: ImportChoices
    ) -> Group? {
        let exampleIndex = requests.indices.max { rank(requests[$0]) < rank(requests[$1]) } ?? 0
        let example = requests[exampleIndex]
        let method = example.cleaned.request.method
        let proposed = options.endpoint ?? name(example, method)
        let chosen = options.operationNames[proposed] ?? proposed
        let kept = options.isKept?(["\(method) \(example.path.shown)", example.path.shown, chosen]) ?? true
        guard kept else { return nil }
        let isReserved = Scaffold.reserved.contains(chosen)
        var ordered = requests.map(\.cleaned.request)
        ordered.swapAt(0, exampleIndex)
        return Group(
            requests: ordered, path: example.path,
            name: names.unique(isReserved ? method.lowercased() + SwiftNames.typeName([chosen]) : chosen),
            credentials: example.cleaned.credentials, operation: example.operation)
    }

    /// Returns how good an example a request is: it has a response that is a success, and many query items.
    private static func rank(_ routed: Routed) -> Int {
        let request = routed.cleaned.request
        return (request.response?.head.isSuccess == true ? 1000 : 0) + request.query.count
    }

    /// Returns the name of the case for a request.
    private static func name(_ routed: Routed, _ method: String) -> String {
        guard let operation = routed.operation, !operation.words.isEmpty else { return routed.path.caseName(method) }
        return SwiftNames.memberName(operation.words)
    }
}

extension ImportedRequest {
    /// Makes parts of a body that is multipart text, so that the secrets in them are found by their names.
    fileprivate mutating func readParts() {
        guard case .bytes(let bytes) = content, let type = header("Content-Type"),
            ParameterTexts.Form(type, isEmpty: false) == .multipart,
            let parts = MultipartReader.parts(bytes, contentType: type)
        else { return }
        content = .parts(parts)
    }
}

extension GraphQLOperation {
    /// Finds the operation in the body of a request; nil if it has none.
    fileprivate init?(_ request: ImportedRequest) {
        guard request.method == "POST", case .bytes(let bytes) = request.content,
            let members = (try? JSONValue(text: bytes))?.members
        else { return nil }
        self.init(members)
    }
}

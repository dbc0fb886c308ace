import EndpointKit
import EndpointTools
import JSONText

/// Groups requests by the endpoints that they become, and takes their secrets out.
struct RequestGroups {
    /// The requests that become one endpoint: those with the same method and path template, such as
    /// `GET /users/{userID}`, and with the same GraphQL operation.
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

        /// The subject of the responses, after which their model is named: `rate_limit`.
        var subject: String {
            guard let operation, !operation.words.isEmpty else { return path.subject }
            return operation.words.joined(separator: "_")
        }
    }

    /// A request whose secrets have been taken out, with the credentials that stand for them.
    private typealias CleanRequest = (request: ImportedRequest, credentials: [Credential])
    /// A request without secrets, with its path template and its GraphQL operation, which decide about its group.
    private struct RoutedRequest {
        let request: ImportedRequest
        /// The credentials that stand for the secrets of the request.
        let credentials: [Credential]
        let path: ImportedPath
        let operation: GraphQLOperation?
    }

    private(set) var groups: [Group] = []
    /// The credentials of most groups.
    private(set) var credentials: [Credential] = []
    /// Remarks for people to look at, each one once.
    private(set) var notes: [String] = []
    /// The names of the headers that were left out.
    private(set) var omittedHeaders: [String] = []
    /// Removes the secrets of all requests and responses from other texts.
    private(set) var secrets: ImportSecrets

    /// Takes the secrets out of requests, groups the requests by endpoint, and names the groups.
    ///
    /// - Parameters:
    ///   - requests: The requests with their responses.
    ///   - api: The name of the API, after which variables are named.
    ///   - options: The names, the path and the endpoints that people chose.
    init(_ requests: [ImportedRequest], api: String, _ options: ImportChoices) {
        secrets = ImportSecrets(api: api)
        let routedRequests = route(takeSecrets(from: requests), options)
        let requestsByEndpoint = routedRequests.grouped { routed in
            // A line break can separate the parts of the key, because neither a method nor a path can have one.
            "\(routed.request.method) \(routed.path.template)\n\(routed.operation?.query ?? "")"
        }
        credentials = Self.mostFrequent(requestsByEndpoint.map(\.elements[0].credentials))
        var caseNames = NameTable(Scaffold.reserved)
        for (_, requestsOfEndpoint) in requestsByEndpoint {
            let group = Self.makeGroup(of: requestsOfEndpoint, caseNames: &caseNames, options)
            if let group { groups.append(group) }
        }
    }

    // MARK: Secrets

    /// Returns requests without their secrets, and without headers that say nothing about the API.
    ///
    /// A secret of one request is removed from all of them. The notes of the requests are added to ``notes``.
    private mutating func takeSecrets(from requests: [ImportedRequest]) -> [CleanRequest] {
        // Multipart bodies are divided, because secrets in them are found by the names of the parts.
        var requestsInParts = requests
        for index in requestsInParts.indices { requestsInParts[index].readParts() }
        // All secrets are known before the first one is removed.
        secrets.learn(from: &requestsInParts)
        return requestsInParts.map { request in
            var cleanRequest = request
            omitNoiseHeaders(of: &cleanRequest)
            let credentials = secrets.takeCredentials(from: &cleanRequest)
            for note in cleanRequest.notes where !notes.contains(note) { notes.append(note) }
            return (request: cleanRequest, credentials: credentials)
        }
    }

    /// The headers that browsers, tools and HTTP clients add to every request, in lower case.
    private static let noiseHeaders: Set<String> = [
        "accept-encoding", "accept-language", "cache-control", "connection", "content-length", "dnt", "expect", "host",
        "if-modified-since", "if-none-match", "origin", "postman-token", "pragma", "priority", "referer", "save-data",
        "te", "transfer-encoding", "upgrade-insecure-requests",
    ]

    /// Removes the headers of a request that say nothing about the API, such as `Accept-Encoding`.
    ///
    /// The names of these headers are added to ``omittedHeaders``, except for the usual `Accept`: the requests of the
    /// generated endpoint have it anyway.
    private mutating func omitNoiseHeaders(of request: inout ImportedRequest) {
        var informativeHeaders: [ImportedRequest.NameValue] = []
        for header in request.headers {
            let name = header.name.lowercased()
            let value = header.value ?? ""
            if Self.isUsualAccept(name, value: value) { continue }
            if !Self.isNoise(name, value: value) {
                informativeHeaders.append(header)
            } else if !omittedHeaders.contains(name) {
                omittedHeaders.append(name)
            }
        }
        request.headers = informativeHeaders
    }

    /// Whether a header is an `Accept` that prefers JSON or anything, as the requests of generated endpoints do anyway.
    private static func isUsualAccept(_ name: String, value: String) -> Bool {
        name == "accept" && ["*/*", "application/json"].contains(value.prefix { $0 != "," })
    }

    /// Whether a header says nothing about the API.
    ///
    /// - Parameters:
    ///   - name: The name in lower case. The pseudo-headers of HTTP/2 begin with a colon.
    ///   - value: The value, which decides for `user-agent`: a user agent that is no common tool may be required.
    private static func isNoise(_ name: String, value: String) -> Bool {
        let commonAgents = ["Mozilla/", "PostmanRuntime/", "insomnia/", "curl/", "apictl/"]
        if name == "user-agent" { return commonAgents.contains { value.hasPrefix($0) } }
        return noiseHeaders.contains(name) || name.hasPrefix("sec-") || name.hasPrefix(":")
    }

    // MARK: Groups

    /// Returns requests with their path templates and GraphQL operations: `/users/42` → `/users/{userID}`.
    ///
    /// Segments with a secret become parameters. If no request has the template that people chose, a note is added to
    /// ``notes``.
    ///
    /// - Parameters:
    ///   - requests: The requests to all endpoints.
    ///   - options: The template that people chose, and whether all requests are of one endpoint.
    private mutating func route(_ requests: [CleanRequest], _ options: ImportChoices) -> [RoutedRequest] {
        let chosenTemplate = options.path.map(ImportedPath.init(written:))
        // Paths of one endpoint are compared with each other, because segments that differ are parameters.
        let comparedPaths = options.isOneEndpoint ? requests.map { ImportedPath.segments(of: $0.request.path) } : []
        let knownSecrets = secrets
        let routedRequests = requests.map { request, credentials in
            let template =
                if let chosenTemplate, chosenTemplate.fits(request.path) {
                    chosenTemplate
                } else {
                    ImportedPath(request.path, others: comparedPaths, isSecret: knownSecrets.findsSecret)
                }
            return RoutedRequest(
                request: request, credentials: credentials, path: template, operation: GraphQLOperation(request))
        }
        if let chosenTemplate, !routedRequests.contains(where: { $0.path.template == chosenTemplate.template }) {
            notes.append("no request has the path \(chosenTemplate.template)")
        }
        return routedRequests
    }

    /// Returns the credentials that most endpoints have. Endpoints without credentials don't count. If several have the
    /// same count, the first one is returned.
    private static func mostFrequent(_ credentials: [[Credential]]) -> [Credential] {
        let declaredCredentials = credentials.filter { !$0.isEmpty }
        let counts = Dictionary(declaredCredentials.map { ($0, 1) }, uniquingKeysWith: +)
        let highestCount = counts.values.max()
        return declaredCredentials.first { counts[$0] == highestCount } ?? []
    }

    /// Returns the group of requests to one endpoint; nil if people did not choose the endpoint.
    ///
    /// - Parameters:
    ///   - requests: The requests. The one that is the best example comes first in the group.
    ///   - caseNames: The names of cases that are taken. The name of the group is added.
    ///   - options: The names and endpoints that people chose.
    private static func makeGroup(
        of requests: [RoutedRequest], caseNames: inout NameTable, _ options: ImportChoices
    ) -> Group? {
        // A group has at least one request, so the index is never missing.
        let exampleIndex = requests.indices.max { exampleQuality(requests[$0]) < exampleQuality(requests[$1]) } ?? 0
        let example = requests[exampleIndex]
        let method = example.request.method
        let derivedName = options.endpoint ?? caseName(for: example)
        var name = options.operationNames[derivedName] ?? derivedName
        if let isKept = options.isKept {
            let path = example.path.template
            // People choose endpoints by any of these names.
            guard isKept(["\(method) \(path)", path, name]) else { return nil }
        }
        // The enum of every API has `examples` with a meaning of its own, so the case is `getExamples`.
        if Scaffold.reserved.contains(name) { name = method.lowercased() + SwiftNames.typeName([name]) }
        var requestsExampleFirst = requests.map(\.request)
        requestsExampleFirst.swapAt(0, exampleIndex)
        return Group(
            requests: requestsExampleFirst, path: example.path, name: caseNames.unique(name),
            credentials: example.credentials, operation: example.operation)
    }

    /// Returns how good an example a request is: the number is greater for a better one.
    ///
    /// A response that is a success counts most, and then the number of query items.
    private static func exampleQuality(_ routed: RoutedRequest) -> Int {
        let request = routed.request
        let isSuccess = request.response?.head.isSuccess == true
        // More than any query has items.
        let qualityOfSuccess = 1_000
        return (isSuccess ? qualityOfSuccess : 0) + request.query.count
    }

    /// Returns the name of the case for a request: that of its GraphQL operation, or one of its method and path.
    private static func caseName(for routed: RoutedRequest) -> String {
        guard let operation = routed.operation, !operation.words.isEmpty else {
            return routed.path.caseName(routed.request.method)
        }
        return SwiftNames.memberName(operation.words)
    }
}

extension ImportedRequest {
    /// Replaces the bytes of a multipart body by its parts, so that the secrets in them are found by their names.
    fileprivate mutating func readParts() {
        guard case .bytes(let bytes) = content, let type = header("Content-Type"),
            ParameterTexts.BodyFormat(type, isEmpty: false) == .multipart,
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

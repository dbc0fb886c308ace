import EndpointKit
import JSONText

/// An API in Swift text, made of requests and their responses: an enum with its models and samples, for people to go on with.
package struct Scaffold {
    /// The name on the command line.
    package let name: String
    /// The name of the enum.
    package let type: String
    package private(set) var endpoints: [ImportedEndpoint] = []
    package private(set) var models: [InferredModels.Declaration] = []
    /// The variables that must be set.
    package private(set) var variables: [NeededVariable] = []
    /// What people should know, each once.
    package private(set) var notes: [String] = []
    /// The names of the headers that were left out.
    package private(set) var omittedHeaders: [String] = []
    /// The names of the endpoints that return JSON of any kind, or bytes.
    package var looseEndpoints: [String] { endpoints.filter(\.isLoose).map { "\(name).\($0.name)" } }
    private var imports: Set<String> = []
    private var server = ""
    /// Those of most endpoints.
    private(set) var credentials: [Credential] = []
    private var coding: String?

    /// Names that a case can't have, because the enum or its conformance has them.
    static let reserved: Set<String> = [
        "name", "summary", "servers", "coding", "credentials", "headers", "examples", "samples", "errorModel",
        "endpoint",
        "init", "self", "Type", "caseName", "request", "lint", "resolvedEndpoint", "hash", "signatures",
    ]

    /// The API of these requests, which go to one server. Throws what the models do.
    package init(_ requests: [ImportedRequest], _ options: ImportChoices = ImportChoices()) throws {
        server = requests.first?.origin ?? ""
        let words = SwiftNames.words(options.api ?? Self.name(ofHost: server))
        // One that exists keeps its name.
        name = options.type == nil ? words.joined(separator: "-") : options.api ?? words.joined(separator: "-")
        var taken = NameTable(SwiftNames.typesInUse.union(options.taken))
        type = options.type ?? taken.unique(SwiftNames.typeName(words))
        var sweep = SecretSweep(api: name)
        let written = options.path.map(ImportedPath.init(written:))
        for response in requests.compactMap(\.response) { sweep.take(from: response) }
        let cleaned = requests.map { request in
            var request = request
            let found = sweep.take(from: &request)
            omitNoise(&request)
            for note in request.notes where !notes.contains(note) { notes.append(note) }
            return (request, found)
        }
        let paths = options.isOneEndpoint ? cleaned.map { ImportedPath.split($0.0.path) } : []
        // All secrets are known.
        let groups = cleaned.map { request, found in
            let template =
                written.flatMap { $0.values(request.path) == nil ? nil : $0 }
                ?? ImportedPath(request.path, others: paths) { sweep.cleaned($0) != $0 }
            return (request: request, path: template, credentials: found)
        }.grouped { "\($0.request.method) \($0.path.shown)" }
        if let written, !groups.contains(where: { $0.elements.contains { $0.path.shown == written.shown } }) {
            notes.append("no request has the path \(written.shown)")
        }
        let all = groups.map(\.elements[0].credentials).filter { !$0.isEmpty }
        let counts = Dictionary(all.map { ($0, 1) }, uniquingKeysWith: +)
        credentials = all.first { counts[$0] == counts.values.max() } ?? []
        var names = NameTable(Self.reserved)
        var found: [ImportedEndpoint.Source] = []
        for (key, requests) in groups {
            // The fullest request with a response that is a success is the example.
            func rank(_ request: ImportedRequest) -> Int {
                (request.response?.head.isSuccess == true ? 1000 : 0) + request.query.count
            }
            let best = requests.indices.max { rank(requests[$0].request) < rank(requests[$1].request) } ?? 0
            var ordered = requests.map(\.request)
            ordered.swapAt(0, best)
            let (method, path) = (ordered[0].method, requests[best].path)
            let proposed = options.endpoint ?? path.caseName(method)
            let chosen = options.operationNames[proposed] ?? proposed
            guard options.isKept?([key, path.shown, chosen]) ?? true else { continue }
            let own = Self.reserved.contains(chosen) ? method.lowercased() + SwiftNames.typeName([chosen]) : chosen
            found.append((ordered, path, names.unique(own), requests[best].credentials))
        }
        var options = options
        options.type = type
        options.taken.insert(type)
        let samples = found.map { source in
            source.requests.compactMap(\.response).filter(\.head.isSuccess).compactMap { sweep.cleaned(json: $0.body) }
        }
        let responses = zip(found, samples).filter { !$1.isEmpty }.map { source, texts in
            (source.path.subject, InferredModels.samples(texts.compactMap { try? JSONDocument.all(in: $0) }))
        }
        let inferred = try InferredModels(responses, options: options)
        models = inferred.declarations
        coding = inferred.coding
        notes += inferred.notes
        imports = inferred.rootImports.union(["EndpointKit"])
        var roots = inferred.roots[...]
        for (source, texts) in zip(found, samples) {
            let root = texts.isEmpty ? nil : roots.removeFirst()
            let endpoint = ImportedEndpoint(source, self, sweep, root: root, options)
            endpoints.append(endpoint)
            notes += endpoint.notes.map { "\(name).\(endpoint.name): \($0)" }
            variables.add(source.credentials)
            variables += endpoint.variables.filter { !variables.contains($0) }
        }
    }

    // MARK: Names

    /// `api.themoviedb.org` becomes `themoviedb`; an address or a host without dots is `local`.
    private static func name(ofHost origin: String) -> String {
        let host = (try? BaseURL(origin))?.host ?? ""
        let labels = host.split(separator: ".").map(String.init)
        if labels.count < 2 || labels.last?.allSatisfy(\.isNumber) == true || host.contains(":") { return "local" }
        let isSecondLevel = ["co", "com", "org", "net", "ac", "gov"].contains(labels[labels.count - 2])
        return labels.dropLast(isSecondLevel && labels.count > 2 ? 2 : 1).last ?? "local"
    }
}

// MARK: Text

extension Scaffold {
    /// The file of the enum.
    package var file: (path: String, text: [UInt8]) { ("\(type).swift", text(withModels: false).exactBytes) }

    /// The files of the models, beside the file of the enum.
    package var modelFiles: [(path: String, text: [UInt8])] {
        InferredModels.files(models).map { ("Models/" + $0.path, $0.text) }
    }

    /// The files of the samples, in the target's directory of samples.
    package var sampleFiles: [(file: String, text: [UInt8])] { endpoints.compactMap(\.sample) }

    /// The file of the enum; with all models after it if there are to be no files of their own.
    package func text(withModels: Bool) -> String {
        var members: [SwiftLine] = [
            "public static let name = \"\(name)\"",
            "public static let servers = \(SwiftText.servers([("production", server)]))",
        ]
        if let coding { members.append("public static let coding = \(coding)") }
        if !credentials.isEmpty {
            members.append("public static let credentials: [Credential] = \(credentials.list)")
        }
        let api = EndpointText.api(type, endpoints.map(\.text), usesReturn: endpoints.count > 8, members: members)
        let lines = [.comment("The API at \(server)."), api] + (withModels ? models.flatMap { [""] + $0.lines } : [])
        return InferredModels.imports(imports, of: withModels ? models : []) + lines.printed()
    }
}

extension JSONFormatter {
    /// One JSON document, indented; as it is if that would make it many times longer, and nil if it is not one.
    package static func indented(_ document: [UInt8]) -> [UInt8]? {
        guard (try? JSONDocument(document)) != nil else { return nil }
        var formatter = JSONFormatter(style: .pretty(indent: .spaces(2)))
        var text: [UInt8] = []
        for start in stride(from: 0, to: document.count, by: 4096) {
            let chunk = document[start..<min(start + 4096, document.count)]
            guard (try? formatter.feed(chunk, into: &text)) != nil else { return nil }
            // Deep nesting makes 500 bytes of one.
            if text.count > document.count * 8 + 65_536 { return document }
        }
        return (try? formatter.finish(into: &text)).map { text }
    }
}

// MARK: Headers

extension Scaffold {
    /// Headers that a browser or a tool adds, or that a client of its own sets.
    private static let noise: Set<String> = [
        "accept-encoding", "accept-language", "cache-control", "connection", "content-length", "dnt", "expect", "host",
        "if-modified-since", "if-none-match", "origin", "postman-token", "pragma", "priority", "referer", "save-data",
        "te",
        "transfer-encoding", "upgrade-insecure-requests",
    ]

    /// Takes away the headers that say nothing about the API.
    private mutating func omitNoise(_ request: inout ImportedRequest) {
        request.headers.removeAll { header in
            let (name, value) = (header.name.lowercased(), header.value ?? "")
            let isAgent =
                name == "user-agent"
                && ["Mozilla/", "PostmanRuntime/", "insomnia/", "curl/", "apictl/"].contains { value.hasPrefix($0) }
            // What is preferred to JSON makes another response.
            let isAccept = name == "accept" && ["*/*", "application/json"].contains(value.prefix { $0 != "," })
            guard Self.noise.contains(name) || name.hasPrefix("sec-") || name.hasPrefix(":") || isAgent || isAccept
            else { return false }
            if !isAccept, !omittedHeaders.contains(name) { omittedHeaders.append(name) }
            return true
        }
    }
}

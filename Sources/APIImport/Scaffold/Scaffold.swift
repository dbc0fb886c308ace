import EndpointKit
import JSONText

/// Names and choices for what is made of requests or of a document.
package struct ImportChoices: Sendable {
    /// The name of the API; nil is one after the host, or after the document's title.
    package var api: String?
    /// The name of the enum, if it exists.
    package var type: String?
    /// The name of the endpoint, if there is only one.
    package var endpoint: String?
    /// The template of the paths that fit it: `/users/{login}`.
    package var path: String?
    /// Names of endpoints by those that they would have, by the identifiers of operations, or by method and path.
    package var operationNames: [String: String] = [:]
    package var models = ModelOptions()
    /// Whether the samples become files that the declaration names.
    package var keepsSamples = false
    /// Whether models are classes; nil if there are many.
    package var areClasses: Bool?
    /// The origin of the URL that a document came from.
    package var origin: String?
    /// Whether an endpoint with these names is kept: method and path, path, name, identifier, `tag:…`; nil keeps all.
    package var isKept: (@Sendable (_ names: [String]) -> Bool)?

    package init() {}
}

/// An API in Swift text, made of requests and their responses: an enum with its models and samples, for people to go on with.
package struct Scaffold {
    /// An endpoint, as parts of the enum.
    package struct Endpoint: Sendable {
        /// The name of the case.
        package let name: String
        package let method: String
        package let template: String
        /// `popular(page: Int?)`
        package let declaration: String
        /// `.popular(page: 1)`
        package let example: String
        /// `case .popular(let page):` and what it returns, indented as in a switch of an enum.
        package let arm: String
        /// The sample without secrets, and its file.
        package let sample: (file: String, text: [UInt8])?
        /// The words of its call on a command line.
        package let callWords: [String]
    }

    /// The name on the command line.
    package let name: String
    /// The name of the enum.
    package let type: String
    package private(set) var endpoints: [Endpoint] = []
    package private(set) var models: [InferredModels.Declaration] = []
    /// The variables that must be set.
    package private(set) var variables: [String] = []
    /// What people should know, each once.
    package private(set) var notes: [String] = []
    /// The names of the headers that were left out.
    package private(set) var omittedHeaders: [String] = []
    /// How many endpoints return JSON of any kind, or bytes.
    package private(set) var looseEndpoints: [String] = []
    private var imports: Set<String> = []
    private var server = ""
    private var credentials: [DeclaredCredential] = []
    private var coding: String?

    /// What the requests of one endpoint have in common.
    private struct Key: Hashable {
        let method: String
        let template: PathTemplate

        /// `movieVideos` for `GET /movie/{id}/videos`, `createUser` for `POST /users`, `deleteUser` for `DELETE /users/{id}`.
        var caseName: String {
            var words = template.words.flatMap { $0 }
            if template.segments.last?.fixed == nil { words = SwiftNames.singular(words) }
            let one = SwiftNames.singular(words)
            let verbs = ["PUT": "update", "PATCH": "update", "DELETE": "delete", "HEAD": "head", "OPTIONS": "options"]
            if let verb = verbs[method] { return SwiftNames.memberName([verb] + words) }
            if method == "POST", one != words { return SwiftNames.memberName(["create"] + one) }
            return words.isEmpty ? method == "GET" ? "root" : method.lowercased() : SwiftNames.memberName(words)
        }
    }

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
        name = words.joined(separator: "-")
        var taken = NameTable(SwiftNames.typesInUse.union(options.models.taken))
        type = options.type ?? taken.unique(SwiftNames.typeName(words))
        var sweep = SecretSweep(api: name)
        let written = options.path.map(PathTemplate.init(written:))
        let groups = requests.map { request in
            var request = request
            let found = sweep.take(from: &request)
            omitNoise(&request)
            for note in request.notes where !notes.contains(note) { notes.append(note) }
            let template = written.flatMap { $0.values(request.path) == nil ? nil : $0 } ?? PathTemplate(request.path)
            return (key: Key(method: request.method, template: template), request: request, credentials: found)
        }.grouped(by: \.key)
        // Those of most endpoints; the others have their own.
        let all = groups.map(\.elements[0].credentials).filter { !$0.isEmpty }
        let counts = Dictionary(all.map { ($0, 1) }, uniquingKeysWith: +)
        credentials = all.first { counts[$0] == counts.values.max() } ?? []
        var names = NameTable(Self.reserved)
        var drafts: [EndpointDraft] = []
        for (key, requests) in groups {
            // The fullest request with a response that is a success is the example.
            func rank(_ request: ImportedRequest) -> Int {
                (request.response?.isSuccess == true ? 1000 : 0) + request.query.count
            }
            let best = requests.indices.max { rank(requests[$0].request) < rank(requests[$1].request) } ?? 0
            var ordered = requests.map(\.request)
            ordered.swapAt(0, best)
            let proposed = options.endpoint ?? key.caseName
            let chosen = options.operationNames[proposed] ?? proposed
            let shown = key.template.shown
            guard options.isKept?(["\(key.method) \(shown)", shown, chosen]) ?? true else { continue }
            let name =
                Self.reserved.contains(chosen) ? "\(key.method.lowercased())\(SwiftNames.typeName([chosen]))" : chosen
            drafts.append(
                EndpointDraft(ordered, key.template, name: names.unique(name), requests[best].credentials, sweep))
        }
        try add(drafts, options, sweep)
    }

    private mutating func add(_ drafts: [EndpointDraft], _ options: ImportChoices, _ sweep: SecretSweep) throws {
        var responses: [InferredModels.Response] = []
        let roots = drafts.map { draft -> Int? in
            let texts = draft.responses.filter(\.isSuccess).compactMap { sweep.cleaned(json: $0.body) }
            guard !texts.isEmpty else { return nil }
            let words = draft.template.words.last ?? ["response"]
            let subject = draft.template.segments.last?.fixed == nil ? SwiftNames.singular(words) : words
            responses.append(.init(subject.joined(separator: "_"), texts.compactMap { try? JSONDocument($0) }))
            return responses.count - 1
        }
        var modelOptions = options.models
        modelOptions.api = type
        modelOptions.taken.insert(type)
        let inferred = try InferredModels(responses, options: modelOptions)
        models = inferred.declarations
        coding = inferred.coding
        notes += inferred.notes
        imports = inferred.rootImports.union(["EndpointKit"])
        let usesReturn = drafts.count > 8
        for (draft, root) in zip(drafts, roots) {
            notes += draft.notes.map { "\(name).\(draft.name): \($0)" }
            endpoints.append(endpoint(draft, root.map { inferred.roots[$0] }, options, sweep, usesReturn: usesReturn))
            for variable in draft.credentials.flatMap(\.variables) where !variables.contains(variable) {
                variables.append(variable)
            }
        }
    }

    private mutating func endpoint(
        _ draft: EndpointDraft, _ root: String?, _ options: ImportChoices, _ sweep: SecretSweep, usesReturn: Bool
    ) -> Endpoint {
        let response = draft.responses.first(where: \.isSuccess)
        var model = root ?? "JSONValue.self"
        if draft.method == "HEAD" || root == nil && response?.body.isEmpty == true {
            model = "EmptyResponse.self"
        } else if model.contains("JSONValue") {
            looseEndpoints.append("\(name).\(draft.name)")
            if let response, root == nil { model = response.isBrokenJSON ? model : "RawResponse.self" }
            let problem = Self.problem(response ?? draft.responses.first)
            if root == nil { notes.append("\(name).\(draft.name): \(problem)") }
        }
        let kebab = KebabCase.text(draft.name)
        var sample: (file: String, text: [UInt8])?
        if root != nil, let text = response.flatMap({ sweep.cleaned(json: $0.body) }) {
            if text.count <= Self.longestSample {
                sample = ("\(name).\(kebab).json", JSONFormatter.indented(text) ?? text)
            } else {
                notes.append("\(name).\(draft.name): a sample of \(text.count) bytes is too long to keep")
            }
        }
        var arguments = draft.arguments
        if draft.method != "HEAD" { arguments.append("returns: \(model)") }
        arguments.append("summary: \(SwiftLiteral.string(Self.sentence(draft.name)))")
        if Set(draft.credentials) != Set(credentials) {
            arguments.append(SwiftText.list("credentials: [", draft.credentials.map(\.text), "]", indent: 16))
        }
        if options.keepsSamples, let sample {
            arguments.append("sample: .json(PackageResources.\(Self.resource(sample.file)))")
        }
        let types = draft.parameters.map { "\($0.name): \($0.type)" }
        let examples = draft.parameters.map { "\($0.name): \($0.expression(sweep))" }
        return Endpoint(
            name: draft.name, method: draft.method, template: draft.template.shown,
            declaration: SwiftText.call(SwiftNames.quoted(draft.name), types, indent: 4, column: 5),
            example: SwiftText.call(".\(draft.name)", examples, indent: 8),
            arm: SwiftText.arm(
                draft.name, draft.parameters.map(\.name), method: draft.method, arguments, indent: 8,
                usesReturn: usesReturn),
            sample: sample, callWords: ["\(name).\(kebab)"] + words(draft, sweep) + draft.callWords)
    }

    /// Why there is no model of a response.
    private static func problem(_ response: ImportedResponse?) -> String {
        guard let response else { return "no response was seen; it returns JSON of any kind" }
        if !response.isSuccess { return "the response had the status \(response.status); it returns JSON of any kind" }
        guard response.isBrokenJSON else { return "the response is not JSON; it returns bytes" }
        var problem = ""
        do { _ = try JSONDocument(response.body) } catch { problem = "\(error)" }
        return "the response is not valid JSON, perhaps cut off (\(problem)); it returns JSON of any kind"
    }

    /// The parameters of the example, as words.
    private func words(_ draft: EndpointDraft, _ sweep: SecretSweep) -> [String] {
        draft.parameters.flatMap { parameter -> [String] in
            let name = KebabCase.text(parameter.name)
            if parameter.kind == .bool, let isTrue = parameter.value?.bool { return [(isTrue ? "--" : "--no-") + name] }
            return parameter.values.flatMap { ["--" + name, sweep.cleaned($0.string ?? $0.description)] }
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

    /// `Movie videos` for `movieVideos`.
    private static func sentence(_ name: String) -> String {
        let words = SwiftNames.words(name).joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The name that SwiftPM gives an embedded file.
    private static func resource(_ file: String) -> String {
        file.map { ".-".contains($0) ? "_" : String($0) }.joined()
    }
}

// MARK: Text

extension Scaffold {
    /// The file of the enum; with all models after it if there are to be no files of their own.
    package func text(withModels: Bool) -> String {
        var lines = [InferredModels.imports(imports, of: withModels ? models : [])]
        lines.append(SwiftLiteral.comment("The API at \(server)."))
        lines.append("public enum \(type): API {\n")
        lines += endpoints.map { "    case \($0.declaration)\n" }
        lines.append("\n    public static let name = \"\(name)\"\n")
        lines.append("    public static let servers = [Server(\"production\", \(SwiftLiteral.string(server)))]\n")
        if let coding { lines.append("    public static let coding = \(coding)\n") }
        if !credentials.isEmpty {
            let list = SwiftText.list(
                "public static let credentials: [Credential] = [", credentials.map(\.text), "]", indent: 4)
            lines.append("    \(list)\n")
        }
        let examples = SwiftText.list(
            "public static let examples: [\(type)] = [", endpoints.map(\.example), "]", indent: 4)
        lines.append("    \(examples)\n\n    public var endpoint: Endpoint {\n        switch self {\n")
        lines += endpoints.map(\.arm)
        lines.append("        }\n    }\n}\n")
        if withModels { lines += models.map { "\n" + $0.text } }
        return lines.joined()
    }

    /// The longest sample in bytes: it is compiled.
    private static let longestSample = 100_000
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
                && ["Mozilla/", "PostmanRuntime/", "insomnia/", "curl/"].contains { value.hasPrefix($0) }
            let isAccept = name == "accept" && (value.contains("*/*") || value == "application/json")
            guard Self.noise.contains(name) || name.hasPrefix("sec-") || name.hasPrefix(":") || isAgent || isAccept
            else { return false }
            if !isAccept, !omittedHeaders.contains(name) { omittedHeaders.append(name) }
            return true
        }
    }
}

import EndpointKit
import JSONText

/// The Swift declaration of an API that is made of requests and their responses: an enum with its models and samples.
///
/// The code is a start for people to edit.
package struct Scaffold {
    /// The name on the command line.
    package let name: String
    /// The name of the enum.
    package let type: String
    package private(set) var endpoints: [ImportedEndpoint] = []
    package private(set) var models: [InferredModels.Declaration] = []
    /// The variables that must be set.
    package private(set) var variables: [NeededVariable] = []
    /// Remarks for people to look at, each one once.
    package private(set) var notes: [String] = []
    /// The names of the headers that were left out.
    package private(set) var omittedHeaders: [String] = []
    /// The names of the endpoints that return JSON of any kind, or bytes.
    package var looseEndpoints: [String] { endpoints.filter(\.isLoose).map { "\(name).\($0.name)" } }
    private var imports: Set<String> = []
    private let server: String
    /// The credentials of most endpoints.
    private(set) var credentials: [Credential] = []
    private var coding: String?

    /// Names that a case can't have, because the enum or its conformance has them.
    static let reserved: Set<String> = [
        "api", "examples", "placeholders", "endpoint", "init", "self", "Type", "caseName", "request", "lint",
        "resolvedEndpoint", "hash",
    ]

    /// Makes an API from requests that all go to one server.
    ///
    /// - Parameters:
    ///   - requests: The requests, which still have their secrets.
    ///   - options: The names and choices of people.
    /// - Throws: ``ImportError``, and `JSONPathLimit` for a query in `options` that is too much work.
    package init(_ requests: [ImportedRequest], _ options: ImportChoices = ImportChoices()) throws {
        server = requests.first?.origin ?? ""
        (name, type) = Self.names(forServer: server, options)
        let requestGroups = RequestGroups(requests, api: name, options)
        credentials = requestGroups.credentials
        omittedHeaders = requestGroups.omittedHeaders
        var optionsWithType = options
        optionsWithType.type = type
        // No model can have the name of the API's enum.
        optionsWithType.taken.insert(type)
        let sources = requestGroups.groups.map { EndpointSource($0, secrets: requestGroups.secrets) }
        let inferredModels = try Self.inferModels(of: sources, optionsWithType)
        models = inferredModels.declarations
        coding = inferredModels.coding
        imports = inferredModels.rootImports.union(["EndpointKit"])
        notes = requestGroups.notes + inferredModels.notes
        addEndpoints(of: sources, inferredModels: inferredModels, optionsWithType)
    }

    /// Adds the endpoints with their models.
    ///
    /// - Parameters:
    ///   - sources: The requests of the endpoints.
    ///   - inferredModels: The models. Its `roots` are in the order of the sources that have samples. Its `sentTypes`
    ///     are in the order of the sources and of their keys.
    ///   - options: Whether samples are kept.
    private mutating func addEndpoints(
        of sources: [EndpointSource], inferredModels: InferredModels, _ options: ImportChoices
    ) {
        var remainingRoots = inferredModels.roots[...]
        var remainingSentTypes = inferredModels.sentTypes[...]
        for source in sources {
            let model = source.samples.isEmpty ? nil : remainingRoots.popFirst()
            var sentTypes: [String: InferredType] = [:]
            // A type is nil if it is JSON of any kind. The key then gets none.
            for key in source.sentKeys { sentTypes[key] = remainingSentTypes.popFirst() ?? nil }
            let endpoint = ImportedEndpoint(source, of: self, model: model, sentTypes: sentTypes, options)
            add(endpoint, madeOf: source)
        }
    }

    /// Adds an endpoint with its notes and variables.
    private mutating func add(_ endpoint: ImportedEndpoint, madeOf source: EndpointSource) {
        endpoints.append(endpoint)
        notes += endpoint.notes.map { "\(name).\(endpoint.name): \($0)" }
        variables.add(source.group.credentials)
        variables += endpoint.variables.filter { !variables.contains($0) }
    }

    /// Infers the models of all responses, and of the objects in the bodies of requests.
    private static func inferModels(of sources: [EndpointSource], _ options: ImportChoices) throws -> InferredModels {
        let responses = sources.filter { !$0.samples.isEmpty }.map { source in
            (source.group.subject, InferredModels.samples(source.samples.map(\.documents)))
        }
        return try InferredModels(responses, sentValues: sources.flatMap(\.sentValues), options: options)
    }

    // MARK: Names

    /// Returns the name on the command line that the API of these requests would have.
    package static func name(of requests: [ImportedRequest], _ options: ImportChoices) -> String {
        names(forServer: requests.first?.origin ?? "", options).name
    }

    /// Returns the name of the API on the command line, and the name of its enum: `the-movie-db`, `TheMovieDB`.
    ///
    /// An API that exists keeps its names.
    private static func names(forServer origin: String, _ options: ImportChoices) -> (name: String, type: String) {
        let words = SwiftNames.words(options.api ?? defaultName(forServer: origin))
        let name = words.joined(separator: "-")
        if let existingType = options.type { return (options.api ?? name, existingType) }
        var takenNames = NameTable(SwiftNames.typesInUse.union(options.taken))
        return (name, takenNames.unique(SwiftNames.typeName(words)))
    }

    /// Returns the name for the API of a server: `api.themoviedb.org` → `themoviedb`, `shop.example.co.uk` → `example`.
    ///
    /// An IP address and a host without dots have the name `local`.
    private static func defaultName(forServer origin: String) -> String {
        let host = (try? BaseURL(origin))?.host ?? ""
        let labels = host.split(separator: ".").map(String.init)
        let isIPv4Address = labels.last?.allSatisfy(\.isNumber) == true
        let isIPv6Address = host.contains(":")
        if labels.count < 2 || isIPv4Address || isIPv6Address { return "local" }
        // Names are registered below `co.uk`, and not below `uk`.
        let isSecondLevel = ["co", "com", "org", "net", "ac", "gov"].contains(labels[labels.count - 2])
        let suffixLength = isSecondLevel && labels.count > 2 ? 2 : 1
        return labels.dropLast(suffixLength).last ?? "local"
    }
}

// MARK: Text

extension Scaffold {
    /// The most arms of a switch that is written as an expression. With more arms, it would take long to compile.
    private static let maxExpressionArms = 8

    /// The file of the enum.
    package var file: (path: String, text: [UInt8]) {
        (SwiftNames.fileName(ofType: type), text(withModels: false).exactBytes)
    }

    /// The files of the models, beside the file of the enum.
    package var modelFiles: [(path: String, text: [UInt8])] {
        InferredModels.files(models).map { ("Models/" + $0.path, $0.text) }
    }

    /// The files of the samples, in the target's directory of samples.
    package var sampleFiles: [(file: String, text: [UInt8])] { endpoints.compactMap(\.sample) }

    /// Returns the text of the file with the enum.
    ///
    /// - Parameter withModels: Whether the models follow the enum in the same file.
    package func text(withModels: Bool) -> String {
        let info = APIInfoText(
            name: name, servers: .servers([("production", server)]), coding: coding,
            credentials: credentials.isEmpty ? nil : credentials.list)
        let api = EndpointText.apiDeclaration(
            named: type, endpoints: endpoints.map(\.text), usesReturn: endpoints.count > Self.maxExpressionArms,
            info: info)
        let declarations = withModels ? models : []
        let lines = [.comment("The API at \(server)."), api] + declarations.flatMap { [""] + $0.lines }
        return InferredModels.imports(imports, of: declarations) + lines.printed()
    }
}

extension JSONFormatter {
    /// Returns a JSON document with line breaks and two blanks of indentation for each level.
    ///
    /// - Parameter document: The text of one document.
    /// - Returns: The document as it is if indentation would make it many times longer; nil if it is not JSON.
    package static func indented(_ document: [UInt8]) -> [UInt8]? {
        guard (try? JSONDocument(document)) != nil else { return nil }
        var formatter = JSONFormatter(style: .pretty(indent: .spaces(2)))
        var text: [UInt8] = []
        // At a depth of 250, one byte is on a line with 500 blanks. The constant lets a short text grow by any factor.
        let maxLength = document.count * 8 + 65_536
        // The text is read in chunks, so that reading ends soon after the limit.
        let chunkLength = 4096
        for start in stride(from: 0, to: document.count, by: chunkLength) {
            let end = min(start + chunkLength, document.count)
            guard (try? formatter.feed(document[start..<end], into: &text)) != nil else { return nil }
            if text.count > maxLength { return document }
        }
        guard (try? formatter.finish(into: &text)) != nil else { return nil }
        return text
    }
}

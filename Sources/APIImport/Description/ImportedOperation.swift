import EndpointKit
import JSONText
import OpenAPI

/// An operation of a document, before its types have names.
struct ImportedOperation {
    /// The operation in the document.
    let object: OperationObject
    /// The words of the tag, or else of the first fixed segment of the path.
    let group: [String]
    /// The servers of the operation; nil if they are those of the document.
    let ownServers: [ServerObject]?
    /// The parameters of the document that are not credentials.
    var parameters: ReadParts<ParameterObject>
    /// The parameters and the other parts that become an endpoint.
    var text: EndpointText
    /// The type of the response; nil for no body, and for bytes.
    var response: InferredType?
    /// An example of the response without secrets.
    var sample: JSONValue?
    /// Whether a response has a `Link` header, which may name the next page (RFC 8288).
    var hasLinkHeader = false
    /// The credentials that requests need.
    var credentials: [Credential] = []

    /// Reads the parameters of an operation, and what its name and its enum are made of: method, path, servers and tag.
    ///
    /// ``OperationReader`` reads everything else when all operations have names.
    ///
    /// - Parameters:
    ///   - object: The operation as the document describes it.
    ///   - documentServers: The servers of the whole document.
    init(_ object: OperationObject, documentServers: [ServerObject]) {
        self.object = object
        parameters = object.parameters
        let summary = object.summary
        // An operation without a body in its response keeps this model.
        text = EndpointText(
            method: summary.method, path: OperationPath.pieces(of: summary.path), returns: "EmptyResponse.self")
        let declaredServers = object.ownServers?.parts
        ownServers = declaredServers == documentServers ? nil : declaredServers
        let tagWords = SwiftNames.words(summary.tags.first ?? "")
        let segmentWords = SwiftNames.words(OperationPath.fixedSegments(of: summary.path).first ?? "")
        // Without a tag, operations are grouped by the first fixed segments of their paths. `/{id}` has none.
        group = [tagWords, segmentWords].first { !$0.isEmpty } ?? ["root"]
    }

    /// The operation's identifier in the document; nil if it has none.
    var id: String? { object.summary.operationID }
    var method: String { object.summary.method }
    var path: String { object.summary.path }
    /// The method with the path, such as `GET /pets`.
    var key: String { "\(method) \(path)" }
    /// The name of the case.
    var name: String { text.name }

    /// The types of parameters and of the body.
    var sentTypes: [InferredType] { text.parameters.map(\.type) }
    /// The number of values that requests are made of.
    var parameterCount: Int { text.parameters.count(where: \.isSingleValue) }
    /// The body, if a call gives a value for it.
    var body: EndpointText.Parameter? { text.parameters.last { $0.place == .body } }

    /// Replaces models in the types of parameters and body by those of requests.
    mutating func useModels(_ requestModels: RequestModels) {
        for index in text.parameters.indices {
            text.parameters[index].type = requestModels.requestType(text.parameters[index].type)
        }
    }

    /// How many of the body and the response are bytes: 0, 1 or 2.
    var bytesCount: Int { [body?.type == .bytes, text.returns == EndpointText.bytes].count { $0 } }

    /// The words of what the response is about.
    var subject: [String] {
        let words = SwiftNames.words(OperationPath.fixedSegments(of: path).last ?? "response")
        return path.hasSuffix("}") ? SwiftNames.singular(words) : words
    }

    /// The words after which the model of the body is named: `create pet` for the case `create` of the group `pets`.
    var bodyWords: [String] {
        let words = SwiftNames.words(name)
        let group = SwiftNames.singular(group)
        let endsWithGroup = words.suffix(group.count) == group[...]
        return endsWithGroup ? words : words + group
    }

    /// The verbs of operations that write, whatever their method is.
    private static let writingVerbs: Set = [
        "add", "create", "delete", "login", "logout", "remove", "reset", "revoke", "signin", "signout", "subscribe",
        "unsubscribe", "update",
    ]
    /// The last segments of paths that write, with any method: `/session/new`.
    private static let writingSegments: Set = writingVerbs.union(["new"])

    /// Whether a call may change something on the server. A check must not send it as an example.
    ///
    /// It may if the method is not safe (RFC 9110, section 9.2.1). Some APIs create or log in with GET: their
    /// identifiers begin with a verb such as `create` or `login`, or their paths end with one.
    var writes: Bool {
        if !HTTPMethod(rawValue: method).isSafe { return true }
        if let verb = id.flatMap({ SwiftNames.words($0).first }), Self.writingVerbs.contains(verb) { return true }
        let segment = path.split(separator: "/").last?.lowercased() ?? ""
        return Self.writingSegments.contains(segment.filter { $0 != "-" && $0 != "_" })
    }
}

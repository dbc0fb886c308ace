/// An HTTP API, written once as an enum: a case is an endpoint, its associated values are the endpoint's parameters.
///
///     public enum Movies: API {
///         case popular(page: Int?)
///
///         public static let name = "movies"
///         public static let servers = [Server("production", "https://api.themoviedb.org/3")]
///         public static let examples: [Movies] = [.popular(page: 1)]
///
///         public var endpoint: Endpoint {
///             switch self {
///             case .popular(let page):
///                 .get("/movie/popular", query: ["page": page], returns: MoviePage.self, summary: "Popular right now")
///             }
///         }
///     }
///
/// The command line is derived from Swift's synthesised `Codable`: what it asks for shows a case's parameters, and it reads arguments, as JSON.
/// So the conformance must not be written by hand, and a parameter that may be omitted is an `Optional` (the decoder ignores default values of
/// associated values). A value without a label is given without a flag; of a structure without a label, the fields are flags.
public protocol API: Codable, Sendable {
    /// The name before the dot on the command line.
    static var name: String { get }
    /// What the API is, in a few words.
    static var summary: String { get }
    /// The servers, the default one first.
    static var servers: [Server] { get }
    /// How JSON is written: keys, dates, data. Queries, paths and flags use the same date format.
    static var coding: Coding { get }
    /// The credentials of every request; an endpoint can replace them.
    static var credentials: [Credential] { get }
    /// Headers of every request; an endpoint's header of the same name replaces one of these.
    static var headers: Headers { get }
    /// At least one call of every endpoint, with values for its parameters; what no example shows is not checked.
    static var examples: [Self] { get }
    /// Calls that show what values of parameters look like, of endpoints without an example: a check never sends them.
    static var signatures: [Self] { get }
    /// Recorded responses by endpoint, for endpoints that name none themselves.
    static var samples: Samples? { get }
    /// What the body of a failed response is; its message is shown.
    static var errorModel: (any ErrorModel.Type)? { get }
    /// The request and the response model of this case.
    var endpoint: Endpoint { get }
}

extension API {
    /// Empty unless declared.
    public static var summary: String { "" }
    /// Keys as they are, dates in ISO 8601 and data in Base64 unless declared.
    public static var coding: Coding { Coding() }
    /// None unless declared: requests go out unsigned.
    public static var credentials: [Credential] { [] }
    /// None unless declared.
    public static var headers: Headers { [:] }
    /// None unless declared: values are made up.
    public static var signatures: [Self] { [] }
    /// None unless declared.
    public static var samples: Samples? { nil }
    /// None unless declared: the message is searched for under the keys that APIs commonly use.
    public static var errorModel: (any ErrorModel.Type)? { nil }
}

/// The JSON body of an API's failed responses, as ``API/errorModel`` names it.
///
///     struct Problem: ErrorModel {
///         var code: Int
///         var message: String
///     }
public protocol ErrorModel: Decodable, Sendable {
    /// What a person should read about the failure.
    var message: String { get }
}

extension API {
    /// The API's own message about a failure; nil if `body` has none.
    package static func failureMessage(in body: [UInt8]) -> String? {
        if let model = errorModel, let failure = try? coding.decode(model, from: body), !failure.message.isEmpty {
            return failure.message
        }
        return ServerMessage.find(in: body)
    }
}

/// A named server of an API, such as production or staging.
public struct Server: Sendable, Hashable {
    /// The name that selects it on the command line.
    package let name: String
    /// The base URL as text; it is parsed when a request is built.
    package let url: String
    /// Credentials that replace the API's own, ``API/credentials``, on this server; nil keeps those.
    package let credentials: [Credential]?

    /// A server; the URL is checked when a request is built.
    public init(_ name: String, _ url: String, credentials: [Credential]? = nil) {
        self.name = name
        self.url = url
        self.credentials = credentials
    }

    /// The parsed URL. Throws ``RequestProblem`` if it is not a base URL.
    package func base() throws(RequestProblem) -> BaseURL {
        do { return try BaseURL(url) } catch { throw .server(name: name, url: url, error) }
    }
}

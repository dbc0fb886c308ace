/// An HTTP API, written once as an enum: a case is an endpoint, its associated values are the endpoint's parameters.
///
///     public enum Movies: API {
///         case popular(page: Int?)
///
///         public static let name = "movies"
///         public static let servers = [Server("production", url: "https://api.themoviedb.org/3")]
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
/// The command line is derived from Swift's synthesised `Codable`. Its decoder shows which parameters a case has, and
/// reads the arguments. So the conformance must not be written by hand, and a parameter that may be omitted is an
/// `Optional`, because the decoder ignores default values of associated values.
///
/// A value without a label is given without a flag. If it is a structure, each of its fields is a flag.
public protocol API: Codable, Sendable {
    /// The name before the dot on the command line.
    static var name: String { get }
    /// A few words about the API.
    static var summary: String { get }
    /// The servers, the default one first.
    static var servers: [Server] { get }
    /// How JSON is written: keys, dates, data. Queries, paths and flags use the same date format.
    static var coding: Coding { get }
    /// The credentials of every request; an endpoint can replace them.
    static var credentials: [Credential] { get }
    /// Ways to get the values of the credentials' variables by logging in.
    static var logins: [Login] { get }
    /// Headers of every request; an endpoint's header of the same name replaces one of these.
    static var headers: Headers { get }
    /// At least one call of every endpoint, with values for its parameters. An endpoint without an example is not
    /// checked.
    static var examples: [Self] { get }
    /// Calls that show the form of parameters for endpoints without an example. A check never sends them.
    static var placeholders: [Self] { get }
    /// Recorded responses by endpoint, for endpoints that name none themselves.
    static var samples: Samples? { get }
    /// The model of a failed response's body, whose message is shown.
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
    /// None unless declared: variables are set by hand.
    public static var logins: [Login] { [] }
    /// None unless declared.
    public static var headers: Headers { [:] }
    /// None unless declared: values are made up.
    public static var placeholders: [Self] { [] }
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
    /// The message about the failure, for a person to read.
    var message: String { get }
}

extension API {
    /// Finds the API's own message about a failure.
    ///
    /// - Parameter body: The body of a failed response, of any type.
    /// - Returns: The message of ``errorModel``, or else the text under a key that APIs commonly use. Nil if there is
    ///   none.
    package static func failureMessage(in body: [UInt8]) -> String? {
        if let model = errorModel, let failure = try? coding.decode(model, from: body), !failure.message.isEmpty {
            return failure.message
        }
        return FailedResponseMessage.find(in: body)
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

    /// Creates a server. Its URL is checked when a request is built.
    ///
    /// - Parameters:
    ///   - name: The name that selects the server on the command line.
    ///   - url: The base URL.
    ///   - credentials: Credentials that replace the API's own on this server; nil keeps those.
    public init(_ name: String, url: String, credentials: [Credential]? = nil) {
        self.name = name
        self.url = url
        self.credentials = credentials
    }

    /// Parses the URL.
    ///
    /// - Throws: ``RequestError`` if it is not a base URL.
    package func base() throws(RequestError) -> BaseURL {
        do { return try BaseURL(url) } catch { throw .invalidServer(name: name, url: url, error) }
    }
}

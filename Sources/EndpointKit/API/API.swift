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
/// Swift's synthesised `Codable` is what the command line is read off: encoding an example shows a case's parameters,
/// decoding arguments builds a case. So the conformance must not be written by hand, and a parameter that may be left
/// out is an `Optional` (default values of associated values are not seen by the decoder).
public protocol API: Codable, Sendable {
    /// The name that stands before the dot on the command line.
    static var name: String { get }
    /// What the API is, in a few words.
    static var summary: String { get }
    /// The servers, the default one first.
    static var servers: [Server] { get }
    /// How JSON is written: keys, dates, data. Dates have the same form in queries, paths and flags.
    static var coding: Coding { get }
    /// What every request is signed with; an endpoint may say otherwise.
    static var credentials: [Credential] { get }
    /// Header fields of every request; an endpoint's field of the same name takes the place.
    static var headers: Headers { get }
    /// At least one call of every endpoint, with values for its parameters.
    static var examples: [Self] { get }
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
}

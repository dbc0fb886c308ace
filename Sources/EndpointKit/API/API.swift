/// An HTTP API, written once as an enum: a case is an endpoint, its associated values are the endpoint's parameters.
///
///     public enum Movies: API {
///         case popular(page: Int?)
///
///         public static let api = APIInfo(
///             name: "movies", servers: [Server("production", url: "https://api.themoviedb.org/3")])
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
    /// The properties that all endpoints share, such as the API's name, servers and credentials.
    static var api: APIInfo { get }
    /// At least one call of every endpoint, with values for its parameters. An endpoint without an example is not
    /// checked.
    static var examples: [Self] { get }
    /// Calls that show the form of parameters for endpoints without an example. A check never sends them.
    static var placeholders: [Self] { get }
    /// The request and the response model of this case.
    var endpoint: Endpoint { get }
}

extension API {
    /// No placeholders. An endpoint without an example and a placeholder is shown with made-up values.
    public static var placeholders: [Self] { [] }
}

/// The JSON body of an API's failed responses, as ``APIInfo`` names it.
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
    /// Returns the API's own message about a failure.
    ///
    /// - Parameter body: The body of a failed response, of any type.
    /// - Returns: The message of the API's error model, or else the text under a key that APIs commonly use. Nil if
    ///   there is none.
    package static func failureMessage(in body: [UInt8]) -> String? {
        if let errorModel = api.errorModel {
            let failure = try? api.coding.decode(errorModel, from: body)
            if let message = failure?.message, !message.isEmpty { return message }
        }
        return FailedResponseMessage.find(in: body)
    }
}

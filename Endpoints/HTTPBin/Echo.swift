import EndpointKit

/// The request as received. For a request without a body, the fields about the body are absent.
public struct Echo: Codable, Sendable, Equatable {
    /// The query: a text for each name, or an array where the name is repeated.
    public let args: [String: JSONValue]
    /// The body, unless it was a form.
    public let data: String?
    public let files: [String: JSONValue]?
    /// The form: a text for each name, or an array where the name is repeated.
    public let form: [String: JSONValue]?
    public let headers: [String: String]
    /// The body, if it was JSON.
    public let json: JSONValue?
    public let method: String?
    /// The client's address; several if there are proxies.
    public let origin: String
    public let url: String
}

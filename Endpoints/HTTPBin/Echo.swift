import EndpointKit

/// The request as it arrived. Requests without a body are told without what a body holds.
public struct Echo: Codable, Sendable, Equatable {
    /// The query: a text for each name, or an array where the name is repeated.
    public let args: [String: JSONValue]
    /// The body, unless it was a form.
    public let data: String?
    public let files: [String: JSONValue]?
    /// The form: a text for each name, or an array where the name is repeated.
    public let form: [String: JSONValue]?
    public let headers: [String: String]
    /// The body where it was JSON.
    public let json: JSONValue?
    public let method: String?
    /// The client's address, behind proxies several.
    public let origin: String
    public let url: String
}

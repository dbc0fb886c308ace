/// A named server of an API, such as production or staging.
public struct Environment: Sendable, Hashable {
    public let name: String
    /// The base URL as text; ``BaseURL`` reads it when a request is built.
    public let url: String

    public init(_ name: String, _ url: String) {
        self.name = name
        self.url = url
    }
}

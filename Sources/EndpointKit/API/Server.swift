/// A named server of an API, such as production or staging.
public struct Server: Sendable, Hashable {
    /// The name that selects the server on the command line.
    package let name: String
    /// The base URL as text. It is parsed when a request is built.
    package let url: String
    /// Credentials that replace the API's own on this server. Nil keeps the API's.
    package let credentials: [Credential]?

    /// Creates a server. Its URL is checked when a request is built.
    ///
    /// - Parameters:
    ///   - name: The name that selects the server on the command line.
    ///   - url: The base URL.
    ///   - credentials: Credentials that replace the API's own on this server. Nil keeps the API's.
    public init(_ name: String, url: String, credentials: [Credential]? = nil) {
        self.name = name
        self.url = url
        self.credentials = credentials
    }

    /// Returns the server's URL, parsed.
    ///
    /// - Throws: ``RequestError`` if it is not a base URL.
    package func base() throws(RequestError) -> BaseURL {
        do { return try BaseURL(url) } catch { throw .invalidServer(name: name, url: url, error) }
    }
}

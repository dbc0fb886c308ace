/// The part of a request that comes from the caller rather than from the endpoint.
public struct RequestOptions: Sendable {
    /// The server; nil is the API's first one.
    public var base: BaseURL?
    /// The values of the variables that credentials name.
    public var variables: @Sendable (String) -> String? = { _ in nil }
    /// The way to proceed if the variables of a required credential are not set.
    package var missingCredential = Credential.MissingPolicy.fail
    /// The name of the credential's alternative to use, one of ``Credential/Scheme/names``. Nil uses the first
    /// alternative that is set.
    package var credential: String?
    /// Headers that replace those of the endpoint, the API and credentials with the same name.
    public var headers: [HTTPField] = []
    /// Names of headers to omit, including those that a transport would add on its own.
    package var withheldHeaders: [String] = []
    /// Query items after the endpoint's own. An item with a credential's name replaces the credential.
    public var query: [QueryItem] = []
    /// Headers to send if nothing else sets a header of the same name. They also replace a credential that is not set.
    package var fallbackHeaders: [HTTPField] = []
    /// The boundary of a multipart body. Nil is a random one.
    package var boundary: String?
    /// Returns the place that the value of a variable would come from, such as a file. It is shown in place of the
    /// value. If it returns nil, the value comes from ``variables``.
    package var sources: @Sendable (String) -> String? = { _ in nil }
    /// A body to send instead of the endpoint's, with the endpoint's `Content-Type` unless that is multipart.
    package var body: RequestBody?

    /// Creates options that change nothing. No variable is set.
    public init() {}
}

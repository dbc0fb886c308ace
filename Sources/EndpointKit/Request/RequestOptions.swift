/// The part of a request that comes from the caller rather than from the endpoint.
public struct RequestOptions: Sendable {
    /// The server; nil is the API's first one.
    public var base: BaseURL?
    /// The values of the variables that credentials name.
    public var variables: @Sendable (String) -> String? = { _ in nil }
    /// The way to proceed if the variables of a required credential are not set.
    package var missingCredential = Credential.MissingPolicy.fail
    /// Which of a credential's alternatives to use, by one of ``Credential/Scheme/names``; nil is the first that is
    /// set.
    package var credential: String?
    /// Headers that replace those of the endpoint, the API and credentials with the same name.
    public var headers: [HTTPField] = []
    /// Names of headers to omit, including those that a transport would add on its own.
    package var withheldHeaders: [String] = []
    /// Query items after the endpoint's own; one with a credential's name replaces the credential.
    public var query: [QueryItem] = []
    /// Headers to send if nothing else sets one of that name; they also replace a credential that is not set.
    package var fallbackHeaders: [HTTPField] = []
    /// The boundary of a multipart body; nil is a random one.
    package var boundary: String?
    /// Returns where the value of a variable would come from, such as a file. It is shown in place of the value. Nil
    /// takes the value from ``variables``.
    package var sources: @Sendable (String) -> String? = { _ in nil }
    /// A body to send instead of the endpoint's, with the endpoint's `Content-Type` unless that is multipart.
    package var body: RequestBody?

    /// Options that change nothing; no variable is set.
    public init() {}
}

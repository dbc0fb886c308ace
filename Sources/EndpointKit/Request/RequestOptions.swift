/// What a request takes from its surroundings rather than from the endpoint.
public struct RequestOptions: Sendable {
    /// The server; nil takes the API's first environment.
    public var base: BaseURL?
    /// The values of the variables that credentials name.
    public var variables: @Sendable (String) -> String?
    /// What becomes of a required credential whose variables are not set.
    public var missingCredential: Credential.MissingPolicy
    /// Header fields that take the place of the endpoint's, the API's and the credentials' fields of the same name.
    public var headers: [Header]
    /// Names of fields to leave out, those that a transport adds by itself included.
    public var withheldHeaders: [String]
    /// Query items behind the endpoint's own; one with a credential's name takes the credential's place.
    public var query: [QueryItem]
    /// Header fields for where nothing else sets one of that name; they take the place of a credential that is not set.
    public var fallbackHeaders: [Header]
    /// The boundary of a multipart body; nil makes one up.
    public var boundary: String?
    /// A body to send instead of the endpoint's; its `Content-Type` is the endpoint's unless that is multipart.
    public var body: RequestBody?

    /// Options that change nothing unless given; no variable is set, and a missing credential is an error.
    public init(
        base: BaseURL? = nil, variables: @escaping @Sendable (String) -> String? = { _ in nil },
        missingCredential: Credential.MissingPolicy = .fail, headers: [Header] = [], withheldHeaders: [String] = [],
        query: [QueryItem] = [], fallbackHeaders: [Header] = [], boundary: String? = nil, body: RequestBody? = nil
    ) {
        self.base = base
        self.variables = variables
        self.missingCredential = missingCredential
        self.headers = headers
        self.withheldHeaders = withheldHeaders
        self.query = query
        self.fallbackHeaders = fallbackHeaders
        self.boundary = boundary
        self.body = body
    }
}

/// Why no request can be made from an endpoint, beside ``MissingCredential``, ``InvalidHeader`` and ``Endpoint/Path/InvalidValue``.
public enum RequestProblem: Error, Sendable, Equatable {
    /// The API declares no environment.
    case noServer(api: String)
    /// An environment's URL is no base URL.
    case server(name: String, url: String, BaseURL.Problem)
}

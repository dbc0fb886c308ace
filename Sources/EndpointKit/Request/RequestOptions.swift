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
    public var headers: [Header] = []
    /// Names of headers to omit, including those that a transport would add on its own.
    package var withheldHeaders: [String] = []
    /// Query items after the endpoint's own; one with a credential's name replaces the credential.
    public var query: [QueryItem] = []
    /// Headers to send if nothing else sets one of that name; they also replace a credential that is not set.
    package var fallbackHeaders: [Header] = []
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

/// Why a request can't be made or sent.
package enum RequestProblem: DescribedError, Sendable, Equatable {
    /// The API declares no server.
    case noServer(api: String)
    /// The URL of a finished request is at none of the API's servers.
    case otherServer(url: String)
    /// A server's URL is not a base URL.
    case server(name: String, url: String, BaseURL.Problem)
    /// No credential of the endpoint has an alternative of the name that was chosen.
    case credential(name: String, known: [String])
    /// The name of a header is not a token (RFC 9110, section 5.6.2).
    case headerName(String)
    /// The value of a header has a line break or another control character (RFC 9110, section 5.5). If it is a secret,
    /// `variable` is where it comes from.
    case headerValue(name: String, variable: String? = nil)
    /// A value in the path is empty, which would name another resource.
    case emptyValue
    /// Literal text of the path has a character that is not allowed there (RFC 3986, section 3.3).
    case pathCharacter(String)
    /// A segment of the path would be `.` or `..`, which clients and servers remove even if encoded (RFC 3986, section
    /// 5.2.4).
    case dotSegment(String)

    /// The problem in one sentence for a person, without a full stop.
    package var description: String {
        switch self {
        case .noServer(let api): "\(api) declares no server"
        case .otherServer(let url): "\(url) is at none of the API's servers"
        case .server(let name, let url, let problem):
            "the URL of server \(name) is not a base URL: '\(url)' (\(problem))"
        case .credential(let name, let known): "there is no credential '\(name)', only \(known.joined(separator: ", "))"
        case .headerName(let name), .headerValue(let name, _): "header '\(name)': \(headerFault)"
        case .emptyValue: Self.unusableInPath("", "it would name another resource")
        case .pathCharacter(let text):
            Self.unusableInPath(text, "it contains a character that is not allowed in a path")
        case .dotSegment(let value): Self.unusableInPath(value, "servers resolve it to another path, even if encoded")
        }
    }

    /// Returns the message for a text that the path of a request can't contain.
    private static func unusableInPath(_ value: String, _ reason: String) -> String {
        "'\(value)' can't be used in the path: \(reason)"
    }

    /// The fault of a header, without its name.
    package var headerFault: String {
        guard case .headerValue(_, let variable) = self else {
            return "the name may contain only letters, digits and !#$%&'*+-.^_`|~"
        }
        let origin = variable.map { " of \($0)" } ?? ""
        return "the value\(origin) contains a line break or another control character"
    }
}

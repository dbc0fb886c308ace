/// The reason why the request of a call can't be made. Nothing has been sent.
///
///     do {
///         page = try await client.send(Movies.popular(page: 2))
///     } catch RequestError.missingCredential(let credential) {
///         askFor(credential.alternatives)
///     } catch RequestError.ruleViolation(.outOfBounds(let parameter, _, let bounds)) {
///         show("\(parameter) must be \(bounds)")
///     }
public enum RequestError: DescribedError, Sendable, Equatable {
    /// The variables of a required credential are not set.
    case missingCredential(MissingCredential)
    /// The values of the call break a rule of its endpoint.
    case ruleViolation(RuleViolation)
    /// The model that the caller asks for is not the one that the endpoint declares. Both are names of Swift types.
    case wrongModel(declared: String, given: String)
    /// The caller asks for the pages of a list, but the endpoint declares none.
    case pagesNotDeclared
    /// A value has no JSON or query form, such as infinity. `reason` says why.
    case notEncodable(reason: String)
    /// The type of the API does not use the `Codable` conformance that the compiler makes for enums.
    case notAnEnum(type: String)
    /// The API declares no server.
    case noServer(api: String)
    /// The URL of a finished request is at none of the API's servers.
    case urlOutsideServers(url: String)
    /// A server's URL is not a base URL.
    case invalidServer(name: String, url: String, BaseURL.Problem)
    /// No credential of the endpoint has an alternative of the name that was chosen.
    case unknownCredential(name: String, known: [String])
    /// The name of a header is not a token (RFC 9110, section 5.6.2).
    case invalidHeaderName(String)
    /// The value of a header has a line break or another control character (RFC 9110, section 5.5). If it is a secret,
    /// `variable` is where it comes from.
    case invalidHeaderValue(name: String, variable: String? = nil)
    /// A value in the path is empty, which would name another resource.
    case emptyPathValue
    /// Literal text of the path has a character that is not allowed there (RFC 3986, section 3.3).
    case invalidPathCharacter(String)
    /// A segment of the path would be `.` or `..`, which clients and servers remove even if encoded (RFC 3986, section
    /// 5.2.4).
    case dotSegment(String)

    /// The problem in one sentence for a person, without a full stop.
    public var description: String {
        switch self {
        case .missingCredential(let missing): missing.description
        case .ruleViolation(let violation): violation.description
        case .wrongModel(let declared, let given): "the endpoint returns \(declared), not \(given)"
        case .pagesNotDeclared: "the endpoint declares no pages"
        case .notEncodable(let reason): "a value can't be encoded: \(reason)"
        case .notAnEnum(let type):
            "\(type) does not use the Codable conformance that the compiler makes for enums, with the names of its "
                + "cases"
        case .noServer(let api): "\(api) declares no server"
        case .urlOutsideServers(let url): "\(url) is at none of the API's servers"
        case .invalidServer(let name, let url, let problem):
            "the URL of server \(name) is not a base URL: '\(url)' (\(problem))"
        case .unknownCredential(let name, let known):
            "there is no credential '\(name)', only \(known.joined(separator: ", "))"
        case .invalidHeaderName(let name), .invalidHeaderValue(let name, _): "header '\(name)': \(headerFault)"
        case .emptyPathValue: Self.unusableInPath("", because: "it would name another resource")
        case .invalidPathCharacter(let text):
            Self.unusableInPath(text, because: "it contains a character that is not allowed in a path")
        case .dotSegment(let value):
            Self.unusableInPath(value, because: "servers resolve it to another path, even if encoded")
        }
    }

    /// Returns the message for a text that the path of a request can't contain.
    private static func unusableInPath(_ text: String, because reason: String) -> String {
        "'\(text)' can't be used in the path: \(reason)"
    }

    /// The fault of a header, without the header's name: that of its value, or else that of its name.
    package var headerFault: String {
        guard case .invalidHeaderValue(_, let variable) = self else {
            return "the name may contain only letters, digits and !#$%&'*+-.^_`|~"
        }
        var value = "the value"
        if let variable { value += " of \(variable)" }
        return "\(value) contains a line break or another control character"
    }
}

extension RequestError {
    /// Converts an error of building or signing a request to the error that an app catches.
    ///
    /// The result is nil for any other error.
    init?(cause: any Error) {
        switch cause {
        case let error as RequestError: self = error
        case let error as MissingCredential: self = .missingCredential(error)
        case let error as RuleViolation: self = .ruleViolation(error)
        case let error as NotAnEnumCase: self = .notAnEnum(type: error.type)
        case EncodingError.invalidValue(_, let context): self = .notEncodable(reason: context.debugDescription)
        default: return nil
        }
    }

    /// The error from which ``init(cause:)`` made this one; the error itself if it is its own cause.
    var cause: any Error {
        switch self {
        case .missingCredential(let error): error
        case .ruleViolation(let error): error
        default: self
        }
    }
}

import EndpointKit

/// Everything that an exchange needs, resolved. `call`, `--dry-run`, `--sample` and `curl` only carry out plans.
struct CallPlan: Sendable {
    /// The purpose of a plan, which determines what resolving it reads and requires.
    enum Purpose: Sendable {
        /// The request is sent: everything is required.
        case send
        /// The request is shown (`--dry-run`): credentials may be missing.
        case show
        /// The embedded sample responds: credentials may be missing, and parameters are taken from the example.
        case sample
        /// The request is printed as a curl command, which reads stdin and the netrc file itself: credentials may be missing.
        case print
    }

    let declaration: EndpointDeclaration
    /// The enum case.
    let call: any API
    /// The endpoint that ``call`` declares.
    let endpoint: Endpoint
    let request: Request
    /// The headers of ``request`` that a curl command does not name: curl has its own `User-Agent`, and reads the netrc file itself.
    let headersOfCurl: [Header]
    let options: CallOptions
    /// What is shown of the result; nil is the whole.
    let view: ResultView?
    /// How the connection is made: the command line's options, and the passphrase of a key.
    let connection: ConnectionOptions

    /// The credentials that requests for the endpoint have on this server.
    var credentials: [Credential] { declaration.api.credentials(of: endpoint, at: request.base) }

    /// Whether a successful response is decoded through the model; otherwise its body is streamed.
    var isDecoded: Bool { options.decodes(endpoint.response) }

    /// The pages to follow; nil is one response only.
    var pages: Paging? { options.followsPages ? endpoint.pages : nil }

    /// A client that sends the request as the options say, over `transport` unless the sample responds. It does not retry.
    func client(_ transport: any Transport) -> Client {
        Client(
            transport: options.sample ? SampleTransport(endpoint: endpoint) : transport, transfer: transfer,
            maxRedirects: options.maxRedirects)
    }

    /// The time limits and the connection.
    var transfer: TransferOptions {
        // Streams have an idle limit, no total limit.
        let maxTime = options.maxTime ?? (isDecoded ? CallOptions.defaultTimeLimit : .zero)
        return TransferOptions(
            maxTime: maxTime == .zero ? nil : maxTime,
            connectTimeout: options.connectTimeout == .zero ? nil : options.connectTimeout,
            idleTimeout: options.maxTime == nil && !isDecoded ? CallOptions.defaultTimeLimit : nil,
            connection: connection)
    }
}

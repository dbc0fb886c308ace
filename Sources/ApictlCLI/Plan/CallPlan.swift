import EndpointKit

/// Everything that one exchange needs, resolved. `call`, `--dry-run`, `--sample` and `curl` only carry plans out.
struct CallPlan: Sendable {
    /// What becomes of a plan, which decides what resolving it reads and requires.
    enum Purpose: Sendable {
        /// It is sent: everything must be there.
        case send
        /// It is shown (`--dry-run`): credentials may be missing.
        case show
        /// The embedded sample responds: credentials may be missing, and parameters are taken from the example.
        case sample
        /// It is printed as a command that reads stdin and the netrc file itself.
        case print
    }

    let declaration: EndpointDeclaration
    /// The enum case.
    let call: any API
    /// What `call` declares.
    let endpoint: Endpoint
    let request: Request
    let options: CallOptions
    /// The part of the result that is shown; nil is the whole.
    let selection: Selection?
    /// How the connection is made: the options of the command line, and the passphrase of a key.
    let connection: ConnectionOptions

    /// The credentials that apply to the endpoint.
    var credentials: [Credential] { endpoint.credentials ?? declaration.api.credentials }

    /// Whether a successful response is decoded through the model; otherwise its body streams.
    var isDecoded: Bool { options.decodes(endpoint.response) }

    /// How a request is sent as far as the options say it.
    var transfer: TransferOptions {
        // Streams have an idle limit, no total limit.
        let maxTime = options.maxTime ?? (isDecoded ? CallOptions.patience : .zero)
        return TransferOptions(
            maxTime: maxTime == .zero ? nil : maxTime,
            connectTimeout: options.connectTimeout == .zero ? nil : options.connectTimeout,
            idleTimeout: options.maxTime == nil && !isDecoded ? CallOptions.patience : nil, connection: connection)
    }
}

import APIImport
import EndpointKit
import EndpointTools
import JSONText

/// Everything that an exchange needs, resolved.
struct CallPlan: Sendable {
    /// What a plan is for, which decides what resolving it reads and requires.
    enum Purpose: Sendable {
        /// The request is sent: everything is required.
        case send
        /// The request is shown: credentials may be missing.
        case dryRun
        /// The embedded sample responds: credentials may be missing, and parameters are taken from the example.
        case sample
        /// The request is printed as a curl command, which reads stdin and the netrc file itself: credentials may be missing.
        case curl
    }

    let declaration: EndpointDeclaration
    let call: EndpointCall
    /// The endpoint that ``call`` declares.
    let endpoint: Endpoint
    let request: Request
    /// The headers of ``request`` that a curl command does not name: curl has its own `User-Agent`, and reads the netrc file itself.
    let headersOmittedFromCurl: [Header]
    let options: CallOptions
    /// What is shown of the result; nil is the whole.
    let view: ResultView?
    /// How the connection is made: the command line's options, and the passphrase of a key.
    let connection: ConnectionOptions

    /// What is called, for messages: the endpoint, or the URL without its query.
    var name: String { options.url.map { Redactor(request).redact($0.shown) } ?? declaration.name }

    /// The credentials that requests for the endpoint have on this server.
    var credentials: [Credential] { declaration.api.requestBuilder.credentials(of: endpoint, at: request.base) }

    /// The secrets in the request's body, by the names of members and fields, and by their prefixes.
    var bodySecrets: Set<String> {
        let type = request.headers.first { $0.isNamed("Content-Type") }?.value.description
        return SecretRules.secrets(in: request.body?.bytes ?? [], contentType: type)
    }

    /// Whether a successful response is decoded through the model; otherwise its body is streamed.
    var isDecoded: Bool { options.decodes(endpoint.response) }

    /// The pages to follow; nil is one response only.
    var pages: Paging? { options.followsPages ? endpoint.pages : nil }

    /// The time limits and the connection.
    var transfer: TransferOptions {
        // Streams have an idle limit, no total limit.
        let maxTime = options.maxTime ?? (isDecoded ? CallOptions.defaultTimeLimit : .zero)
        var transfer = TransferOptions()
        transfer.maxTime = maxTime == .zero ? nil : maxTime
        transfer.connectTimeout = options.connectTimeout == .zero ? nil : options.connectTimeout
        transfer.idleTimeout = options.maxTime == nil && !isDecoded ? CallOptions.defaultTimeLimit : nil
        transfer.connection = connection
        return transfer
    }
}

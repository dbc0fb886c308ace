import APIImport
import EndpointKit
import EndpointTools
import JSONText

/// A call that is resolved: everything that an exchange needs to send it.
final class CallPlan: Sendable {
    let declaration: EndpointDeclaration
    /// The URL that is requested in place of an endpoint.
    let url: CalledURL?
    let call: EndpointCall
    /// The endpoint that ``call`` declares.
    let endpoint: Endpoint
    let request: Request
    /// The headers of ``request`` that a printed curl command leaves out. curl has its own `User-Agent`, and it reads
    /// the netrc file itself.
    let headersOmittedFromCurl: [HTTPField]
    let options: CallOptions
    /// The part of the result that is shown; nil is the whole.
    let view: ResultView?
    /// How the connection is made: the command line's options, and the passphrase of a key.
    let connection: ConnectionOptions
    /// The text of `--write-out`; nil without one.
    let writeOut: WriteOut?
    /// Whether the whole body is read before anything is shown, although no model decodes it.
    private let isReadWhole: Bool
    /// When the call must have ended. Nil if the user gave no time limit, so that the default limit counts.
    let deadline: ContinuousClock.Instant?
    /// The login whose value the request has; nil if no value comes from a login that can be refreshed.
    let login: RefreshableLogin?
    /// Secrets of logins that the request does not have, but that the server may repeat, such as a refresh token.
    let loginSecrets: Set<String>

    /// Makes the plan of a call from its inputs and from the request that was built from them.
    ///
    /// - Parameters:
    ///   - inputs: Everything that was read for the call, except for credentials.
    ///   - callRequest: The call as it was asked for, completed by the configuration.
    ///   - builtRequest: The request that was built from the inputs.
    ///   - deadline: When the call must have ended; nil if the user gave no time limit.
    ///   - login: The login whose value the request has; nil if there is none that can be refreshed.
    ///   - loginSecrets: Secrets of logins that the request does not have.
    init(
        _ inputs: CallResolution.Inputs, callRequest: CallRequest, builtRequest: CallResolution.BuiltRequest,
        deadline: ContinuousClock.Instant?, login: RefreshableLogin?, loginSecrets: Set<String>
    ) {
        declaration = callRequest.declaration
        url = callRequest.url
        options = callRequest.options
        isReadWhole = callRequest.isReadWhole
        call = inputs.call
        endpoint = inputs.endpoint
        view = inputs.view
        connection = inputs.connection
        writeOut = inputs.writeOut
        request = builtRequest.request
        headersOmittedFromCurl = builtRequest.headersOmittedFromCurl
        self.deadline = deadline
        self.login = login
        self.loginSecrets = loginSecrets
    }

    /// The name of the call in messages: the name of the endpoint, or the URL without its query and without secrets.
    var name: String {
        guard let url else { return declaration.name }
        return Redactor(request).redact(url.shown)
    }

    /// The credentials that requests for the endpoint have on this server.
    var credentials: [Credential] { declaration.api.requestBuilder.credentials(of: endpoint, at: request.base) }

    /// The secrets in the request's body. They are found by the names of members and fields, such as `password`, and
    /// by the prefixes of tokens, such as `ghp_`.
    var bodySecrets: Set<String> {
        let type = request.headers.first { $0.isNamed("Content-Type") }?.value
        return SecretRules.secrets(in: request.body?.bytesInMemory ?? [], contentType: type)
    }

    /// Whether a successful response is decoded through the model; otherwise its body is streamed.
    var isDecoded: Bool { options.decodes(endpoint.response) }

    /// The way from one page of a list to the next; nil if no pages are followed.
    var pages: Paging? { options.pages.areFollowed ? endpoint.pages : nil }

    /// The time limits and the connection of each request.
    ///
    /// A stream may take as long as it likes, as long as data comes, so it has a limit for the time without data. Any
    /// other response has a limit for the whole call. `--max-time` replaces both.
    var transfer: TransferOptions {
        let choices = options.transfer
        let isStreamed = !isDecoded && !isReadWhole
        // New options have no limits.
        var transfer = TransferOptions()
        transfer.connection = connection
        transfer.connectTimeout = choices.connectLimit
        if let chosenLimit = choices.maxTime?.value {
            // As in curl, zero means no limit.
            if chosenLimit > .zero { transfer.maxTime = chosenLimit }
        } else if isStreamed {
            transfer.idleTimeout = TransferChoices.defaultTimeLimit
        } else {
            transfer.maxTime = TransferChoices.defaultTimeLimit
        }
        return transfer
    }
}

import APIImport
import EndpointKit
import EndpointTools
import JSONText

/// Sends imported requests for their responses, of which models are made.
struct ImportedRequestSender {
    /// The result of asking for a response.
    enum Outcome {
        case response(Response)
        /// There is no response. The note tells a person why.
        case noResponse(note: String)
    }

    /// Which requests may be sent.
    private let sending: ImportOptions.Sending
    private let context: CommandContext
    /// The files and variables that pasted commands use. Sending adds those that it needs.
    private let references: PastedReferences

    init(sending: ImportOptions.Sending, context: CommandContext, references: PastedReferences) {
        self.sending = sending
        self.context = context
        self.references = references
    }

    /// Sends a request for its response, unless something forbids to send it.
    ///
    /// A request is not sent if the options forbid it, if it authenticates in a way that `call` can't, if a variable in
    /// it is not set, or if it is pasted text that would send a file or variable of this computer.
    ///
    /// - Parameters:
    ///   - request: The request, in which `$NAME` may stand for variables.
    ///   - isRequired: Whether the import needs the response. Then a request that fails is an error, else a note.
    /// - Returns: The response, or the note that says why there is none.
    /// - Throws: `CancellationError`. If the response is required, also any error of sending.
    func fetchResponse(to request: ImportedRequest, isRequired: Bool) async throws -> Outcome {
        if let reason = reasonNotToSend(request) { return .noResponse(note: reason) }
        let filled = fillVariables(in: request)
        if !filled.unsetVariables.isEmpty {
            let names = filled.unsetVariables.map { "$" + $0 }.joined(separator: ", ")
            return .noResponse(note: "not sent: \(names) is not set")
        }
        // The files of the request are read only when it is sent. They count as references before that.
        references.addFiles(of: request)
        if let reason = reasonNotToSendPastedText { return .noResponse(note: reason) }
        do {
            return .response(try await send(filled.request, needsSuccess: isRequired))
        } catch {
            // A cancelled import ends, even if it could do without the response.
            if isRequired || error is CancellationError { throw error }
            let reason = (error as? UsageError)?.text ?? Failure(error).message
            return .noResponse(note: "no response: \(reason)")
        }
    }

    /// Returns a note that says why a request must not be sent: the options of the import do not allow its method, or
    /// it authenticates in a way that this tool does not support.
    ///
    /// - Returns: The note; nil if the request may be sent.
    private func reasonNotToSend(_ request: ImportedRequest) -> String? {
        let isMethodAllowed =
            switch sending {
            case .all: true
            case .retrievals: request.method == "GET"
            case .none: false
            }
        if !isMethodAllowed {
            return "\(request.method) was not sent: --send sends it, --response FILE gives its response"
        }
        // Schemes other than Basic, such as Digest, are known by the option of curl that chooses them.
        if case .other(let option, user: _, password: _) = request.authentication {
            return "not sent: \(option) can't be used from here; --response FILE gives the response"
        }
        return nil
    }

    /// The note that a request is not sent, because it is pasted text that refers to files or variables of this
    /// computer; nil if it may be sent.
    ///
    /// Whoever pastes text from a web page may not have read all of it. With `--send`, it is sent all the same.
    private var reasonNotToSendPastedText: String? {
        guard references.arePasted, !references.names.isEmpty, sending != .all else { return nil }
        let names = references.names.joined(separator: ", ")
        return "not sent, because the pasted text has \(names): --send sends it"
    }

    /// A request in which the values of variables have replaced their names.
    private struct FilledRequest {
        let request: ImportedRequest
        /// The names of the variables without a value, in the order of their first use.
        let unsetVariables: [String]
    }

    /// Puts the values of environment variables into a request.
    ///
    /// The used variables are added to ``references``, because pasted text must not send them unnoticed.
    private func fillVariables(in request: ImportedRequest) -> FilledRequest {
        var unsetVariables: [String] = []
        let filledRequest = request.filled { name in
            if let value = context.environment.value(name) {
                references.add("$" + name)
                return value
            }
            if !unsetVariables.contains(name) { unsetVariables.append(name) }
            return ""
        }
        return FilledRequest(request: filledRequest, unsetVariables: unsetVariables)
    }

    // MARK: The call

    /// The longest time that a response may take. A server that never ends its response must not hold the import.
    private static let timeLimit = Duration.seconds(30)

    /// Sends a request in the same way as the command `call URL` would.
    ///
    /// - Parameters:
    ///   - request: The request, without variables.
    ///   - needsSuccess: Whether a status other than 2xx is an error.
    /// - Throws: ``UsageError`` for an option of curl or a body that `call` can't express, and the errors of the call.
    private func send(_ request: ImportedRequest, needsSuccess: Bool) async throws -> Response {
        let call = try callRequest(of: request)
        let resolver = try CallResolver(context, environmentFiles: [], apis: [CatalogueAPI(CalledURLAPI.self)])
        let plan = try await resolver.resolve(context.completed(call))
        let exchange = Exchange(plan, context)
        let response = try await exchange.readResponse(limit: Client.defaultMaxBodySize)
        if needsSuccess, !response.head.isSuccess { throw Self.failure(of: exchange, with: response) }
        return response
    }

    /// Returns the call of a URL, with its options, that sends the same as an imported request.
    ///
    /// - Throws: ``UsageError`` for an option of curl or a body that `call` can't express.
    private func callRequest(of request: ImportedRequest) throws -> CallRequest {
        var call = try CallRequest(CalledURL(SourcedText(request.url, .preset)))
        call.options.request.method = HTTPMethod(rawValue: request.method)
        call.options.transfer.maxTime = Sourced(Self.timeLimit, .preset)
        for option in request.connection {
            guard let spec = CallOptions.table[option.name]?.spec else {
                throw UsageError("a request with --\(option.name) can't be sent from here")
            }
            try CallOptions.table.apply(spec, value: option.value, source: .preset, to: &call.options)
        }
        call.options.request.headers = try Self.headerOptions(for: request)
        call.options.request.body = try Self.bodyOption(for: request).map { SourcedText($0, .preset) }
        return call
    }

    /// The lower-case names of headers that are not repeated.
    ///
    /// They describe the recorded connection, or a browser's cache. With `if-none-match`, for instance, the response
    /// could be 304 without a body.
    private static let unsentHeaders: Set<String> = [
        "accept-encoding", "connection", "content-length", "host", "if-modified-since", "if-none-match", "te",
        "transfer-encoding",
    ]

    /// Returns the headers of a request as values of `--header`, without ``unsentHeaders``.
    ///
    /// A user and a password become the header `Authorization` (RFC 7617), unless the request has that header.
    private static func headerOptions(for request: ImportedRequest) throws -> [HeaderChange] {
        let sentHeaders = request.headers.filter { !unsentHeaders.contains($0.name.lowercased()) }
        var options = sentHeaders.map { HeaderChange.add(HTTPField($0.name, $0.value ?? "")) }
        // An explicit header wins over `--user`, as in curl.
        if case .basic(let user, let password) = request.authentication, request.header("Authorization") == nil {
            let pair = SensitiveText([.basic(user: Secret(user), password: Secret(password))])
            options.append(.add(HTTPField("Authorization", "Basic \(try pair.reveal())")))
        }
        return options
    }

    /// Returns the body of a request as the value of `--body`; nil if there is none.
    ///
    /// In the value of `--body`, `@` starts the name of a file and `-` means stdin. So a body that starts with one of
    /// them can't be expressed, and neither can a body that is not text.
    ///
    /// - Throws: ``UsageError`` for a body that can't be expressed.
    private static func bodyOption(for request: ImportedRequest) throws(UsageError) -> String? {
        let unsupported = UsageError("this body can't be sent from here; --response FILE gives the response")
        switch request.content {
        case .none: return nil
        case .file(let path): return "@" + path
        case .bytes(let bytes):
            let startsLikeNotation = bytes.first == UInt8(ascii: "@") || bytes.first == UInt8(ascii: "-")
            let isText = String(validating: bytes, as: UTF8.self) != nil
            if startsLikeNotation || !isText { throw unsupported }
            return String(exactBytes: bytes)
        case .parts: throw unsupported
        }
    }

    /// The most bytes of a failed response's body that a message repeats. A message is read by a person.
    private static let maxShownBody = 1000

    /// Returns the failure of a call whose response has a status other than 2xx.
    ///
    /// The message shows the status and the beginning of the body, without secrets.
    private static func failure(of exchange: Exchange, with response: Response) -> any Error {
        var failedStatus = FailedStatus(response.head.redacted(by: exchange.redactor))
        let body = SecretRules.redacted(exchange.redactor.redact(body: response.body), contentType: nil)
        failedStatus.body = try? JSONValue(text: body)
        if !body.isEmpty {
            let beginning = String(decoding: body.prefix(maxShownBody), as: UTF8.self)
            failedStatus.hints.append(.fact(beginning))
        }
        return exchange.reportedError(for: failedStatus)
    }
}

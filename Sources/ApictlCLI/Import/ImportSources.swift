import APIImport
import EndpointKit
import EndpointTools
import JSONText

/// The sources of an import: requests with their responses, and samples without a request.
struct ImportSources {
    private(set) var requests: [ImportedRequest] = []
    /// Bodies that were read from files or stdin, with their names.
    private(set) var samples: [(name: String, body: [UInt8])] = []
    /// Remarks about requests that were left out, and about requests without a response.
    private(set) var notes: [String] = []

    private let options: ImportOptions
    private let context: CommandContext
    /// The files and variables that pasted text refers to, such as `@me.json` and `$TOKEN`.
    private let references = PastedReferences()
    private var environment: ProcessEnvironment { context.environment }

    /// Reads the words after `import`, and sends requests for their responses.
    ///
    /// - Throws: ``UsageError``, ``FileError`` and ``Failure``.
    init(_ words: [SourcedText], _ options: ImportOptions, _ context: CommandContext) async throws {
        self.options = options
        self.context = context
        let rest = words.dropFirst()
        switch words.first?.text {
        case "curl"?: try readCurl(rest.map(\.text))
        case "json"?: try readJSON(rest)
        case "har"?: try readHAR(rest)
        case "openapi"?:
            if let extra = rest.dropFirst().first { throw UsageError.unexpectedArgument(extra) }
            try readJSON(rest.prefix(1), "openapi")
        default:
            let found = words.first.map { ", got \($0.shown)" } ?? ""
            throw UsageError("import needs a kind of source: curl, json, har or openapi\(found)")
        }
        keepOneServer()
        for index in requests.indices {
            if let method = options.method { requests[index].method = method.rawValue }
        }
        try await addResponses(kind: words[0].text)
        addSamplesToFirstRequest()
    }

    /// Adds the responses that the sources do not have: the one that `--response` names, or that of the server.
    ///
    /// - Parameter kind: The kind of import. A recording has all of its responses. The response to a curl command may be
    ///   missing, because the command itself describes the endpoint.
    private mutating func addResponses(kind: String) async throws {
        for index in requests.indices {
            if let path = options.response {
                requests[index].response = Response(head: ResponseHead(status: 200), body: try read(path))
            } else if requests[index].response == nil, kind != "har" {
                requests[index].response = try await response(to: requests[index], isNeeded: kind != "curl")
            }
        }
    }

    /// Adds the samples as further responses to the first request: `import json URL FILE…`.
    private mutating func addSamplesToFirstRequest() {
        guard var request = requests.first else { return }
        for sample in samples {
            request.response = Response(head: ResponseHead(status: 200), body: sample.body)
            requests.append(request)
        }
    }

    /// Keeps only the requests to one server, because an API has one: the server that most requests went to. If several
    /// servers have equally many, it is the first one. A note tells about the other requests.
    private mutating func keepOneServer() {
        let counts = Dictionary(requests.map { ($0.origin, 1) }, uniquingKeysWith: +)
        guard counts.count > 1, let most = counts.values.max() else { return }
        let origin = requests.first { counts[$0.origin] == most }?.origin
        let others = counts.keys.filter { $0 != origin }.sorted().joined(separator: ", ")
        let count = requests.count
        requests.removeAll { $0.origin != origin }
        notes.append("left out: \((count - requests.count).counted("request")) to other servers: \(others)")
    }

    /// Returns the content of a file, or of stdin for `-`.
    private func read(_ path: String) throws -> [UInt8] { try environment.file(path).bytes }

    /// Reads curl commands.
    private mutating func readCurl(_ words: [String]) throws {
        requests = try CurlWords.requests(words, environment, references)
    }

    /// Takes URLs as requests, and reads all other sources as samples.
    ///
    /// - Parameters:
    ///   - sources: The words after the kind of import.
    ///   - kind: The kind of import, for the message about missing sources. A document of OpenAPI is read in the same
    ///     way.
    private mutating func readJSON(_ sources: ArraySlice<SourcedText>, _ kind: String = "json") throws {
        guard !sources.isEmpty else { throw UsageError("import \(kind) needs a URL, a file, or - for stdin") }
        try UsageError.check(readers: Array(sources))
        for source in sources {
            if source.text.hasPrefix("http://") || source.text.hasPrefix("https://") {
                requests.append(try request(to: source))
            } else {
                samples.append((source.text == "-" ? "response" : source.text, try read(source.text)))
            }
        }
    }

    /// The header that asks for JSON or YAML first (RFC 9110, section 12.5.1).
    private static let accept = "application/json, application/yaml;q=0.9, */*;q=0.1"

    /// Returns the request to a URL, with the headers of `-H`.
    private func request(to url: SourcedText) throws -> ImportedRequest {
        var request = ImportedRequest()
        request.method = "GET"
        do {
            try request.take(url: url.text)
        } catch {
            throw UsageError("\(error.text)\(url.source.suffix)")
        }
        if !options.headers.contains(where: { $0.name.isSameName(as: "Accept") }) {
            request.headers.append(("Accept", Self.accept))
        }
        for case .add(let header) in options.headers {
            request.headers.append((header.name, try header.revealedValue()))
        }
        return request
    }

    /// Reads the requests and responses of a recording.
    ///
    /// - Throws: ``UsageError`` if it is not a recording, or has no request that can be imported.
    private mutating func readHAR(_ sources: ArraySlice<SourcedText>) throws {
        guard let source = sources.first else { throw UsageError("import har needs a file") }
        if let extra = sources.dropFirst().first { throw UsageError.unexpectedArgument(extra) }
        let har = try HAR(read(source.text), in: source.text)
        requests = har.requests
        notes += har.leftOut.sorted { $0.key < $1.key }.map { "left out: \($0.value.counted("request")) \($0.key)" }
        if requests.isEmpty { throw UsageError("\(source.text): there is no request in it that can be imported") }
    }
}

// MARK: Responses

extension ImportSources {
    /// Returns the response to a request. The request is sent if the options allow it and all its variables have
    /// values.
    ///
    /// - Parameters:
    ///   - imported: The request.
    ///   - isNeeded: Whether the import fails without a response.
    /// - Returns: The response; nil with a note that says why there is none.
    /// - Throws: `CancellationError`, and any error of sending if the response is needed.
    private mutating func response(to imported: ImportedRequest, isNeeded: Bool) async throws -> Response? {
        let mayBeSent = options.sending == .all || options.sending == .retrievals && imported.method == "GET"
        guard mayBeSent else {
            notes.append("\(imported.method) was not sent: --send sends it, --response FILE gives its response")
            return nil
        }
        if case .other(let option, _, _) = imported.authentication {
            notes.append("not sent: \(option) can't be used from here; --response FILE gives the response")
            return nil
        }
        var missing: [String] = []
        let filled = imported.filled { name in
            if let value = environment.value(name) {
                references.note("$" + name)
                return value
            }
            if !missing.contains(name) { missing.append(name) }
            return ""
        }
        guard missing.isEmpty else {
            notes.append("not sent: \(missing.map { "$" + $0 }.joined(separator: ", ")) is not set")
            return nil
        }
        references.note(filesOf: imported)
        if references.arePasted, !references.names.isEmpty, options.sending != .all {
            let names = references.names.joined(separator: ", ")
            notes.append("not sent, because the pasted text has \(names): --send sends it")
            return nil
        }
        do {
            return try await send(filled, needsSuccess: isNeeded)
        } catch  where !isNeeded && !(error is CancellationError) {
            notes.append("no response: \((error as? UsageError)?.text ?? Failure(error).message)")
            return nil
        }
    }

    /// Headers of the recorded connection or of a browser's cache. A cache could turn the response into 304 without a
    /// body.
    private static let unsent: Set<String> = [
        "accept-encoding", "connection", "content-length", "host", "if-modified-since", "if-none-match", "te",
        "transfer-encoding",
    ]

    /// The most bytes of a failed response's body that a message repeats.
    private static let maxShownBody = 1000

    /// Sends an imported request in the same way as `call URL` would.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - needsSuccess: Whether a status other than 2xx is an error.
    /// - Throws: ``UsageError`` for an option of curl or a body that `call` can't express, and the errors of the call.
    private func send(_ request: ImportedRequest, needsSuccess: Bool) async throws -> Response {
        var call = try CallRequest(CalledURL(SourcedText(request.url, .preset)))
        call.options.request.method = HTTPMethod(rawValue: request.method)
        // A server that never ends its response must not hold the import.
        call.options.transfer.maxTime = Sourced(.seconds(30), .preset)
        for option in request.connection {
            guard let spec = CallOptions.table[option.name]?.spec else {
                throw UsageError("a request with --\(option.name) can't be sent from here")
            }
            try CallOptions.table.apply(spec, value: option.value, source: .preset, to: &call.options)
        }
        call.options.request.headers = try headers(of: request)
        call.options.request.body = try body(of: request).map { SourcedText($0, .preset) }
        let resolver = try CallResolver(context, environmentFiles: [], apis: [CatalogueAPI(CalledURLAPI.self)])
        let plan = try await resolver.plan(context.completed(call))
        let exchange = Exchange(plan, context)
        let response = try await exchange.readResponse(limit: Client.defaultMaxBodySize)
        if !needsSuccess || response.head.isSuccess { return response }
        var failure = FailedStatus(response.head.redacted(by: exchange.redactor))
        let body = SecretRules.redacted(exchange.redactor.redact(body: response.body), contentType: nil)
        failure.body = try? JSONValue(text: body)
        if !body.isEmpty {
            let start = String(decoding: body.prefix(Self.maxShownBody), as: UTF8.self)
            failure.hints.append(.fact(start))
        }
        throw exchange.failure(failure)
    }

    /// Returns the headers of an imported request, without ``unsent``. Name and password of the request become a
    /// header.
    private func headers(of request: ImportedRequest) throws -> [HeaderChange] {
        let sent = request.headers.filter { !Self.unsent.contains($0.name.lowercased()) }
        var headers = sent.map { HeaderChange.add(HTTPField($0.name, $0.value ?? "")) }
        // An explicit header wins over `--user`, as in curl.
        if case .basic(let user, let password) = request.authentication, request.header("Authorization") == nil {
            let pair = SensitiveText([.basic(user: Secret(user), password: Secret(password))])
            headers.append(.add(HTTPField("Authorization", "Basic \(try pair.reveal())")))
        }
        return headers
    }

    /// Returns the body of an imported request as a value of `--body`; nil if there is none.
    ///
    /// There, `@` starts the name of a file and `-` means stdin. A body that starts with one of them, or is not text,
    /// has no such notation.
    ///
    /// - Throws: ``UsageError`` for a body that can't be expressed.
    private func body(of request: ImportedRequest) throws(UsageError) -> String? {
        switch request.content {
        case .none: return nil
        case .file(let path): return "@" + path
        case .bytes(let bytes)
        where !"@-".utf8.contains(bytes.first ?? 0) && String(validating: bytes, as: UTF8.self) != nil:
            return String(exactBytes: bytes)
        case .bytes, .parts: throw UsageError("this body can't be sent from here; --response FILE gives the response")
        }
    }

    /// Returns the samples as JSON documents.
    ///
    /// - Throws: ``UsageError`` for a sample that is not JSON.
    func documents() throws -> [JSONDocument] {
        InferredModels.samples(
            try samples.map { name, body in
                do {
                    return try JSONDocument.all(in: body)
                } catch {
                    throw UsageError.notJSON(error, in: name)
                }
            })
    }
}

extension HAR {
    /// Reads a recording.
    ///
    /// - Parameters:
    ///   - text: The content of the file.
    ///   - name: The name of the file, for messages.
    ///   - keepsFiles: Whether requests for files of web pages, such as images, are kept.
    /// - Throws: ``UsageError`` if the text is not a recording.
    init(_ text: [UInt8], in name: String, keepsFiles: Bool = false) throws(UsageError) {
        do {
            try self.init(text, keepsFiles: keepsFiles)
        } catch let error as ImportError {
            throw UsageError("\(name): \(error.text)")
        } catch {
            // An error at the very end means that the document is incomplete.
            let isCutOff = (error as? JSONSyntaxError)?.offset == text.count
            throw UsageError.notJSON(error, in: name, hint: isCutOff ? "; is the recording cut off?" : "")
        }
    }
}

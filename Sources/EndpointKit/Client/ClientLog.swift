#if canImport(OSLog)
import OSLog
#endif

/// Writes what a client sends and receives, without secrets.
///
///     client.log = ClientLog { print($0) }
///
///     curl --header 'Accept: application/json' --header 'Authorization: Bearer (redacted)' 'https://api.example.com/pets'
///     200 OK from https://api.example.com/pets after 132 ms
///
/// Each request on the wire is a line, also redirects and retries. Secrets are removed as from every output of this
/// library. Personal data are not: URLs, headers and bodies may have names or addresses of people in them.
public struct ClientLog: Sendable {
    private let showsBodies: Bool
    private let write: @Sendable (String) -> Void

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - bodies: Whether the bodies of requests are written, as far as they are texts of up to 10 kB.
    ///   - write: Writes a line, which has no line break at its end. It may be called from any thread.
    public init(bodies: Bool = true, _ write: @escaping @Sendable (_ line: String) -> Void) {
        showsBodies = bodies
        self.write = write
    }

    #if canImport(OSLog)
    /// Creates a log that writes to the unified logging system, with the level `debug`.
    ///
    ///     client.log = ClientLog(Logger(subsystem: "com.example.pets", category: "network"))
    ///
    /// The lines are public: whoever gets the log of a device can read them. They have no secrets, but the URLs and
    /// headers that were sent.
    ///
    /// - Parameters:
    ///   - logger: The logger that gets each line.
    ///   - bodies: Whether the bodies of requests are written too. They may have personal data, so this is for
    ///     development.
    public init(_ logger: Logger, bodies: Bool = false) {
        self.init(bodies: bodies) { line in logger.debug("\(line, privacy: .public)") }
    }
    #endif

    /// Sends a request with `send`, and writes a line before and after that.
    ///
    /// - Throws: The error of `send`.
    func sendAndLog(
        _ request: Request, with send: () async throws -> StreamedResponse
    ) async throws -> StreamedResponse {
        write(request.curlCommand(showsBody: showsBodies))
        let start = ContinuousClock.now
        do {
            let response = try await send()
            let duration = (ContinuousClock.now - start).milliseconds
            write("\(response.head.statusText) from \(request.redactedURL) after \(duration) ms")
            return response
        } catch {
            let duration = (ContinuousClock.now - start).milliseconds
            let reason = Redactor(request).redact("\(error)")
            write("no response from \(request.redactedURL) after \(duration) ms: \(reason)")
            throw error
        }
    }
}

extension Request {
    /// The curl command that sends this request, with `(redacted)` in place of secrets.
    ///
    ///     curl --request DELETE --header 'Accept: application/json' 'https://api.example.com/pets/7?key=(redacted)'
    ///
    /// A secret is the value of a credential, and whatever the rules of `apictl help credentials` find in a header, a
    /// query item, a body or a part of it. A body or part of more than 10 kB is not shown.
    public var curlCommand: String { curlCommand(showsBody: true) }

    /// Returns the curl command that sends this request, with `(redacted)` in place of secrets.
    ///
    /// - Parameter showsBody: Whether the command has the texts of the body. Otherwise it has names of files that stand
    ///   for them, which need not exist.
    func curlCommand(showsBody: Bool) -> String {
        var words: [String] = []
        let defaultMethod: HTTPMethod = body == nil ? .get : .post
        if method == .head, body == nil {
            words.append("--head")
        } else if method != defaultMethod {
            words += ["--request", method.rawValue]
        }
        let isForm = body?.parts != nil
        for header in headers {
            // curl makes a boundary of its own.
            if isForm, header.isNamed("Content-Type") { continue }
            words += ["--header", header.redacted.description]
        }
        words += curlBody(showsText: showsBody)
        words.append(redactedURL)
        return "curl " + words.map(ShellWord.quoted).joined(separator: " ")
    }

    /// Returns the arguments of curl for the body.
    ///
    ///     --form title=Moana                       a multipart form, with an option for each part
    ///     --data-binary @poster.jpg                a file
    ///     --data-raw '{"title": "Moana"}'          a short text
    ///     --data-binary @body                      any other body, as a file that would have to be made
    ///
    /// - Parameter showsText: Whether short texts are shown. If not, file names stand for them too.
    private func curlBody(showsText: Bool) -> [String] {
        guard let body else { return [] }
        let redactor = Redactor(self)
        if let parts = body.parts {
            return parts.flatMap { part in ["--form", redactor.redact(part.curlFormArgument(showsText: showsText))] }
        }
        if case .file(let path) = body.pieces.first, body.pieces.count == 1 { return ["--data-binary", "@\(path)"] }
        guard showsText, let text = shortText(of: body) else { return ["--data-binary", "@body"] }
        return ["--data-raw", redactor.redact(text)]
    }

    /// Returns the text of this request's body as a log shows it; nil for a body that is long, binary or a stream.
    private func shortText(of body: RequestBody) -> String? {
        guard let byteCount = body.byteCount, byteCount <= LoggedText.maxCount, let bytes = body.bytes else {
            return nil
        }
        let contentType = headers.first { $0.isNamed("Content-Type") }?.value
        return LoggedText.text(bytes, contentType: contentType)
    }
}

/// The text of a body, or of a part of it, in a log.
private enum LoggedText {
    /// The most bytes that are shown, because a log is read by people.
    static let maxCount = 10_000

    /// Returns a text with `(redacted)` in place of each secret that ``SecretRules`` finds in it.
    ///
    /// - Returns: The text. Nil if it has more than ``maxCount`` bytes, or is not a text.
    static func text(_ bytes: [UInt8], contentType: String?) -> String? {
        guard bytes.count <= maxCount, !bytes.contains(0), let text = String(validUTF8: bytes) else { return nil }
        return String(decoding: SecretRules.redacted(Array(text.utf8), contentType: contentType), as: UTF8.self)
    }
}

extension HTTPField {
    /// The header with `(redacted)` in place of its secrets. In a value that was given as plain text, they are what
    /// ``SecretRules`` finds.
    var redacted: HTTPField { content.holdsSecrets ? self : SecretRules.redacted(self) }
}

extension Part {
    /// Returns this part of a multipart form as an argument of curl's option `--form`.
    ///
    ///     title=Moana                           →    the text of a field
    ///     title=<title                          →    the same, with the name of a file in place of the text
    ///     poster=@poster.jpg;type=image/jpeg    →    a file
    ///
    /// The content of a file is never shown, only its name. Bytes and a stream are shown as a file too, although there
    /// may be none. If they have no file name, the name of the part stands for it.
    ///
    /// - Parameter showsText: Whether the text of a field is shown. If not, the name of a file stands for it.
    fileprivate func curlFormArgument(showsText: Bool) -> String {
        switch self {
        case .field(let name, let value):
            return Self.curlField(name, value: value, contentType: nil, showsText: showsText)
        case .text(let name, let value, let contentType):
            // The content type decides how secrets are found in the text, and curl must send it too.
            let field = Self.curlField(name, value: value, contentType: contentType, showsText: showsText)
            return "\(field);type=\(contentType)"
        case .file(let name, let path, _, let contentType):
            return Self.curlFile(name, path: path, contentType: contentType)
        case .bytes(let name, _, let filename, let contentType), .stream(let name, _, let filename, let contentType):
            return Self.curlFile(name, path: filename ?? name, contentType: contentType)
        }
    }

    /// Returns a file as an argument of `--form`: `poster=@poster.jpg;type=image/jpeg`.
    private static func curlFile(_ name: String, path: String, contentType: String) -> String {
        "\(name)=@\(path);type=\(contentType)"
    }

    /// Returns a text field as an argument of `--form`: `name=value`.
    ///
    /// A text that is too long, or that is binary, becomes `name=<name`: curl then takes the text from a file with the
    /// name of the field. The value of a credential's name is masked as a whole, other secrets one by one.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The content of the field.
    ///   - contentType: The content type, which says in what format to look for secrets; nil if it is not known.
    ///   - showsText: Whether the text is shown.
    private static func curlField(_ name: String, value: String, contentType: String?, showsText: Bool) -> String {
        guard showsText, value.utf8.count <= LoggedText.maxCount else { return "\(name)=<\(name)" }
        if SecretName.isCredential(name) { return "\(name)=\(SecretRules.mark)" }
        guard let text = LoggedText.text(Array(value.utf8), contentType: contentType) else { return "\(name)=<\(name)" }
        return "\(name)=\(text)"
    }
}

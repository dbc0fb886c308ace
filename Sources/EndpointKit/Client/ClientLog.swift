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
/// library.
public struct ClientLog: Sendable {
    private let write: @Sendable (String) -> Void

    /// Creates a log.
    ///
    /// - Parameter write: Writes a line, which has no line break at its end. It may be called from any thread.
    public init(_ write: @escaping @Sendable (_ line: String) -> Void) { self.write = write }

    #if canImport(OSLog)
    /// Creates a log that writes to the unified logging system, with the level `debug`.
    ///
    ///     client.log = ClientLog(Logger(subsystem: "com.example.pets", category: "network"))
    public init(_ logger: Logger) {
        // The lines have no secrets, so they may be public.
        self.init { line in logger.debug("\(line, privacy: .public)") }
    }
    #endif

    /// Sends a request with `send`, and writes a line before and after that.
    func logging(
        _ request: Request, _ send: () async throws -> StreamedResponse
    ) async throws -> StreamedResponse {
        write(request.curlCommand)
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
    public var curlCommand: String {
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
            let isPlainSecret = !header.content.holdsSecrets && SecretRules.isSecret(header: header.name)
            words += ["--header", isPlainSecret ? "\(header.name): \(SecretRules.mark)" : header.description]
        }
        words += curlBody
        words.append(redactedURL)
        return "curl " + words.map(Self.shellQuoted).joined(separator: " ")
    }

    /// The most bytes of a body that are shown as text, because a log is read by people.
    private static let maxShownBody = 10_000

    /// The arguments of curl for the body.
    private var curlBody: [String] {
        guard let body else { return [] }
        let redactor = Redactor(self)
        if let parts = body.parts { return parts.flatMap { ["--form", redactor.redact($0.curlForm)] } }
        if case .file(let path) = body.pieces.first, body.pieces.count == 1 { return ["--data-binary", "@\(path)"] }
        let type = headers.first { $0.isNamed("Content-Type") }?.value
        guard let bytes = body.bytes, bytes.count <= Self.maxShownBody, !bytes.contains(0),
            let text = String(validUTF8: bytes)
        else { return ["--data-binary", "@body"] }
        let withoutMembers = SecretRules.redacted(Array(text.utf8), contentType: type)
        return ["--data-raw", redactor.redact(String(decoding: withoutMembers, as: UTF8.self))]
    }

    /// Returns a word in single quotes if a POSIX shell would not take it as it is.
    private static func shellQuoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { $0.isLetterOrDigit || "-_./:=,@%+".utf8.contains($0) }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.replacingBytes(of: "'", with: #"'\''"#) + "'"
    }
}

extension Part {
    /// The part as an argument of curl's option `--form`; the content of a file is not shown.
    fileprivate var curlForm: String {
        switch self {
        case .field(let name, let value):
            "\(name)=\(SecretName.isCredential(name) ? SecretRules.mark : value)"
        case .text(let name, let value, let contentType):
            "\(name)=\(SecretName.isCredential(name) ? SecretRules.mark : value);type=\(contentType)"
        case .file(let name, let path, _, let contentType): "\(name)=@\(path);type=\(contentType)"
        case .bytes(let name, _, let filename, let contentType), .stream(let name, _, let filename, let contentType):
            "\(name)=@\(filename ?? name);type=\(contentType)"
        }
    }
}

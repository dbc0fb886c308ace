import EndpointKit

/// A curl command that sends a request, for the message of a test that fails. It shows no secret.
///
///     curl -X POST http://127.0.0.1:8080/pets -H 'Content-Type: application/json' --data-raw '{"name": "Rex"}'
struct CurlLine {
    /// The command on one line, as a shell reads it.
    let text: String

    /// Makes the command of a request that has not been sent.
    init(_ request: Request) {
        let fields = request.headers.map { header in
            let value = header.isConfidential ? SecretRules.mark : header.value.description
            return SecretRules.redacted(HTTPField(header.name, value))
        }
        let contentType = fields.first { $0.name.isSameName(as: "Content-Type") }?.value
        let body = request.body.map { body in
            body.bytes.map { SecretRules.redacted($0, contentType: contentType) } ?? Self.unshown
        }
        self.init(method: request.method.rawValue, url: request.redactedURL, fields, body: body ?? [])
    }

    /// Makes the command of a request that a server received.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - baseURL: The URL of the server.
    ///   - credentials: The values of credentials in the request, which the command must not show.
    init(_ request: ReceivedRequest, to baseURL: String, hiding credentials: Set<String>) {
        var redactor = Redactor()
        redactor.add(credentials)
        let fields = request.fields.map(SecretRules.redacted).map { field in
            HTTPField(field.name, redactor.redact(field.value))
        }
        let body = SecretRules.redacted(request.body, contentType: request["Content-Type"])
        let url = redactor.redact(SecretRules.redacted(baseURL + request.target))
        self.init(method: request.method, url: url, fields, body: redactor.redact(body: body))
    }

    /// Makes the command of parts that show no secrets.
    private init(method: String, url: String, _ fields: [HTTPField], body: [UInt8]) {
        var words = ["curl"]
        let defaultMethod = body.isEmpty ? "GET" : "POST"
        if method == "HEAD" {
            words.append("--head")
        } else if method != defaultMethod {
            words += ["-X", Self.quoted(method)]
        }
        words.append(Self.quoted(url))
        for field in fields where !Self.isAddedByClients(field.name) {
            words += ["-H", Self.quoted("\(field.name): \(field.value)")]
        }
        if !body.isEmpty { words += Self.words(ofBody: body) }
        text = words.joined(separator: " ")
    }

    /// Whether every client adds a header of this name, so that it says nothing about the call.
    private static func isAddedByClients(_ name: String) -> Bool {
        let name = name.lowercased()
        return HTTPField.ofConnection.contains(name)
            || ["accept", "accept-encoding", "accept-language", "host", "user-agent"].contains(name)
    }

    /// The longest body in bytes that is shown: a message about a test is read by a person.
    private static let maxBody = 2000
    /// Bytes that no message shows, in place of those of a file.
    private static let unshown: [UInt8] = [0]

    /// Returns the option with a body. A long one, or one that is not text, is a file `body` that does not exist.
    private static func words(ofBody body: [UInt8]) -> [String] {
        let text = String(decoding: body, as: UTF8.self)
        let isText = text.utf8.elementsEqual(body) && !body.contains(0)
        if isText, body.count <= maxBody { return ["--data-raw", quoted(text)] }
        return ["--data-binary", "@body"]
    }

    /// Returns a text that a POSIX shell reads as one word.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0.isURLByte }
        if isPlain, !text.isEmpty { return text }
        return "'" + text.replacingBytes(of: "'", with: #"'\''"#) + "'"
    }
}

extension UInt8 {
    /// Whether a shell reads the byte as it is: a letter, a digit, or one of `-._~:/%+@=,`.
    fileprivate var isURLByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~:/%+@=,".utf8.contains(self)
        }
    }
}

import EndpointKit
import JSONText

/// Prints what `-v` shows on stderr: request and response headers, and text bodies that are sent.
///
/// A line starts with `>` if it was sent, with `<` if it was received, and with `*` if the transport reports it.
/// Secrets are redacted, and control characters are shown as escapes.
struct WireView: Sendable {
    let output: any ByteOutput
    /// The number of times that `-v` is given.
    let verbosity: Int
    let redactor: Redactor
    /// The request's body; nil if the request has none, or if it is read from files.
    var body: [UInt8]?

    /// The greatest number of bytes of a body that are shown, about a screenful.
    private static let maxBody = 2048

    /// Writes the lines about an event of the transfer. Reports of the transport itself, such as those about TLS, are
    /// only shown with `-vv`.
    func show(_ event: TransferEvent) {
        switch event {
        case .requestHead(let head):
            writeLines(head, prefix: "> ")
            // A redirect may have turned the request into a GET without a body, so that the head decides.
            if let body, !body.isEmpty, Self.announcesBody(head) { writeBody(body) }
        case .responseHead(let head):
            writeLines(head, prefix: "< ")
        case .information(let line):
            if verbosity > 1 { writeLines(line.exactBytes, prefix: "* ") }
        }
    }

    /// Returns whether the head of a request says that a body follows (RFC 9112, section 6).
    private static func announcesBody(_ head: [UInt8]) -> Bool {
        let lines = String(decoding: head, as: UTF8.self).lowercased().split(whereSeparator: \.isNewline)
        return lines.contains { $0.hasPrefix("content-length:") || $0.hasPrefix("transfer-encoding:") }
    }

    /// Writes the lines of a text body, or a note about a binary or long one.
    private func writeBody(_ body: [UInt8]) {
        let isCut = body.count > Self.maxBody
        // A body that is cut may end with the beginning of a secret, which the redactor then removes too.
        let shownBytes = redactor.redact(Array(body.prefix(Self.maxBody)), isCut: isCut)
        let isBinary = shownBytes.contains(0)
        var lines: [String]
        if isBinary {
            lines = ["(binary data, \(ByteCountText.shown(body.count)))"]
        } else {
            lines = String(exactBytes: shownBytes).split(separator: "\n").map { String($0).safeToShow }
        }
        if isCut { lines.append("… \(ByteCountText.shown(body.count)) in all") }
        write(lines, prefix: "> ")
    }

    /// Writes the lines of a head or a message without secrets, each after the prefix.
    private func writeLines(_ bytes: [UInt8], prefix: String) {
        // The text is redacted before it is split, because a secret may be folded over two lines.
        let redactedBytes = redactor.redact(String(exactBytes: bytes)).exactBytes
        let lines = redactedBytes.split(separator: UInt8(ascii: "\n")).map { line in
            let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return Self.withoutCredentials(String(exactBytes: content)).safeToShow
        }
        write(lines, prefix: prefix)
    }

    /// Writes lines, each after the prefix. An error is ignored, because a log that can't be written must not stop the
    /// call.
    private func write(_ lines: [String], prefix: String) {
        try? output.write(lines.map { "\(prefix)\($0)\n" }.joined())
    }

    /// Returns a header line without the values of cookies, and without credentials that the transport has added. Any
    /// other line is returned unchanged.
    ///
    ///     Authorization: Basic YTpi    →    Authorization: Basic (redacted)
    ///     Cookie: id=1                 →    Cookie: (redacted)
    ///     Set-Cookie: id=1; Path=/     →    Set-Cookie: id=(redacted); Path=/
    private static func withoutCredentials(_ line: String) -> String {
        let nameAndValue = line.split(separator: ":", maxSplits: 1)
        guard nameAndValue.count == 2 else { return line }
        let name = nameAndValue[0]
        let value = nameAndValue[1]
        switch name.lowercased() {
        case "set-cookie":
            return "\(name):\(withoutCookieValue(value))"
        case "cookie":
            return "\(name): (redacted)"
        case let lowercasedName where HTTPField.isConfidential(lowercasedName):
            // A value of two words begins with a scheme such as `Basic` (RFC 9110, section 11.4), which is no secret.
            let words = value.split(separator: " ", maxSplits: 1)
            return words.count == 2 ? "\(name): \(words[0]) (redacted)" : "\(name): (redacted)"
        default:
            return line
        }
    }

    /// Returns the value of `Set-Cookie` with `(redacted)` in place of the cookie's value. Name and attributes stay:
    ///
    ///     id=1; Path=/    →    id=(redacted); Path=/
    private static func withoutCookieValue(_ setCookie: Substring) -> String {
        let pair = setCookie.prefix { $0 != ";" }
        let attributes = setCookie[pair.endIndex...]
        let name = pair.firstIndex(of: "=").map { pair[...$0] } ?? " "
        return "\(name)(redacted)\(attributes)"
    }
}

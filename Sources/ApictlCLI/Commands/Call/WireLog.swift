import EndpointKit
import JSONText

/// Prints request and response headers on stderr for `-v`, and text bodies that are sent: `>` sent, `<` received, `*` reported by the
/// transport.
///
/// Secrets are redacted, and control characters are shown as escapes.
struct WireLog: Sendable {
    let output: any ByteOutput
    let verbosity: Int
    let redactor: Redactor
    let colors: HeadColors
    /// The request's body; nil if it has none or is read from files.
    var body: [UInt8]?

    /// How much of a body is shown, in bytes.
    private static let longestBody = 2048

    func show(_ event: TransferEvent) {
        switch event {
        case .requestHead(let bytes):
            write(bytes, prefix: "> ")
            // A redirect may have made it a GET without a body.
            if let body, !body.isEmpty, announcesBody(bytes) { writeBody(body) }
        case .responseHead(let bytes): write(bytes, prefix: "< ")
        case .information(let line): if verbosity > 1 { write(line.exactBytes, prefix: "* ") }
        }
    }

    private func announcesBody(_ head: [UInt8]) -> Bool {
        head.split(separator: UInt8(ascii: "\n")).contains { line in
            let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
            return name == "content-length" || name == "transfer-encoding"
        }
    }

    private func writeBody(_ body: [UInt8]) {
        let shown = redactor.redact(Array(body.prefix(Self.longestBody)), isCut: body.count > Self.longestBody)
        var lines = String(exactBytes: shown).split(separator: "\n").map { String($0).safeToShow }
        if shown.contains(0) { lines = ["(binary data, \(ByteCountText.shown(body.count)))"] }
        if body.count > Self.longestBody { lines.append("… \(ByteCountText.shown(body.count)) in all") }
        try? output.write(lines.map { "> \($0)\n" }.joined())
    }

    private func write(_ bytes: [UInt8], prefix: String) {
        // Redacted before it is split into lines: a secret may be folded over two of them.
        let lines = redactor.redact(String(exactBytes: bytes)).exactBytes.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true
        ).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
        let text = lines.map { line in
            let shown = shown(String(exactBytes: line)).safeToShow
            return prefix + (prefix == "* " ? shown : colors.line(shown)) + "\n"
        }
        // A log that can't be written must not stop the call.
        try? output.write(text.joined())
    }

    /// `line` without the values of cookies and of credential headers that a transport adds. The auth scheme stays visible.
    private func shown(_ line: String) -> String {
        let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return line }
        if parts[0].lowercased() == "set-cookie" { return "\(parts[0]):\(cookie(parts[1]))" }
        guard Header.isConfidential(parts[0]) else { return line }
        let words = parts[1].split(separator: " ", maxSplits: 1)
        // A cookie has no scheme: its first word is secret too.
        let scheme = words.count == 2 && parts[0].lowercased() != "cookie" ? "\(words[0]) " : ""
        return "\(parts[0]): \(scheme)(redacted)"
    }
}

extension WireLog {
    /// The value of `Set-Cookie` with the cookie's own value redacted (RFC 6265, section 4.1).
    private func cookie(_ text: String) -> String {
        let pair = text.prefix { $0 != ";" }
        guard let equals = pair.firstIndex(of: "=") else { return " (redacted)" + text[pair.endIndex...] }
        return "\(pair[...equals])(redacted)\(text[pair.endIndex...])"
    }
}

extension Request {
    /// The request line and headers, with secrets redacted, of a request that is not sent.
    func shownHeaders(_ colors: HeadColors?) -> String {
        let fields = headers.map { $0.isConfidential ? "\($0.name): (redacted)" : $0.description }
        return ([method.rawValue + " " + redactedURL] + fields)
            .map { colors?.line($0.safeToShow) ?? $0.safeToShow }.joined(separator: "\n")
    }
}

extension ResponseHead {
    /// The status line and headers, and an empty line.
    func shown(_ redactor: Redactor, _ colors: HeadColors) -> String {
        let status = [version, String(status), reason].filter { !$0.isEmpty }.joined(separator: " ")
        let lines = [status] + fields.map { "\($0.name): \($0.value)" }
        return lines.map { colors.line(redactor.redact($0).safeToShow) + "\n" }.joined() + "\n"
    }
}

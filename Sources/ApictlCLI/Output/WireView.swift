import EndpointKit
import JSONText

/// Prints request and response headers on stderr for `-v`, and text bodies that are sent.
///
/// A line starts with `>` if it was sent, with `<` if it was received, and with `*` if the transport reports it. Secrets
/// are redacted, and control characters are shown as escapes.
struct WireView: Sendable {
    let output: any ByteOutput
    let verbosity: Int
    let redactor: Redactor
    /// The request's body; nil if it has none or is read from files.
    var body: [UInt8]?

    /// How much of a body is shown, in bytes.
    private static let maxBody = 2048

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
        let lines = String(decoding: head, as: UTF8.self).lowercased().split(whereSeparator: \.isNewline)
        return lines.contains { $0.hasPrefix("content-length:") || $0.hasPrefix("transfer-encoding:") }
    }

    private func writeBody(_ body: [UInt8]) {
        let shown = redactor.redact(Array(body.prefix(Self.maxBody)), isCut: body.count > Self.maxBody)
        var lines = String(exactBytes: shown).split(separator: "\n").map { String($0).safeToShow }
        if shown.contains(0) { lines = ["(binary data, \(ByteCountText.shown(body.count)))"] }
        if body.count > Self.maxBody { lines.append("… \(ByteCountText.shown(body.count)) in all") }
        try? output.write(lines.map { "> \($0)\n" }.joined())
    }

    private func write(_ bytes: [UInt8], prefix: String) {
        // Redacted before it is split into lines: a secret may be folded over two of them.
        let lines = redactor.redact(String(exactBytes: bytes)).exactBytes.split(separator: UInt8(ascii: "\n"))
        let text = lines.map { line in
            prefix + shown(String(exactBytes: line.last == UInt8(ascii: "\r") ? line.dropLast() : line)).safeToShow
                + "\n"
        }
        // A log that can't be written must not stop the call.
        try? output.write(text.joined())
    }

    /// Returns `line` without the values of cookies and of credential headers that a transport adds.
    ///
    /// The authentication scheme and the name of a cookie that is set stay visible.
    private func shown(_ line: String) -> String {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return line }
        let (name, value) = (parts[0].lowercased(), parts[1])
        if name == "set-cookie" {
            let pair = value.prefix { $0 != ";" }
            let start = pair.firstIndex(of: "=").map { pair[...$0] } ?? " "
            return "\(parts[0]):\(start)(redacted)\(value[pair.endIndex...])"
        }
        guard Header.isConfidential(name) else { return line }
        let words = value.split(separator: " ", maxSplits: 1)
        // A cookie has no scheme: its first word is secret too.
        let scheme = words.count == 2 && name != "cookie" ? "\(words[0]) " : ""
        return "\(parts[0]): \(scheme)(redacted)"
    }
}

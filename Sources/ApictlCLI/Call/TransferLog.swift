import EndpointKit
import JSONText
import Synchronization

/// What happens during an exchange: attempts, times, the last response's headers, what has been written. It reports retries, and shows
/// headers and steps as they come.
final class TransferLog: Sendable {
    private struct State {
        var attempts = 1
        var retryDenial: RetryPolicy.Refusal?
        var transfers: [TransferTimes] = []
        var head: ResponseHead?
        var hasPrinted = false
        var fileBytes = 0
    }

    private let state = Mutex(State())
    /// The start of each note: the tool and the endpoint.
    private let subject: String
    /// Nil notes nothing.
    private let notes: (any ByteOutput)?
    private let redactor: Redactor
    private let wire: WireView?

    init(subject: String, notes: (any ByteOutput)?, redactor: Redactor, wire: WireView?) {
        self.subject = subject
        self.notes = notes
        self.redactor = redactor
        self.wire = wire
    }

    /// How many requests were sent, redirects not counted.
    var attempts: Int { state.withLock(\.attempts) }
    /// Why there was no retry although retries were left.
    var retryDenial: RetryPolicy.Refusal? { state.withLock(\.retryDenial) }
    /// The transfers, redirects among them, in the order they ended.
    var transfers: [TransferTimes] { state.withLock(\.transfers) }
    /// The last response's headers, without secrets.
    var head: ResponseHead? { state.withLock(\.head) }
    /// Whether anything has been written to stdout.
    var hasPrinted: Bool { state.withLock(\.hasPrinted) }
    /// The bytes written to a file since the last ``undo(_:)``.
    var fileBytes: Int { state.withLock(\.fileBytes) }

    func add(_ event: TransferEvent) { wire?.show(event) }
    func add(_ times: TransferTimes) { state.withLock { $0.transfers.append(times) } }
    func add(_ head: ResponseHead) { state.withLock { $0.head = head } }
    func add(_ denial: RetryPolicy.Refusal) { state.withLock { $0.retryDenial = denial } }
    func addFile(_ count: Int) { state.withLock { $0.fileBytes += count } }

    func add(_ retry: RetryPolicy.Retry) {
        state.withLock { $0.attempts = retry.number + 1 }
        let when = retry.wait == .zero ? "now" : "in \(retry.wait.shown)"
        note("\(redactor.redact(retry.reason)); trying again \(when) (\(retry.number) of \(retry.count))")
    }

    /// Writes a note about the call. One that can't be written must not stop it.
    func note(_ line: String) { try? notes?.write("\(subject): \(line.safeToShow)\n") }

    /// Undoes what has been written to `file`, for another attempt; false if anything has been written that can't be undone.
    func undo(_ file: (any FileReplacement)?) -> Bool {
        state.withLock { state in
            if state.hasPrinted { return false }
            guard state.fileBytes > 0, let file else { return true }
            // Output to a file that can't be rewound, like output to stdout, can't be undone.
            guard (try? file.restart()) == true else { return false }
            state.fileBytes = 0
            return true
        }
    }

    /// `output`, which notes here when something is written to it.
    func watching(_ output: any ByteOutput) -> any ByteOutput { WatchedOutput(output: output, log: self) }

    private struct WatchedOutput: ByteOutput {
        let output: any ByteOutput
        let log: TransferLog
        var isTerminal: Bool { output.isTerminal }
        var columns: Int? { output.columns }

        func write(_ bytes: [UInt8]) throws {
            if !bytes.isEmpty { log.state.withLock { $0.hasPrinted = true } }
            try output.write(bytes)
        }
    }
}

/// The text of `--timing`: one line per transfer, with aligned phases.
enum TimingText {
    static func text(_ transfers: [TransferTimes]) -> String {
        let rows = transfers.map(cells)
        let widths = rows.reduce(into: [Int](repeating: 0, count: 8)) { widths, row in
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell?.value.count ?? 0) }
        }
        let lines = rows.map { row in
            zip(row, widths).map { cell, width in
                guard let cell else { return "" }
                if cell.name.isEmpty || cell.value.isEmpty { return cell.name + cell.value }
                return cell.name + String(repeating: " ", count: width - cell.value.count) + cell.value
            }
        }
        return aligned(lines).map { "timing: \($0)\n" }.joined()
    }

    /// A phase's name and duration.
    private typealias Cell = (name: String, value: String)

    private static func cells(_ times: TransferTimes) -> [Cell?] {
        func phase(_ name: String, _ time: Duration) -> Cell { ("\(name) ", time.shownAsPhase) }
        let isNew = !times.reusedConnection
        let hasResponse = times.status != nil
        return [
            ("", times.status.map(String.init) ?? "no response"),
            isNew ? phase("name lookup", times.nameLookup) : ("connection reused", ""),
            isNew ? phase("connect", times.connect) : nil,
            isNew ? times.tls.map { phase("TLS", $0) } : nil,
            hasResponse ? phase("first byte", times.firstByte) : nil,
            hasResponse ? phase("content", times.content) : nil,
            phase("total", times.total),
            hasResponse ? ("", size(times)) : nil,
        ]
    }

    /// The body's size and the average speed over the whole transfer, as in curl.
    private static func size(_ times: TransferTimes) -> String {
        let bytes = Int(max(times.receivedBytes, 0))
        let seconds = times.total.inSeconds
        guard bytes > 0, seconds > 0 else { return ByteCountText.shown(bytes) }
        // A higher rate is a measuring error, and would overflow.
        let rate = Int(min(Double(bytes) / seconds, 1e18))
        return "\(ByteCountText.shown(bytes)) at \(ByteCountText.shown(rate))/s"
    }

    /// Joins the cells of each line with commas, in aligned columns; columns that are empty in all lines are omitted.
    private static func aligned(_ lines: [[String]]) -> [String] {
        let columns = lines.first?.indices.filter { column in lines.contains { !$0[column].isEmpty } } ?? []
        let widths = columns.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            let last = columns.last { !cells[$0].isEmpty }
            return zip(columns, widths).map { column, width in
                let cell = cells[column]
                if column == last { return cell }
                let comma = cell.isEmpty ? "  " : ", "
                return last.map { column < $0 } == true
                    ? cell + comma + String(repeating: " ", count: width - cell.count) : ""
            }.joined()
        }
    }
}

/// Prints request and response headers on stderr for `-v`, and text bodies that are sent: `>` sent, `<` received, `*` reported by the
/// transport.
///
/// Secrets are redacted, and control characters are shown as escapes.
struct WireView: Sendable {
    let output: any ByteOutput
    let verbosity: Int
    let redactor: Redactor
    let colors: HeadColors
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
        head.split(separator: UInt8(ascii: "\n")).contains { line in
            let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
            return name == "content-length" || name == "transfer-encoding"
        }
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

extension WireView {
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

extension RetryPolicy.Refusal {
    /// The denial as a sentence.
    var sentence: String {
        switch self {
        case .exceedsMaxTime(let retry) where retry.isRequestedByServer:
            "Not retried: the server asks to wait \(retry.wait.shown), longer than --max-time allows."
        case .exceedsMaxTime(let retry):
            "Not retried: the wait of \(retry.wait.shown) is longer than --max-time allows."
        case .exceedsLongestWait(let retry):
            "Not retried: \(retry.isRequestedByServer ? "the server asks to wait" : "the wait would be") \(retry.wait.shown). "
                + "To wait that long: --max-time 0"
        case .unsafeMethod(let method):
            "Not retried: the server may already have processed the \(method). To retry anyway: --retry-unsafe"
        case .partlyDelivered: "Not retried: part of the response has already been written."
        }
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

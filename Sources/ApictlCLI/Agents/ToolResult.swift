import EndpointKit
import JSONText

/// The result of a tool: one or more texts for the model.
struct ToolResult: Sendable {
    var texts: [String]
    var isError = false

    /// The members of the response to `tools/call`:
    ///
    ///     {"content": [{"type": "text", "text": "…"}], "isError": true}
    var members: JSONMembers {
        let content = texts.map { JSONValue(members: ["type": "text", "text": $0]) }
        return JSONValue(members: ["content": content, "isError": isError ? true : nil]).pairs
    }
}

extension ToolResult {
    /// Makes a result of one text, in which hidden characters are escaped. A longer text than `maxBytes` is cut.
    init(text: String, isError: Bool = false, maxBytes: Int) {
        texts = [text.safeForModels.cut(to: maxBytes)]
        self.isError = isError
    }

    /// Makes the result of a call that has succeeded: the response, and the notes that `call` would write to stderr.
    ///
    /// - Parameters:
    ///   - exchange: The exchange with the server.
    ///   - printed: The text that the call has printed on stdout.
    ///   - notes: The text that it has printed on stderr.
    ///   - arguments: The arguments that choose a part of the result.
    ///   - maxBytes: The longest text of the response. An outline replaces a longer one.
    init(of exchange: Exchange, printed: [UInt8], notes: [UInt8], arguments: ToolArguments, maxBytes: Int) {
        let response = PrintedResponse(of: exchange, printed: printed, arguments: arguments, maxBytes: maxBytes)
        texts = [response.text.cut(to: maxBytes)]
        let notesText = exchange.redactor.redact(String(exactBytes: notes)).trimmingLineBreaks.safeForModels
        if !notesText.isEmpty { texts.append(notesText) }
    }

    /// Makes the result of a call that has failed: the problem, its kind, advice, and the beginning of the response.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - endpoint: The name of the endpoint; nil if the call failed before the endpoint was known.
    ///   - redactor: Removes the call's secrets from the text; nil if nothing was sent.
    ///   - printed: The text that the call printed before it failed.
    ///   - maxBytes: The longest text. A longer one is cut.
    init(
        failure error: any Error, of endpoint: String? = nil, redactor: Redactor? = nil, printed: [UInt8] = [],
        maxBytes: Int
    ) {
        let failure = Failure(error, endpoint: endpoint)
        var lines = [
            failure.message, "Kind of failure: \(failure.code.kind) (exit code \(failure.code.rawValue)).",
        ]
        lines += failure.hints.filter(\.isForAgents).map(\.text)
        if !printed.isEmpty { lines.append("The response:\n" + String(decoding: printed, as: UTF8.self)) }
        let text = lines.joined(separator: "\n")
        self.init(text: redactor?.redact(text) ?? text, isError: true, maxBytes: maxBytes)
    }
}

/// A response as a text for a model.
private struct PrintedResponse {
    private let exchange: Exchange
    /// The text that the call has printed, without secrets.
    private let redactedBytes: [UInt8]
    /// The length of the printed text before secrets were removed, in bytes.
    private let printedCount: Int
    private let arguments: ToolArguments
    private let maxBytes: Int

    /// The status and headers of the response; nil if there was none, as with a sample.
    private var head: ResponseHead? { exchange.log.snapshot.head }

    /// Prepares the text of a response: removes secrets from what the call has printed.
    ///
    /// - Parameters:
    ///   - exchange: The exchange with the server, which knows the secrets.
    ///   - printed: The text that the call has printed on stdout.
    ///   - arguments: The arguments that choose a part of the result.
    ///   - maxBytes: The longest text.
    init(of exchange: Exchange, printed: [UInt8], arguments: ToolArguments, maxBytes: Int) {
        self.exchange = exchange
        self.arguments = arguments
        self.maxBytes = maxBytes
        redactedBytes = exchange.redactor.redact(printed)
        printedCount = printed.count
    }

    /// The text for the model.
    ///
    /// | Printed text | Result |
    /// |---|---|
    /// | none | the headers or a note, see ``emptyBodyText`` |
    /// | binary | a note such as `(image/png, 2048 bytes, not shown)` |
    /// | at most ``maxBytes`` | the whole text |
    /// | longer, JSON | a ``ResultOutline`` |
    /// | longer, not JSON | the beginning, after a note |
    var text: String {
        if redactedBytes.isEmpty { return exchange.redactor.redact(emptyBodyText).safeForModels }
        if isBinary {
            let type = head?.mediaType(redactedBy: exchange.redactor) ?? "binary data"
            return "(\(type), \(printedCount) bytes, not shown)".safeForModels
        }
        // One byte more than fits, because the last byte of a text is usually a line break, which is trimmed.
        let firstBytes = redactedBytes.prefix(maxBytes + 1)
        let beginning = String(decoding: firstBytes, as: UTF8.self).trimmingLineBreaks.safeForModels
        // Further line breaks at the end of the text are trimmed too, so that only other bytes beyond the beginning
        // count.
        let isWhole = redactedBytes.dropFirst(maxBytes + 1).allSatisfy { $0 == UInt8(ascii: "\n") }
        // Escapes may have made the beginning longer than the limit, even if it is the whole text.
        if isWhole, beginning.utf8.count <= maxBytes { return beginning }
        if let json { return ResultOutline(json, arguments).text(totalBytes: redactedBytes.count, maxBytes: maxBytes) }
        return "(the first of \(redactedBytes.count) bytes; a larger --max-bytes allows more)\n" + beginning
    }

    /// The text in place of an empty body: the headers for HEAD and OPTIONS, for which they are the result, or else a
    /// note.
    ///
    /// The note is such as `(204 No Content, no body)`, or `(200 OK, nothing found at results.name)` after a selection.
    private var emptyBodyText: String {
        let method = exchange.plan.endpoint.method
        if method == .head || method == .options { return head?.lines.joined(separator: "\n") ?? "" }
        let reason = arguments.select.map { "nothing found at \($0)" } ?? "no body"
        return "(\(head?.statusText ?? ""), \(reason))"
    }

    /// Whether the printed text has a zero byte near its beginning, or is not UTF-8.
    private var isBinary: Bool {
        // A zero byte near the beginning is what other tools look for too, such as git.
        let hasZeroByte = redactedBytes.prefix(8192).contains(0)
        return hasZeroByte || String(validating: redactedBytes, as: UTF8.self) == nil
    }

    /// The JSON of the response; nil if the printed text is not JSON.
    ///
    /// A selection prints each value on a line of its own. These values become an array.
    private var json: JSONValue? {
        if arguments.select == nil { return try? JSONValue(text: redactedBytes) }
        let lines = redactedBytes.split(separator: UInt8(ascii: "\n"))
        let elements = lines.joined(separator: ",".utf8)
        return try? JSONValue(text: Array("[".utf8) + elements + Array("]".utf8))
    }
}

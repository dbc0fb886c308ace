import EndpointKit

/// Parses response heads line by line, as libcurl delivers them: a status line, headers, an empty line.
///
/// Interim heads and the final one pass through the same parser in turn.
struct HeadParser {
    /// The number of bytes that all heads of one transfer may have together, the trailer section included.
    ///
    /// It is below the limit of libcurl (300 kB since version 8.3), so that the error is the same with every version.
    static let maxBytes = 256 << 10

    private let server: TransportError.Peer
    private var byteCount = 0
    /// The head that has begun and is not complete.
    private var head: ResponseHead?
    /// The last header's value while further lines may continue it. It is kept apart so that each line is appended
    /// once.
    private var lastValue: [UInt8]?

    init(server: TransportError.Peer) { self.server = server }

    /// Whether a head has begun and is not complete.
    var isInHead: Bool { head != nil }

    /// Parses the next line of a response's headers.
    ///
    /// For example, the lines `HTTP/1.1 200 OK`, `Content-Type: text/plain` and an empty one make a head.
    ///
    /// - Parameters:
    ///   - line: The line, with its line break.
    ///   - isTrailer: Whether the line belongs to the trailer section, whose fields are only counted.
    /// - Returns: The head, if this line is its last one, and otherwise nil.
    /// - Throws: ``TransportError`` if the heads are too long, or a head does not start with a status line.
    mutating func parseLine(
        _ line: UnsafeRawBufferPointer, isTrailer: Bool = false
    ) throws(TransportError) -> ResponseHead? {
        byteCount += line.count
        guard byteCount <= Self.maxBytes else {
            throw TransportError(.headersTooLarge, server: server, detail: "more than \(Self.maxBytes) bytes")
        }
        if isTrailer { return nil }
        let text = Self.trimmed(line)
        if !isInHead {
            // Empty lines before a status line are skipped.
            if !text.isEmpty { head = try parseStatusLine(text) }
            return nil
        }
        let startsWithBlank = line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t")
        if startsWithBlank {
            continueField(text)
        } else if text.isEmpty {
            return endHead()
        } else {
            beginField(text)
        }
        return nil
    }

    /// Appends a line that starts with a blank to the header before it. The line break between them counts as one space
    /// (RFC 9112, section 5.2).
    private mutating func continueField(_ text: UnsafeRawBufferPointer) {
        if lastValue?.isEmpty == false, !text.isEmpty { lastValue?.append(UInt8(ascii: " ")) }
        lastValue?.append(contentsOf: text)
    }

    /// Adds a header, such as `Name: value`. A line without a colon is left out.
    ///
    /// The value is kept apart, because the next line may continue it.
    private mutating func beginField(_ text: UnsafeRawBufferPointer) {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return }
        endField()
        let name = Self.trimmed(UnsafeRawBufferPointer(rebasing: text[..<colon]))
        head?.fields.append(.init(String(exactBytes: name), ""))
        lastValue = Array(Self.trimmed(UnsafeRawBufferPointer(rebasing: text[(colon + 1)...])))
    }

    /// Gives the last header its value, once no line can continue it.
    private mutating func endField() {
        guard let lastValue, let lastIndex = head?.fields.indices.last else { return }
        head?.fields[lastIndex].value = String(exactBytes: lastValue)
        self.lastValue = nil
    }

    /// Completes the head at its empty line, and returns it.
    private mutating func endHead() -> ResponseHead? {
        endField()
        defer { head = nil }
        return head
    }

    /// Parses a status line such as `HTTP/1.1 200 OK`, also without the reason (RFC 9112, section 4).
    ///
    /// - Throws: `TransportError` if the line has no status of three digits after the version.
    private func parseStatusLine(_ text: UnsafeRawBufferPointer) throws(TransportError) -> ResponseHead {
        let versionAndRest = text.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard versionAndRest.count == 2 else { throw noStatusLineError }
        let statusAndReason = Self.trimmed(UnsafeRawBufferPointer(rebasing: versionAndRest[1]))
        let digits = statusAndReason.prefix(while: \.isDigit)
        guard digits.count == 3, let status = Int(String(exactBytes: digits)) else { throw noStatusLineError }
        let reason = Self.trimmed(UnsafeRawBufferPointer(rebasing: statusAndReason[digits.endIndex...]))
        return ResponseHead(
            version: String(exactBytes: versionAndRest[0]), status: status, reason: String(exactBytes: reason))
    }

    private var noStatusLineError: TransportError {
        TransportError(.notHTTP, server: server, detail: "no status line")
    }

    /// Returns `text` without blanks and line breaks at its ends.
    private static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        guard let start = text.firstIndex(where: { !isBlank($0) }), let end = text.lastIndex(where: { !isBlank($0) })
        else { return UnsafeRawBufferPointer(rebasing: text[..<text.startIndex]) }
        return UnsafeRawBufferPointer(rebasing: text[start...end])
    }
}

import EndpointKit

/// Parses response heads line by line, as libcurl delivers them: a status line, headers, an empty line.
///
/// Interim heads and the final one pass through the same parser in turn.
struct HeadParser {
    /// The bytes that all heads of one transfer may have together, the trailer section included.
    static let limit = 1 << 20

    private let server: TransportError.Peer
    private var byteCount = 0
    private var head: ResponseHead?
    /// The last header's value while further lines may continue it: kept apart so that each line is appended once.
    private var value: [UInt8]?

    init(server: TransportError.Peer) { self.server = server }

    /// Whether a head has begun and is not complete.
    var isInHead: Bool { head != nil }

    /// Takes one line with its line break and returns the head that its empty line completes. Trailer lines are only counted.
    mutating func take(_ line: UnsafeRawBufferPointer, isTrailer: Bool = false) throws(TransportError) -> ResponseHead?
    {
        byteCount += line.count
        guard byteCount <= Self.limit else {
            throw TransportError(.headersTooLarge, server: server, detail: "more than \(Self.limit) bytes")
        }
        if isTrailer { return nil }
        let text = Self.trimmed(line)
        guard head != nil else {
            guard !text.isEmpty else { return nil }
            head = Self.statusLine(text)
            guard head != nil else {
                throw TransportError(.notHTTP, server: server, detail: "no status line")
            }
            return nil
        }
        if text.isEmpty, line.first.map({ $0 == 0x0D || $0 == 0x0A }) ?? true {
            endField()
            defer { head = nil }
            return head
        }
        if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            // It continues the header before it; the line break counts as one space (RFC 9112, section 5.2).
            if value?.isEmpty == false, !text.isEmpty { value?.append(UInt8(ascii: " ")) }
            value?.append(contentsOf: text)
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            let name = Self.trimmed(UnsafeRawBufferPointer(rebasing: text[..<colon]))
            endField()
            head?.fields.append(.init(String(exactBytes: name), ""))
            value = Array(Self.trimmed(UnsafeRawBufferPointer(rebasing: text[(colon + 1)...])))
        }
        return nil
    }

    private mutating func endField() {
        guard let value, let last = head?.fields.indices.last else { return }
        head?.fields[last].value = String(exactBytes: value)
        self.value = nil
    }

    /// `HTTP/1.1 200 OK`, also without the reason (RFC 9112, section 4).
    private static func statusLine(_ text: UnsafeRawBufferPointer) -> ResponseHead? {
        let parts = text.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let rest = trimmed(UnsafeRawBufferPointer(rebasing: parts[1]))
        let digits = rest.prefix(while: \.isDigit)
        guard digits.count == 3 else { return nil }
        let status = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        let reason = trimmed(UnsafeRawBufferPointer(rebasing: rest[digits.endIndex...]))
        return ResponseHead(
            version: String(exactBytes: parts[0]), status: status, reason: String(exactBytes: reason))
    }

    /// Without blanks and line breaks at its ends.
    private static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        guard let start = text.firstIndex(where: { !isBlank($0) }), let end = text.lastIndex(where: { !isBlank($0) })
        else { return UnsafeRawBufferPointer(rebasing: text[..<text.startIndex]) }
        return UnsafeRawBufferPointer(rebasing: text[start...end])
    }
}

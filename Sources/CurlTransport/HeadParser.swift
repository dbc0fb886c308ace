import EndpointKit

/// Parses response heads line by line, as libcurl delivers them: a status line, headers, an empty line.
///
/// Interim heads and the final one pass through the same parser in turn.
struct HeadParser {
    /// The bytes that all heads of one transfer may have together, the trailer section included.
    static let limit = 1 << 20

    enum Problem: Error, Equatable {
        case tooLarge
        case noStatus
    }

    private var byteCount = 0
    private var head: ResponseHead?
    /// The last header's value while further lines may continue it: kept apart so that each line is appended once.
    private var value: [UInt8]?

    /// Whether a head has begun and is not complete.
    var isInHead: Bool { head != nil }

    /// Takes one line with its line break and returns the head that its empty line completes. Trailer lines are only counted.
    mutating func take(_ line: UnsafeRawBufferPointer, isTrailer: Bool = false) throws(Problem) -> ResponseHead? {
        byteCount += line.count
        guard byteCount <= Self.limit else { throw .tooLarge }
        if isTrailer { return nil }
        let text = Self.trimmed(line)
        guard head != nil else {
            guard !text.isEmpty else { return nil }
            head = try Self.statusLine(text)
            return nil
        }
        if text.isEmpty, Self.startsWithLineBreak(line) {
            endField()
            defer { head = nil }
            return head
        }
        if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            unfold(text)
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            let name = Self.trimmed(UnsafeRawBufferPointer(rebasing: text[..<colon]))
            endField()
            head?.fields.append(.init(String(exactBytes: name), ""))
            value = Array(Self.trimmed(UnsafeRawBufferPointer(rebasing: text[(colon + 1)...])))
        }
        return nil
    }

    /// A line that starts with a space continues the header before it; the line break counts as one space (RFC 9112, section 5.2).
    private mutating func unfold(_ text: UnsafeRawBufferPointer) {
        guard !text.isEmpty else { return }
        if value?.isEmpty == false { value?.append(UInt8(ascii: " ")) }
        value?.append(contentsOf: text)
    }

    private mutating func endField() {
        guard let value, let last = head?.fields.indices.last else { return }
        head?.fields[last].value = String(exactBytes: value)
        self.value = nil
    }

    /// `HTTP/1.1 200 OK`, also without the reason (RFC 9112, section 4).
    private static func statusLine(_ text: UnsafeRawBufferPointer) throws(Problem) -> ResponseHead {
        let parts = text.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2 else { throw .noStatus }
        let rest = trimmed(UnsafeRawBufferPointer(rebasing: parts[1]))
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard digits.count == 3 else { throw .noStatus }
        let status = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        let reason = trimmed(UnsafeRawBufferPointer(rebasing: rest[digits.endIndex...]))
        return ResponseHead(
            version: String(exactBytes: parts[0]), status: status, reason: String(exactBytes: reason))
    }

    private static func startsWithLineBreak(_ line: UnsafeRawBufferPointer) -> Bool {
        line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") || line.isEmpty
    }

    private static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        func isBlank(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
                || byte == UInt8(ascii: "\n")
        }
        guard let start = text.firstIndex(where: { !isBlank($0) }), let end = text.lastIndex(where: { !isBlank($0) })
        else { return UnsafeRawBufferPointer(rebasing: text[..<text.startIndex]) }
        return UnsafeRawBufferPointer(rebasing: text[start...end])
    }
}

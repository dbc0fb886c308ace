import JSONText

/// Reads the events of a body with the type `text/event-stream` (HTML Living Standard, section 9.2.6).
///
///     : a comment
///     event: price
///     data: {"euro": 5}
///
/// An event ends with an empty line. Its data are the values of its lines `data`, with line feeds between them. An event
/// without data, and one that the stream breaks off, are no events.
package struct EventStream {
    /// The bytes of the line that has not ended yet.
    private var line: [UInt8] = []
    /// The data of the event that has not ended yet; nil before its first line `data`.
    private var data: [UInt8]?
    /// Whether the last byte was a carriage return, so that a line feed belongs to the same end of a line.
    private var endsWithReturn = false
    private var isAtStart = true
    /// The most bytes of an event.
    private let limit: Int

    /// Makes a reader.
    ///
    /// - Parameter limit: The most bytes of an event.
    package init(limit: Int) { self.limit = limit }

    /// Reads the next bytes of the body.
    ///
    /// - Returns: The data of each event that ends in them.
    /// - Throws: ``BodyTooLarge`` for an event that is too long.
    package mutating func events(in chunk: [UInt8]) throws(BodyTooLarge) -> [[UInt8]] {
        var events: [[UInt8]] = []
        for byte in chunk {
            let isLineFeedAfterReturn = endsWithReturn && byte == UInt8(ascii: "\n")
            endsWithReturn = byte == UInt8(ascii: "\r")
            if isLineFeedAfterReturn { continue }
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                line.append(byte)
                if line.count + (data?.count ?? 0) > limit { throw BodyTooLarge(limit: limit) }
                continue
            }
            if let event = endLine() { events.append(event) }
        }
        return events
    }

    /// Ends a line.
    ///
    /// - Returns: The data of the event, if the line ends one.
    private mutating func endLine() -> [UInt8]? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart {
            isAtStart = false
            let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
            if line.starts(with: byteOrderMark) { line.removeFirst(byteOrderMark.count) }
        }
        if line.isEmpty {
            defer { data = nil }
            return data
        }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        guard name.elementsEqual("data".utf8) else { return nil }
        var value = line.dropFirst(name.count + 1)
        // One space after the colon belongs to the syntax.
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        data = data.map { $0 + [UInt8(ascii: "\n")] + value } ?? Array(value)
        return nil
    }
}

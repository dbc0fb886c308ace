import JSONText

/// Parses server-sent events: a body with the type `text/event-stream` (HTML Living Standard, section 9.2.6).
///
///     : a comment
///     event: price
///     data: {"euro": 5}
///
/// An event ends with an empty line. Its data are the values of its lines `data`, with line feeds between them. An
/// event without data is ignored, and so is one that the stream breaks off.
package struct EventStream {
    /// The bytes of the line that has not ended yet.
    private var line: [UInt8] = []
    /// The data of the event that has not ended yet; nil before its first line `data`.
    private var eventData: [UInt8]?
    /// Whether the last byte was a carriage return. A line feed right after it belongs to the same line break.
    private var endsWithReturn = false
    /// Whether the first line has not ended yet. It may begin with a byte order mark.
    private var isFirstLine = true
    /// The greatest number of bytes of an event.
    private let limit: Int

    /// Creates a parser of a body that has not been read yet.
    ///
    /// - Parameter limit: The greatest number of bytes of an event.
    package init(limit: Int) { self.limit = limit }

    /// Parses the next bytes of the body. An event that does not end in them continues in the next chunk.
    ///
    /// A line ends with a line feed, a carriage return, or both.
    ///
    /// - Parameter chunk: The bytes that follow those of the call before.
    /// - Returns: The data of each event that ends in these bytes.
    /// - Throws: ``BodyTooLarge`` for an event that is longer than the limit.
    package mutating func parseEvents(in chunk: [UInt8]) throws(BodyTooLarge) -> [[UInt8]] {
        var events: [[UInt8]] = []
        for byte in chunk {
            let isSecondHalfOfLineBreak = endsWithReturn && byte == UInt8(ascii: "\n")
            endsWithReturn = byte == UInt8(ascii: "\r")
            if isSecondHalfOfLineBreak { continue }
            let endsLine = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            if endsLine {
                if let event = endLine() { events.append(event) }
            } else {
                line.append(byte)
                if line.count + (eventData?.count ?? 0) > limit { throw BodyTooLarge(limit: limit) }
            }
        }
        return events
    }

    /// Interprets the line that has ended, and starts a new one.
    ///
    /// The value of a line `data` is added to ``eventData``. An empty line ends the event. Any other line is ignored.
    ///
    /// - Returns: The data of the event that ends with this line; nil if no event ends.
    private mutating func endLine() -> [UInt8]? {
        var endedLine = line[...]
        line = []
        if isFirstLine {
            isFirstLine = false
            let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
            if endedLine.starts(with: byteOrderMark) { endedLine = endedLine.dropFirst(byteOrderMark.count) }
        }
        if endedLine.isEmpty {
            let event = eventData
            eventData = nil
            return event
        }
        addData(of: endedLine)
        return nil
    }

    /// Adds the value of a line such as `data: {"euro": 5}` to ``eventData``. A line with another field is ignored.
    private mutating func addData(of line: ArraySlice<UInt8>) {
        let fieldName = line.prefix { $0 != UInt8(ascii: ":") }
        guard fieldName.elementsEqual("data".utf8) else { return }
        var value = line.dropFirst(fieldName.count + 1)
        // One space after the colon belongs to the syntax.
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        if eventData == nil {
            eventData = Array(value)
        } else {
            eventData?.append(UInt8(ascii: "\n"))
            eventData?.append(contentsOf: value)
        }
    }
}

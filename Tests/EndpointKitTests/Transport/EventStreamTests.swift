import TestSupport
import Testing

@testable import EndpointKit

@Suite struct EventStreamTests {
    /// Rows of a body and the data of its events.
    static let rows: [Row<String, [String]>] = [
        Row("two events", "data: a\n\ndata: b\n\n", ["a", "b"]),
        Row("two lines of one event", "data: a\ndata: b\n\n", ["a\nb"]),
        Row("one space after the colon is syntax", "data:a\n\ndata:  b\n\n", ["a", " b"]),
        Row("other line breaks", "data: a\r\n\r\ndata: b\r\r", ["a", "b"]),
        Row("a byte order mark", "\u{FEFF}data: a\n\n", ["a"]),
        Row("an event without data", ": comment\nevent: x\nid: 1\nretry: 5\n\n", []),
        Row("empty data", "data\n\n", [""]),
        Row("an event that is cut off", "data: cut off\n", []),
        Row("other fields", "data : a\ndatas: b\n\n", []),
        Row("empty lines around an event", "\n\n\ndata: é\n\n\n", ["é"]),
    ]

    @Test(arguments: rows) func `Events have the data of their lines`(_ row: Row<String, [String]>) throws {
        for chunkSize in [1, 2, 100] {
            var stream = EventStream(limit: 100)
            var events: [String] = []
            var unreadBody = row.input.bytes[...]
            while !unreadBody.isEmpty {
                for event in try stream.parseEvents(in: Array(unreadBody.prefix(chunkSize))) {
                    events.append(String(decoding: event, as: UTF8.self))
                }
                unreadBody = unreadBody.dropFirst(chunkSize)
            }
            #expect(events == row.expected, "in chunks of \(chunkSize)")
        }
    }

    @Test(arguments: ["data: 12345", "data:1\ndata:2\ndata:3\ndata:4\n"])
    func `An event that is too long ends the stream`(_ body: String) {
        var stream = EventStream(limit: 10)
        #expect(throws: BodyTooLarge.self) { try stream.parseEvents(in: body.bytes) }
    }
}

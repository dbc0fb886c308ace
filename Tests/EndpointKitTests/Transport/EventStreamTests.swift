import Testing

@testable import EndpointKit

@Suite struct EventStreamTests {
    /// Rows of a body and the data of its events.
    static let rows: [(body: String, events: [String])] = [
        ("data: a\n\ndata: b\n\n", ["a", "b"]),
        ("data: a\ndata: b\n\n", ["a\nb"]),
        ("data:a\n\ndata:  b\n\n", ["a", " b"]),
        ("data: a\r\n\r\ndata: b\r\r", ["a", "b"]),
        ("\u{FEFF}data: a\n\n", ["a"]),
        (": comment\nevent: x\nid: 1\nretry: 5\n\n", []),
        ("data\n\n", [""]),
        ("data: cut off\n", []),
        ("data : a\ndatas: b\n\n", []),
        ("\n\n\ndata: é\n\n\n", ["é"]),
    ]

    @Test(arguments: rows) func `Events have the data of their lines`(_ row: (body: String, events: [String])) throws {
        for size in [1, 2, 100] {
            var stream = EventStream(limit: 100)
            var events: [String] = []
            var rest = Array(row.body.utf8)[...]
            while !rest.isEmpty {
                events += try stream.parseEvents(in: Array(rest.prefix(size))).map { String(decoding: $0, as: UTF8.self) }
                rest = rest.dropFirst(size)
            }
            #expect(events == row.events, "in chunks of \(size)")
        }
    }

    @Test func `An event that is too long ends the stream`() throws {
        var oneLine = EventStream(limit: 10)
        #expect(throws: BodyTooLarge.self) { try oneLine.parseEvents(in: Array("data: 12345".utf8)) }
        var manyLines = EventStream(limit: 10)
        #expect(throws: BodyTooLarge.self) { try manyLines.parseEvents(in: Array("data:1\ndata:2\ndata:3\ndata:4\n".utf8)) }
    }
}

import EndpointKit
import TestSupport
import Testing

struct ResponseTests {
    static let mediaTypes: [Row<String?, String?>] = [
        Row("none", nil, nil),
        Row("plain", "application/json", "application/json"),
        Row("parameter", "application/json; charset=utf-8", "application/json"),
        Row("case", "Application/JSON;charset=utf-8", "application/json"),
        Row("white space", " \ttext/html\t ;a=b", "text/html"),
        Row("empty", "", nil),
        Row("only a parameter", "; charset=utf-8", nil),
        Row("only spaces", "  ", nil),
    ]

    @Test(arguments: mediaTypes)
    func `The media type has no parameters and is in lower case`(_ row: Row<String?, String?>) {
        let fields = row.input.map { [HTTPField("content-TYPE", $0)] } ?? []
        #expect(ResponseHead(status: 200, fields: fields).mediaType == row.expected)
    }

    @Test func `The first of several headers with the same name counts`() {
        let head = ResponseHead(status: 200, fields: [.init("A", "0"), .init("x-b", "1"), .init("X-B", "2")])
        #expect(head["X-b"] == "1")
        #expect(head["c"] == nil)
    }

    @Test func `A body in memory is read once`() async throws {
        let body = ResponseBody(bytes: "abc".bytes)
        #expect(try await body.collect() == "abc".bytes)
        #expect(try await body.collect() == [])
        #expect(try await ResponseBody(bytes: []).collect(limit: 0) == [])
    }

    @Test(arguments: [
        (Duration.milliseconds(250), "250 ms"), (.seconds(2), "2 s"), (.milliseconds(1050), "1.05 s"),
        (.seconds(Int64.max), "1000000000000 s"), (.seconds(Int64.min), "0 ms"),
    ])
    func `A message says any time limit`(_ limit: Duration, _ words: String) {
        #expect(TransportError(.timedOut(.idle(limit))).message == "the server was silent for \(words)")
        #expect(TransportError(.timedOut(.whole(limit))).message.hasSuffix(" within \(words)"))
    }

    struct Broken: Error {}

    @Test func `Reading a body that breaks off throws the error`() async {
        let body = ResponseBody { throw Broken() }
        await #expect(throws: Broken.self) { try await body.collect() }
    }

    @Test func `A body that is longer than the limit is an error`() async {
        let body = ResponseBody { [1, 2, 3] }
        await #expect(throws: BodyTooLarge(limit: 1000)) { try await body.collect(limit: 1000) }
    }
}

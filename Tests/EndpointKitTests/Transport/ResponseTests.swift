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
    func readsTheMediaType(_ row: Row<String?, String?>) {
        let fields = row.input.map { [HTTPField("content-TYPE", $0)] } ?? []
        #expect(ResponseHead(status: 200, fields: fields).mediaType == row.expected)
    }

    @Test func findsTheFirstField() {
        let head = ResponseHead(status: 200, fields: [.init("A", "0"), .init("x-b", "1"), .init("X-B", "2")])
        #expect(head["X-b"] == "1")
        #expect(head["c"] == nil)
    }

    @Test func aBodyAtHandIsReadOnce() async throws {
        let body = ResponseBody(bytes: "abc".bytes)
        #expect(try await body.collect() == "abc".bytes)
        #expect(try await body.collect() == [])
        #expect(try await ResponseBody(bytes: []).collect(limit: 0) == [])
    }

    @Test(arguments: [
        (Duration.milliseconds(250), "250 ms"), (.seconds(2), "2 s"), (.milliseconds(1050), "1.05 s"),
        (.seconds(Int64.max), "1000000000000 s"), (.seconds(Int64.min), "0 ms"),
    ])
    func anyLimitCanBeSaid(_ limit: Duration, _ words: String) {
        #expect(TransportError(.timedOut(.idle(limit))).message == "the server was silent for \(words)")
        #expect(TransportError(.timedOut(.whole(limit))).message.hasSuffix(" within \(words)"))
    }

    struct Broken: Error {}

    @Test func aBodyThatBreaksOffIsNoBody() async {
        let body = ResponseBody { throw Broken() }
        await #expect(throws: Broken.self) { try await body.collect() }
    }

    @Test func aLimitEndsAnEndlessBody() async {
        let body = ResponseBody { [1, 2, 3] }
        await #expect(throws: BodyTooLarge(limit: 1000)) { try await body.collect(limit: 1000) }
    }
}

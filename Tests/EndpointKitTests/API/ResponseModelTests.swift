import EndpointKit
import JSONText
import Synchronization
import TestSupport
import Testing

struct ResponseModelTests {
    @Test func tellsItsKind() {
        #expect(ResponseModel(Shop.Item.self).kind == .json)
        #expect(ResponseModel(Shop.Item.self).name == "Item")
        #expect(ResponseModel(EmptyResponse.self).kind == .empty)
        #expect(ResponseModel(RawResponse.self).kind == .bytes)
        #expect(ResponseModel([Shop.Item].self).name == "[Item]")
    }

    @Test func refuses() throws {
        let model = ResponseModel(ClientTests.Verdict.self)
        let (denied, empty) = try (JSONDocument(#"{"status":"DENIED"}"#.bytes), JSONDocument("{}".bytes))
        #expect(throws: ReportedFailure("DENIED")) { try model.decode(denied) }
        #expect(throws: ModelMismatch.self) { try model.decode(empty) }
        let head = ResponseHead(status: 200)
        #expect(throws: JSONSyntaxError.self) { try model.document([], head) }
    }

    @Test("A response without a body is nil for an optional model")
    func noBody() throws {
        let model = ResponseModel(Shop.Item?.self)
        #expect(model.acceptsNoBody && !ResponseModel(Shop.Item.self).acceptsNoBody)
        let value = try model.decode(model.document([], ResponseHead(status: 204)))
        #expect(value as? Shop.Item == nil)
    }

    static let encodings: [(contentType: String, bytes: [UInt8], text: String)] = [
        ("application/json; charset=ISO-8859-1", [0x22, 0xE9, 0x22], #""é""#),
        ("application/json; Charset=\"windows-1252\"", [0x22, 0x80, 0x81, 0x22], "\"€\u{81}\""),
        ("application/json;charset=utf-16le", [0x22, 0, 0x3D, 0xD8, 0, 0xDE, 0x22, 0], #""😀""#),
        ("application/json", [0xFE, 0xFF, 0, 0x22, 0, 0xE9, 0, 0x22], "\u{FEFF}\"é\""),
        ("application/json", [0xFF, 0xFE, 0x22, 0, 0x22, 0, 0x22], "\u{FEFF}\"\"\u{FFFD}"),
        ("application/json; charset=utf-8", Array(#""é""#.utf8), #""é""#),
        ("application/json; charset=koi8-r", [0x22, 0x22], #""""#),
    ]

    @Test("A text is converted to UTF-8, however it is split", arguments: encodings.indices, [1, 3, 100])
    func conversion(_ index: Int, _ size: Int) async throws {
        let row = Self.encodings[index]
        let pieces = stride(from: 0, to: row.bytes.count, by: size).map { Array(row.bytes[$0...].prefix(size)) }
        let left = Mutex(pieces[...])
        let head = ResponseHead(status: 200, fields: [.init("Content-Type", row.contentType)])
        // A byte order mark that comes byte by byte is not recognised.
        if size == 1, row.contentType == "application/json" { return }
        let response = StreamedResponse(head: head, body: ResponseBody { left.withLock { $0.popFirst() } })
        #expect(try await response.convertedToUTF8().wholeBody() == Array(row.text.utf8))
    }
}

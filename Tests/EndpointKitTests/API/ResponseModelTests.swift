import EndpointKit
import JSONText
import Synchronization
import TestSupport
import Testing

struct ResponseModelTests {
    @Test func `The type of a model decides about the kind of the response`() {
        #expect(ResponseModel(Shop.Item.self).kind == .json)
        #expect(ResponseModel(EmptyResponse.self).kind == .empty)
        #expect(ResponseModel(RawResponse.self).kind == .bytes)
    }

    @Test func `A model has the name of its type`() {
        #expect(ResponseModel(Shop.Item.self).name == "Item")
        #expect(ResponseModel([Shop.Item].self).name == "[Item]")
    }

    @Test func `A document that reports a failure throws the failure`() throws {
        let denied = try JSONDocument(#"{"status":"DENIED"}"#.bytes)
        #expect(throws: ReportedFailure("DENIED")) { try ResponseModel(ClientTests.Verdict.self).decode(denied) }
    }

    @Test func `A document that does not fit the model is an error`() throws {
        let empty = try JSONDocument("{}".bytes)
        #expect(throws: ModelMismatch.self) { try ResponseModel(ClientTests.Verdict.self).decode(empty) }
    }

    @Test func `A response without a body is an error for a model that is not optional`() {
        let model = ResponseModel(ClientTests.Verdict.self)
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

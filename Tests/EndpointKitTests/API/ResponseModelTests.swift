import EndpointKit
import JSONText
import Testing

struct ResponseModelTests {
    @Test func tellsItsKind() {
        #expect(ResponseModel(Shop.Item.self).kind == .json)
        #expect(ResponseModel(Shop.Item.self).name == "Item")
        #expect(ResponseModel(EmptyResponse.self).kind == .empty)
        #expect(ResponseModel(RawResponse.self).kind == .bytes)
        #expect(ResponseModel([Shop.Item].self).name == "[Item]")
    }

    @Test func decodes() throws {
        #expect(try ResponseModel(Shop.Item.self).decode(#"{"id":1}"#.bytes) as? Shop.Item == Shop.Item(id: 1))
        #expect(try ResponseModel(EmptyResponse.self).decode("<html>".bytes) as? EmptyResponse == EmptyResponse())
        #expect(try ResponseModel(RawResponse.self).decode([0xFF]) as? RawResponse == RawResponse(bytes: [0xFF]))
    }

    @Test func refuses() {
        let model = ResponseModel(ClientTests.Verdict.self)
        #expect(throws: ReportedFailure("DENIED")) { try model.decode(#"{"status":"DENIED"}"#.bytes) }
        #expect(throws: ModelMismatch.self) { try model.decode("{}".bytes) }
        #expect(throws: JSONSyntaxError.self) { try model.decode([]) }
    }
}

import EndpointKit
import JSONText
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
}

import TestSupport
import Testing

@testable import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct BodyTests {
    struct Product: Codable, Sendable {
        var title: String
        var id: Int
        var tags: [String]
        var note: String?
    }

    struct Sent: Sendable, Equatable {
        let contentType: String
        let text: String

        init(_ contentType: String, _ text: String) {
            self.contentType = contentType
            self.text = text
        }
    }

    static let nothing: String? = nil

    static let bodies: [Row<Body, Sent>] = [
        Row(
            "json in declaration order", .json(Product(title: "a/b \"é\"", id: 1, tags: ["x"])),
            Sent("application/json", #"{"title":"a/b \"é\"","id":1,"tags":["x"]}"#)),
        Row("json list", .json([1, 2]), Sent("application/json", "[1,2]")),
        Row("json null", .json(nothing), Sent("application/json", "null")),
        Row(
            "form", .form(["a": "b c+d", "none": nothing, "e&f": [1, 2]]),
            Sent("application/x-www-form-urlencoded", "a=b%20c%2Bd&e%26f=1&e%26f=2")),
        Row("empty form", .form([:]), Sent("application/x-www-form-urlencoded", "")),
        Row(
            "multipart", .multipart([.field("a", "1")]),
            Sent(
                "multipart/form-data; boundary=XX",
                "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--XX--\r\n")),
        Row(
            "object of several types, without nil",
            .object([
                "b": 1, "a": "x", "none": nothing, "null": Nullable<Int>.null,
                "p": Product(title: "t", id: 1, tags: []),
            ]),
            Sent("application/json", #"{"b":1,"a":"x","null":null,"p":{"title":"t","id":1,"tags":[]}}"#)),
        Row(
            "objects in objects, keys as written",
            .object(["user_name": ["B": 1, "a": [true]] as JSONObject, "userName": [["x": "y"] as JSONObject]]),
            Sent("application/json", #"{"user_name":{"B":1,"a":[true]},"userName":[{"x":"y"}]}"#)),
        Row(
            "json of several types", .json(["b": 1, "a": "x", "c": nothing]),
            Sent("application/json", #"{"b":1,"a":"x"}"#)),
        Row("empty object", .object([:]), Sent("application/json", "{}")),
        Row("text", .text("Grüße"), Sent("text/plain; charset=utf-8", "Grüße")),
        Row("text of a type", .text("a,b", contentType: "text/csv"), Sent("text/csv", "a,b")),
        Row("data", .data("hello".bytes, contentType: "text/plain"), Sent("text/plain", "hello")),
        Row("no data", .data([], contentType: "text/plain"), Sent("text/plain", "")),
    ]

    @Test(arguments: bodies)
    func `Bodies have their content types and bytes`(_ row: Row<Body, Sent>) throws {
        let (contentType, body) = try row.input.encoded(Coding(), boundary: "XX")
        #expect(Sent(contentType, String(decoding: try #require(body.bytes), as: UTF8.self)) == row.expected)
    }

    @Test func `Bytes that are no text are sent as they are`() throws {
        let body = Body.data([0x00, 0xFF, 0x0A], contentType: "application/octet-stream")
        #expect(try body.encoded(Coding(), boundary: "").body == RequestBody(bytes: [0x00, 0xFF, 0x0A]))
    }

    @Test("A coding applies to dates anywhere in a body, but not to keys that are written there")
    func coding() throws {
        let coding = Coding(keys: .convertFromSnakeCase, dates: .secondsSince1970)
        let day = Date(timeIntervalSince1970: 5)
        let body = Body.object([
            "someRows": [["fullName": Product(title: "t", id: 1, tags: [])] as JSONObject],
            "days": [day].joined(by: ","),
        ])
        let text = try body.encoded(coding, boundary: "").body.bytes
        #expect(
            String(decoding: text ?? [], as: UTF8.self)
                == #"{"someRows":[{"fullName":{"title":"t","id":1,"tags":[]}}],"days":"5"}"#)
    }

    @Test func `A value that is not a number has no JSON form`() {
        #expect(throws: EncodingError.self) { try Body.json(Double.nan).encoded(Coding(), boundary: "") }
    }

    @Test func `Only a multipart body needs a boundary`() throws {
        var asked = 0
        func boundary() -> String {
            asked += 1
            return "XX"
        }
        _ = try Body.json(1).encoded(Coding(), boundary: boundary())
        #expect(asked == 0)
        _ = try Body.multipart([]).encoded(Coding(), boundary: boundary())
        #expect(asked == 1)
    }
}

import EndpointKit
import TestSupport
import Testing

struct FailedResponseMessageTests {
    static let bodies: [Row<String, String?>] = [
        Row(
            "TMDB",
            #"{"status_code":7,"status_message":"Invalid API key: You must be granted a valid key.","success":false}"#,
            "Invalid API key: You must be granted a valid key."),
        Row(
            "Places", #"{"error_message":"The key is invalid.","results":[],"status":"REQUEST_DENIED"}"#,
            "The key is invalid."),
        Row("Places without a message", #"{"results":[],"status":"ZERO_RESULTS"}"#, "ZERO_RESULTS"),
        Row(
            "Marvel", #"{"code":"InvalidCredentials","message":"The passed API key is invalid."}"#,
            "The passed API key is invalid."),
        Row("Marvel with a status", #"{"code":409,"status":"You must provide a hash."}"#, "You must provide a hash."),
        Row("Shopify text", #"{"errors":"[API] Invalid API key"}"#, "[API] Invalid API key"),
        Row(
            "Shopify object", #"{"errors":{"title":["can't be blank","is short"],"body":["is missing"]}}"#,
            "title: can't be blank; is short; body: is missing"),
        Row("Shopify list", #"{"errors":["one","two"]}"#, "one; two"),
        Row(
            "GitHub", #"{"message":"Validation Failed","errors":[{"field":"name","code":"missing"}],"status":"422"}"#,
            "Validation Failed"),
        Row("Prometheus", #"{"status":"error","errorType":"bad_data","error":"parse error"}"#, "parse error"),
        Row("message in an error", #"{"error":{"code":401,"message":"Unauthorized"}}"#, "Unauthorized"),
        Row("list of errors with messages", #"{"errors":[{"message":"a"},{"message":"b"}]}"#, "a; b"),
        Row("a number is no word", #"{"status":404,"error":"Not Found"}"#, "Not Found"),
        Row("an empty message is none", #"{"message":"","error":"x"}"#, "x"),
        Row("null is none", #"{"message":null,"error":"x"}"#, "x"),
        Row("an empty list is none", #"{"errors":[],"error":"x"}"#, "x"),
        Row("a list", #"[{"message":"a"}]"#, "a"),
        Row("a text", #""no""#, "no"),
        Row(
            "RFC 9457", #"{"type":"about:blank","title":"Bad","detail":"the name is missing","status":400}"#,
            "the name is missing"),
        Row("RFC 9457 without details", #"{"title":"Not allowed","status":403}"#, "Not allowed"),
        Row("OAuth", #"{"error":"invalid_grant","error_description":"the grant expired"}"#, "the grant expired"),
        Row("Django", #"{"detail":"Not found."}"#, "Not found."),
        Row(
            "Django's fields", #"{"name":["is required"],"age":["too low","odd"]}"#,
            "name: is required; age: too low; odd"),
        Row("lists that are no errors", #"{"tags":["a"],"id":1}"#, nil),
        Row(
            "FastAPI", #"{"detail":[{"loc":["query","q"],"msg":"field required","type":"missing"}]}"#,
            "field required"),
        Row("JSON:API", #"{"errors":[{"status":"422","title":"Invalid","detail":"too short"}]}"#, "too short"),
        Row("only numbers", #"{"status":404}"#, nil),
        Row("nothing that is known", #"{"reason":"a"}"#, nil),
        Row("empty object", "{}", nil),
        Row("empty list", "[]", nil),
        Row("null", "null", nil),
        Row("HTML", "<html><body>502 Bad Gateway</body></html>", nil),
        Row("cut short", #"{"message":"a""#, nil),
        Row("empty", "", nil),
    ]

    @Test(arguments: bodies)
    func `The message of a failed response is found`(_ row: Row<String, String?>) {
        #expect(FailedResponseMessage.find(in: row.input.bytes) == row.expected)
    }

    @Test func `A hostile body does not crash the search`() {
        let deep = String(repeating: "{\"error\":", count: 50_000) + "\"x\"" + String(repeating: "}", count: 50_000)
        #expect(FailedResponseMessage.find(in: deep.bytes) == nil)
        #expect(FailedResponseMessage.find(in: [0xFF, 0x00]) == nil)
        let nested = String(repeating: "[", count: 400) + "\"x\"" + String(repeating: "]", count: 400)
        #expect(FailedResponseMessage.find(in: nested.bytes) == nil)
        // Each level has the known key `error`, but the innermost value is not a text.
        let silent = String(repeating: "{\"error\":", count: 400) + "1" + String(repeating: "}", count: 400)
        #expect(FailedResponseMessage.find(in: silent.bytes) == nil)
    }

    static let growing: [String] = [
        "["
            + Array(repeating: String(repeating: "[", count: 500) + String(repeating: "]", count: 500), count: 8)
            .joined(separator: ",") + "]",
        "[" + String(repeating: "0,", count: 100_000) + "0]", "[" + String(repeating: "[],", count: 60_000) + "[]]",
        "[" + String(repeating: "\"\",", count: 60_000) + "1]",
        "{\"errors\":{" + String(repeating: "\"a\":{\"b\":[1]},", count: 20_000) + "\"z\":0}}",
        String(repeating: "{\"a\":[", count: 20_000) + String(repeating: "]}", count: 20_000),
    ]

    /// A decoder that builds a tree of values would take seconds and gigabytes.
    @Test(arguments: growing.indices)
    func `The time is proportional to the length of the body`(_ index: Int) {
        let body = Self.growing[index].bytes
        var words: String?
        let time = processorTime { words = FailedResponseMessage.find(in: body) }
        #expect(words == nil)
        #expect(time < .seconds(5))
    }

    @Test func `At most 100 texts are collected`() throws {
        let body = "{\"errors\":[" + String(repeating: "\"no\",", count: 50_000) + "\"no\"]}"
        // Each text has two letters, and `; ` separates it from the next one.
        #expect(try #require(FailedResponseMessage.find(in: body.bytes)).utf8.count == 100 * 4 - 2)
    }

    @Test func `The first of several members with the same key counts`() {
        #expect(FailedResponseMessage.find(in: #"{"message":"a","message":"b"}"#.bytes) == "a")
        #expect(FailedResponseMessage.find(in: #"{"m\u0065ssage":"a\n\ud83d\ude00"}"#.bytes) == "a\n😀")
        #expect(FailedResponseMessage.find(in: #"{"message":"a"} {"message":"b"}"#.bytes) == nil)
    }
}

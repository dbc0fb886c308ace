import EndpointKit
import JSONText
import Testing

@testable import APIImport

/// Recordings, and what is read of them.
struct HARTests {
    private func har(_ entries: String...) throws -> HAR {
        try HAR(Array(#"{"log": {"version": "1.2", "entries": [\#(entries.joined(separator: ","))]}}"#.utf8))
    }

    private func entry(
        _ request: String,
        _ response: String = #""status": 200, "content": {"mimeType": "application/json", "text": "{}"}"#
    ) -> String {
        #"{"request": {\#(request)}, "response": {\#(response)}}"#
    }

    /// A recorded request, and the request that is imported.
    struct RecordedRequest: Sendable, CustomTestStringConvertible {
        /// The members of the object `request`.
        let members: String
        /// The method and URL, the headers, and after an empty line the body or its fields.
        let imported: String

        var testDescription: String { members }
    }

    @Test(
        "A recorded request is imported with its headers and its body",
        arguments: [
            RecordedRequest(
                members: #"""
                    "method": "GET", "url": "http://a.test/x?b=1#c",
                    "headers": [{"name": ":path", "value": "/"}, {"name": "A", "value": "1"}]
                    """#,
                imported: """
                    GET http://a.test/x?b=1
                    A: 1
                    """),
            RecordedRequest(
                members: #"""
                    "method": "GET", "url": "http://a.test/",
                    "headers": [
                      {"name": "A", "value": "1\n2"}, {"name": "B\nC", "value": ""}, {"name": "D", "value": "\r\nE: 1"}
                    ]
                    """#,
                imported: """
                    GET http://a.test/
                    A: 1
                    A: 2
                    """),
            RecordedRequest(
                members: #"""
                    "method": "POST", "url": "http://a.test/", "postData": {"mimeType": "text/plain", "text": "a"}
                    """#,
                imported: """
                    POST http://a.test/

                    a
                    """),
            RecordedRequest(
                members: #"""
                    "method": "POST", "url": "http://a.test/",
                    "postData": {"mimeType": "text/plain", "text": "YQ==", "encoding": "base64"}
                    """#,
                imported: """
                    POST http://a.test/

                    a
                    """),
            RecordedRequest(
                members: #"""
                    "method": "POST", "url": "http://a.test/",
                    "postData": {
                      "mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a b", "value": "c&d"}]
                    }
                    """#,
                imported: """
                    POST http://a.test/

                    a%20b=c%26d
                    """),
            RecordedRequest(
                members: #"""
                    "method": "POST", "url": "http://a.test/",
                    "postData": {"mimeType": "multipart/form-data", "params": [
                      {"name": "a", "value": "1"}, {"name": "f", "fileName": "x.png", "contentType": "image/png"}
                    ]}
                    """#,
                imported: "POST http://a.test/\nfield: a=1\nfile: f=x.png image/png "),
            RecordedRequest(
                members: #"""
                    "method": "POST", "url": "http://a.test/",
                    "postData": {"mimeType": "multipart/form-data; boundary=x", "text": "--x"}
                    """#,
                imported: """
                    POST http://a.test/
                    Content-Type: multipart/form-data; boundary=x

                    --x
                    """),
        ])
    func request(recorded: RecordedRequest) throws {
        #expect(try har(entry(recorded.members)).requests.map(\.shown) == [recorded.imported])
    }

    @Test func response() throws {
        let request = #""method": "GET", "url": "http://a.test/""#
        let bodies = try har(
            entry(request, #""status": 201, "content": {"mimeType": "text/x", "text": "ab"}"#),
            entry(request, #""status": 200, "content": {"text": "YWI=", "encoding": "base64"}"#),
            entry(request, #""status": 304"#),
            entry(request, #""status": 200, "content": {"size": -1}"#),
            entry(request, #""status": 204, "content": {"size": -1}"#)
        ).requests.map(\.response)
        #expect(
            bodies == [
                Response(
                    head: ResponseHead(status: 201, fields: [.init("Content-Type", "text/x")]), body: Array("ab".utf8)),
                Response(head: ResponseHead(status: 200), body: Array("ab".utf8)),
                Response(head: ResponseHead(status: 304), body: []), nil,
                Response(head: ResponseHead(status: 204), body: []),
            ])
    }

    @Test func leftOut() throws {
        let script = #""status": 200, "content": {"mimeType": "text/javascript"}"#
        let har = try har(
            entry(#""method": "GET", "url": "http://a.test/x""#, script),
            entry(#""method": "GET", "url": "http://a.test/y.png""#),
            entry(
                #"""
                "method": "OPTIONS", "url": "http://a.test/",
                "headers": [{"name": "access-control-request-method", "value": "PUT"}]
                """#
            ),
            entry(#""method": "GET", "url": "ws://a.test/""#), entry(#""method": "GET", "url": "data:,x""#),
            entry(#""method": "GET", "url": "http://a.test/api""#))
        #expect(har.requests.map(\.path) == ["/api"])
        #expect(
            har.leftOut == [
                "for static files": 2, "before others (preflight)": 1, "not of HTTP": 1, "for WebSockets": 1,
            ])
    }

    /// A request without an HTTP response is left out, with the reason.
    @Test(arguments: [
        (
            #""method": "GET", "url": "https://a.test/", "headers": [{"name": "upgrade", "value": "WebSocket"}]"#, 200,
            "for WebSockets"
        ),
        (#""method": "GET", "url": "https://a.test/""#, 101, "for WebSockets"),
        (#""method": "GET", "url": "wss://a.test/""#, 101, "for WebSockets"),
        (#""method": "GET", "url": "https://a.test/""#, 0, "without a response"),
    ])
    func noResponse(request: String, status: Int, reason: String) throws {
        let har = try har(entry(request, #""status": \#(status)"#))
        #expect(har.requests.isEmpty && har.leftOut == [reason: 1])
    }

    /// Chrome records a form's items as they were sent, Firefox decoded.
    @Test(arguments: [
        ("filter%5Bname%5D", "a%20b", "filter%5Bname%5D=a%20b"), ("filter[name]", "a%20b", "filter%5Bname%5D=a%2520b"),
        ("a", "100%", "a=100%25"), ("a", "x+y%2Bz", "a=x+y%2Bz"), ("ä", "%41", "%C3%A4=%2541"),
    ])
    func recordedForm(name: String, value: String, body: String) throws {
        let params = #"""
            "postData": {
              "mimeType": "application/x-www-form-urlencoded",
              "params": [{"name": "\#(name)", "value": "\#(value)"}]
            }
            """#
        let requests = try har(entry(#""method": "POST", "url": "http://a.test/", \#(params)"#)).requests
        #expect(requests.map(\.shown) == ["POST http://a.test/\n\n\(body)"])
    }

    /// The time for responses with a secret each is proportional to their number. If it were quadratic, each request
    /// would cost as much as all of them.
    @Test func manySecrets() throws {
        let entries = (0..<500).map { index in
            let headers = #"[{"name": "Cookie", "value": "sid=session\#(index)-"}]"#
            let body = #"{\"id\": \#(index), \"token\": \"t0k3n-\#(index)\"}"#
            return entry(
                #""method": "GET", "url": "http://a.test/pets/\#(index)", "headers": \#(headers)"#,
                #""status": 200, "content": {"mimeType": "application/json", "text": "\#(body)"}"#)
        }
        let har = try HAR(Array(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#.utf8))
        let clock = ContinuousClock()
        var scaffold: Scaffold?
        let time = try clock.measure { scaffold = try Scaffold(har.requests) }
        #expect(scaffold?.endpoints.map(\.declaration) == ["pet(petID: Int)"])
        #expect(time < .seconds(60))
    }

    @Test(arguments: [
        "{}", "[]", #"{"log": {"entries": [{}]}}"#, #"{"log": {"entries": [{"request": {"method": 1, "url": ""}}]}}"#,
    ])
    func somethingElse(_ text: String) {
        #expect(throws: ImportError.self) { try HAR(Array(text.utf8)) }
    }

    @Test func cutOff() {
        #expect(throws: JSONSyntaxError.self) { try HAR(Array(#"{"log": {"entries": [{"request": {"met"#.utf8)) }
    }
}

import EndpointKit
import Foundation
import MockServer
import TestSupport
import Testing
import URLSessionTransport

@Suite struct ResponseTests {
    let transport = URLSessionTransport()

    static let rows: [(id: String, answer: MockResponse, status: Int, body: String)] = [
        ("JSON", .json(#"{"a":[1,null]}"#), 200, #"{"a":[1,null]}"#),
        ("text", .text("h\u{E9}"), 200, "h\u{E9}"),
        ("204", .response(204), 204, ""),
        ("304", .response(304), 304, ""),
        ("404 with body", .json(#"{"message":"no"}"#, status: 404), 404, #"{"message":"no"}"#),
        ("unknown status", .text("odd", status: 799), 799, "odd"),
        ("redirect", .text("there", status: 302, fields: [("Location", "/elsewhere")]), 302, "there"),
        ("redirect to another host", .text("", status: 308, fields: [("Location", "http://x.invalid/")]), 308, ""),
        ("redirect without target", .response(301), 301, ""),
        (
            "401 with challenge", .text("who?", status: 401, fields: [("WWW-Authenticate", "Basic realm=\"x\"")]), 401,
            "who?"
        ),
        (
            "401 with unknown scheme", .text("who?", status: 401, fields: [("WWW-Authenticate", "Bearer")]), 401, "who?"
        ),
        ("chunked", .chunked([Array("one ".utf8), Array("two".utf8)]), 200, "one two"),
        ("until the end of the connection", .raw("HTTP/1.1 200 OK\r\n\r\nto the end").then(.close), 200, "to the end"),
        (
            "interim answer",
            .raw("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfinal"), 200,
            "final"
        ),
    ]

    @Test("The status and the body are those that the server sent, and no redirect is followed", arguments: rows)
    func answerIsWhatTheServerSent(id: String, answer: MockResponse, status: Int, body: String) async throws {
        let server = try MockServer { _ in answer }
        let response = try await transport.answer(to: try server.request())
        #expect(response.head.status == status, "\(id)")
        #expect(String(decoding: response.body, as: UTF8.self) == body, "\(id)")
        #expect(server.received.map(\.target) == ["/"], "\(id)")
    }

    @Test("The header fields are sorted by name")
    func fieldsAreSortedByName() async throws {
        let server = try MockServer { _ in
            .response(200, fields: [("B", "2"), ("X-Long", "a, b"), ("A", "1"), ("Empty", "")])
        }
        let head = try await transport.answer(to: try server.request()).head
        #expect(
            head
                == ResponseHead(
                    version: "", status: 200,
                    fields: [
                        .init("A", "1"), .init("B", "2"), .init("Content-Length", "0"), .init("Empty", ""),
                        .init("X-Long", "a, b"),
                    ]))
    }

    @Test("A compressed body is decompressed")
    func compressedBodyIsDecoded() async throws {
        let text = Array("hello hello hello".utf8)
        let gzip = try #require(Gzip.compress(text))
        let server = try MockServer { _ in .response(200, fields: [("Content-Encoding", "gzip")], body: gzip) }
        #expect(try await transport.answer(to: try server.request()).body == text)
    }

    @Test("A response to HEAD has its length and no body")
    func headHasNoBody() async throws {
        let server = try MockServer { _ in .text("never sent") }
        let response = try await transport.answer(to: try server.request(.head))
        #expect(response.head["content-length"] == "10")
        #expect(response.body.isEmpty)
        #expect(server.received.map(\.method) == ["HEAD"])
    }

    @Test("The first bytes of a body can be read before the last ones are sent")
    func bodyComesBeforeItIsWhole() async throws {
        let server = try MockServer { _ in
            .response(200, fields: [("Content-Length", "11")], body: Array("first".utf8)).then(.hang)
        }
        let response = try await transport.send(try server.request(), options: TransferOptions())
        var pieces = response.body.makeAsyncIterator()
        #expect(try await pieces.next() == Array("first".utf8))
    }

    @Test("Fifty requests at once get their own responses")
    func manyAtOnce() async throws {
        let server = try MockServer { .json(#"{"path":"\#($0.path)"}"#) }
        let bodies = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in 0..<50 {
                let request = try server.request(.get, "/\(number)")
                group.addTask {
                    let response = try await transport.answer(to: request)
                    return (number, String(decoding: response.body, as: UTF8.self))
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(bodies == Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, #"{"path":"/\#($0)"}"#) }))
    }

    @Test("A body of 20 MB arrives as a whole")
    func largeBodyIsWhole() async throws {
        let server = try MockServer { _ in .response(200, body: [UInt8](repeating: 0x61, count: 20_000_000)) }
        let response = try await transport.send(try server.request(), options: TransferOptions())
        var count = 0
        for try await piece in response.body { count += piece.count }
        #expect(count == 20_000_000)
    }
}

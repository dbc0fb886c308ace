import EndpointKit
import Testing

@testable import CurlTransport

@Suite struct HeadParserTests {
    struct Case: Row {
        let id: String
        let lines: [String]
        let head: ResponseHead
    }

    @Test(arguments: [
        Case(id: "HTTP/2", lines: ["HTTP/2 200 \r\n", "\r\n"], head: ResponseHead(version: "HTTP/2", status: 200)),
        Case(
            id: "bare line feeds", lines: ["HTTP/1.1 200 Fine\n", "A: 1\n", "\n"],
            head: ResponseHead(status: 200, reason: "Fine", fields: [.init("A", "1")])),
        Case(
            id: "a field without a colon is left out",
            lines: ["HTTP/1.1 200 Fine\r\n", "oops\r\n", "A: b:c\r\n", "\r\n"],
            head: ResponseHead(status: 200, reason: "Fine", fields: [.init("A", "b:c")])),
        Case(
            id: "nothing to go on with", lines: ["HTTP/1.1 200\r\n", "  folded\r\n", "A : 1\r\n", "\r\n"],
            head: ResponseHead(status: 200, fields: [.init("A", "1")])),
        Case(
            id: "folded onto an empty value",
            lines: ["HTTP/1.1 200\r\n", "A:\r\n", "\t1\r\n", " \r\n", " 2\r\n", "\r\n"],
            head: ResponseHead(status: 200, fields: [.init("A", "1 2")])),
        Case(
            id: "an empty name", lines: ["HTTP/1.1 200\r\n", ": 1\r\n", "\r\n"],
            head: ResponseHead(status: 200, fields: [.init("", "1")])),
    ])
    func head(_ row: Case) throws {
        var parser = HeadParser(server: .init(host: "a.example"))
        var heads: [ResponseHead] = []
        for line in row.lines { if let head = try parser.parseLine(line) { heads.append(head) } }
        #expect(heads == [row.head])
    }

    @Test(arguments: [
        "HTTP/1.1\r\n", "HTTP/1.1 \r\n", "HTTP/1.1 20\r\n", "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 OK\r\n", "hello\r\n",
    ])
    func noStatus(_ line: String) {
        let error = #expect(throws: TransportError.self) {
            var parser = HeadParser(server: .init(host: "a.example"))
            _ = try parser.parseLine(line)
        }
        #expect(error?.cause == .notHTTP)
    }

    /// Copying the value for each line would take half a minute.
    @Test func aHeaderOfManyLinesTakesLinearTime() throws {
        var parser = HeadParser(server: .init(host: "a.example"))
        _ = try parser.parseLine("HTTP/1.1 200 OK\r\n")
        _ = try parser.parseLine("A: b\r\n")
        for _ in 0..<60_000 { _ = try parser.parseLine(" c\r\n") }
        let head = try #require(try parser.parseLine("\r\n"))
        #expect(head.fields.count == 1)
        #expect(head.fields[0].value.utf8.count == 1 + 60_000 * 2)
    }

    @Test func headsTogetherHaveALimit() throws {
        var parser = HeadParser(server: .init(host: "a.example"))
        _ = try parser.parseLine("HTTP/1.1 200 OK\r\n")
        let line = "A: " + String(repeating: "x", count: 1019) + "\r\n"
        for _ in 0..<255 { _ = try parser.parseLine(line) }
        let error = #expect(throws: TransportError.self) { try parser.parseLine(line) }
        #expect(error?.message == "the response headers of a.example are too large (more than 262144 bytes)")
    }
}

extension HeadParser {
    fileprivate mutating func parseLine(_ line: String) throws -> ResponseHead? {
        try Array(line.utf8).withUnsafeBytes { try parseLine($0) }
    }
}

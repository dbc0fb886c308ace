import EndpointKit
import Testing

@testable import CurlTransport

/// The length of a body in the fields of a head: valid, contradictory or malformed.
@Suite struct BodyLengthTests {
    struct Case: Row {
        let id: String
        let fields: [(String, String)]
        var status = 200
        var method = HTTPMethod.get
        let problem: String?
    }

    private static let different = "two different values of Content-Length"
    private static let tooLarge = "a Content-Length beyond 63 bits"
    private static let notANumber = "a Content-Length that is not a number"
    private static let notAskedFor = "a transfer coding that was not requested"

    @Test(arguments: [
        Case(id: "none", fields: [("X-Length", "a")], problem: nil),
        Case(id: "one", fields: [("Content-Length", "7")], problem: nil),
        Case(id: "the largest", fields: [("content-length", "9223372036854775807")], problem: nil),
        Case(id: "with zeros before it", fields: [("Content-Length", "007"), ("Content-Length", "7")], problem: nil),
        Case(id: "equal ones", fields: [("Content-Length", "7, 7\t,7"), ("content-length", "7")], problem: nil),
        Case(id: "different ones", fields: [("Content-Length", "7"), ("content-length", "8")], problem: different),
        Case(id: "different ones in one field", fields: [("Content-Length", "7,8")], problem: different),
        Case(id: "64 bits", fields: [("Content-Length", "9223372036854775808")], problem: tooLarge),
        Case(id: "more than any", fields: [("Content-Length", String(repeating: "9", count: 9999))], problem: tooLarge),
        Case(id: "nothing", fields: [("Content-Length", "")], problem: notANumber),
        Case(id: "nothing behind a comma", fields: [("Content-Length", "7,")], problem: notANumber),
        Case(id: "a sign", fields: [("Content-Length", "+7")], problem: notANumber),
        Case(id: "two numbers", fields: [("Content-Length", "7 7")], problem: notANumber),
        Case(id: "a fraction", fields: [("Content-Length", "7.0")], problem: notANumber),
        Case(
            id: "with Transfer-Encoding", fields: [("Transfer-Encoding", "chunked"), ("Content-Length", "7,8")],
            problem: nil),
        Case(
            id: "chunks", fields: [("transfer-encoding", " Chunked"), ("Transfer-Encoding", "identity,")],
            problem: nil),
        Case(id: "packed chunks", fields: [("Transfer-Encoding", "gzip, chunked")], problem: notAskedFor),
        Case(
            id: "packed chunks in two fields", fields: [("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "x")],
            problem: notAskedFor),
        Case(
            id: "packed chunks of an answer to HEAD", fields: [("Transfer-Encoding", "gzip, chunked")], method: .head,
            problem: nil),
        Case(id: "of an answer to HEAD", fields: [("Content-Length", "7,8")], method: .head, problem: nil),
        Case(id: "of a 204", fields: [("Content-Length", "7,8")], status: 204, problem: nil),
        Case(id: "of a 304", fields: [("Content-Length", "7,8")], status: 304, problem: nil),
        Case(id: "of a 101", fields: [("Content-Length", "7,8")], status: 101, problem: nil),
        Case(id: "of a 404", fields: [("Content-Length", "7,8")], status: 404, problem: different),
    ])
    func aContradictoryOrMalformedLengthIsAProblem(_ row: Case) {
        let head = ResponseHead(status: row.status, fields: row.fields.map { .init($0.0, $0.1) })
        #expect(BodyLength.problem(head, method: row.method) == row.problem)
    }
}

import TestSupport
import Testing

@testable import EndpointKit

/// Tests of the wait that a server asks for (RFC 9110, section 10.2.3).
struct RetryAfterTests {
    struct Fields: Sendable {
        var retryAfter: String?
        var date: String?
    }

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    static let waits: [Row<Fields, Duration?>] = [
        Row("no header", Fields(), nil),
        Row("seconds", Fields(retryAfter: "120"), .seconds(120)),
        Row("zero", Fields(retryAfter: "0"), .zero),
        Row("leading zeros", Fields(retryAfter: "007"), .seconds(7)),
        Row("a day", Fields(retryAfter: "86400"), .seconds(86400)),
        Row(
            "more seconds than an integer holds", Fields(retryAfter: String(repeating: "9", count: 40)),
            .seconds(1 << 40)),
        Row("negative", Fields(retryAfter: "-1"), nil),
        Row("with a sign", Fields(retryAfter: "+1"), nil),
        Row("fraction", Fields(retryAfter: "1.5"), nil),
        Row("empty", Fields(retryAfter: ""), nil),
        Row("word", Fields(retryAfter: "soon"), nil),
        Row("digits of another script", Fields(retryAfter: "٣"), nil),
        Row("a date", Fields(retryAfter: "Sun, 06 Nov 1994 08:50:07 GMT", date: date), .seconds(30)),
        Row("the same date", Fields(retryAfter: date, date: date), .zero),
        Row("an earlier date", Fields(retryAfter: "Sun, 06 Nov 1994 08:00:00 GMT", date: date), .zero),
        Row("a far date", Fields(retryAfter: "Fri, 31 Dec 9999 23:59:59 GMT", date: date), .seconds(252_618_189_022)),
        Row("a date in the past, by this machine's clock", Fields(retryAfter: date), .zero),
        Row("a date in a response with an invalid date", Fields(retryAfter: date, date: "now"), .zero),
        Row("no date", Fields(retryAfter: "Sun, 06 Nov 1994", date: date), nil),
    ]

    @Test(arguments: waits)
    func `The header Retry-After asks for a wait in seconds or until a date`(_ row: Row<Fields, Duration?>) {
        var head = ResponseHead(status: 503)
        if let value = row.input.retryAfter { head.fields.append(.init("RETRY-AFTER", value)) }
        if let value = row.input.date { head.fields.append(.init("date", value)) }
        #expect(RetryPolicy.requestedWait(head) == row.expected)
    }
}

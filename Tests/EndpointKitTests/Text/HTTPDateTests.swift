import TestSupport
import Testing

@testable import EndpointKit

/// Dates of HTTP (RFC 9110, section 5.6.7); the examples are the standard's.
struct HTTPDateTests {
    static let dates: [Row<String, Int64?>] = [
        Row("today's form", "Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        Row("RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        Row("asctime", "Sun Nov  6 08:49:37 1994", 784_111_777),
        Row("the day of the week does not count", "Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        Row("the first second", "Thu, 01 Jan 1970 00:00:00 GMT", 0),
        Row("before that", "Wed, 31 Dec 1969 23:59:59 GMT", -1),
        Row("a leap day", "Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
        Row("a leap second", "Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        Row("the last year", "Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        Row("two digits, this century", "Friday, 01-Jan-38 00:00:00 GMT", 2_145_916_800),
        Row("another zone", "Sun, 06 Nov 1994 08:49:37 CET", nil),
        Row("no zone", "Sun, 06 Nov 1994 08:49:37", nil),
        Row("no such month", "Sun, 06 Nov. 1994 08:49:37 GMT", nil),
        Row("no such day", "Sun, 32 Nov 1994 08:49:37 GMT", nil),
        Row("day zero", "Sun, 00 Nov 1994 08:49:37 GMT", nil),
        Row("no such hour", "Sun, 06 Nov 1994 24:49:37 GMT", nil),
        Row("no such minute", "Sun, 06 Nov 1994 08:60:37 GMT", nil),
        Row("no such second", "Sun, 06 Nov 1994 08:49:61 GMT", nil),
        Row("no seconds", "Sun, 06 Nov 1994 08:49 GMT", nil),
        Row("a year too long", "Sun, 06 Nov 19941994199419941994 08:49:37 GMT", nil),
        Row("ISO 8601", "1994-11-06T08:49:37Z", nil),
        Row("seconds", "120", nil),
        Row("empty", "", nil),
        Row("commas", ",,,,,", nil),
        Row("colons", "Sun, 06 Nov 1994 :: GMT", nil),
    ]

    @Test(arguments: dates)
    func `The three forms of dates are parsed, and other texts are not`(_ row: Row<String, Int64?>) {
        #expect(HTTPDate.parse(row.input) == row.expected)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Wed, 31 Dec 1969 23:59:59 GMT",
        "Thu, 29 Feb 2024 12:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
    ])
    func `A date is written in the current form`(_ date: String) {
        #expect(HTTPDate.parse(date).flatMap(HTTPDate.text) == date)
    }
}

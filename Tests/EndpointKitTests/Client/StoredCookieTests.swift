import Testing

@testable import EndpointKit

/// Tests of cookies as lines of a cookie file.
struct StoredCookieTests {
    private static func id(_ domain: String, isHostOnly: Bool, _ path: String, _ name: String) -> StoredCookie.ID {
        StoredCookie.ID(domain: domain, isHostOnly: isHostOnly, path: path, name: name)
    }

    @Test(
        "A line has the parts of a cookie",
        arguments: [
            ("h.test\tFALSE\t/\tTRUE\t0\tid\t17", id("h.test", isHostOnly: true, "/", "id"), "17"),
            ("#HttpOnly_.h.test\tTRUE\t/a b\tFALSE\t9\tid\t", id(".h.test", isHostOnly: false, "/a b", "id"), ""),
            ("h.test\tFALSE\t/\tFALSE\t0\té\t\"a=b\"", id("h.test", isHostOnly: true, "/", "é"), "\"a=b\""),
            ("h.test\tFALSE\t/\tFALSE\t0\t#HttpOnly_x\t1", id("h.test", isHostOnly: true, "/", "#HttpOnly_x"), "1"),
        ])
    func parts(_ line: String, _ id: StoredCookie.ID, _ value: String) throws {
        let cookie = try #require(StoredCookie(line: line))
        #expect(cookie.id == id && cookie.value == value && cookie.line == line)
    }

    @Test(arguments: [
        "", "# Netscape HTTP Cookie File", "h\tFALSE\t/\tFALSE\t0\tid", "h\tFALSE\t/\tFALSE\t-1\tid\t1",
        "h\tfalse\t/\tFALSE\t0\tid\t1", "h\tFALSE\ta\tFALSE\t0\tid\t1", "h\tFALSE\t/\tFALSE\t0\tid\t1\u{7F}",
        "#h\tFALSE\t/\tFALSE\t0\tid\t1", "#HttpOnly_\tFALSE\t/\tFALSE\t0\tid\t1",
    ])
    func `Other lines are no cookies`(_ line: String) { #expect(StoredCookie(line: line) == nil) }

    @Test func `A cookie expires at its time, and one without a time never`() throws {
        let timed = try #require(StoredCookie(line: "h\tFALSE\t/\tFALSE\t100\tid\t1"))
        #expect([99, 100].map(timed.isExpired) == [false, true])
        let untimed = try #require(StoredCookie(line: "h\tFALSE\t/\tFALSE\t0\tid\t1"))
        #expect(!untimed.isExpired(at: .max))
    }
}

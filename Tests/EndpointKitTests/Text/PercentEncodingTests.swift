import EndpointKit
import TestSupport
import Testing

struct PercentEncodingTests {
    static let encoded: [Row<String, String>] = [
        Row("empty", "", ""),
        Row(
            "unreserved", "ABCXYZabcxyz0189-._~",
            "ABCXYZabcxyz0189-._~"),
        Row("general delimiters", ":/?#[]@", "%3A%2F%3F%23%5B%5D%40"),
        Row("sub-delimiters", "!$&'()*+,;=", "%21%24%26%27%28%29%2A%2B%2C%3B%3D"),
        Row("space and percent", "a b%20", "a%20b%2520"),
        Row("control characters", "\0\t\r\n\u{7F}", "%00%09%0D%0A%7F"),
        Row("two bytes", "é", "%C3%A9"),
        Row("emoji", "😀", "%F0%9F%98%80"),
        Row("a raw byte", String(exactBytes: [0x61, 0xFF]), "a%FF"),
        Row("other ASCII", "\"<>\\^`{|}", "%22%3C%3E%5C%5E%60%7B%7C%7D"),
    ]

    @Test(arguments: encoded)
    func `All bytes but unreserved ones are encoded`(_ row: Row<String, String>) {
        #expect(PercentEncoding.encode(row.input) == row.expected)
        #expect(PercentEncoding.decode(row.expected) == row.input)
    }

    static let decoded: [Row<String, String>] = [
        Row("lower-case digits", "%c3%a9", "é"),
        Row("plus is a plus", "a+b", "a+b"),
        Row("a percent at the end", "100%", "100%"),
        Row("a percent and one digit at the end", "%4", "%4"),
        Row("a percent and no digits", "%zz%4g%g4", "%zz%4g%g4"),
        Row("decoded once", "%2541", "%41"),
        Row("a percent before an escape", "%%41", "%A"),
        Row("not UTF-8", "%FFa", String(exactBytes: [0xFF, 0x61])),
        Row("text as it is", "é€", "é€"),
    ]

    @Test(arguments: decoded)
    func `Escapes are decoded`(_ row: Row<String, String>) {
        #expect(PercentEncoding.decode(row.input) == row.expected)
    }

    @Test func `Every byte is the same after encoding and decoding`() {
        let all = Array(UInt8.min...UInt8.max)
        let text = PercentEncoding.encode(bytes: all)
        // The 66 unreserved bytes stay as they are. Each of the other 190 becomes an escape of three characters.
        #expect(text.utf8.count == 66 + 3 * 190)
        #expect(PercentEncoding.decode(text).exactBytes == all)
    }
}

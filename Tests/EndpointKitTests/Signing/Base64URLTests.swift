import EndpointKit
import TestSupport
import Testing

struct Base64URLTests {
    /// The texts of RFC 4648, section 10, without padding, and the two characters that differ from Base64.
    static let rows: [Row<[UInt8], String>] = [
        Row("empty", [], ""),
        Row("one byte", "f".bytes, "Zg"),
        Row("two bytes", "fo".bytes, "Zm8"),
        Row("three bytes", "foo".bytes, "Zm9v"),
        Row("four bytes", "foob".bytes, "Zm9vYg"),
        Row("five bytes", "fooba".bytes, "Zm9vYmE"),
        Row("six bytes", "foobar".bytes, "Zm9vYmFy"),
        Row("the alphabet of URLs", [0xFB, 0xFF, 0xFE], "-__-"),
        // RFC 7636, appendix B.
        Row(
            "a code challenge", MessageDigest.sha256.digest(of: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".bytes),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
    ]

    @Test(arguments: rows)
    func `Bytes are encoded without padding`(_ row: Row<[UInt8], String>) {
        #expect(Base64URL.encode(row.input) == row.expected)
    }
}

import EndpointKit
import TestSupport
import Testing

struct HMACTests {
    struct Message: Sendable {
        let key: [UInt8]
        let text: [UInt8]
    }

    /// Keys, messages and codes of RFC 4231, section 4.
    static let sha256: [Row<Message, String>] = [
        Row(
            "a key shorter than the digest",
            Message(
                key: [UInt8](repeating: 0x0B, count: 20),
                text: "Hi There".bytes),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Row(
            "a key of four letters",
            Message(
                key: "Jefe".bytes,
                text: "what do ya want for nothing?".bytes),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Row(
            "binary data",
            Message(
                key: [UInt8](repeating: 0xAA, count: 20),
                text: [UInt8](repeating: 0xDD, count: 50)),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Row(
            "a key longer than a block",
            Message(
                key: [UInt8](repeating: 0xAA, count: 131),
                text: "Test Using Larger Than Block-Size Key - Hash Key First".bytes),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Row(
            "key and data longer than a block",
            Message(
                key: [UInt8](repeating: 0xAA, count: 131),
                text: ("This is a test using a larger than block-size key and a larger than block-si"
                    + "ze data. The key needs to be hashed before being used by the HMAC algorithm.").bytes),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]

    @Test(arguments: sha256)
    func `SHA-256 yields the codes of RFC 4231`(_ row: Row<Message, String>) {
        let code = MessageDigest.sha256.authenticationCode(of: row.input.text, key: row.input.key)
        #expect(MessageDigest.hexadecimal(code) == row.expected)
    }

    /// Keys, messages and codes of RFC 2202, section 3.
    static let sha1: [Row<Message, String>] = [
        Row(
            "a key as long as the digest",
            Message(
                key: [UInt8](repeating: 0x0B, count: 20),
                text: "Hi There".bytes),
            "b617318655057264e28bc0b6fb378c8ef146be00"),
        Row(
            "a key of four letters",
            Message(
                key: "Jefe".bytes,
                text: "what do ya want for nothing?".bytes),
            "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        Row(
            "a key longer than a block",
            Message(
                key: [UInt8](repeating: 0xAA, count: 80),
                text: "Test Using Larger Than Block-Size Key - Hash Key First".bytes),
            "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
    ]

    @Test(arguments: sha1)
    func `SHA-1 yields the codes of RFC 2202`(_ row: Row<Message, String>) {
        let code = MessageDigest.sha1.authenticationCode(of: row.input.text, key: row.input.key)
        #expect(MessageDigest.hexadecimal(code) == row.expected)
    }

    /// Keys, messages and codes of RFC 2202, section 2.
    static let md5: [Row<Message, String>] = [
        Row(
            "a key as long as the digest",
            Message(
                key: [UInt8](repeating: 0x0B, count: 16),
                text: "Hi There".bytes),
            "9294727a3638bb1c13f48ef8158bfc9d"),
        Row(
            "a key of four letters",
            Message(
                key: "Jefe".bytes,
                text: "what do ya want for nothing?".bytes),
            "750c783e6ab0b503eaa86e310a5db738"),
        Row(
            "a key longer than a block",
            Message(
                key: [UInt8](repeating: 0xAA, count: 80),
                text: "Test Using Larger Than Block-Size Key - Hash Key First".bytes),
            "6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd"),
    ]

    @Test(arguments: md5)
    func `MD5 yields the codes of RFC 2202`(_ row: Row<Message, String>) {
        let code = MessageDigest.md5.authenticationCode(of: row.input.text, key: row.input.key)
        #expect(MessageDigest.hexadecimal(code) == row.expected)
    }

    @Test func `A key with the length of a block is used as it is`() {
        // The code was made with Python's hmac.
        let key = [UInt8](repeating: 0xAA, count: 64)
        let code = MessageDigest.sha256.authenticationCode(of: "text", key: key)
        #expect(
            MessageDigest.hexadecimal(code)
                == "bc2847bdca0aefc8eebf802c0d5c25d30453e0aa52966eea20aa60c406bf757c")
    }
}

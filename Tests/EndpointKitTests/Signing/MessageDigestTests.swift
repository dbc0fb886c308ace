import EndpointKit
import TestSupport
import Testing

struct MessageDigestTests {
    /// Messages and digests of RFC 1321, section A.5.
    static let md5: [Row<String, String>] = [
        Row(
            "empty", "",
            "d41d8cd98f00b204e9800998ecf8427e"),
        Row(
            "one letter", "a",
            "0cc175b9c0f1b6a831c399e269772661"),
        Row(
            "three letters", "abc",
            "900150983cd24fb0d6963f7d28e17f72"),
        Row(
            "words", "message digest",
            "f96b697d7cb7938d525a2f31aaf161d0"),
        Row(
            "alphabet", "abcdefghijklmnopqrstuvwxyz",
            "c3fcd3d76192e4007dfb496cca67e13b"),
        Row(
            "letters and digits", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "d174ab98d277d9f5a5611c2c9f419d9f"),
        Row(
            "more than a block", "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"),
    ]

    @Test(arguments: md5)
    func `MD5 yields the digests of RFC 1321`(_ row: Row<String, String>) {
        #expect(MessageDigest.md5.hexadecimal(of: row.input) == row.expected)
    }

    /// Messages and digests of RFC 3174, section 7.3.
    static let sha1: [Row<String, String>] = [
        Row(
            "empty", "",
            "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        Row(
            "three letters", "abc",
            "a9993e364706816aba3e25717850c26c9cd0d89d"),
        Row(
            "two blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        Row(
            "ten blocks", String(repeating: "01234567", count: 80),
            "dea356a2cddd90c7a7ecedc5ebb563934f460452"),
    ]

    @Test(arguments: sha1)
    func `SHA-1 yields the digests of RFC 3174`(_ row: Row<String, String>) {
        #expect(MessageDigest.sha1.hexadecimal(of: row.input) == row.expected)
    }

    /// Messages and digests of RFC 6234, section 8.5.
    static let sha256: [Row<String, String>] = [
        Row(
            "empty", "",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        Row(
            "three letters", "abc",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Row(
            "two blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        Row(
            "ten blocks", String(repeating: "01234567", count: 80),
            "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"),
    ]

    @Test(arguments: sha256)
    func `SHA-256 yields the digests of RFC 6234`(_ row: Row<String, String>) {
        #expect(MessageDigest.sha256.hexadecimal(of: row.input) == row.expected)
    }

    /// Lengths of messages around the ends of blocks, and the digests of the messages. They were made with Python's
    /// hashlib.
    static let lengths: [Row<Int, [String]>] = [
        Row(
            "55 bytes", 55,
            [
                "8d24280288a696559fd8d5aa1b6d8c6e", "aecd1643c9903b9bae8cb94f53c50f8a4e18605b",
                "576a1bf8d4478657e6dc4af9398544765c2a92cde28478b019235cfed315fc09",
            ]),
        Row(
            "56 bytes", 56,
            [
                "ef2c72b7254c92459e498eddd4ace573", "f5d65c621c02cc8e785159feff8088e3072da1bc",
                "9b20501dfd1d99161c257950f3444f3e49230c351c5c8e0943ef369f85f5205d",
            ]),
        Row(
            "57 bytes", 57,
            [
                "5e319059f1ba9373988437b589fb9f21", "a69640f450b01dd44b096a2a697b52e3f2aeb117",
                "a5534a9d0694341dfde5b1bb3d8addcb38bd46f44a629dc97b3f8fb2721b0720",
            ]),
        Row(
            "63 bytes", 63,
            [
                "c4c8c6d513f4e1604eb18508a1769364", "4952f0fe097e4d6410ae9eab4855aa836caf3bff",
                "30b345906b493f06f69444b6521113511c242f30e29840462950035043682f1e",
            ]),
        Row(
            "64 bytes", 64,
            [
                "a2fcb39a253b9b785b1f97518fa37683", "1e17ae1fc093e5daca033553c97a5192ca164486",
                "d8bc63b4fc1156e5e7d95a418b9bf54cd3174bedbc2db40f74895349b229b3c0",
            ]),
        Row(
            "65 bytes", 65,
            [
                "e49fe82d0bb12967a196c85de313e446", "ac44f5dbe3e9b5d2733fc9537fcad715c3c20bc3",
                "1ee23b0fbcaecc1aff4a9e8f1645f35ab2c8e13609cd73b68df8b5e3f63ce073",
            ]),
        Row(
            "119 bytes", 119,
            [
                "1640deea49ebb258ec6ede18d4b2d2d7", "b4a4e69060d0b1e7e8ebbf7041a4211c63438b57",
                "7a6589821178918ca8d9edaba5abfc1e9b2669564f4469b66885379c1530b2c8",
            ]),
        Row(
            "120 bytes", 120,
            [
                "05f879f7b542a7ebf0605adff67d4423", "b651390c2996406336a3f6647e4b590c18cdd6f8",
                "655250427d56b1b0eeb8497d21428704273458a01772d6881b65c0abac0f8a98",
            ]),
        Row(
            "128 bytes", 128,
            [
                "fe942895e9aae953f3e246e5fd00739d", "516846cd40bd1fe431119c3b0a0f362957992ee8",
                "54c9eb041badfd7064645067b107661fed6113197ce2dd066ba69618abd3732f",
            ]),
        Row(
            "300 bytes", 300,
            [
                "04efd1e6a4e06e3794694154279db582", "c171cf8316b7c44ede787146936af403e0ec9de1",
                "9a76b8af8f16f19d60de2b3999c22f9d10be4395c90ea3bfc5eb6cd6254243af",
            ]),
    ]

    @Test(arguments: lengths)
    func `Messages of every length are padded`(_ row: Row<Int, [String]>) {
        let message = (0..<row.input).map { UInt8($0 * 7 % 256) }
        let digests = [MessageDigest.md5, .sha1, .sha256].map { MessageDigest.hexadecimal($0.digest(of: message)) }
        #expect(digests == row.expected)
    }

    @Test func `A message of a million bytes has the published digests`() {
        let message = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(
            MessageDigest.hexadecimal(MessageDigest.sha256.digest(of: message))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `The digest does not depend on how the message is divided`() {
        let message = (0..<300).map { UInt8($0 % 256) }
        for length in [1, 63, 64, 65, 200] {
            let pieces = stride(from: 0, to: 300, by: length).map { message[$0..<min($0 + length, 300)] }
            #expect(MessageDigest.sha256.digest(of: pieces) == MessageDigest.sha256.digest(of: message))
        }
    }
}

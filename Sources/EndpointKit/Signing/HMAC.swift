import JSONText

extension MessageDigest {
    /// The length of the blocks that the digests read, in bytes. HMAC brings its key to this length.
    private static var blockSize: Int { 64 }

    /// Returns the authentication code of a message: HMAC with this digest (RFC 2104).
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - key: The secret key, of any length.
    /// - Returns: As many bytes as the digest has.
    public func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        // A key that is longer than a block is replaced with its digest (RFC 2104, section 2).
        var block = key.count > Self.blockSize ? digest(of: key) : key
        block += [UInt8](repeating: 0, count: Self.blockSize - block.count)
        let innerDigest = digest(of: [block.map { $0 ^ 0x36 }, message])
        return digest(of: [block.map { $0 ^ 0x5C }, innerDigest])
    }

    /// Returns the authentication code of a text's bytes in UTF-8, which are not changed: HMAC with this digest.
    ///
    /// - Parameters:
    ///   - text: The message.
    ///   - key: The secret key, of any length.
    public func authenticationCode(of text: String, key: [UInt8]) -> [UInt8] {
        authenticationCode(of: text.exactBytes, key: key)
    }
}

import JSONText

extension MessageDigest {
    /// The length of the blocks that the digests read, in bytes. HMAC brings its key to this length.
    private static var blockSize: Int { 64 }

    /// Returns the authentication code of a message: HMAC with this digest (RFC 2104).
    ///
    /// - Parameters:
    ///   - message: The bytes to authenticate.
    ///   - key: The secret key, of any length.
    /// - Returns: As many bytes as the digest has.
    public func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        // The key gets the length of a block. A longer key is replaced by its digest (RFC 2104, section 2). The bytes
        // 0x36 and 0x5C are the `ipad` and `opad` of the RFC.
        var keyBlock = key.count > Self.blockSize ? digest(of: key) : key
        keyBlock += [UInt8](repeating: 0, count: Self.blockSize - keyBlock.count)
        let innerKey = keyBlock.map { $0 ^ 0x36 }
        let outerKey = keyBlock.map { $0 ^ 0x5C }
        let innerDigest = digest(of: [innerKey, message])
        return digest(of: [outerKey, innerDigest])
    }

    /// Returns the authentication code of a text's bytes in UTF-8, which are not changed: HMAC with this digest.
    ///
    /// - Parameters:
    ///   - text: The text to authenticate.
    ///   - key: The secret key, of any length.
    public func authenticationCode(of text: String, key: [UInt8]) -> [UInt8] {
        authenticationCode(of: text.exactBytes, key: key)
    }
}

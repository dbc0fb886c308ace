import JSONText

// Functions that only later systems have, with the same results on iOS 16.

extension String {
    /// Creates the text of bytes in UTF-8; nil if they are not UTF-8.
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        if #available(iOS 18, macOS 15, *) {
            self.init(validating: bytes, as: UTF8.self)
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding puts U+FFFD in place of bytes that are not UTF-8.
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}

extension URLComponents {
    /// Creates the components of a text that is a valid URL (RFC 3986). Returns nil for any other text.
    ///
    /// No character is percent-encoded to make the text a URL.
    package init?(strict text: String) {
        if #available(iOS 17, macOS 14, *) {
            self.init(string: text, encodingInvalidCharacters: false)
            return
        }
        // Earlier systems encode no characters.
        self.init(string: text)
    }
}

extension URL {
    /// Creates a URL from a text that is a valid URL (RFC 3986). Returns nil for any other text.
    ///
    /// No character is percent-encoded to make the text a URL.
    package init?(strict text: String) {
        if #available(iOS 17, macOS 14, *) {
            self.init(string: text, encodingInvalidCharacters: false)
            return
        }
        // Earlier systems encode no characters.
        self.init(string: text)
    }
}

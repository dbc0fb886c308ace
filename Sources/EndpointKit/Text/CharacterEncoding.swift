import JSONText
import Locking

/// The encoding of a text that is not UTF-8, among those that servers still use.
///
/// JSON between systems is UTF-8 (RFC 8259, section 8.1). A server that sends it in another encoding says so in the
/// parameter `charset`, or begins with the byte order mark of UTF-16.
package enum CharacterEncoding: Sendable {
    /// Windows-1252. The names of ISO 8859-1 mean this encoding too, as the WHATWG Encoding Standard has it.
    case windows1252
    /// UTF-16 (RFC 2781).
    case utf16(isBigEndian: Bool)

    /// Creates the encoding that a text declares. Returns nil for UTF-8, and for an unknown encoding.
    ///
    /// - Parameters:
    ///   - contentType: The header `Content-Type`; nil if there is none.
    ///   - start: The first bytes of the text. A byte order mark counts more than the header.
    init?(contentType: String?, start: some Sequence<UInt8>) {
        let firstTwoBytes = Array(start.prefix(2))
        if firstTwoBytes == [0xFF, 0xFE] {
            self = .utf16(isBigEndian: false)
            return
        }
        if firstTwoBytes == [0xFE, 0xFF] {
            self = .utf16(isBigEndian: true)
            return
        }
        switch Self.charset(in: contentType ?? "") {
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252":
            self = .windows1252
        case "utf-16", "utf-16be": self = .utf16(isBigEndian: true)
        case "utf-16le": self = .utf16(isBigEndian: false)
        default: return nil
        }
    }

    /// Returns the parameter `charset` of a content type, in lower case; nil if there is none.
    ///
    ///     application/json; charset="ISO-8859-1"    →    iso-8859-1
    private static func charset(in contentType: String) -> String? {
        for parameter in contentType.lowercased().split(separator: ";").dropFirst() {
            let nameAndValue = parameter.split(separator: "=", maxSplits: 1).map { text in
                // Blanks around the name and the value do not belong to them.
                String(text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
            }
            guard nameAndValue.count == 2, nameAndValue[0] == "charset" else { continue }
            return nameAndValue[1].replacing("\"", with: "")
        }
        return nil
    }
}

/// Converts a text that arrives in chunks to UTF-8.
package struct UTF8Converter: Sendable {
    /// The characters of Windows-1252 from 0x80 to 0x9F. Five of these bytes have no character, and stand for the
    /// control characters of ISO 8859-1.
    private static let windowsCharactersFrom80: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153,
        0x9D,
        0x017E, 0x0178,
    ]

    /// The encoding of the text.
    private let encoding: CharacterEncoding
    /// The first bytes of a character whose other bytes have not arrived yet.
    private var unfinishedCharacter: [UInt8] = []

    /// Creates a converter of a text in an encoding.
    package init(_ encoding: CharacterEncoding) { self.encoding = encoding }

    /// Converts the next bytes of the text to UTF-8. The start of a character waits for its other bytes.
    ///
    /// A byte order mark becomes one in UTF-8.
    package mutating func convert(_ bytes: [UInt8]) -> [UInt8] {
        switch encoding {
        case .windows1252: Self.convertedFromWindows1252(bytes)
        case .utf16(let isBigEndian): convertUTF16(bytes, isBigEndian: isBigEndian)
        }
    }

    /// Ends the text.
    ///
    /// - Returns: A replacement character if the text ends within a character; otherwise nothing.
    package mutating func finish() -> [UInt8] {
        let isCut = !unfinishedCharacter.isEmpty
        unfinishedCharacter = []
        return isCut ? Array("\u{FFFD}".utf8) : []
    }

    /// Returns text in Windows-1252 as UTF-8. Each of its bytes is a character.
    private static func convertedFromWindows1252(_ bytes: [UInt8]) -> [UInt8] {
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        if isASCII { return bytes }
        var text = String.UnicodeScalarView()
        for byte in bytes {
            var codePoint = UInt16(byte)
            if (0x80..<0xA0).contains(byte) { codePoint = windowsCharactersFrom80[Int(byte) - 0x80] }
            // No value in the table is a surrogate, so each one is a scalar.
            text.append(Unicode.Scalar(codePoint) ?? "\u{FFFD}")
        }
        return Array(String(text).utf8)
    }

    /// Converts the next bytes of a text in UTF-16 to UTF-8. An odd byte and the first half of a surrogate pair wait in
    /// ``unfinishedCharacter``.
    private mutating func convertUTF16(_ bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
        let allBytes = unfinishedCharacter + bytes
        // The last index is left out, because a code unit needs another byte after its first one.
        let indexesOfCodeUnits = stride(from: 0, to: allBytes.count - 1, by: 2)
        var codeUnits = indexesOfCodeUnits.map { index in
            let firstByte = UInt16(allBytes[index])
            let secondByte = UInt16(allBytes[index + 1])
            return isBigEndian ? firstByte << 8 | secondByte : secondByte << 8 | firstByte
        }
        if let lastUnit = codeUnits.last, UTF16.isLeadSurrogate(lastUnit) { codeUnits.removeLast() }
        unfinishedCharacter = Array(allBytes[(codeUnits.count * 2)...])
        return Array(String(decoding: codeUnits, as: UTF16.self).utf8)
    }
}

extension StreamedResponse {
    /// Returns this response with its text in UTF-8. A text in UTF-8 stays as it is.
    package func convertedToUTF8() -> StreamedResponse {
        let contentType = head["Content-Type"]
        let state = Lock(ConversionState.start)
        let body = body
        var convertedResponse = self
        convertedResponse.body = ResponseBody {
            // A body is read only once: the iterator of the next call goes on after the chunks of this one.
            var chunks = body.makeAsyncIterator()
            while let chunk = try await chunks.next() {
                let text = state.withLock { $0.convert(chunk, contentType: contentType) }
                // A chunk with only a part of a character has no text yet. An empty text would end the body.
                if !text.isEmpty { return text }
            }
            let textAtEnd = state.withLock { $0.finish() }
            return textAtEnd.isEmpty ? nil : textAtEnd
        }
        return convertedResponse
    }
}

/// The state of a conversion, which depends on the encoding that the first bytes of the text declare.
private enum ConversionState {
    /// No bytes have arrived yet.
    case start
    /// The text is in another encoding than UTF-8.
    case converting(UTF8Converter)
    /// The text is UTF-8 already.
    case unchanged

    /// Converts the next bytes of the text to UTF-8. The first bytes decide about the encoding.
    mutating func convert(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
        if case .start = self, !bytes.isEmpty {
            if let encoding = CharacterEncoding(contentType: contentType, start: bytes) {
                self = .converting(UTF8Converter(encoding))
            } else {
                self = .unchanged
            }
        }
        guard case .converting(var converter) = self else { return bytes }
        let text = converter.convert(bytes)
        self = .converting(converter)
        return text
    }

    /// Ends the text, and returns a replacement character if it ends within a character.
    mutating func finish() -> [UInt8] {
        guard case .converting(var converter) = self else { return [] }
        let text = converter.finish()
        self = .converting(converter)
        return text
    }
}

import JSONText
import Locking

/// The encoding of a text that is not UTF-8, as far as servers still use others.
///
/// JSON between systems is UTF-8 (RFC 8259, section 8.1). A server that sends it in another encoding says so in the
/// parameter `charset`, or begins with the byte order mark of UTF-16.
package enum CharacterEncoding: Sendable {
    /// Windows-1252. The names of ISO 8859-1 mean this encoding too, as the WHATWG Encoding Standard has it.
    case windows1252
    case utf16(isBigEndian: Bool)

    /// Finds the encoding of a text; nil for UTF-8, and for an encoding that is not known.
    ///
    /// - Parameters:
    ///   - contentType: The header `Content-Type`; nil without one.
    ///   - start: The first bytes of the text. A byte order mark counts more than the header.
    init?(contentType: String?, start: some Sequence<UInt8>) {
        switch Array(start.prefix(2)) {
        case [0xFF, 0xFE]: self = .utf16(isBigEndian: false)
        case [0xFE, 0xFF]: self = .utf16(isBigEndian: true)
        default:
            guard let name = Self.charset(in: contentType ?? "") else { return nil }
            switch name {
            case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252":
                self = .windows1252
            case "utf-16", "utf-16be": self = .utf16(isBigEndian: true)
            case "utf-16le": self = .utf16(isBigEndian: false)
            default: return nil
            }
        }
    }

    /// Returns the parameter `charset` of a media type, in lower case: `iso-8859-1` for `application/json;
    /// charset="ISO-8859-1"`.
    private static func charset(in contentType: String) -> String? {
        for parameter in contentType.lowercased().split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { part in
                String(part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
            }
            if parts.count == 2, parts[0] == "charset" { return parts[1].replacing("\"", with: "") }
        }
        return nil
    }
}

/// Converts a text that comes in pieces to UTF-8.
package struct UTF8Converter: Sendable {
    /// The characters of Windows-1252 from 0x80 to 0x9F. Five of these bytes have no character, and stand for the control
    /// characters of ISO 8859-1.
    private static let upperControls: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153,
        0x9D,
        0x017E, 0x0178,
    ]

    private let encoding: CharacterEncoding
    /// The first bytes of a character whose end has not come yet.
    private var unfinished: [UInt8] = []

    package init(_ encoding: CharacterEncoding) { self.encoding = encoding }

    /// Returns the next bytes of the text in UTF-8. A byte order mark becomes one in UTF-8.
    package mutating func convert(_ bytes: [UInt8]) -> [UInt8] {
        switch encoding {
        case .windows1252: Self.converted1252(bytes)
        case .utf16(let isBigEndian): convertUTF16(bytes, isBigEndian)
        }
    }

    /// Returns the end of the text: a replacement character for half a character; otherwise nothing.
    package mutating func finish() -> [UInt8] {
        let isCut = !unfinished.isEmpty
        unfinished = []
        return isCut ? Array("\u{FFFD}".utf8) : []
    }

    private static func converted1252(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.allSatisfy({ $0 < 0x80 }) { return bytes }
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let code = 0x80..<0xA0 ~= byte ? upperControls[Int(byte) - 0x80] : UInt16(byte)
            // No value in the table is a surrogate, so that each is a scalar.
            text.append(Unicode.Scalar(code) ?? "\u{FFFD}")
        }
        return Array(String(text).utf8)
    }

    private mutating func convertUTF16(_ bytes: [UInt8], _ isBigEndian: Bool) -> [UInt8] {
        let all = unfinished + bytes
        var units = stride(from: 0, to: all.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(all[index]), UInt16(all[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        // The first half of a pair of surrogates waits for the second one.
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        unfinished = Array(all[(units.count * 2)...])
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}

extension StreamedResponse {
    /// Returns this response with its text in UTF-8. A text in UTF-8 stays as it is.
    package func convertedToUTF8() -> StreamedResponse {
        let contentType = head["Content-Type"]
        let state = Lock(ConversionState.start)
        let body = body
        var copy = self
        copy.body = ResponseBody {
            var chunks = body.makeAsyncIterator()
            while let chunk = try await chunks.next() {
                let text = state.withLock { $0.convert(chunk, contentType) }
                // The bytes may all wait for the rest of a character.
                if !text.isEmpty { return text }
            }
            let end = state.withLock { $0.finish() }
            return end.isEmpty ? nil : end
        }
        return copy
    }
}

/// The conversion of a text, before and after its first bytes have told the encoding.
private enum ConversionState {
    case start
    case converting(UTF8Converter)
    /// The text is UTF-8 already.
    case unchanged

    mutating func convert(_ bytes: [UInt8], _ contentType: String?) -> [UInt8] {
        if case .start = self, !bytes.isEmpty {
            let encoding = CharacterEncoding(contentType: contentType, start: bytes)
            self = encoding.map { .converting(UTF8Converter($0)) } ?? .unchanged
        }
        guard case .converting(var converter) = self else { return bytes }
        let text = converter.convert(bytes)
        self = .converting(converter)
        return text
    }

    mutating func finish() -> [UInt8] {
        guard case .converting(var converter) = self else { return [] }
        let text = converter.finish()
        self = .converting(converter)
        return text
    }
}

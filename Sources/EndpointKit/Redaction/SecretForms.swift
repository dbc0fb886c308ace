import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The forms that a secret may take before it is escaped byte by byte: encoded, hashed or trimmed.
enum SecretForms {
    /// From this many bytes on the encoded forms of a secret are looked for; those of shorter ones are in other words too.
    private static let shortestEncoded = 3
    /// From this many bytes on small and capital letters are the same.
    private static let shortestFolded = 8
    /// Up to this many bytes: no token is longer, and each form takes memory.
    private static let longestEncoded = 8192

    /// `secret` itself and every other form of it.
    static func all(of secret: [UInt8]) -> Set<[UInt8]> {
        var forms: Set = [secret]
        // A line of a file from Windows ends in CR; a field is sent without the blanks around it.
        let start = secret.firstIndex { !isBlank($0) } ?? secret.endIndex
        let end = secret.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        let bare = Array(secret[start..<max(start, end)])
        if !bare.isEmpty { forms.insert(bare) }
        guard (shortestEncoded...longestEncoded).contains(secret.count) else { return forms }
        for form in [secret, bare] where form.count >= shortestEncoded {
            // Read as a form or as part of a URL.
            forms.insert(PercentEncoding.decodeBytes(form))
            forms.insert(withoutBackslashes(form))
            forms.insert(form.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
            if form.count >= shortestFolded {
                forms.insert(form.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
                forms.insert(form.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 })
            }
            forms.formUnion(base64(form))
            forms.insert(hexadecimal(form, "0123456789abcdef"))
            forms.insert(hexadecimal(form, "0123456789ABCDEF"))
            if form.contains(where: { $0 >= 0x80 }) { forms.formUnion(otherCharacterSets(form)) }
        }
        return forms.filter { !$0.isEmpty }
    }

    /// What JSON makes of the form if a server puts it between quotes as it is.
    private static func withoutBackslashes(_ bytes: [UInt8]) -> [UInt8] {
        let short: [UInt8: UInt8] = [0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09]
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
                result.append(byte)
                continue
            }
            let digits = rest.prefix(4).compactMap(Hexadecimal.value)
            let unit = digits.reduce(UInt32(0)) { $0 << 4 | UInt32($1) }
            if next == UInt8(ascii: "u"), digits.count == 4, let scalar = Unicode.Scalar(unit) {
                result += Array(String(scalar).utf8)
                rest = rest.dropFirst(4)
            } else {
                result.append(short[next] ?? next)
            }
        }
        return result
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Both alphabets of RFC 4648: the secret alone, and at each of the three places where it may begin in a longer text. Of that only the
    /// characters that its neighbours have no part in.
    private static func base64(_ bytes: [UInt8]) -> [[UInt8]] {
        let alone = Array(Data(bytes).base64EncodedString().utf8)
        let within = (0..<3).map { offset -> [UInt8] in
            let text = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString().utf8
            let isWhole = (offset + bytes.count) % 3 == 0
            return Array(
                text.prefix { $0 != UInt8(ascii: "=") }.dropFirst([0, 2, 3][offset]).dropLast(isWhole ? 0 : 1))
        }
        let forms = [alone, alone.filter { $0 != UInt8(ascii: "=") }] + within.filter { $0.count >= shortestEncoded }
        let replacements = [UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_")]
        return forms + forms.map { form in form.map { replacements[$0] ?? $0 } }
    }

    private static func hexadecimal(_ bytes: [UInt8], _ digits: StaticString) -> [UInt8] {
        digits.withUTF8Buffer { digits in bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } }
    }

    /// UTF-16, and UTF-8 of what was taken for Latin-1.
    private static func otherCharacterSets(_ bytes: [UInt8]) -> [[UInt8]] {
        var mistaken = String.UnicodeScalarView()
        for byte in bytes { mistaken.append(Unicode.Scalar(byte)) }
        let units = String(decoding: bytes, as: UTF8.self).utf16
        return [
            Array(String(mistaken).utf8), units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
            units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] },
        ]
    }
}

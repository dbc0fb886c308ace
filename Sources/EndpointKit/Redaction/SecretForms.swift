#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The forms of all secrets, sorted: those that begin alike stand together, and each further byte narrows them down.
struct SecretForms: Sendable {
    /// The forms that share their first bytes.
    struct Candidates: Equatable {
        fileprivate var range: Range<Int>
        /// How many bytes they share.
        fileprivate(set) var depth = 0
    }

    /// From this many bytes on uppercase letters may be lowercase, as in the name of a host.
    private static let minLowercased = 8
    /// From this many bytes on the encoded forms of a secret are looked for; those of shorter ones are in other words too.
    private static let minEncoded = 3

    private var bytes: [UInt8] = []
    /// Where the forms stand in ``bytes``.
    private var sorted: [Range<Int>] = []
    private var isFirst = [Bool](repeating: false, count: 256)

    var isEmpty: Bool { sorted.isEmpty }

    var all: Candidates { Candidates(range: sorted.indices) }

    /// Adds a secret in all its forms: itself, trimmed, lowercased, in base 64 and in hexadecimal digits.
    mutating func insert(_ secret: String) {
        let secret = secret.exactBytes
        // A line of a file from Windows ends in CR; a field is sent without the blanks around it.
        let trimmed = Array(secret.drop(while: Self.isBlank).reversed().drop(while: Self.isBlank).reversed())
        for form in secret.count == trimmed.count || trimmed.isEmpty ? [secret] : [secret, trimmed] {
            insert(form)
            if secret.count >= Self.minLowercased { insert(form.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }) }
            guard form.count >= Self.minEncoded else { continue }
            for encoded in Self.base64(form) { insert(encoded) }
            for digits in ["0123456789abcdef", "0123456789ABCDEF"].map({ Array($0.utf8) }) {
                insert(form.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
            }
        }
    }

    private mutating func insert(_ form: [UInt8]) {
        guard let first = form.first else { return }
        let place = start(of: sorted.indices) { !bytes[$0].lexicographicallyPrecedes(form) }
        if place < sorted.count, bytes[sorted[place]].elementsEqual(form) { return }
        sorted.insert(bytes.count..<bytes.count + form.count, at: place)
        bytes += form
        isFirst[Int(first)] = true
    }

    /// Whether a form starts with `byte`.
    func begins(with byte: UInt8) -> Bool { isFirst[Int(byte)] }

    /// Whether the candidates' first bytes are a whole form.
    func isForm(_ candidates: Candidates) -> Bool { sorted[candidates.range.lowerBound].count == candidates.depth }

    /// Whether a candidate goes on.
    func isLonger(_ candidates: Candidates) -> Bool { sorted[candidates.range.upperBound - 1].count > candidates.depth }

    /// Those of the candidates that go on with `byte`; nil if none does.
    func narrowed(_ candidates: Candidates, by byte: UInt8) -> Candidates? {
        let depth = candidates.depth
        /// Beyond the end of a form comes less than any byte.
        func next(_ form: Range<Int>) -> Int { form.count > depth ? Int(bytes[form.lowerBound + depth]) : -1 }
        var range = candidates.range
        if range.count == 1 {
            if next(sorted[range.lowerBound]) != byte { return nil }
        } else {
            let lower = start(of: range) { next($0) >= byte }
            range = lower..<start(of: lower..<range.upperBound) { next($0) > byte }
            if range.isEmpty { return nil }
        }
        return Candidates(range: range, depth: depth + 1)
    }

    /// The first place of a range of forms from which on all of them are `after`.
    private func start(of range: Range<Int>, where isAfter: (Range<Int>) -> Bool) -> Int {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper {
            let middle = (lower + upper) / 2
            if isAfter(sorted[middle]) { upper = middle } else { lower = middle + 1 }
        }
        return lower
    }

    /// Both alphabets of RFC 4648: the secret alone, and at each of the three places where it may begin in a longer text. Of that only the
    /// characters that its neighbours have no part in.
    private static func base64(_ bytes: [UInt8]) -> [[UInt8]] {
        let within = (0..<3).map { offset -> [UInt8] in
            let text = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString().utf8
            let isWhole = (offset + bytes.count) % 3 == 0
            return Array(
                text.prefix { $0 != UInt8(ascii: "=") }.dropFirst([0, 2, 3][offset]).dropLast(isWhole ? 0 : 1))
        }
        let alone = Array(Data(bytes).base64EncodedString().utf8)
        let forms = [alone, alone.filter { $0 != UInt8(ascii: "=") }] + within.filter { $0.count >= minEncoded }
        let replacements = [UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_")]
        return forms + forms.map { form in form.map { replacements[$0] ?? $0 } }
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

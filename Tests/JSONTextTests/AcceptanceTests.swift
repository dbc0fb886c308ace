// On Apple's systems JSONSerialization is another program, with differences of its own.
#if !canImport(Darwin)
import Foundation
@testable import JSONText
import Testing

/// The scanner and Foundation's JSONSerialization accept the same texts, except for the listed differences.
struct AcceptanceTests {
    /// Texts that only the scanner accepts.
    static let acceptedOnlyHere = [
        // RFC 8259 allows lone surrogates, numbers of any size and any depth.
        Array(#"["\ud800"]"#.utf8),
        Array("[1e400]".utf8),
        // A stream may have several documents, and record separators before them (RFC 7464).
        Array("1\n[2]".utf8),
        [0x1E] + Array("1\n".utf8),
        // JSONSerialization accepts 512 levels.
        Array((String(repeating: "[", count: 513) + String(repeating: "]", count: 513)).utf8),
    ]
    /// Texts that only JSONSerialization accepts.
    static let acceptedOnlyByFoundation: [[UInt8]] = [
        // A comma after the last value.
        Array("[1,]".utf8),
        // `[]` in UTF-16, without and with a byte order mark.
        [0x5B, 0, 0x5D, 0],
        [0xFF, 0xFE, 0x5B, 0, 0x5D, 0],
    ]

    @Test(arguments: acceptedOnlyHere + acceptedOnlyByFoundation)
    func aListedDifferenceToFoundationRemains(_ text: [UInt8]) {
        let error = JSONFormatter.checking.run([text]).error
        #expect((error == nil) != Self.isAcceptedByFoundation(text))
        #expect(Self.isListedDifference(text, error))
    }

    /// Returns whether one of the listed differences explains why only one of the two accepts `text`.
    ///
    /// - Parameter error: The scanner's error; nil if only the scanner accepts the text.
    private static func isListedDifference(_ text: [UInt8], _ error: JSONSyntaxError?) -> Bool {
        guard let error else { return hasListedExtension(text) }
        return isCommaAtTheEnd(error) || isInAnotherEncoding(text)
    }

    /// Returns whether `text` has one of the things that only the scanner accepts.
    private static func hasListedExtension(_ text: [UInt8]) -> Bool {
        let openBrackets = text.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
        let recordSeparator: UInt8 = 0x1E
        return hasLoneSurrogate(text) || hasHugeNumber(text) || documents(text) > 1 || text.contains(recordSeparator)
            || openBrackets > 512
    }

    /// Returns whether the scanner found a closing bracket after a comma.
    private static func isCommaAtTheEnd(_ error: JSONSyntaxError) -> Bool {
        error.expected == "a value" && error.found == "']'"
            || error.expected == "a key in quotes" && error.found == "'}'"
    }

    /// Returns whether `text` may be in UTF-16 or UTF-32: it starts with a byte order mark or has an early zero byte.
    private static func isInAnotherEncoding(_ text: [UInt8]) -> Bool {
        text.prefix(4).contains(0) || text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF])
    }

    /// The number of accepted texts has bounds, because texts that are nearly all valid or invalid would show nothing.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func acceptsTheSameTextsAsFoundation(_ seed: UInt64) {
        var random = RandomText(seed: seed)
        var acceptedCount = 0
        for _ in 0..<5000 {
            let text = random.changed(random.valid())
            let error = JSONFormatter.checking.run([text]).error
            acceptedCount += error == nil ? 1 : 0
            if (error == nil) == Self.isAcceptedByFoundation(text) { continue }
            let shown = String(reflecting: String(decoding: text, as: UTF8.self))
            #expect(Self.isListedDifference(text, error), "\(shown)")
        }
        #expect((500...4500).contains(acceptedCount))
    }

    private static func isAcceptedByFoundation(_ text: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)) != nil
    }

    /// Returns the number of documents in `text`.
    private static func documents(_ text: [UInt8]) -> Int {
        // Compact text has one line feed per document.
        JSONFormatter.compact.run([text]).output.count { $0 == UInt8(ascii: "\n") }
    }

    /// Returns whether a number in `text` is beyond the range of a double.
    private static func hasHugeNumber(_ text: [UInt8]) -> Bool {
        text.split { !"+-.eE0123456789".utf8.contains($0) }
            .contains { Double(String(decoding: $0, as: UTF8.self))?.isInfinite == true }
    }

    /// Returns whether `text` has the escape of a high surrogate without a low one after it, or of a low one alone.
    private static func hasLoneSurrogate(_ text: [UInt8]) -> Bool {
        // The alternatives are tried in this order: a pair, a lone surrogate, any other escape. The last one skips
        // an escaped backslash, so that `\\ud800` is no surrogate.
        let escape = /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..)|\\./.matchingSemantics(.unicodeScalar)
        return String(decoding: text, as: UTF8.self).matches(of: escape).contains { $0.1 != nil }
    }
}
#endif

// On Apple's systems JSONSerialization is another program, with differences of its own.
#if !canImport(Darwin)
import Foundation
@testable import JSONText
import Testing

/// The scanner and Foundation's JSONSerialization accept the same texts, with the exceptions that are listed here.
struct AcceptanceTests {
    /// Texts that only the scanner accepts.
    static let acceptedOnlyHere = [
        // RFC 8259 allows lone surrogates, numbers of any size and any depth. A stream may have several documents
        // (RFC 7464).
        Array(#"["\ud800"]"#.utf8), Array("[1e400]".utf8), Array("1\n[2]".utf8), [0x1E] + Array("1\n".utf8),
        Array((String(repeating: "[", count: 513) + String(repeating: "]", count: 513)).utf8),
    ]
    /// Texts that only JSONSerialization accepts.
    static let acceptedOnlyByFoundation: [[UInt8]] = [
        // A comma after the last value, and encodings other than UTF-8.
        Array("[1,]".utf8), [0x5B, 0, 0x5D, 0], [0xFF, 0xFE, 0x5B, 0, 0x5D, 0],
    ]

    @Test(arguments: acceptedOnlyHere + acceptedOnlyByFoundation)
    func aListedDifferenceToFoundationRemains(_ text: [UInt8]) {
        let error = JSONFormatter.checking.run([text]).error
        #expect((error == nil) != Self.isAcceptedByFoundation(text))
        #expect(Self.isListedDifference(text, error))
    }

    private static func isListedDifference(_ text: [UInt8], _ error: JSONSyntaxError?) -> Bool {
        if let error {
            return error.expected == "a value" && error.found == "']'"
                || error.expected == "a key in quotes" && error.found == "'}'" || text.prefix(4).contains(0)
                || text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF])
        }
        return hasLoneSurrogate(text) || hasHugeNumber(text) || documents(text) > 1 || text.contains(0x1E)
            || text.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } > 512
    }

    /// The scanner may accept neither nearly all texts nor hardly any, because then they would show nothing.
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

    private static func documents(_ text: [UInt8]) -> Int {
        // Compact text has one line feed per document.
        JSONFormatter.compact.run([text]).output.count { $0 == UInt8(ascii: "\n") }
    }

    private static func hasHugeNumber(_ text: [UInt8]) -> Bool {
        text.split { !"+-.eE0123456789".utf8.contains($0) }
            .contains { Double(String(decoding: $0, as: UTF8.self))?.isInfinite == true }
    }

    /// Whether an escape of a high surrogate is not followed by one of a low surrogate, or a low one stands alone.
    private static func hasLoneSurrogate(_ text: [UInt8]) -> Bool {
        // From left to right: pairs, then lone ones, then any other escape, so that `\\ud800` is none.
        let escape = /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..)|\\./.matchingSemantics(.unicodeScalar)
        return String(decoding: text, as: UTF8.self).matches(of: escape).contains { $0.1 != nil }
    }
}
#endif

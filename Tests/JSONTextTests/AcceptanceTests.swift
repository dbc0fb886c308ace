// On Apple's systems JSONSerialization is another program, with differences of its own.
#if !canImport(Darwin)
import Foundation
@testable import JSONText
import Testing

/// What is JSON here is JSON for Foundation's JSONSerialization, and the other way round, but for the classes listed.
struct AcceptanceTests {
    /// Texts that are taken here only, or there only, and for good reasons.
    static let takenHere = [
        // RFC 8259 has lone surrogates, numbers of any size and any depth; a stream may have several documents (RFC 7464).
        Array(#"["\ud800"]"#.utf8), Array("[1e400]".utf8), Array("1\n[2]".utf8), [0x1E] + Array("1\n".utf8),
        Array((String(repeating: "[", count: 513) + String(repeating: "]", count: 513)).utf8),
    ]
    static let takenThere: [[UInt8]] = [
        // A comma stands between two values; only UTF-8 is read.
        Array("[1,]".utf8), [0x5B, 0, 0x5D, 0], [0xFF, 0xFE, 0x5B, 0, 0x5D, 0],
    ]

    @Test(arguments: takenHere + takenThere)
    func differenceIsStillThere(_ text: [UInt8]) {
        let error = JSONFormatter.checking.run([text]).error
        #expect((error == nil) != Self.isTakenThere(text))
        #expect(Self.isKnown(text, error))
    }

    private static func isKnown(_ text: [UInt8], _ error: JSONSyntaxError?) -> Bool {
        if let error {
            return error.expected == "a value" && error.found == "']'"
                || error.expected == "a key in quotes" && error.found == "'}'" || text.prefix(4).contains(0)
                || text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF])
        }
        return hasLoneSurrogate(text) || hasHugeNumber(text) || documents(text) > 1 || text.contains(0x1E)
            || text.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } > 512
    }

    /// Neither side may take nearly all, else the texts would show nothing.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func sameTextsAreTaken(_ seed: UInt64) {
        var random = RandomText(seed: seed)
        var taken = 0
        for _ in 0..<5000 {
            let text = random.changed(random.valid())
            let error = JSONFormatter.checking.run([text]).error
            taken += error == nil ? 1 : 0
            let isTakenThere = Self.isTakenThere(text)
            if (error == nil) == isTakenThere { continue }
            #expect(Self.isKnown(text, error), "\(String(reflecting: String(decoding: text, as: UTF8.self)))")
        }
        #expect((500...4500).contains(taken))
    }

    private static func isTakenThere(_ text: [UInt8]) -> Bool {
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

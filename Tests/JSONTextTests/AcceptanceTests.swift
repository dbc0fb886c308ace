// On Apple's systems JSONSerialization is another program, with differences of its own.
#if !canImport(Darwin)
import Foundation
import JSONText
import Testing

/// What is JSON here is JSON for Foundation's JSONSerialization, and the other way round, but for the classes listed.
struct AcceptanceTests {
    /// A kind of text that one side takes and the other refuses.
    struct Difference: Sendable, CustomTestStringConvertible {
        let id: String
        /// Which side takes it.
        let isTakenHere: Bool
        /// Why this side is right.
        let reason: String
        let example: [UInt8]
        let applies: @Sendable (_ text: [UInt8], _ error: JSONSyntaxError?) -> Bool
        var testDescription: String { id }
    }

    static let differences = [
        Difference(
            id: "lone surrogate", isTakenHere: true,
            reason:
                "RFC 8259, 8.2: the grammar allows them; the text is kept as it is, so none need be made a character",
            example: Array(#"["\ud800"]"#.utf8), applies: { text, _ in hasLoneSurrogate(text) }),
        Difference(
            id: "number beyond Double", isTakenHere: true,
            reason: "RFC 8259, 6: the grammar has no limit; number text is never made a number",
            example: Array("[1e400]".utf8), applies: { text, _ in hasHugeNumber(text) }),
        Difference(
            id: "more than 512 levels", isTakenHere: true,
            reason: "RFC 8259, 9 lets a parser set a limit; none is needed where nothing recurses",
            example: Array((String(repeating: "[", count: 513) + String(repeating: "]", count: 513)).utf8),
            applies: { text, _ in text.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } > 512 }),
        Difference(
            id: "several documents", isTakenHere: true,
            reason: "a stream of documents, one after the other, each on a line of its own",
            example: Array("1\n[2]".utf8), applies: { text, _ in documents(text) > 1 }),
        Difference(
            id: "record separator", isTakenHere: true,
            reason: "RFC 7464: each text of a sequence starts with one",
            example: [0x1E] + Array("1\n".utf8), applies: { text, _ in text.contains(0x1E) }),
        Difference(
            id: "trailing comma", isTakenHere: false,
            reason: "RFC 8259, 4 and 5: a comma stands between two values",
            example: Array("[1,]".utf8),
            applies: { _, error in
                error?.expected == "a value" && error?.found == "']'"
                    || error?.expected == "a key in quotes" && error?.found == "'}'"
            }),
        Difference(
            id: "NUL near the start", isTakenHere: false,
            reason: "RFC 8259, 8.1: UTF-8 only; taken there as a sign of UTF-16 or UTF-32, or as the end",
            example: [0x5B, 0, 0x5D, 0], applies: { text, _ in text.prefix(4).contains(0) }),
        Difference(
            id: "byte order mark of UTF-16", isTakenHere: false,
            reason: "RFC 8259, 8.1: UTF-8 only",
            example: [0xFF, 0xFE, 0x5B, 0, 0x5D, 0],
            applies: { text, _ in text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) }),
    ]

    @Test(arguments: differences)
    func differenceIsStillThere(_ row: Difference) {
        let error = JSONFormatter.checking.run([row.example]).error
        #expect((error == nil) == row.isTakenHere)
        #expect(Self.isTakenThere(row.example) != row.isTakenHere)
        #expect(row.applies(row.example, error))
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func validTextsAreTaken(_ seed: UInt64) {
        var random = RandomText(seed: seed)
        for _ in 0..<1000 {
            let text = random.valid()
            #expect(JSONFormatter.checking.run([text]).error == nil, "\(String(decoding: text, as: UTF8.self))")
        }
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
            #expect(
                Self.differences.contains { $0.isTakenHere != isTakenThere && $0.applies(text, error) },
                "\(isTakenThere ? "taken there only" : "taken here only"): \(String(reflecting: String(decoding: text, as: UTF8.self)))"
            )
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

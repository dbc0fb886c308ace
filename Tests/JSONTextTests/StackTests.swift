import Foundation
import Testing

@testable import JSONText

/// Deeply nested texts and values on a small stack: that of a secondary thread on Apple's systems, 512 kB.
struct StackTests {
    struct Node: Codable {
        var name: String?
        var child: [Node]?
    }

    /// Tries one kind of value after the other, so that it may catch an error from deep inside.
    indirect enum Choice: Codable {
        case pair([Choice])
        case item(Node)

        init(from decoder: any Decoder) throws {
            if let pair = try? [Choice](from: decoder) {
                self = .pair(pair)
            } else {
                self = .item(try Node(from: decoder))
            }
        }
    }

    /// Runs `work` on a thread with a stack of 512 kB and returns how it ended.
    static func onSmallStack(_ work: @escaping @Sendable () throws -> Void) async -> Result<Void, any Error> {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: Result { try work() }) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }

    static let objects = String(repeating: #"{"child":["#, count: 255) + String(repeating: "]}", count: 255)
    static let arrays = String(repeating: "[", count: 510) + String(repeating: "]", count: 510)

    @Test(arguments: [objects, arrays])
    func deepTextsAreDecodedOrRefused(_ text: String) async {
        let result = await Self.onSmallStack {
            let document = try JSONDocument(Array(text.utf8))
            let marks = ReadMarks(document)
            if text.hasPrefix("[") {
                _ = try JSONTextDecoder().decode(Choice.self, from: document, marks: marks)
            } else {
                _ = try JSONTextDecoder().decode(Node.self, from: document, marks: marks)
            }
            #expect(JSONValue(document.decoded(marks)).description == text)
        }
        if case .failure(let error) = result {
            #expect((error as? JSONSyntaxError)?.expected == "nesting that the thread's stack is large enough for")
        }
    }

    @Test func deepValuesAreEncodedOrRefused() async {
        let result = await Self.onSmallStack {
            var node = Node()
            for _ in 0..<2_000 { node = Node(child: [node]) }
            _ = try JSONTextEncoder().encode(node)
        }
        if case .failure(let error) = result { #expect(error is EncodingError) }
    }

    @Test func printingNeedsNoStackForTheDepthOfAText() async throws {
        try await Self.onSmallStack {
            let levels = 200_000
            let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            #expect(JSONFormatter.compact.run(text).text == text + "\n")
        }.get()
    }

    /// Returns a JSON value of 2,001 nested arrays.
    private static func deepValue() -> JSONValue {
        var value: JSONValue = []
        for _ in 0..<2000 { value = [value] }
        return value
    }

    @Test func comparingAndHashingNeedNoStackForTheDepthOfAValue() async throws {
        try await Self.onSmallStack {
            let value = Self.deepValue()
            #expect(value == JSONValue([value]).elements?.first { _ in true })
            #expect(Set([value, [value]]).count == 2)
        }.get()
    }

    @Test(arguments: ["$[?@ == $[1]]", "$..*"])
    func queriesNeedNoStackForTheDepthOfAValue(_ query: String) async throws {
        try await Self.onSmallStack {
            let value = Self.deepValue()
            let both = JSONValue([JSONValue([value]), JSONValue([value])])
            let count = try Self.selectedCount(query, in: both.document)
            #expect(count >= 2)
        }.get()
    }

    @Test func aQueryMayBeNested64Times() async throws {
        try await Self.onSmallStack {
            let filters = String(repeating: "[?@", count: 64) + String(repeating: "]", count: 64)
            let document = try JSONDocument(Array(Self.arrays.utf8))
            let count = try Self.selectedCount("$" + filters, in: document)
            #expect(count == 1)
        }.get()
    }

    @Test func aQueryThatIsNestedMoreDeeplyIsRefused() async throws {
        try await Self.onSmallStack {
            #expect(throws: JSONPathError.self) { try JSONPath("$" + String(repeating: "[?(@", count: 100_000)) }
        }.get()
    }

    /// Returns how many values of `document` the query selects.
    private static func selectedCount(_ query: String, in document: JSONDocument) throws -> Int {
        var count = 0
        try JSONPath(query).select(in: document) { _ in
            count += 1
            return true
        }
        return count
    }
}

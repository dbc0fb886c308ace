import Foundation
import Testing

@testable import JSONText

/// Texts as deep as they may be, on a thread with the stack of a secondary thread of Apple's systems.
struct StackTests {
    struct Node: Codable {
        var name: String?
        var child: [Node]?
    }

    /// Tries one form after the other, so that an error inside may be caught.
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

    /// Whether `work` has returned or thrown one of these errors, on a thread of 512 kB.
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

    /// Printing, values and queries need no stack for the depth of a text; a query may be nested 64 times.
    @Test func depthNeedsNoStack() async throws {
        try await Self.onSmallStack {
            let levels = 200_000
            let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            #expect(JSONFormatter.compact.run(text).text == text + "\n")
            var value: JSONValue = []
            for _ in 0..<2000 { value = [value] }
            #expect(value == JSONValue([value]).elements?.first { _ in true })
            #expect(Set([value, [value]]).count == 2)
            let both = JSONValue([JSONValue([value]), JSONValue([value])])
            for query in ["$[?@ == $[1]]", "$..*"] {
                var count = 0
                try JSONPath(query).select(in: both.document) { _ in
                    count += 1
                    return true
                }
                #expect(count >= 2)
            }
            let filters = String(repeating: "[?@", count: 64) + String(repeating: "]", count: 64)
            let deep = try JSONDocument(Array(Self.arrays.utf8))
            var found = 0
            try JSONPath("$" + filters).select(in: deep) { _ in
                found += 1
                return true
            }
            #expect(found == 1)
            #expect(throws: JSONPathError.self) { try JSONPath("$" + String(repeating: "[?(@", count: 100_000)) }
        }.get()
    }
}

import Testing

@testable import JSONText

struct DocumentTests {
    /// Returns the error in a text of one document or several; nil if it is valid or only nested too deeply.
    ///
    /// The formatter has no limit of nesting, so errors of nesting are not compared with its errors.
    private static func syntaxError(_ bytes: [UInt8]) throws -> JSONSyntaxError? {
        do {
            _ = try JSONDocument.all(in: bytes)
            return nil
        } catch let error as JSONSyntaxError {
            return error.expected.hasSuffix("levels of nesting") ? nil : error
        }
    }

    @Test(arguments: InvalidTextTests.rows)
    func hasTheErrorOfTheFormatter(_ row: Row) throws {
        let error = try #require(JSONFormatter.checking.run([row.bytes]).error)
        #expect(try Self.syntaxError(row.bytes) == error)
    }

    @Test func changedTextsHaveTheErrorOfTheFormatter() throws {
        var random = RandomText(seed: 11)
        for _ in 0..<4000 {
            let valid = random.valid()
            #expect(throws: Never.self) { try JSONDocument(valid) }
            let text = random.changed(valid)
            #expect(try Self.syntaxError(text) == JSONFormatter.checking.run([text]).error, "\(text)")
        }
    }

    /// Describes all values of `document` in the order of its text.
    ///
    /// An array or object has its kind, the number of its elements or members, and its length in bytes: `array 1 3`
    /// for `[1]`. A scalar and a key are as they are written.
    private static func outline(_ document: JSONDocument) -> String {
        var parts: [String] = []
        var slot = 0
        while slot < document.next(after: 0) {
            let text = String(decoding: document.bytes[document.range(of: slot)], as: UTF8.self)
            switch document.kind(of: slot) {
            case .array, .object:
                parts.append("\(document.kind(of: slot)) \(document.count(of: slot)) \(text.utf8.count)")
                slot = document.first(in: slot)
            default:
                parts.append(text)
                slot += 1
            }
        }
        return parts.joined(separator: " | ")
    }

    static let outlines: [(text: String, outline: String)] = [
        (#" {"a": [1], "b": 2e1}"#, #"object 2 20 | "a" | array 1 3 | 1 | "b" | 2e1"#),
        ("[[],{},[ ],{ }]", "array 4 15 | array 0 2 | object 0 2 | array 0 3 | object 0 3"),
        ("[true,false,null]", "array 3 17 | true | false | null"), ("\u{FEFF}7\n", "7"),
        (#"["é\n", "a"]"#, #"array 2 13 | "é\n" | "a""#),
        (#"{"a":{"b":{}},"c":[]}"#, #"object 2 21 | "a" | object 1 8 | "b" | object 0 2 | "c" | array 0 2"#),
    ]

    @Test(arguments: outlines)
    func indexesEachValueOfATextInOrder(_ text: String, _ outline: String) throws {
        #expect(try Self.outline(JSONDocument(Array(text.utf8))) == outline)
    }

    /// Returns the start and extent of each slot, because slots are not `Equatable`.
    private static func slots(_ document: JSONDocument) -> [[UInt32]] {
        (0..<document.next(after: 0)).map { [document.slots[$0].start, document.slots[$0].extent] }
    }

    /// Rebuilds `value` from its scalars, so that every array and object is a new one.
    private static func rebuilt(_ value: JSONValue) -> JSONValue {
        if let elements = value.elements { return JSONValue(elements.map(rebuilt)) }
        return value.members.map { JSONValue($0.map { ($0.key, rebuilt($0.value)) }) } ?? value
    }

    @Test func aValueMadeOfOthersHasTheIndexOfItsText() throws {
        let textWithEscapes = #" {"é" : ["\u0041\ud800", {"\"": [ ], "": {} }, -1.5e3] , "é" : null}"#
        for text in Self.outlines.map(\.text) + [textWithEscapes] {
            // The value has no byte order mark.
            let value = try JSONValue(text: Array(text.utf8.drop { $0 > 0x80 }))
            let rebuilt = Self.rebuilt(value)
            #expect(rebuilt == value)
            let read = try JSONDocument(Array(rebuilt.written))
            #expect(Self.slots(rebuilt.document) == Self.slots(read))
            #expect(rebuilt.document.hasSurrogateEscapes == read.hasSurrogateEscapes)
        }
    }

    /// Returns `1` inside `count` pairs of `open` and `close`.
    private static func nested(_ open: String, _ close: String, _ count: Int) -> String {
        String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
    }

    private static let tooDeep = "expected at most 512 levels of nesting, found more"
    static let notOneDocument: [(text: String, message: String)] = [
        ("1\n2", "line 2, column 1: expected one JSON document, found a second one"),
        ("[]\n\n {}", "line 3, column 2: expected one JSON document, found a second one"),
        ("\u{1E}1", "line 1, column 1: expected one JSON document, found a record separator"),
        ("1\n\u{1E}2", "line 2, column 1: expected one JSON document, found a record separator"),
        (nested("[", "]", 513), "line 1, column 513: \(tooDeep)"),
        (nested("[", "]", 100_000), "line 1, column 513: \(tooDeep)"),
        (nested(#"{"a":"#, "}", 513), "line 1, column 2561: \(tooDeep)"),
    ]

    @Test(arguments: notOneDocument)
    func aTextThatIsNotOneDocumentIsRefused(_ text: String, _ message: String) throws {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(Array(text.utf8)) }
        #expect(error?.description == message)
    }

    static let several: [(text: String, documents: [String])] = [
        ("1\n2", ["1", "2"]), (" [1]\n", [" [1]\n"]), ("\u{1E}1", ["1"]), ("\u{FEFF}{\n}\n\n[]", ["{\n}", "[]"]),
        (nested("[", "]", 512) + "\n2", [nested("[", "]", 512), "2"]),
        ("\u{1E}1\n\u{1E}{\"a\":\n2}\n", ["1", "{\"a\":\n2}"]),
    ]

    @Test(arguments: several)
    func readsSeveralDocuments(_ text: String, _ documents: [String]) throws {
        let read = try JSONDocument.all(in: Array(text.utf8))
        #expect(read.map { String(decoding: $0.bytes, as: UTF8.self) } == documents)
    }

    @Test func checkCanStopTheSecondReadingOfSeveralDocuments() throws {
        let text = Array(String(repeating: "[1, 2, 3]\n", count: 20_000).utf8)
        let callsOfOneReading = 4
        var calls = 0
        _ = try? JSONDocument(text) { calls += 1 }
        #expect(calls == callsOfOneReading)

        calls = 0
        #expect(throws: Stop()) {
            try JSONDocument.all(in: text) {
                calls += 1
                if calls > callsOfOneReading { throw Stop() }
            }
        }
    }

    /// A text of several documents, and the line and column of its only `true`.
    struct TruePosition: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let column: Int

        init(_ text: String, line: Int, column: Int) {
            self.text = text
            self.line = line
            self.column = column
        }

        var testDescription: String { text }
    }

    @Test(arguments: [
        TruePosition("true\n1", line: 1, column: 1),
        TruePosition(" {\"a\": true}\n1", line: 1, column: 8),
        TruePosition("1\ntrue", line: 2, column: 1),
        TruePosition("1\n\n  [true]\n2", line: 3, column: 4),
        TruePosition("\u{1E}true\n\u{1E}1\n", line: 1, column: 2),
        TruePosition("\u{1E}1\u{1E} true", line: 1, column: 5),
        TruePosition("\n\u{1E}1\n\u{1E}[1, true]", line: 3, column: 6),
        TruePosition("\u{FEFF}true\n1", line: 1, column: 1),
        TruePosition("1\r\n\ttrue\r\n", line: 2, column: 2),
    ])
    func positionsInSeveralDocumentsAreThoseInTheWholeText(_ row: TruePosition) throws {
        let list = try JSONDocument.list(of: Array(row.text.utf8))
        let offset = try #require(list.bytes.firstIndex(of: UInt8(ascii: "t")))
        #expect(list.position(of: offset) == (row.line, row.column))
    }

    @Test func readsTheDeepestText() throws {
        let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try JSONDocument(Array(text.utf8)).range(of: 0) == 0..<1024)
    }

    /// The error of a check that ends the reading.
    struct Stop: Error, Equatable {}

    @Test func checkIsCalledNowAndThenWhileADocumentIsRead() throws {
        var calls = 0
        _ = try JSONDocument(Self.longArray) { calls += 1 }
        #expect((5...8).contains(calls))
    }

    @Test func anErrorOfTheCheckEndsTheReading() throws {
        #expect(throws: Stop()) { try JSONDocument(Self.longArray) { throw Stop() } }
        #expect(throws: Stop()) { try JSONDocument(Self.longArray + Array(",".utf8)) { throw Stop() } }
        let document = try JSONDocument(Self.longArray)
        #expect(throws: Stop()) {
            try JSONTextDecoder().decode([Int].self, from: document, check: { throw Stop() })
        }
    }

    /// An array of 200,001 zeros.
    private static let longArray = Array(("[" + String(repeating: "0,", count: 200_000) + "0]").utf8)
}

import Testing

@testable import JSONText

struct DocumentTests {
    /// The error in a text of one document or several.
    private static func syntaxError(_ bytes: [UInt8]) throws -> JSONSyntaxError? {
        do {
            _ = try JSONDocument.all(in: bytes)
            return nil
        } catch let error as JSONSyntaxError {
            return error.expected.hasSuffix("levels of nesting") ? nil : error
        }
    }

    @Test(arguments: InvalidTextTests.rows)
    func refusesAsTheFormatterDoes(_ row: Row) throws {
        let error = try #require(JSONFormatter.checking.run([row.bytes]).error)
        #expect(try Self.syntaxError(row.bytes) == error)
    }

    @Test func agreesOnChangedTexts() throws {
        var random = RandomText(seed: 11)
        for _ in 0..<4000 {
            let valid = random.valid()
            #expect(throws: Never.self) { try JSONDocument(valid) }
            let text = random.changed(valid)
            #expect(try Self.syntaxError(text) == JSONFormatter.checking.run([text]).error, "\(text)")
        }
    }

    /// The kinds and the written scalars of all values, in the order of the text.
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

    static let outlines: [(String, String)] = [
        (#" {"a": [1], "b": 2e1}"#, #"object 2 20 | "a" | array 1 3 | 1 | "b" | 2e1"#),
        ("[[],{},[ ],{ }]", "array 4 15 | array 0 2 | object 0 2 | array 0 3 | object 0 3"),
        ("[true,false,null]", "array 3 17 | true | false | null"), ("\u{FEFF}7\n", "7"),
        (#"["é\n", "a"]"#, #"array 2 13 | "é\n" | "a""#),
        (#"{"a":{"b":{}},"c":[]}"#, #"object 2 21 | "a" | object 1 8 | "b" | object 0 2 | "c" | array 0 2"#),
    ]

    @Test(arguments: outlines)
    func indexes(_ text: String, _ outline: String) throws {
        #expect(try Self.outline(JSONDocument(Array(text.utf8))) == outline)
    }

    /// The slots as numbers, to be compared.
    private static func slots(_ document: JSONDocument) -> [[UInt32]] {
        (0..<document.next(after: 0)).map { [document.slots[$0].start, document.slots[$0].extent] }
    }

    /// The value made anew of its scalars.
    private static func remade(_ value: JSONValue) -> JSONValue {
        if let elements = value.elements { return JSONValue(elements.map(remade)) }
        return value.members.map { JSONValue($0.map { ($0.key, remade($0.value)) }) } ?? value
    }

    /// A value that is made of others has the text that they have, and the index that its text has.
    @Test func takesOverTheIndexOfParts() throws {
        for text in Self.outlines.map(\.0) + [#" {"é" : ["\u0041\ud800", {"\"": [ ], "": {} }, -1.5e3] , "é" : null}"#]
        {
            let value = try JSONValue(text: Array(text.utf8.drop { $0 > 0x80 }))
            let made = Self.remade(value)
            #expect(made == value)
            let read = try JSONDocument(Array(made.written))
            #expect(Self.slots(made.document) == Self.slots(read))
            #expect(made.document.hasSurrogateEscapes == read.hasSurrogateEscapes)
        }
    }

    private static func nested(_ open: String, _ close: String, _ count: Int) -> String {
        String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
    }

    private static let tooDeep = "expected at most 512 levels of nesting, found more"
    static let notOneDocument: [(String, String)] = [
        ("1\n2", "line 2, column 1: expected one JSON document, found a second one"),
        ("[]\n\n {}", "line 3, column 2: expected one JSON document, found a second one"),
        ("\u{1E}1", "line 1, column 1: expected one JSON document, found a record separator"),
        ("1\n\u{1E}2", "line 2, column 1: expected one JSON document, found a record separator"),
        (nested("[", "]", 513), "line 1, column 513: \(tooDeep)"),
        (nested("[", "]", 100_000), "line 1, column 513: \(tooDeep)"),
        (nested(#"{"a":"#, "}", 513), "line 1, column 2561: \(tooDeep)"),
    ]

    @Test(arguments: notOneDocument)
    func refusesWhatIsNotOneDocument(_ text: String, _ message: String) throws {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(Array(text.utf8)) }
        #expect(error?.description == message)
    }

    static let several: [(String, [String])] = [
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
        struct Stop: Error {}
        let text = Array(String(repeating: "[1, 2, 3]\n", count: 20_000).utf8)
        let callsOfOneReading = 4
        var calls = 0
        _ = try? JSONDocument(text) { calls += 1 }
        #expect(calls == callsOfOneReading)

        calls = 0
        #expect(throws: Stop.self) {
            try JSONDocument.all(in: text) {
                calls += 1
                if calls > callsOfOneReading { throw Stop() }
            }
        }
    }

    /// A text of several documents in which one value is `true`, and its line and column.
    @Test(arguments: [
        ("true\n1", (1, 1)), (" {\"a\": true}\n1", (1, 8)), ("1\ntrue", (2, 1)), ("1\n\n  [true]\n2", (3, 4)),
        ("\u{1E}true\n\u{1E}1\n", (1, 2)), ("\u{1E}1\u{1E} true", (1, 5)), ("\n\u{1E}1\n\u{1E}[1, true]", (3, 6)),
        ("\u{FEFF}true\n1", (1, 1)), ("1\r\n\ttrue\r\n", (2, 2)),
    ])
    func placesInSeveralDocuments(_ text: String, _ place: (Int, Int)) throws {
        let list = try JSONDocument.list(of: Array(text.utf8))
        let offset = try #require(list.bytes.firstIndex(of: UInt8(ascii: "t")))
        #expect(list.position(of: offset) == place)
    }

    @Test func readsTheDeepestText() throws {
        let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try JSONDocument(Array(text.utf8)).range(of: 0) == 0..<1024)
    }

    struct Stop: Error, Equatable {}

    @Test func checkStopsTheReading() throws {
        let text = Array(("[" + String(repeating: "0,", count: 200_000) + "0]").utf8)
        var calls = 0
        let document = try JSONDocument(text) { calls += 1 }
        #expect((5...8).contains(calls))
        #expect(throws: Stop()) { try JSONDocument(text) { throw Stop() } }
        #expect(throws: Stop()) { try JSONDocument(text + [0x2C]) { throw Stop() } }
        #expect(throws: Stop()) {
            try JSONTextDecoder().decode([Int].self, from: document, check: { throw Stop() })
        }
    }
}

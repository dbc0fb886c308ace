import JSONText
import Testing

/// Texts that are JSON by RFC 8259: the kinds of the well-known JSON parsing test suites and some more.
struct ValidTextTests {
    static let rows: [Row] = [
        Row("[[]   ]"),
        Row(#"[""]"#),
        Row("[]"),
        Row("[\"a\"]\n"),
        Row("[false]"),
        Row(#"[null, 1, "1", {}]"#),
        Row("[null]"),
        Row("[1\n]"),
        Row(" [1]"),
        Row("[1,null,null,null,2]"),
        Row("[2] "),
        Row("[123e65]"),
        Row("[0e+1]"),
        Row("[0e1]"),
        Row("[ 4]"),
        Row("[-0.000000000000000000000000000000000000000000000000000000000000001]"),
        Row("[20e1]"),
        Row("[-0]"),
        Row("[-123]"),
        Row("[-1]"),
        Row("[1E22]"),
        Row("[1E-2]"),
        Row("[1E+2]"),
        Row("[123e45]"),
        Row("[123.456e78]"),
        Row("[1e-2]"),
        Row("[1e+2]"),
        Row("[123.456789]"),
        Row("[0.4e00669999999999999999999999999999999999999999999999999999999999999]"),
        Row("[-1234567890123456789012345678901234567890.5]"),
        Row("[1e000]"),
        Row(#"{"asd":"sdf", "dfg":"fgh"}"#),
        Row(#"{"asd":"sdf"}"#),
        Row(#"{"a":"b","a":"c"}"#),
        Row(#"{"a":"b","a":"b"}"#),
        Row("{}"),
        Row(#"{"":0}"#),
        Row(#"{"foo\u0000bar": 42}"#),
        Row(#"{ "min": -1.0e+28, "max": 1.0e+28 }"#),
        Row(#"{"x":[{"id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}], "id": "xxxxxxxxxxxxx"}"#),
        Row(#"{"a":[]}"#),
        Row(#"{"title":"\u041f\u043e\u043b\u0442\u043e\u0440\u0430 \u0417\u0435" }"#),
        Row("{\n\"a\": \"b\"\n}"),
        Row(#"["\u0060\u012a\u12AB"]"#),
        Row(#"["\uD801\udc37"]"#),
        Row(#"["\ud83d\ude39\ud83d\udc8d"]"#),
        Row(#"["\"\\\/\b\f\n\r\t"]"#),
        Row(#"["\\u0000"]"#),
        Row(#"["\""]"#),
        Row(#"["a/*b*/c/*d//e"]"#),
        Row(#"["\\a"]"#),
        Row(#"["\\n"]"#),
        Row(#"["\u0012"]"#),
        Row(#"["\uFFFF"]"#),
        Row(#"[ "asd"]"#),
        Row(#"["\uDBFF\uDFFF"]"#),
        Row(#"["\uD800"]"#),
        Row(#"["\uDC00 \udfff\uD800a"]"#),
        Row("[\"new\u{A0}line\"]"),
        Row("[\"\u{10FFFF}\"]"),
        Row("[\"\u{FFFF}\"]"),
        Row(#"["\u0000"]"#),
        Row(#"["\u002c"]"#),
        Row("[\"π\"]"),
        Row("[\"\u{1BFFF}\"]"),
        Row(#"["asd "]"#),
        Row(#"" ""#),
        Row(#"["\u0821"]"#),
        Row(#"["\u0123"]"#),
        Row("[\"\u{2028}\"]"),
        Row("[\"\u{2029}\"]"),
        Row("[\"\u{7F}\"]"),
        Row("[\"\u{80}\u{9F}\u{61C}\u{200E}\u{202E}\u{2066}\"]"),
        Row("[\"€𝄞\"]"),
        Row("[\"aé€😀é€😀a€\"]"),
        Row(#"["1234567","12345678","123456789","123456789012345","1234567890123456","12345678901234567"]"#),
        Row("\"\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}\""),
        Row("false"),
        Row("42"),
        Row("-0.1"),
        Row("0"),
        Row("null"),
        Row(#""asd""#),
        Row("true"),
        Row(#""""#),
        Row("[\"a\"]\n"),
        Row("[true]"),
        Row(" \t\r\n[] \t\r\n"),
        Row([0xEF, 0xBB, 0xBF] + Array("{}".utf8)),
        Row("{}\n[]\r\n1\n\n\"a\" \n null"),
        Row("\u{1E}{\"a\":1}\n\u{1E}\u{1E}12\n\u{1E}[true]\n"),
        Row("\u{1E}{}\u{1E}1\u{1E}2\u{1E}"),
        Row(#"{"a":{"b":[[],[{}],[1,{"c":[]}]]},"d":[{"e":1},{"f":null}]}"#),
        Row(String(repeating: "[", count: 70) + String(repeating: "]", count: 70)),
        Row(String(repeating: "{\"a\":[", count: 70) + String(repeating: "]}", count: 70)),
    ]

    @Test(arguments: rows)
    func isAccepted(_ row: Row) {
        for formatter in JSONFormatter.all {
            #expect(formatter.run([row.bytes]).error == nil)
            #expect(formatter.cutsThatDiffer(row.bytes) == [])
        }
    }

    @Test(arguments: rows)
    func formattedTextStaysTheSameWhenItIsFormattedAgain(_ row: Row) {
        let pretty = JSONFormatter.pretty.run([row.bytes])
        #expect(JSONFormatter.pretty.run([pretty.output]) == pretty)
        let compact = JSONFormatter.compact.run([row.bytes])
        #expect(JSONFormatter.compact.run([compact.output]) == compact)
        #expect(JSONFormatter.compact.run([pretty.output]) == compact)
        #expect(JSONFormatter.pretty.run([compact.output]) == pretty)
    }

    /// In these rows no white space stands outside strings, so compact output is the input and a line feed.
    @Test(arguments: rows.filter { !$0.bytes.contains(where: { $0 <= 0x20 || $0 == 0xEF }) })
    func compactKeepsEveryByte(_ row: Row) {
        #expect(JSONFormatter.compact.run([row.bytes]).output == row.bytes + [0x0A])
    }

    @Test("A byte that is no plain character is found at every offset of a string", arguments: 0...40)
    func everyByteIsFound(offset: Int) {
        let start = Array("\"".utf8) + Array(repeating: 0x61, count: offset)
        for byte in UInt8.min...UInt8.max {
            let text = start + [byte] + Array("aaaaaaaaaaaaaaaa\"".utf8)
            let isPlain = (0x20..<0x80).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            let output = JSONFormatter.compact.run([text]).output
            #expect((output == text + [0x0A]) == isPlain, "byte \(byte)")
            // The text before an invalid byte is printed.
            #expect(output.starts(with: start), "byte \(byte)")
        }
    }
}

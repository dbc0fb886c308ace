import JSONText
import Testing

/// Texts that RFC 8259 calls JSON: the kinds of the well-known JSON parsing test suites and some more.
struct ValidTextTests {
    static let rows: [Row] = [
        Row("array arrays with spaces", "[[]   ]"),
        Row("array empty string", #"[""]"#),
        Row("array empty", "[]"),
        Row("array ending with newline", "[\"a\"]\n"),
        Row("array false", "[false]"),
        Row("array heterogeneous", #"[null, 1, "1", {}]"#),
        Row("array null", "[null]"),
        Row("array with 1 and newline", "[1\n]"),
        Row("array with leading space", " [1]"),
        Row("array with several null", "[1,null,null,null,2]"),
        Row("array with trailing space", "[2] "),
        Row("number", "[123e65]"),
        Row("number 0e+1", "[0e+1]"),
        Row("number 0e1", "[0e1]"),
        Row("number after space", "[ 4]"),
        Row("number close to zero", "[-0.000000000000000000000000000000000000000000000000000000000000001]"),
        Row("number int with exp", "[20e1]"),
        Row("number minus zero", "[-0]"),
        Row("number negative int", "[-123]"),
        Row("number negative one", "[-1]"),
        Row("number real capital e", "[1E22]"),
        Row("number real capital e neg exp", "[1E-2]"),
        Row("number real capital e pos exp", "[1E+2]"),
        Row("number real exponent", "[123e45]"),
        Row("number real fraction exponent", "[123.456e78]"),
        Row("number real neg exp", "[1e-2]"),
        Row("number real pos exponent", "[1e+2]"),
        Row("number simple real", "[123.456789]"),
        Row("number huge exponent", "[0.4e00669999999999999999999999999999999999999999999999999999999999999]"),
        Row("number too big for any type", "[-1234567890123456789012345678901234567890.5]"),
        Row("number exponent of zeros", "[1e000]"),
        Row("object", #"{"asd":"sdf", "dfg":"fgh"}"#),
        Row("object basic", #"{"asd":"sdf"}"#),
        Row("object duplicated key", #"{"a":"b","a":"c"}"#),
        Row("object duplicated key and value", #"{"a":"b","a":"b"}"#),
        Row("object empty", "{}"),
        Row("object empty key", #"{"":0}"#),
        Row("object escaped null in key", #"{"foo\u0000bar": 42}"#),
        Row("object extreme numbers", #"{ "min": -1.0e+28, "max": 1.0e+28 }"#),
        Row(
            "object long strings", #"{"x":[{"id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}], "id": "xxxxxxxxxxxxx"}"#
        ),
        Row("object simple", #"{"a":[]}"#),
        Row("object string unicode", #"{"title":"\u041f\u043e\u043b\u0442\u043e\u0440\u0430 \u0417\u0435" }"#),
        Row("object with newlines", "{\n\"a\": \"b\"\n}"),
        Row("string 1 2 3 bytes UTF-8 sequences", #"["\u0060\u012a\u12AB"]"#),
        Row("string accepted surrogate pair", #"["\uD801\udc37"]"#),
        Row("string accepted surrogate pairs", #"["\ud83d\ude39\ud83d\udc8d"]"#),
        Row("string allowed escapes", #"["\"\\\/\b\f\n\r\t"]"#),
        Row("string backslash and u escaped zero", #"["\\u0000"]"#),
        Row("string backslash doublequotes", #"["\""]"#),
        Row("string comments", #"["a/*b*/c/*d//e"]"#),
        Row("string double escape a", #"["\\a"]"#),
        Row("string double escape n", #"["\\n"]"#),
        Row("string escaped control character", #"["\u0012"]"#),
        Row("string escaped noncharacter", #"["\uFFFF"]"#),
        Row("string in array with leading space", #"[ "asd"]"#),
        Row("string last surrogates", #"["\uDBFF\uDFFF"]"#),
        Row("string lone high surrogate escape", #"["\uD800"]"#),
        Row("string lone low surrogate escape", #"["\uDC00 \udfff\uD800a"]"#),
        Row("string nbsp", "[\"new\u{A0}line\"]"),
        Row("string noncharacter U+10FFFF", "[\"\u{10FFFF}\"]"),
        Row("string noncharacter U+FFFF", "[\"\u{FFFF}\"]"),
        Row("string null escape", #"["\u0000"]"#),
        Row("string one-byte-utf-8", #"["\u002c"]"#),
        Row("string pi", "[\"π\"]"),
        Row("string reserved character", "[\"\u{1BFFF}\"]"),
        Row("string simple ascii", #"["asd "]"#),
        Row("string space", #"" ""#),
        Row("string three-byte-utf-8", #"["\u0821"]"#),
        Row("string two-byte-utf-8", #"["\u0123"]"#),
        Row("string U+2028 line separator", "[\"\u{2028}\"]"),
        Row("string U+2029 paragraph separator", "[\"\u{2029}\"]"),
        Row("string unescaped DEL", "[\"\u{7F}\"]"),
        Row("string unescaped C1 and bidi", "[\"\u{80}\u{9F}\u{61C}\u{200E}\u{202E}\u{2066}\"]"),
        Row("string utf8", "[\"€𝄞\"]"),
        Row("string with mixed lengths", "[\"aé€😀é€😀a€\"]"),
        Row(
            "string of 7, 8, 9, 15, 16 and 17 bytes",
            #"["1234567","12345678","123456789","123456789012345","1234567890123456","12345678901234567"]"#),
        Row(
            "lowest and highest of each UTF-8 length",
            "\"\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}\""),
        Row("structure lonely false", "false"),
        Row("structure lonely int", "42"),
        Row("structure lonely negative real", "-0.1"),
        Row("structure lonely zero", "0"),
        Row("structure lonely null", "null"),
        Row("structure lonely string", #""asd""#),
        Row("structure lonely true", "true"),
        Row("structure string empty", #""""#),
        Row("structure trailing newline", "[\"a\"]\n"),
        Row("structure true in array", "[true]"),
        Row("structure whitespace array", " \t\r\n[] \t\r\n"),
        Row("byte order mark", [0xEF, 0xBB, 0xBF] + Array("{}".utf8)),
        Row("documents on lines of their own", "{}\n[]\r\n1\n\n\"a\" \n null"),
        Row("document sequence of RFC 7464", "\u{1E}{\"a\":1}\n\u{1E}\u{1E}12\n\u{1E}[true]\n"),
        Row("record separators without line breaks", "\u{1E}{}\u{1E}1\u{1E}2\u{1E}"),
        Row("nested", #"{"a":{"b":[[],[{}],[1,{"c":[]}]]},"d":[{"e":1},{"f":null}]}"#),
        Row("seventy levels", String(repeating: "[", count: 70) + String(repeating: "]", count: 70)),
        Row(
            "objects and arrays by turns", String(repeating: "{\"a\":[", count: 70) + String(repeating: "]}", count: 70)
        ),
    ]

    @Test(arguments: rows)
    func isAccepted(_ row: Row) {
        for formatter in JSONFormatter.all {
            #expect(formatter.run([row.bytes]).error == nil)
        }
    }

    @Test(arguments: rows)
    func cutsChangeNothing(_ row: Row) {
        for formatter in JSONFormatter.all {
            #expect(formatter.cutsThatDiffer(row.bytes) == [])
        }
    }

    @Test(arguments: rows)
    func ownOutputStaysAsItIs(_ row: Row) {
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

    @Test func tableIsNotEmpty() {
        #expect(Self.rows.count >= 90)
    }
}

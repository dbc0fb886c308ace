import JSONText
import Testing

/// Texts that are no JSON by RFC 8259: the kinds of the well-known JSON parsing test suites and some more.
struct InvalidTextTests {
    /// The texts, with the offset of the first byte that no JSON text may have there.
    static let rows: [Row] = [
        // Arrays.
        Row("[1 true]", at: 3), Row([0x5B, 0x61, 0xE5, 0x5D], at: 1), Row(#"["": 1]"#, at: 3), Row(#"[""],"#, at: 4),
        Row("[,1]", at: 1), Row("[1,,2]", at: 3), Row(#"["x",,]"#, at: 5), Row(#"["x"]]"#, at: 5),
        Row(#"["",]"#, at: 4), Row(#"["x""#, at: 4), Row("[x", at: 1), Row("[3[4]]", at: 2),
        Row([0x5B, 0xFF, 0x5D], at: 1), Row("[1:2]", at: 2), Row("[,]", at: 1), Row("[-]", at: 2),
        Row("[   , \"\"]", at: 4), Row("[\"a\",\n4\n,1,", at: 11), Row("[1,]", at: 3), Row("[1,,]", at: 3),
        Row([0x5B, 0x22, 0x0B, 0x61, 0x22, 0x5C, 0x66, 0x5D], at: 2), Row("[*]", at: 1), Row(#"[""#, at: 2),
        Row("[1,", at: 3), Row("[{}", at: 3), Row("[1}", at: 2), Row("[fals]", at: 5), Row("[nul]", at: 4),
        Row("[tru]", at: 4), Row("tru", at: 3), Row([0x31, 0x32, 0x33, 0x00], at: 3),
        // Numbers.
        Row("[++1234]", at: 1),
        Row("[+1]", at: 1), Row("[+Inf]", at: 1), Row("[-01]", at: 3), Row("[-1.0.]", at: 5), Row("[-2.]", at: 4),
        Row("[-NaN]", at: 2), Row("[.-1]", at: 1), Row("[.2e-3]", at: 1), Row("[0.1.2]", at: 4), Row("[0.3e+]", at: 6),
        Row("[0.3e]", at: 5), Row("[0.e1]", at: 3), Row("[0E+]", at: 4), Row("[0E]", at: 3), Row("[1.0e-]", at: 6),
        Row("[1 000.0]", at: 3), Row("[1eE2]", at: 3), Row("[2.e+3]", at: 3), Row("[1e2.3]", at: 4),
        Row("[1e2e3]", at: 4), Row("[9.e+]", at: 3), Row("[Inf]", at: 1), Row("[NaN]", at: 1), Row("[\u{FF11}]", at: 1),
        Row("[1+2]", at: 2), Row("[0x1]", at: 2), Row("[0x42]", at: 2), Row("[Infinity]", at: 1), Row("[0e+-1]", at: 4),
        Row("[-123.123foo]", at: 9), Row("[- 1]", at: 2), Row("[-012]", at: 3), Row("[-.123]", at: 2),
        Row("[1ea]", at: 3), Row("[1.]", at: 3), Row("[.123]", at: 1), Row("[1.2a-3]", at: 4), Row("[012]", at: 2),
        Row("00", at: 1), Row("-", at: 1), Row("1.", at: 2),
        Row(#"["x", truth]"#, at: 9),
        // Objects.
        Row("{[: \"x\"}", at: 1),
        Row(#"{"x", null}"#, at: 4), Row(#"{"x"::"b"}"#, at: 5), Row("{🇨🇭}", at: 1), Row(#"{"a":"a" 123}"#, at: 9),
        Row("{key: 'value'}", at: 1), Row(#"{"a" b}"#, at: 5), Row(#"{:"b"}"#, at: 1), Row(#"{"a" "b"}"#, at: 5),
        Row(#"{"a":"#, at: 5), Row(#"{"a""#, at: 4), Row("{1:1}", at: 1), Row("{null:null,null:null}", at: 1),
        Row(#"{"id":0,,,,,}"#, at: 8), Row("{'a':0}", at: 1), Row(#"{"id":0,}"#, at: 8), Row(#"{"a":"b"}/**/"#, at: 9),
        Row(#"{"a":"b"}//"#, at: 9), Row(#"{"a":"b",,"c":"d"}"#, at: 9), Row(#"{a: "b"}"#, at: 1),
        Row(#"{"a":"a"#, at: 7), Row(#"{ "foo" : "bar", "a" }"#, at: 21), Row(#"{"a":1]"#, at: 6),
        Row(#"{"a":}"#, at: 5),
        Row(" ", at: 1),
        // Strings.
        Row(#"["\uD800\"]"#, at: 11), Row(#"["\uD800\u"]"#, at: 10),
        Row(#"["\uD800\u1"]"#, at: 11), Row("[é]", at: 1), Row([0x5B, 0x22, 0x5C, 0x00, 0x22, 0x5D], at: 3),
        Row(#"["\x00"]"#, at: 3), Row(#"["\\\"]"#, at: 7), Row("[\"\\\t\"]", at: 3), Row("[\"\\🌀\"]", at: 3),
        Row(#"["\"]"#, at: 5), Row(#"["\u00A"]"#, at: 7), Row(#"["\a"]"#, at: 3), Row(#"["\uqqqq"]"#, at: 4),
        Row(#"["\u123"#, at: 7), Row(#"[\u0020"asd"]"#, at: 1), Row(#"[\n]"#, at: 1), Row("\"", at: 1),
        Row("['single quote']", at: 1), Row("abc", at: 0), Row("[\"\\", at: 3), Row("[\"new\nline\"]", at: 5),
        Row("[\"\t\"]", at: 2), Row([0x22, 0x61, 0x00, 0x61, 0x22], at: 2), Row([0x22, 0x1F, 0x22], at: 1),
        Row("\"12345678\u{1}12345678\"", at: 9), Row(#""\UA66D""#, at: 2), Row(#""""x"#, at: 2),
        // Invalid UTF-8.
        Row(inQuotes(0x81), at: 1), Row(inQuotes(0xC0, 0xAF), at: 1), Row(inQuotes(0xC1, 0xBF), at: 1),
        Row(inQuotes(0xE0, 0x80, 0xAF), at: 1), Row(inQuotes(0xE0, 0x9F, 0xBF), at: 1),
        Row(inQuotes(0xF0, 0x80, 0x80, 0xAF), at: 1), Row(inQuotes(0xF0, 0x8F, 0xBF, 0xBF), at: 1),
        Row(inQuotes(0xED, 0xA0, 0x80), at: 1), Row(inQuotes(0xED, 0xBF, 0xBF), at: 1),
        Row(inQuotes(0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80), at: 1), Row(inQuotes(0xF4, 0x90, 0x80, 0x80), at: 1),
        Row(inQuotes(0xF5, 0x80, 0x80, 0x80), at: 1), Row(inQuotes(0xF8, 0x88, 0x80, 0x80, 0x80), at: 1),
        Row(inQuotes(0xFE), at: 1), Row(inQuotes(0xFF), at: 1), Row(inQuotes(0xC3), at: 1),
        Row(inQuotes(0xE2, 0x82), at: 1), Row(inQuotes(0xF0, 0x9F, 0x98), at: 1),
        Row(inQuotes(0xC3, 0xC3, 0xA9), at: 1), Row(inQuotes(0xE2, 0x28, 0xA1), at: 1),
        Row(inQuotes(0xF0, 0x9F, 0x98, 0x28), at: 1), Row([0x22, 0x61, 0xE2, 0x82], at: 4),
        Row([0x22, 0x61, 0xE2, 0x22], at: 4), Row([0x22, 0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xC3, 0x28, 0x22], at: 6),
        Row([0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], at: 0), Row([0x00, 0x5B, 0x00, 0x5D], at: 0),
        // The structure of a document, and byte order marks.
        Row("<.>", at: 0),
        Row("[1]x", at: 3), Row(#"["asd]"#, at: 6), Row("[True]", at: 1), Row("1]", at: 1),
        Row(#"{"x": true,"#, at: 11), Row("[][]", at: 2), Row("{} {}", at: 3), Row("{}\r{}", at: 3), Row("1 2", at: 2),
        Row(#"1"a""#, at: 1), Row("]", at: 0), Row("[", at: 1), Row("", at: 0), Row(" \t\r\n", at: 4),
        Row("\u{1E}", at: 1), Row("[1,\u{1E}2]", at: 3), Row([0x5B, 0x00, 0x5D], at: 1), Row("{}}", at: 2),
        Row(#"{"":"#, at: 4), Row(#"{"a":/*comment*/"b"}"#, at: 5), Row("// a\n1", at: 0),
        Row(#"{"a": true} "x""#, at: 12), Row("['", at: 1), Row("[{", at: 2), Row("{]", at: 1), Row("{,", at: 1),
        Row(#"{"a"#, at: 3), Row("*", at: 0), Row("[\u{2060}]", at: 1), Row("[\u{A0}]", at: 1), Row("[\u{C}]", at: 1),
        Row("[1", at: 2), Row("{}\n[1,]\n", at: 6), Row([0xEF, 0xBB, 0xBF], at: 3), Row([0xEF, 0xBB], at: 0),
        Row([0xEF, 0xBB, 0x31], at: 0), Row([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x31], at: 3),
        Row([0x20, 0xEF, 0xBB, 0xBF, 0x31], at: 1), Row(String(repeating: "[", count: 200), at: 200),
        Row(String(repeating: "[{\"\":", count: 50), at: 250),
    ]

    @Test(arguments: rows)
    func isRejectedAtTheRightByte(_ row: Row) {
        for formatter in JSONFormatter.all {
            #expect(formatter.run([row.bytes]).error?.offset == row.offset)
            #expect(formatter.cutsThatDiffer(row.bytes) == [])
        }
    }

    /// In these rows neither white space nor a character beyond ASCII precedes the error, so compact output is the
    /// input up to the error.
    @Test(arguments: rows.filter { row in !row.bytes.prefix(row.offset).contains { $0 <= 0x20 || $0 >= 0x80 } })
    func printsTheTextBeforeTheError(_ row: Row) {
        let printed = JSONFormatter.compact.run([row.bytes]).output.filter { $0 != 0x0A }
        #expect(printed == Array(row.bytes[..<row.offset]))
    }
}

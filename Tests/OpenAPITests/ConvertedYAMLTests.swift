import JSONText
import Testing

@testable import OpenAPI

/// YAML texts, and the JSON texts that equal them.
@Suite struct ConvertedYAMLTests {
    private static func converted(_ yaml: String) throws -> ConvertedYAML {
        try ConvertedYAML(Array(yaml.utf8), library: LibYAML.shared.get())
    }

    private static func json(_ yaml: String) throws -> String {
        String(decoding: try converted(yaml).json, as: UTF8.self)
    }

    private static func error(_ yaml: [UInt8]) -> YAMLError? {
        #expect(throws: YAMLError.self) { try ConvertedYAML(yaml, library: LibYAML.shared.get()) }
    }

    /// Scalars of the core schema (YAML 1.2.2, section 10.3.2), each as the element of a sequence.
    @Test(arguments: [
        ("null", "null"), ("Null", "null"), ("NULL", "null"), ("~", "null"), ("", "null"), ("nULL", #""nULL""#),
        ("~x", #""~x""#), ("true", "true"), ("True", "true"), ("TRUE", "true"), ("tRue", #""tRue""#),
        ("false", "false"), ("False", "false"), ("FALSE", "false"), ("yes", #""yes""#), ("no", #""no""#),
        ("on", #""on""#), ("off", #""off""#), ("y", #""y""#), ("2001-01-01", #""2001-01-01""#), ("=", #""=""#),
        ("190:20:30", #""190:20:30""#), ("1_000", #""1_000""#), ("3.0.0", #""3.0.0""#),
        // Integers.
        ("0", "0"), ("12", "12"), ("-12", "-12"), ("+12", "12"), ("012", "12"), ("-007", "-7"), ("00", "0"),
        ("-0", "-0"), ("123456789012345678901234567890", "123456789012345678901234567890"), ("0o17", "15"),
        ("0x1F", "31"), ("0xffffffffffffffff", "18446744073709551615"), ("0o8", #""0o8""#), ("0xG", #""0xG""#),
        ("-0x1F", #""-0x1F""#), ("0x", #""0x""#), ("0b11", #""0b11""#), ("-", "[null]"), ("+", #""+""#),
        // Numbers with a fraction or exponent, whose text is kept where JSON allows it.
        ("1.50", "1.50"), (".5", "0.5"), ("-.5", "-0.5"), ("+.5", "0.5"), ("1.", "1.0"), ("01.5", "1.5"),
        ("1e3", "1e3"), ("1E+03", "1E+03"), ("1.e-3", "1.0e-3"), ("1e", #""1e""#), ("1e+", #""1e+""#), (".", #"".""#),
        (".e1", #"".e1""#), ("1.2.3", #""1.2.3""#), (".info", #"".info""#), ("+.nan", #""+.nan""#),
        // Quoted scalars are strings.
        ("'null'", #""null""#), (#""12""#, #""12""#), ("''", #""""#),
        // Characters that JSON escapes.
        (#""a\"b\\c\n\t\0\x01""#, #""a\"b\\c\n\t\u0000\u0001""#), ("größe / 名前 😀", #""größe / 名前 😀""#),
        (#""\u00e9\U0001F600""#, #""é😀""#),
        // Tags.
        ("!!str 12", #""12""#), ("!!str", #""""#), ("!!str 'x'", #""x""#), ("!!int '12'", "12"), ("!!int 0x1F", "31"),
        ("!!float 12", "12"), ("!!float 0x1F", "31"), ("!!float 1.5", "1.5"),
        ("!!bool 'true'", "true"), ("!!null ''", "null"),
        ("!!null null", "null"), ("!!map {}", "{}"), ("!!seq []", "[]"), ("!<tag:yaml.org,2002:str> 12", #""12""#),
        ("!!timestamp 2001-01-01", #""2001-01-01""#), ("!Ref pets", #""pets""#), ("!!set {a}", #"{"a":null}"#),
    ])
    func scalarIsOfTheCoreSchema(_ yaml: String, _ json: String) throws {
        #expect(try Self.json("- " + yaml) == "[\(json)]")
    }

    @Test(arguments: [
        ("a: 1\nb: [x, {y: z}]\nc:\n- d\n-\n  e: f\n", #"{"a":1,"b":["x",{"y":"z"}],"c":["d",{"e":"f"}]}"#),
        ("# only\n---\n# comments\n", "null"), ("x # comment\n...\n", #""x""#), ("%YAML 1.2\n---\n[]\n", "[]"),
        ("a: |\n  b\n   c\n\nd: >-\n  e\n  f\n", #"{"a":"b\n c\n","d":"e f"}"#),
        // Keys are strings as they are written.
        (
            "200: a\n0x1F: b\nnull: c\ntrue: d\n~: e\n1.50: f\n? g\n",
            #"{"200":"a","0x1F":"b","null":"c","true":"d","~":"e","1.50":"f","g":null}"#
        ),
        ("? \"a\\nb\"\n: 1\n", #"{"a\nb":1}"#), ("é: 1\ne\u{301}: 2\n", "{\"é\":1,\"e\u{301}\":2}"),
        // Aliases.
        ("- &a [1, &b x]\n- *a\n- *b\n", #"[[1,"x"],[1,"x"],"x"]"#), ("- &a 1\n- &a 2\n- *a\n", "[1,2,2]"),
        ("- &a [&a 1]\n- *a\n", "[[1],1]"), ("- &k key\n- *k : 1\n", #"["key",{"key":1}]"#),
        ("- &n 0x1F\n- ? *n\n  : 1\n", #"[31,{"31":1}]"#), ("a: &a\nb: *a\n", #"{"a":null,"b":null}"#),
        ("&k k: *k\n", #"{"k":"k"}"#),
        // Merge keys: the mapping's own keys win, then earlier mappings.
        ("- &a {x: 1, y: 2}\n- {y: 3, <<: *a, z: 4}\n", #"[{"x":1,"y":2},{"y":3,"x":1,"z":4}]"#),
        ("- {<<: [{x: 1}, {x: 2, y: 2}, {}], z: 3}\n", #"[{"x":1,"y":2,"z":3}]"#),
        (
            "- &a {x: 1, y: 1}\n- &b {<<: *a, y: 2}\n- {<<: *b, z: 3}\n",
            #"[{"x":1,"y":1},{"x":1,"y":2},{"y":2,"x":1,"z":3}]"#
        ),
        ("- &l [{x: 1}, {y: 2}]\n- <<: *l\n", #"[[{"x":1},{"y":2}],{"x":1,"y":2}]"#),
        ("- {<<: &a {x: 1}, y: *a}\n", #"[{"x":1,"y":{"x":1}}]"#), ("- {<<: {x: [{y: 1}]}}\n", #"[{"x":[{"y":1}]}]"#),
        ("- {\"<<\": 1}\n- ['<<', <<]\n", #"[{"<<":1},["<<","<<"]]"#),
    ])
    func documentIsConverted(_ yaml: String, _ json: String) throws {
        #expect(try Self.json(yaml) == json)
    }

    @Test func encodingsAreRead() throws {
        let yaml = "größe: 😀\n"
        let little: [UInt8] = yaml.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big: [UInt8] = yaml.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        for text in [
            Array(yaml.utf8), [0xEF, 0xBB, 0xBF] + Array(yaml.utf8), [0xFF, 0xFE] + little, [0xFE, 0xFF] + big,
        ] {
            let converted = try ConvertedYAML(text, library: LibYAML.shared.get())
            #expect(String(decoding: converted.json, as: UTF8.self) == #"{"größe":"😀"}"#)
        }
    }

    // MARK: Errors

    @Test(arguments: [
        ("a: b: c\n", "line 1, column 5: mapping values are not allowed in this context"),
        (
            "a: 1\n b: 2\n",
            "line 2, column 3: mapping values are not allowed in this context"
        ),
        (
            "a: 1\n- b\n",
            "line 2, column 1: did not find expected key while parsing a block mapping that starts at line 1, column 1"
        ),
        (
            "a: [1\nb: 2\n",
            """
            line 2, column 2: did not find expected ',' or ']' while parsing a flow sequence that starts at \
            line 1, column 4
            """
        ),
        ("a:\n\t- x\n", "line 2, column 1: expected spaces, found a tab"),
        ("a: é\n\t- x\n", "line 2, column 1: expected spaces, found a tab"),
        ("a: \u{1}", "line 1, column 4: expected text, found a control character"),
        (
            "a: @x\n",
            """
            line 1, column 4: found character that cannot start any token while scanning for the next token that \
            starts at line 1, column 4
            """
        ),
        ("", "line 1, column 1: the document is empty"), ("# x\n", "line 1, column 1: the document is empty"),
        (
            "a\n---\nb\n",
            "line 2, column 1: expected one document, found a second one; the first is at line 1, column 1"
        ),
        ("a: 1\nb: 2\nc:\n  a: 3\na: 4\n", #"line 5, column 1: the key "a" is at line 1, column 1 already"#),
        ("200: a\n'200': b\n", #"line 2, column 1: the key "200" is at line 1, column 1 already"#),
        ("{b: 1, a: 1, a: 2, b: 2}", #"line 1, column 14: the key "a" is at line 1, column 8 already"#),
        ("<<: {}\n<<: {}\n", #"line 2, column 1: the key "<<" is at line 1, column 1 already"#),
        ("a: 1\n[b]: 2\n", "line 2, column 1: expected a scalar as key, found a sequence or mapping"),
        ("- &a []\n- *a : 2\n", "line 2, column 3: expected a scalar as key, found a sequence or mapping"),
        ("<<: 1\n", "line 1, column 5: expected a mapping, or a sequence of mappings, as the value of '<<'"),
        ("<<: [{}, [{}]]\n", "line 1, column 10: expected a mapping, or a sequence of mappings, as the value of '<<'"),
        ("- .inf\n", "line 1, column 3: JSON has no number '.inf'; quote it if it is a string"),
        ("- -.INF\n", "line 1, column 3: JSON has no number '-.INF'; quote it if it is a string"),
        ("- .NaN\n", "line 1, column 3: JSON has no number '.NaN'; quote it if it is a string"),
        ("- 0x10000000000000000\n", "line 1, column 3: the number '0x10000000000000000' has more than 64 bits"),
        ("- *a\n", "line 1, column 3: no anchor '&a' stands before the alias '*a'"),
        ("- &a [*a]\n", "line 1, column 7: the alias '*a' stands inside the node that it repeats"),
        ("- &a {<<: *a}\n", "line 1, column 11: the alias '*a' stands inside the node that it repeats"),
        ("- !!int x\n", "line 1, column 3: expected a value that fits the tag '!!int'"),
        ("- !!int 1.5\n", "line 1, column 3: expected a value that fits the tag '!!int'"),
        ("- !!float x\n", "line 1, column 3: expected a value that fits the tag '!!float'"),
        ("- !!bool yes\n", "line 1, column 3: expected a value that fits the tag '!!bool'"),
        ("- !!null x\n", "line 1, column 3: expected a value that fits the tag '!!null'"),
        ("- !!map x\n", "line 1, column 3: expected a value that fits the tag '!!map'"),
        ("- !!seq {}\n", "line 1, column 3: expected a value that fits the tag '!!seq'"),
        ("- !!str []\n", "line 1, column 3: expected a value that fits the tag '!!str'"),
        ("a: größe\nb: \u{7}\n", "line 2, column 4: expected text, found a control character"),
    ])
    func errorHasItsPlace(_ yaml: String, _ message: String) {
        #expect(Self.error(Array(yaml.utf8))?.description == message)
    }

    @Test func errorOfTheEncodingHasItsPlace() {
        let invalid = Array("größe:\n  b".utf8) + [0xFF]
        let message = "line 2, column 4: expected text in UTF-8 or UTF-16, found other bytes"
        #expect(Self.error(invalid)?.description == message)
        let surrogate: [UInt8] = [0xFE, 0xFF, 0, 0x61, 0, 0x0A, 0, 0x61, 0xDC, 0x00]
        #expect(Self.error(surrogate)?.place == TextPlace(line: 2, column: 2))
    }

    @Test func syntaxErrorIsData() {
        let problem = Self.error(Array("a: 'b".utf8))?.problem
        let start = TextPlace(line: 1, column: 4)
        let context = "while scanning a quoted scalar"
        #expect(problem == .syntax(problem: "found unexpected end of stream", context: context, contextStart: start))
    }

    // MARK: Limits

    @Test func aliasesOfAliasesAreBounded() {
        let lines = (1..<100).map { "- &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }
        let error = Self.error(Array(("- &a0 [x, x]\n" + lines.joined()).utf8))
        #expect(error?.problem == .repeatedTooOften(limit: YAMLComposer.maxRepeatedBytes))
        #expect(error?.place.line == 20)
    }

    @Test func mergedKeysThatAreNotWrittenAreBounded() {
        let keys = (0..<1000).map { "k\($0): 1" }.joined(separator: ", ")
        let aliases = Array(repeating: "*a", count: 2000).joined(separator: ", ")
        let error = Self.error(Array("- &a {\(keys)}\n- {<<: [\(aliases)]}\n".utf8))
        #expect(error?.problem == .repeatedTooOften(limit: YAMLComposer.maxRepeatedBytes))
    }

    @Test func depthIsBounded() throws {
        let deepest = JSONDocument.deepestLevel
        let text = try Self.json(String(repeating: "- ", count: deepest) + "x")
        #expect(text == String(repeating: "[", count: deepest) + "\"x\"" + String(repeating: "]", count: deepest))
        let deeper = Self.error(Array((String(repeating: "- ", count: deepest + 1) + "x").utf8))
        #expect(deeper?.problem == .tooDeep(limit: deepest))
        let flow = Self.error(Array(String(repeating: "[", count: 100_000).utf8))
        #expect(flow?.problem == .flowTooDeep(limit: 100))
        #expect(flow?.place == TextPlace(line: 1, column: 101))
        let aliases = (1..<1000).map { "- &a\($0) [*a\($0 - 1)]\n" }.joined()
        #expect(Self.error(Array(("- &a0 x\n" + aliases).utf8))?.problem == .tooDeep(limit: deepest))
    }

    @Test func tagDirectivesAreBounded() {
        let directives = (0..<100_000).map { "%TAG !a\($0)! x\n" }.joined()
        #expect(Self.error(Array((directives + "---\na\n").utf8))?.problem == .tooManyTagDirectives(limit: 100))
    }

    // MARK: Places

    /// The places of values in the YAML text, in the order of the JSON text.
    @Test(arguments: [
        ("a: 1\nb:\n  - x\n  -   y\n", ["1:1", "1:4", "3:3", "3:5", "4:7"]),
        ("größe: [ä, ö]\n", ["1:1", "1:8", "1:9", "1:12"]),
        // A value that is repeated has the place of its alias, and what is inside its own.
        ("- &a [1]\n- *a\n", ["1:1", "1:3", "1:7", "2:3", "1:7"]),
        ("- &a {x: 1}\n- <<: *a\n  y: 2\n", ["1:1", "1:3", "1:10", "2:3", "1:10", "3:6"]),
    ])
    func valueHasItsPlace(_ yaml: String, _ places: [String]) throws {
        let document = try SourceDocument(Array(yaml.utf8))
        var found: [String] = []
        var pending = [JSONValue(document.json)]
        while let value = pending.popLast() {
            let place = document.places(of: [value.written.startIndex])[0]
            found.append("\(place.line):\(place.column)")
            let children = value.members?.map(\.value) ?? value.elements ?? []
            pending += children.reversed()
        }
        #expect(found == places)
    }

    @Test(arguments: [
        ("{\"a\": 1,}", true), ("\u{FEFF} \n{\"a\": ", true), ("", true), (" \n", true),
        ("[1", false), ("a: [", false),
    ])
    func textThatStartsWithABraceIsJSON(_ text: String, _ isJSON: Bool) throws {
        do {
            _ = try SourceDocument(Array(text.utf8))
            Issue.record("read")
        } catch {
            #expect((error is JSONSyntaxError) == isJSON, "\(error)")
        }
    }
}

import Testing

@testable import JSONText

/// The values that queries select. Every example of JSONPath's RFC 9535 is among them.
struct PathTests {
    /// A query and the values that it selects, as they are written.
    struct Row: Sendable, CustomTestStringConvertible {
        let document: String
        let query: String
        let values: [String]

        /// - Parameter values: The values in the order in which they are selected.
        init(_ query: String, in document: String, selects values: [String]) {
            self.document = document
            self.query = query
            self.values = values
        }

        var testDescription: String { query }
    }

    /// Returns the values that `query` selects in the document `text`, as they are written.
    static func select(_ query: String, _ text: String) throws -> [String] {
        let document = try JSONDocument(Array(text.utf8))
        var values: [String] = []
        try JSONPath(query).select(in: document) { slot in
            values.append(String(decoding: document.bytes[document.range(of: slot)], as: UTF8.self))
            return true
        }
        return values
    }

    /// The books of the example in section 1.5 of the RFC.
    static let books = [
        #"{"category":"reference","author":"Nigel Rees","title":"Sayings of the Century","price":8.95}"#,
        #"{"category":"fiction","author":"Evelyn Waugh","title":"Sword of Honour","price":12.99}"#,
        #"{"category":"fiction","author":"Herman Melville","title":"Moby Dick","isbn":"0-553-21311-3","price":8.99}"#,
        #"""
        {"category":"fiction","author":"J. R. R. Tolkien","title":"The Lord of the Rings",\#
        "isbn":"0-395-19395-8","price":22.99}
        """#,
    ]
    static let bookList = "[" + books.joined(separator: ",") + "]"
    static let bicycle = #"{"color":"red","price":399}"#
    static let store = "{\"store\":{\"book\":\(bookList),\"bicycle\":\(bicycle)}}"
    static let letters = #"["a","b","c","d","e","f","g"]"#
    static let mixed = #"""
        {"a":[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}],\#
        "o":{"p":1,"q":2,"r":3,"s":5,"t":{"u":6}},"e":"f"}
        """#
    static let nested = #"{"o":{"j":1,"k":2},"a":[5,3,[{"j":4},{"k":6}]]}"#
    static let nulls = #"{"a":null,"b":[null],"c":[{}],"null":1}"#

    @Test(arguments: [
        // The RFC says nothing of anchors. Its reference implementations read them this way.
        Row("$[?match(@, '^ab.*')]", in: #"["abc","xab"]"#, selects: [#""abc""#]),
        Row("$[?match(@, '.*ab$')]", in: #"["abc","xab"]"#, selects: [#""xab""#]),
        Row("$[?search(@, '^ab')]", in: #"["abc","xab"]"#, selects: [#""abc""#]),
        Row("$[?search(@, 'ab$')]", in: #"["abc","xab"]"#, selects: [#""xab""#]),
        // Section 1.5.
        Row(
            "$.store.book[*].author",
            in: store,
            selects: [#""Nigel Rees""#, #""Evelyn Waugh""#, #""Herman Melville""#, #""J. R. R. Tolkien""#]),
        Row(
            "$..author",
            in: store,
            selects: [#""Nigel Rees""#, #""Evelyn Waugh""#, #""Herman Melville""#, #""J. R. R. Tolkien""#]),
        Row("$.store.*", in: store, selects: [bookList, bicycle]),
        Row("$.store..price", in: store, selects: ["8.95", "12.99", "8.99", "22.99", "399"]),
        Row("$..book[2]", in: store, selects: [books[2]]),
        Row("$..book[2].author", in: store, selects: [#""Herman Melville""#]),
        Row("$..book[2].publisher", in: store, selects: []),
        Row("$..book[-1]", in: store, selects: [books[3]]),
        Row("$..book[0,1]", in: store, selects: [books[0], books[1]]),
        Row("$..book[:2]", in: store, selects: [books[0], books[1]]),
        Row("$..book[?@.isbn]", in: store, selects: [books[2], books[3]]),
        Row("$..book[?@.price<10]", in: store, selects: [books[0], books[2]]),
        // Sections 2.2.3 and 2.3.1.3: the root, and names.
        Row("$", in: #"{"k":"v"}"#, selects: [#"{"k":"v"}"#]),
        Row("$.o['j j']", in: #"{"o":{"j j":{"k.k":3}},"'":{"@":2}}"#, selects: [#"{"k.k":3}"#]),
        Row("$.o['j j']['k.k']", in: #"{"o":{"j j":{"k.k":3}},"'":{"@":2}}"#, selects: ["3"]),
        Row(#"$.o["j j"]["k.k"]"#, in: #"{"o":{"j j":{"k.k":3}},"'":{"@":2}}"#, selects: ["3"]),
        Row(#"$["'"]["@"]"#, in: #"{"o":{"j j":{"k.k":3}},"'":{"@":2}}"#, selects: ["2"]),
        // Section 2.3.2.3: wildcards.
        Row("$[*]", in: #"{"o":{"j":1,"k":2},"a":[5,3]}"#, selects: [#"{"j":1,"k":2}"#, "[5,3]"]),
        Row("$.o[*]", in: #"{"o":{"j":1,"k":2},"a":[5,3]}"#, selects: ["1", "2"]),
        Row("$.o[*, *]", in: #"{"o":{"j":1,"k":2},"a":[5,3]}"#, selects: ["1", "2", "1", "2"]),
        Row("$.a[*]", in: #"{"o":{"j":1,"k":2},"a":[5,3]}"#, selects: ["5", "3"]),
        // Sections 2.3.3.3 and 2.3.4.3: indexes and slices.
        Row("$[1]", in: #"["a","b"]"#, selects: [#""b""#]),
        Row("$[-2]", in: #"["a","b"]"#, selects: [#""a""#]),
        Row("$[1:3]", in: letters, selects: [#""b""#, #""c""#]),
        Row("$[5:]", in: letters, selects: [#""f""#, #""g""#]),
        Row("$[1:5:2]", in: letters, selects: [#""b""#, #""d""#]),
        Row("$[5:1:-2]", in: letters, selects: [#""f""#, #""d""#]),
        Row("$[::-1]", in: letters, selects: [#""g""#, #""f""#, #""e""#, #""d""#, #""c""#, #""b""#, #""a""#]),
        // Section 2.3.5.3: filters.
        Row("$.a[?@.b == 'kilo']", in: mixed, selects: [#"{"b":"kilo"}"#]),
        Row("$.a[?(@.b == 'kilo')]", in: mixed, selects: [#"{"b":"kilo"}"#]),
        Row("$.a[?@>3.5]", in: mixed, selects: ["5", "4", "6"]),
        Row("$.a[?@.b]", in: mixed, selects: [#"{"b":"j"}"#, #"{"b":"k"}"#, #"{"b":{}}"#, #"{"b":"kilo"}"#]),
        Row(
            "$[?@.*]",
            in: mixed,
            selects: [
                #"[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}]"#, #"{"p":1,"q":2,"r":3,"s":5,"t":{"u":6}}"#,
            ]),
        Row("$[?@[?@.b]]", in: mixed, selects: [#"[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}]"#]),
        Row("$.o[?@<3, ?@<3]", in: mixed, selects: ["1", "2", "1", "2"]),
        Row(#"$.a[?@<2 || @.b == "k"]"#, in: mixed, selects: ["1", #"{"b":"k"}"#]),
        Row(#"$.a[?match(@.b, "[jk]")]"#, in: mixed, selects: [#"{"b":"j"}"#, #"{"b":"k"}"#]),
        Row(#"$.a[?search(@.b, "[jk]")]"#, in: mixed, selects: [#"{"b":"j"}"#, #"{"b":"k"}"#, #"{"b":"kilo"}"#]),
        Row("$.o[?@>1 && @<4]", in: mixed, selects: ["2", "3"]),
        Row("$.o[?@.u || @.x]", in: mixed, selects: [#"{"u":6}"#]),
        Row("$.a[?@.b == $.x]", in: mixed, selects: ["3", "5", "1", "2", "4", "6"]),
        Row(
            "$.a[?@ == @]",
            in: mixed,
            selects: ["3", "5", "1", "2", "4", "6", #"{"b":"j"}"#, #"{"b":"k"}"#, #"{"b":{}}"#, #"{"b":"kilo"}"#]),
        // Sections 2.5.1.3 and 2.5.2.3: child and descendant segments.
        Row("$[0, 3]", in: letters, selects: [#""a""#, #""d""#]),
        Row("$[0:2, 5]", in: letters, selects: [#""a""#, #""b""#, #""f""#]),
        Row("$[0, 0]", in: letters, selects: [#""a""#, #""a""#]),
        Row("$..j", in: nested, selects: ["1", "4"]),
        Row("$..[0]", in: nested, selects: ["5", #"{"j":4}"#]),
        Row(
            "$..[*]",
            in: nested,
            selects: [
                #"{"j":1,"k":2}"#, #"[5,3,[{"j":4},{"k":6}]]"#, "1", "2", "5", "3", #"[{"j":4},{"k":6}]"#, #"{"j":4}"#,
                #"{"k":6}"#, "4", "6",
            ]),
        Row("$..o", in: nested, selects: [#"{"j":1,"k":2}"#]),
        Row("$.o..[*, *]", in: nested, selects: ["1", "2", "1", "2"]),
        Row("$.a..[0, 1]", in: nested, selects: ["5", "3", #"{"j":4}"#, #"{"k":6}"#]),
        // Section 2.6.1: null.
        Row("$.a", in: nulls, selects: ["null"]),
        Row("$.a[0]", in: nulls, selects: []),
        Row("$.a.d", in: nulls, selects: []),
        Row("$.b[0]", in: nulls, selects: ["null"]),
        Row("$.b[*]", in: nulls, selects: ["null"]),
        Row("$.b[?@]", in: nulls, selects: ["null"]),
        Row("$.b[?@==null]", in: nulls, selects: ["null"]),
        Row("$.c[?@.d==null]", in: nulls, selects: []),
        Row("$.null", in: nulls, selects: ["1"]),
    ])
    func selectsWhatTheRFCSays(_ row: Row) throws {
        #expect(try Self.select(row.query, row.document) == row.values)
    }

    @Test(arguments: [
        ("$.absent1 == $.absent2", true),
        ("$.absent1 <= $.absent2", true),
        ("$.absent == 'g'", false),
        ("$.absent1 != $.absent2", false),
        ("$.absent != 'g'", true),
        ("1 <= 2", true),
        ("1 > 2", false),
        ("13 == '13'", false),
        ("'a' <= 'b'", true),
        ("'a' > 'b'", false),
        ("$.obj == $.arr", false),
        ("$.obj != $.arr", true),
        ("$.obj == $.obj", true),
        ("$.obj != $.obj", false),
        ("$.arr == $.arr", true),
        ("$.arr != $.arr", false),
        ("$.obj == 17", false),
        ("$.obj != 17", true),
        ("$.obj <= $.arr", false),
        ("$.obj < $.arr", false),
        ("$.obj <= $.obj", true),
        ("$.arr <= $.arr", true),
        ("1 <= $.arr", false),
        ("1 >= $.arr", false),
        ("1 > $.arr", false),
        ("1 < $.arr", false),
        ("true <= true", true),
        ("true > true", false),
        // Beyond the RFC's table: numbers, strings and constants, logical operators, and functions.
        ("1 == 1.0", true),
        ("1e2 == 100", true),
        ("-0 == 0", true),
        ("9007199254740993 == 9007199254740992", false),
        ("0.1 == 0.10000000000000001", false),
        ("'é' == 'e\\u0301'", false),
        ("'\\uFFFF' < '\\uD83D\\uDE00'", true),
        ("'' < 'a'", true),
        ("null == null", true),
        ("null < null", false),
        ("null <= null", true),
        ("false == null", false),
        ("!(1 == 2) && (1 == 1 || 1 == 2)", true),
        ("1 == 1 || 1 == 1 && 1 == 2", true),
        ("!$.arr || $.arr", true),
        ("length('é😀') == 2", true),
        ("length($.arr) == 2", true),
        ("length($.obj) == 1", true),
        ("length(1) == $.absent", true),
        ("count($.arr[*]) == 2", true),
        ("count($.absent) == 0", true),
        ("value($..x) == 'y'", true),
        ("value($.arr[*]) == $.absent", true),
        ("length(value($..x)) == 1", true),
        ("match('a\\nb', 'a.b')", false),
        ("search('xaby', 'ab')", true),
        ("match('xaby', 'ab')", false),
        ("match(1, '1')", false),
        ("match('a', 1)", false),
        ("match('a', '(')", false),
        ("match('y', $.obj.x)", true),
        ("$.same1 == $.same2", true),
        ("$.same1 == $.other", false),
    ])
    func comparesAsTheRFCSays(_ expression: String, _ isTrue: Bool) throws {
        let text = #"""
            {"obj": {"x": "y"}, "arr": [2, 3], "same1": {"a": [1, {"b": "\u0041"}], "c": null},
             "same2": {"c": null, "a": [1.0, {"b": "A"}]}, "other": {"a": [1, {"b": "B"}], "c": null}}
            """#
        #expect(try Self.select("$[?\(expression)]", text).count == (isTrue ? 5 : 0))
    }

    @Test(arguments: [
        Row("$[2]", in: "[1,2]", selects: []),
        Row("$[-3]", in: "[1,2]", selects: []),
        Row("$['0']", in: "[1,2]", selects: []),
        Row("$[0]", in: #"{"0":1}"#, selects: []),
        Row("$.*", in: "[1,2]", selects: ["1", "2"]),
        Row("$[::0]", in: "[0,1,2,3]", selects: []),
        Row("$[-9007199254740991:9007199254740991:3]", in: "[0,1,2,3]", selects: ["0", "3"]),
        Row("$[ 3 : : -2 ]", in: "[0,1,2,3]", selects: ["3", "1"]),
        Row("$[::-1]", in: "[]", selects: []),
        Row("$..*", in: "1", selects: []),
        Row("$", in: "1", selects: ["1"]),
        Row("$[*]", in: " [ 1.50 , \"\\u0041\" ] ", selects: ["1.50", "\"\\u0041\""]),
        Row("$.a", in: #"{"\u0061":1}"#, selects: ["1"]),
        Row("$['\\u0061']", in: #"{"a":1}"#, selects: ["1"]),
        Row("$['\\uD83D\\uDE00']", in: #"{"😀":1}"#, selects: ["1"]),
        Row("$.é", in: #"{"é":1}"#, selects: ["1"]),
        Row("$['é']", in: "{\"e\u{301}\":1}", selects: []),
        Row("$ \n['é']\t[*]", in: #"{"é":1}"#, selects: []),
        Row("$.a", in: #"{"a":1,"a":2}"#, selects: ["1"]),
        Row("$[*]", in: #"{"a":1,"a":2}"#, selects: ["1", "2"]),
        Row("$..[?@ > 1]", in: #"[{"a":[1,[2]]},3]"#, selects: ["3", "2"]),
        Row("$[?count(@[*]) > 1][0]", in: #"[[1,2],[3]]"#, selects: ["1"]),
        Row("$[?!@.a.b]", in: #"[{"a":{"b":1}},{"a":{}}]"#, selects: [#"{"a":{}}"#]),
        Row("$[?@ == '\u{FFFD}']", in: #"["\ud800"]"#, selects: [#""\ud800""#]),
        Row("$.k[?@.n == $.want]", in: #"{"k":[{"n":"x"},{"n":"y"}],"want":"y"}"#, selects: [#"{"n":"y"}"#]),
    ])
    func selectsWhatTheQueryNames(_ row: Row) throws {
        #expect(try Self.select(row.query, row.document) == row.values)
    }

    static let results =
        #"{"results":[{"title":"a","odd.key":1},{"title":"b","cast":[[{"n":1}],{"n":2}]},3],"0":{"0":[7]}}"#

    @Test(arguments: [
        Row("results.title", in: results, selects: [#""a""#, #""b""#]),
        Row("results.0.title", in: results, selects: [#""a""#]),
        Row(#"results."odd.key""#, in: results, selects: ["1"]),
        Row("results.'odd.key'", in: results, selects: ["1"]),
        Row("results.cast.n", in: results, selects: ["1", "2"]),
        Row("0.0.0", in: results, selects: ["7"]),
        Row("0.0.1", in: results, selects: []),
        Row(#""0"."0"."0""#, in: results, selects: []),
        Row("results.2", in: results, selects: ["3"]),
        Row("title", in: results, selects: []),
        Row("results.00.title", in: results, selects: [#""a""#]),
        Row("results[0].title", in: results, selects: [#""a""#]),
        Row(".results[].title", in: results, selects: [#""a""#, #""b""#]),
        Row(".results.[-1]", in: results, selects: ["3"]),
        Row("[]", in: "[1,[2]]", selects: ["1", "[2]"]),
        Row(".", in: "[1]", selects: ["[1]"]),
        Row("[]", in: #"{"a":1}"#, selects: ["1"]),
        Row(#".["c-d"]['e f']"#, in: #"{"c-d":{"e f":2}}"#, selects: ["2"]),
        Row(".[].b[]", in: #"{"a":{"b":[1]},"c":{"b":[2]}}"#, selects: ["1", "2"]),
        Row(#""-1""#, in: #"{"-1":1}"#, selects: ["1"]),
        Row("1.0", in: "[[1,2],[3]]", selects: ["3"]),
        Row("a-b", in: #"[{"a-b":1},{"$x":2}]"#, selects: ["1"]),
        Row("\"k\\u00e9 y\"", in: #"{"ké y":1}"#, selects: ["1"]),
    ])
    func aQueryWithoutDollarSignWalksThroughLists(_ row: Row) throws {
        #expect(try Self.select(row.query, row.document) == row.values)
    }

    @Test func thePathOfAValueIsAQueryThatSelectsIt() throws {
        let text = #"{"a":{"b":[0,1]},"\u000b":{"'\\\b\f\n\r\t\"é":0}}"#
        let document = try JSONDocument(Array(text.utf8))
        var paths: [String] = []
        try JSONPath("$..[?@ >= 0]").select(in: document) { slot in
            paths.append(document.path(to: slot).pathText)
            return true
        }
        #expect(paths == ["$.a.b[0]", "$.a.b[1]", #"$['\u000b']['\'\\\b\f\n\r\t"é']"#])
        for path in paths { #expect(try Self.select(path, text).count == 1) }
    }

    @Test func stopsWhenTheBodyReturnsFalse() throws {
        let document = try JSONDocument(Array("[1,[2,3],4]".utf8))
        var count = 0
        try JSONPath("$..*").select(in: document) { _ in
            count += 1
            return count < 2
        }
        #expect(count == 2)
    }

    /// The work grows with the square of the document or with a power that the query chooses, or a long value is read
    /// again for each item.
    @Test(arguments: [
        "$..[?@..a]", "$..*..*..*..*", "$..[?count($..*) > 1]", "$..[?$..[?@ == 1 && @ == 2]]", "$[*][?$..x]",
        "$..[?$.text == $.text]", "$..[?$.text < $.text]", "$..[?$.text != $.escaped]", "$..[?length($.escaped) == 1]",
        "$..[?@ == $.number]", "$..[?@ < $.number]", "$..[?@ == $.exponent]", "$..[?search($.text, 'b')]",
        "$..[?match($.text, 'b')]", "$..[?$.deep == $.deep]", "$..[?$.keys == $.keys]", "$..[?@[?$.text == $.text]]",
    ])
    func aQueryWithTooManyStepsEndsWithAnError(_ query: String) throws {
        let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        let long = String(repeating: "a", count: 20_000)
        let digits = String(repeating: "1", count: 20_000)
        let text = #"""
            {"lists": [\#(Array(repeating: deep, count: 60).joined(separator: ",")),
                       [\#(Array(repeating: "1,\"\"", count: 4500).joined(separator: ","))]],
             "text": "\#(long)", "escaped": "\u0061\#(long.dropFirst())",
             "number": \#(digits), "exponent": 1e\#(digits),
             "deep": \#(deep), "keys": {"\#(long)": 1}}
            """#
        let document = try JSONDocument(Array(text.utf8))
        #expect(throws: JSONPathLimit.tooManySteps(500_000)) {
            try JSONPath(query).select(in: document, counting: StepCounter(limit: 500_000)) { _ in true }
        }
    }

    /// For each item, the elements of both lists are compared, and only the last pair differs.
    @Test func aFilterThatComparesLongListsEndsWithAnError() throws {
        let ones = Array(repeating: "1", count: 10_000).joined(separator: ",")
        let text = #"{"first": [\#(ones),1], "second": [\#(ones),2], "items": [\#(ones)]}"#
        let document = try JSONDocument(Array(text.utf8))
        #expect(throws: JSONPathLimit.tooManySteps(1_000_000)) {
            let stepCounter = StepCounter(limit: 1_000_000)
            try JSONPath("$.items[?$.first == $.second]").select(in: document, counting: stepCounter) { _ in true }
        }
    }

    @Test("A long text costs nothing where lengths or first bytes differ")
    func cheapComparisons() throws {
        let text = #"{"long": "\#(String(repeating: "a", count: 1_000_000))", "list": ["b", "é", "\u0062"]}"#
        let document = try JSONDocument(Array(text.utf8))
        for query in ["$.list[?@ == $.long]", "$.list[?@ < $.long]"] {
            try JSONPath(query).select(in: document, counting: StepCounter(limit: 100)) { _ in true }
        }
    }

    @Test func anErrorOfTheCheckEndsTheQuery() throws {
        struct Stop: Error {}
        let document = try JSONDocument(
            Array(("[" + Array(repeating: "1", count: 20_000).joined(separator: ",") + "]").utf8))
        #expect(throws: Stop.self) { try JSONPath("$[*]").select(in: document, check: { throw Stop() }) { _ in true } }
    }
}

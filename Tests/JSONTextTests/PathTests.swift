import Testing

@testable import JSONText

/// The values that queries select. Every example of RFC 9535 is among them.
struct PathTests {
    /// A query and the values that it selects, as they are written.
    struct Row: Sendable, CustomTestStringConvertible {
        let document: String
        let query: String
        let values: [String]
        init(_ document: String, _ query: String, _ values: String...) {
            (self.document, self.query, self.values) = (document, query, values)
        }
        var testDescription: String { query }
    }

    static func select(_ query: String, _ text: String) throws -> [String] {
        let document = try JSONDocument(Array(text.utf8))
        var values: [String] = []
        try JSONPath(query).select(in: document) { slot in
            values.append(String(decoding: document.bytes[document.range(of: slot)], as: UTF8.self))
            return true
        }
        return values
    }

    static let books = [
        #"{"category":"reference","author":"Nigel Rees","title":"Sayings of the Century","price":8.95}"#,
        #"{"category":"fiction","author":"Evelyn Waugh","title":"Sword of Honour","price":12.99}"#,
        #"{"category":"fiction","author":"Herman Melville","title":"Moby Dick","isbn":"0-553-21311-3","price":8.99}"#,
        #"{"category":"fiction","author":"J. R. R. Tolkien","title":"The Lord of the Rings","isbn":"0-395-19395-8","price":22.99}"#,
    ]
    static let bookList = "[" + books.joined(separator: ",") + "]"
    static let bicycle = #"{"color":"red","price":399}"#
    static let store = "{\"store\":{\"book\":\(bookList),\"bicycle\":\(bicycle)}}"
    static let letters = #"["a","b","c","d","e","f","g"]"#
    static let mixed =
        #"{"a":[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}],"o":{"p":1,"q":2,"r":3,"s":5,"t":{"u":6}},"e":"f"}"#
    static let nested = #"{"o":{"j":1,"k":2},"a":[5,3,[{"j":4},{"k":6}]]}"#
    static let nulls = #"{"a":null,"b":[null],"c":[{}],"null":1}"#

    @Test(arguments: [
        // Anchors, as the reference implementations read them.
        Row(#"["abc","xab"]"#, "$[?match(@, '^ab.*')]", #""abc""#),
        Row(#"["abc","xab"]"#, "$[?match(@, '.*ab$')]", #""xab""#),
        Row(#"["abc","xab"]"#, "$[?search(@, '^ab')]", #""abc""#),
        Row(#"["abc","xab"]"#, "$[?search(@, 'ab$')]", #""xab""#),
        // 1.5
        Row(
            store, "$.store.book[*].author", #""Nigel Rees""#, #""Evelyn Waugh""#, #""Herman Melville""#,
            #""J. R. R. Tolkien""#),
        Row(store, "$..author", #""Nigel Rees""#, #""Evelyn Waugh""#, #""Herman Melville""#, #""J. R. R. Tolkien""#),
        Row(store, "$.store.*", bookList, bicycle),
        Row(store, "$.store..price", "8.95", "12.99", "8.99", "22.99", "399"),
        Row(store, "$..book[2]", books[2]),
        Row(store, "$..book[2].author", #""Herman Melville""#),
        Row(store, "$..book[2].publisher"),
        Row(store, "$..book[-1]", books[3]),
        Row(store, "$..book[0,1]", books[0], books[1]),
        Row(store, "$..book[:2]", books[0], books[1]),
        Row(store, "$..book[?@.isbn]", books[2], books[3]),
        Row(store, "$..book[?@.price<10]", books[0], books[2]),
        // 2.2.3, 2.3.1.3
        Row(#"{"k":"v"}"#, "$", #"{"k":"v"}"#),
        Row(#"{"o":{"j j":{"k.k":3}},"'":{"@":2}}"#, "$.o['j j']", #"{"k.k":3}"#),
        Row(#"{"o":{"j j":{"k.k":3}},"'":{"@":2}}"#, "$.o['j j']['k.k']", "3"),
        Row(#"{"o":{"j j":{"k.k":3}},"'":{"@":2}}"#, #"$.o["j j"]["k.k"]"#, "3"),
        Row(#"{"o":{"j j":{"k.k":3}},"'":{"@":2}}"#, #"$["'"]["@"]"#, "2"),
        // 2.3.2.3
        Row(#"{"o":{"j":1,"k":2},"a":[5,3]}"#, "$[*]", #"{"j":1,"k":2}"#, "[5,3]"),
        Row(#"{"o":{"j":1,"k":2},"a":[5,3]}"#, "$.o[*]", "1", "2"),
        Row(#"{"o":{"j":1,"k":2},"a":[5,3]}"#, "$.o[*, *]", "1", "2", "1", "2"),
        Row(#"{"o":{"j":1,"k":2},"a":[5,3]}"#, "$.a[*]", "5", "3"),
        // 2.3.3.3, 2.3.4.3
        Row(#"["a","b"]"#, "$[1]", #""b""#),
        Row(#"["a","b"]"#, "$[-2]", #""a""#),
        Row(letters, "$[1:3]", #""b""#, #""c""#),
        Row(letters, "$[5:]", #""f""#, #""g""#),
        Row(letters, "$[1:5:2]", #""b""#, #""d""#),
        Row(letters, "$[5:1:-2]", #""f""#, #""d""#),
        Row(letters, "$[::-1]", #""g""#, #""f""#, #""e""#, #""d""#, #""c""#, #""b""#, #""a""#),
        // 2.3.5.3
        Row(mixed, "$.a[?@.b == 'kilo']", #"{"b":"kilo"}"#),
        Row(mixed, "$.a[?(@.b == 'kilo')]", #"{"b":"kilo"}"#),
        Row(mixed, "$.a[?@>3.5]", "5", "4", "6"),
        Row(mixed, "$.a[?@.b]", #"{"b":"j"}"#, #"{"b":"k"}"#, #"{"b":{}}"#, #"{"b":"kilo"}"#),
        Row(
            mixed, "$[?@.*]", #"[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}]"#,
            #"{"p":1,"q":2,"r":3,"s":5,"t":{"u":6}}"#),
        Row(mixed, "$[?@[?@.b]]", #"[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}]"#),
        Row(mixed, "$.o[?@<3, ?@<3]", "1", "2", "1", "2"),
        Row(mixed, #"$.a[?@<2 || @.b == "k"]"#, "1", #"{"b":"k"}"#),
        Row(mixed, #"$.a[?match(@.b, "[jk]")]"#, #"{"b":"j"}"#, #"{"b":"k"}"#),
        Row(mixed, #"$.a[?search(@.b, "[jk]")]"#, #"{"b":"j"}"#, #"{"b":"k"}"#, #"{"b":"kilo"}"#),
        Row(mixed, "$.o[?@>1 && @<4]", "2", "3"),
        Row(mixed, "$.o[?@.u || @.x]", #"{"u":6}"#),
        Row(mixed, "$.a[?@.b == $.x]", "3", "5", "1", "2", "4", "6"),
        Row(
            mixed, "$.a[?@ == @]", "3", "5", "1", "2", "4", "6", #"{"b":"j"}"#, #"{"b":"k"}"#, #"{"b":{}}"#,
            #"{"b":"kilo"}"#),
        // 2.5.1.3, 2.5.2.3
        Row(letters, "$[0, 3]", #""a""#, #""d""#),
        Row(letters, "$[0:2, 5]", #""a""#, #""b""#, #""f""#),
        Row(letters, "$[0, 0]", #""a""#, #""a""#),
        Row(nested, "$..j", "1", "4"),
        Row(nested, "$..[0]", "5", #"{"j":4}"#),
        Row(
            nested, "$..[*]", #"{"j":1,"k":2}"#, #"[5,3,[{"j":4},{"k":6}]]"#, "1", "2", "5", "3", #"[{"j":4},{"k":6}]"#,
            #"{"j":4}"#, #"{"k":6}"#, "4", "6"),
        Row(nested, "$..o", #"{"j":1,"k":2}"#),
        Row(nested, "$.o..[*, *]", "1", "2", "1", "2"),
        Row(nested, "$.a..[0, 1]", "5", "3", #"{"j":4}"#, #"{"k":6}"#),
        // 2.6.1
        Row(nulls, "$.a", "null"),
        Row(nulls, "$.a[0]"),
        Row(nulls, "$.a.d"),
        Row(nulls, "$.b[0]", "null"),
        Row(nulls, "$.b[*]", "null"),
        Row(nulls, "$.b[?@]", "null"),
        Row(nulls, "$.b[?@==null]", "null"),
        Row(nulls, "$.c[?@.d==null]"),
        Row(nulls, "$.null", "1"),
    ])
    func examplesOfTheRFC(_ row: Row) throws {
        #expect(try Self.select(row.query, row.document) == row.values)
    }

    @Test(arguments: [
        ("$.absent1 == $.absent2", true), ("$.absent1 <= $.absent2", true), ("$.absent == 'g'", false),
        ("$.absent1 != $.absent2", false), ("$.absent != 'g'", true), ("1 <= 2", true), ("1 > 2", false),
        ("13 == '13'", false), ("'a' <= 'b'", true), ("'a' > 'b'", false), ("$.obj == $.arr", false),
        ("$.obj != $.arr", true), ("$.obj == $.obj", true), ("$.obj != $.obj", false), ("$.arr == $.arr", true),
        ("$.arr != $.arr", false), ("$.obj == 17", false), ("$.obj != 17", true), ("$.obj <= $.arr", false),
        ("$.obj < $.arr", false), ("$.obj <= $.obj", true), ("$.arr <= $.arr", true), ("1 <= $.arr", false),
        ("1 >= $.arr", false), ("1 > $.arr", false), ("1 < $.arr", false), ("true <= true", true),
        ("true > true", false),
        // More than the RFC's table.
        ("1 == 1.0", true), ("1e2 == 100", true), ("-0 == 0", true), ("9007199254740993 == 9007199254740992", false),
        ("0.1 == 0.10000000000000001", false), ("'é' == 'e\\u0301'", false), ("'\\uFFFF' < '\\uD83D\\uDE00'", true),
        ("'' < 'a'", true), ("null == null", true), ("null < null", false), ("null <= null", true),
        ("false == null", false),
        ("!(1 == 2) && (1 == 1 || 1 == 2)", true), ("1 == 1 || 1 == 1 && 1 == 2", true), ("!$.arr || $.arr", true),
        ("length('é😀') == 2", true), ("length($.arr) == 2", true), ("length($.obj) == 1", true),
        ("length(1) == $.absent", true), ("count($.arr[*]) == 2", true), ("count($.absent) == 0", true),
        ("value($..x) == 'y'", true), ("value($.arr[*]) == $.absent", true), ("length(value($..x)) == 1", true),
        ("match('a\\nb', 'a.b')", false), ("search('xaby', 'ab')", true), ("match('xaby', 'ab')", false),
        ("match(1, '1')", false), ("match('a', 1)", false), ("match('a', '(')", false),
        ("match('y', $.obj.x)", true), ("$.same1 == $.same2", true), ("$.same1 == $.other", false),
    ])
    func comparesAsTheRFCSays(_ expression: String, _ isTrue: Bool) throws {
        let text = #"""
            {"obj": {"x": "y"}, "arr": [2, 3], "same1": {"a": [1, {"b": "\u0041"}], "c": null},
             "same2": {"c": null, "a": [1.0, {"b": "A"}]}, "other": {"a": [1, {"b": "B"}], "c": null}}
            """#
        #expect(try Self.select("$[?\(expression)]", text).count == (isTrue ? 5 : 0))
    }

    @Test(arguments: [
        Row("[1,2]", "$[2]"), Row("[1,2]", "$[-3]"), Row("[1,2]", "$['0']"), Row(#"{"0":1}"#, "$[0]"),
        Row("[1,2]", "$.*", "1", "2"), Row("[0,1,2,3]", "$[::0]"),
        Row("[0,1,2,3]", "$[-9007199254740991:9007199254740991:3]", "0", "3"),
        Row("[0,1,2,3]", "$[ 3 : : -2 ]", "3", "1"), Row("[]", "$[::-1]"), Row("1", "$..*"), Row("1", "$", "1"),
        Row(" [ 1.50 , \"\\u0041\" ] ", "$[*]", "1.50", "\"\\u0041\""), Row(#"{"\u0061":1}"#, "$.a", "1"),
        Row(#"{"a":1}"#, "$['\\u0061']", "1"), Row(#"{"😀":1}"#, "$['\\uD83D\\uDE00']", "1"),
        Row(#"{"é":1}"#, "$.é", "1"), Row("{\"e\u{301}\":1}", "$['é']"), Row(#"{"é":1}"#, "$ \n['é']\t[*]"),
        Row(#"{"a":1,"a":2}"#, "$.a", "1"), Row(#"{"a":1,"a":2}"#, "$[*]", "1", "2"),
        Row(#"[{"a":[1,[2]]},3]"#, "$..[?@ > 1]", "3", "2"), Row(#"[[1,2],[3]]"#, "$[?count(@[*]) > 1][0]", "1"),
        Row(#"[{"a":{"b":1}},{"a":{}}]"#, "$[?!@.a.b]", #"{"a":{}}"#),
        Row(#"["\ud800"]"#, "$[?@ == '\u{FFFD}']", #""\ud800""#),
        Row(#"{"k":[{"n":"x"},{"n":"y"}],"want":"y"}"#, "$.k[?@.n == $.want]", #"{"n":"y"}"#),
    ])
    func selectsWhatTheQueryNames(_ row: Row) throws {
        #expect(try Self.select(row.query, row.document) == row.values)
    }

    static let results =
        #"{"results":[{"title":"a","odd.key":1},{"title":"b","cast":[[{"n":1}],{"n":2}]},3],"0":{"0":[7]}}"#

    @Test(arguments: [
        Row(results, "results.title", #""a""#, #""b""#), Row(results, "results.0.title", #""a""#),
        Row(results, #"results."odd.key""#, "1"), Row(results, "results.'odd.key'", "1"),
        Row(results, "results.cast.n", "1", "2"), Row(results, "0.0.0", "7"), Row(results, "0.0.1"),
        Row(results, #""0"."0"."0""#), Row(results, "results.2", "3"), Row(results, "title"),
        Row(results, "results.00.title", #""a""#), Row(results, "results[0].title", #""a""#),
        Row(results, ".results[].title", #""a""#, #""b""#), Row(results, ".results.[-1]", "3"),
        Row("[1,[2]]", "[]", "1", "[2]"), Row("[1]", ".", "[1]"), Row(#"{"a":1}"#, "[]", "1"),
        Row(#"{"c-d":{"e f":2}}"#, #".["c-d"]['e f']"#, "2"),
        Row(#"{"a":{"b":[1]},"c":{"b":[2]}}"#, ".[].b[]", "1", "2"),
        Row(#"{"-1":1}"#, #""-1""#, "1"),
        Row("[[1,2],[3]]", "1.0", "3"), Row(#"[{"a-b":1},{"$x":2}]"#, "a-b", "1"),
        Row(#"{"ké y":1}"#, "\"k\\u00e9 y\"", "1"),
    ])
    func namesWalkThroughLists(_ row: Row) throws {
        #expect(try Self.select(row.query, row.document) == row.values)
    }

    @Test func pathsAreQueries() throws {
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
    func muchWorkEndsWithAnError(_ query: String) throws {
        let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        let long = String(repeating: "a", count: 20_000)
        let digits = String(repeating: "1", count: 20_000)
        let text = #"""
            {"lists": [\#(Array(repeating: deep, count: 60).joined(separator: ",")),
                       [\#(Array(repeating: "1,\"\"", count: 4500).joined(separator: ","))]],
             "text": "\#(long)", "escaped": "\u0061\#(long.dropFirst())", "number": \#(digits), "exponent": 1e\#(digits),
             "deep": \#(deep), "keys": {"\#(long)": 1}}
            """#
        let document = try JSONDocument(Array(text.utf8))
        #expect(throws: JSONPathLimit.tooManySteps(500_000)) {
            try JSONPath(query).select(in: document, StepCounter(limit: 500_000)) { _ in true }
        }
    }

    /// The elements of both lists are paired for each item, although only the last pair is looked at.
    @Test func longListsAreMuchWork() throws {
        let ones = Array(repeating: "1", count: 10_000).joined(separator: ",")
        let text = #"{"first": [\#(ones),1], "second": [\#(ones),2], "items": [\#(ones)]}"#
        let document = try JSONDocument(Array(text.utf8))
        #expect(throws: JSONPathLimit.tooManySteps(1_000_000)) {
            try JSONPath("$.items[?$.first == $.second]").select(in: document, StepCounter(limit: 1_000_000)) { _ in
                true
            }
        }
    }

    @Test("A long text costs nothing where lengths or first bytes differ")
    func cheapComparisons() throws {
        let text = #"{"long": "\#(String(repeating: "a", count: 1_000_000))", "list": ["b", "é", "\u0062"]}"#
        let document = try JSONDocument(Array(text.utf8))
        for query in ["$.list[?@ == $.long]", "$.list[?@ < $.long]"] {
            try JSONPath(query).select(in: document, StepCounter(limit: 100)) { _ in true }
        }
    }

    @Test func anErrorOfTheCheckEndsTheQuery() throws {
        struct Stop: Error {}
        let document = try JSONDocument(
            Array(("[" + Array(repeating: "1", count: 20_000).joined(separator: ",") + "]").utf8))
        #expect(throws: Stop.self) { try JSONPath("$[*]").select(in: document, check: { throw Stop() }) { _ in true } }
    }
}

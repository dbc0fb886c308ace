import Testing

@testable import JSONText

/// The errors of invalid queries: the column, and the texts that were expected and found.
struct PathErrorTests {
    @Test(arguments: [
        ("", 1, "a name or an index (JSONPath starts with '$')", "the end of the query"),
        ("$.", 3, "a name or '*'", "the end of the query"),
        ("$..", 4, "a name, '*' or '['", "the end of the query"),
        ("$ ", 2, "'.', '[' or the end", "' '"),
        (" $", 1, "a name or an index (JSONPath starts with '$')", "' '"),
        ("$a", 2, "'.', '[' or the end", "'a'"),
        ("$.1", 3, "a name or '*'", "'1'"),
        ("$.a b", 4, "'.', '[' or the end", "' '"),
        ("$. a", 3, "a name or '*'", "' '"),
        ("$...a", 4, "a name, '*' or '['", "'.'"),
        ("$.a-b", 4, "'.', '[' or the end", "'-'"),
        ("$.é\u{1B}", 4, "'.', '[' or the end", "'\\u001B'"),
        ("$[", 3, "a name in quotes, an index, a slice, '*' or '?'", "the end of the query"),
        ("$[]", 3, "a name in quotes, an index, a slice, '*' or '?'", "']'"),
        ("$[a]", 3, "a name in quotes, an index, a slice, '*' or '?'", "'a'"),
        ("$[0", 4, "',' or ']'", "the end of the query"),
        ("$[0 1]", 5, "',' or ']'", "'1'"),
        ("$[0,]", 5, "a name in quotes, an index, a slice, '*' or '?'", "']'"),
        ("$[01]", 3, "an integer without leading zeros, at most 9007199254740991", "'0'"),
        ("$[-0]", 3, "an integer without leading zeros, at most 9007199254740991", "'-'"),
        ("$[1.0]", 4, "',' or ']'", "'.'"),
        ("$[9007199254740992]", 3, "an integer without leading zeros, at most 9007199254740991", "'9'"),
        ("$[1:2:3:4]", 8, "',' or ']'", "':'"),
        ("$['a]", 6, "the closing '", "the end of the query"),
        ("$[\"a']", 7, "the closing \"", "the end of the query"),
        ("$['\\\"']", 3, "a string with JSON's escapes", "''\\\"''"),
        ("$[\"\\'\"]", 3, "a string with JSON's escapes", "'\"\\'\"'"),
        ("$['\\u12']", 3, "a string with JSON's escapes", "''\\u12''"),
        ("$['\\uD800']", 3, "a string with JSON's escapes", "''\\uD800''"),
        ("$['\n']", 3, "a string with JSON's escapes", "''\\n''"),
        ("$[?]", 4, "a query, a literal or a function", "']'"),
        ("$[?@", 5, "',' or ']'", "the end of the query"),
        ("$[?1]", 5, "a comparison: '==', '!=', '<', '<=', '>' or '>='", "']'"),
        ("$[?@ = 1]", 6, "',' or ']'", "'='"),
        ("$[?@ ==]", 8, "a query, a literal or a function", "']'"),
        ("$[?@.a == 1 == 2]", 13, "',' or ']'", "'='"),
        ("$[?@ == 01]", 9, "a number", "'01'"),
        ("$[?@ == 1.]", 9, "a number", "'1.'"),
        ("$[?(@.a]", 8, "'&&', '||' or ')'", "']'"),
        ("$[?@.a &&]", 10, "a query, a literal or a function", "']'"),
        ("$[?@.a & @.b]", 8, "',' or ']'", "'&'"),
        ("$[?!1]", 6, "a comparison: '==', '!=', '<', '<=', '>' or '>='", "']'"),
        ("$[?!@.a == 1]", 9, "',' or ']'", "'='"),
        ("$[?!!@.a]", 5, "a query, a literal or a function", "'!'"),
        ("$[?(@.a) == 1]", 10, "',' or ']'", "'='"),
        ("$[?True == 1]", 4, "a query, a literal or a function", "'T'"),
        ("$[?nul == 1]", 4, "a query, a literal or a function", "'nul'"),
        ("$[?@.* == 1]", 4, "a query for one value, of names and indexes only", "'@.*'"),
        ("$[?@..a == 1]", 4, "a query for one value, of names and indexes only", "'@..a'"),
        ("$[?@[0,1] == 1]", 4, "a query for one value, of names and indexes only", "'@[0,1]'"),
        ("$[?1 == @[0:1]]", 9, "a query for one value, of names and indexes only", "'@[0:1]'"),
        ("$[?foo(@) == 1]", 4, "length, count, value, match or search", "'foo'"),
        ("$[?length(@.*) < 3]", 11, "a query for one value, of names and indexes only", "'@.*'"),
        ("$[?length(@)]", 13, "a comparison: '==', '!=', '<', '<=', '>' or '>='", "']'"),
        ("$[?length() == 1]", 11, "a query, a literal or a function", "')'"),
        ("$[?length(@, 1) == 1]", 12, "')'", "','"),
        ("$[?length (@) == 1]", 4, "a query, a literal or a function", "'length'"),
        ("$[?count(1) == 1]", 10, "a query", "'1'"),
        ("$[?count(length(@)) == 1]", 10, "a query", "'length(@)'"),
        ("$[?value(@..color)]", 19, "a comparison: '==', '!=', '<', '<=', '>' or '>='", "']'"),
        ("$[?match(@.a, 'b') == true]", 4, "a value", "'match(@.a, 'b')'"),
        ("$[?match(@.a)]", 13, "','", "')'"),
        ("$[?match(@.a, @.*)]", 15, "a query for one value, of names and indexes only", "'@.*'"),
        ("$[?length(match(@.a, 'b')) == 1]", 11, "a value", "'match(@.a, 'b')'"),
        ("results..title", 9, "a name or an index (JSONPath starts with '$')", "'.'"),
        ("results.", 9, "a name or an index (JSONPath starts with '$')", "the end of the query"),
        ("results[0]a", 11, "'.', '[' or the end", "'a'"),
        ("results[*]", 9, "an index, a name in quotes or ']' (JSONPath starts with '$')", "'*'"),
        (
            "{a,b}", 1,
            "a name or an index (for several members: $['a','b']; a name with such a character is in quotes)", "'{'"
        ),
        (
            "a,b", 2,
            "'.', '[' or the end (for several members: $['a','b']; a name with such a character is in quotes)", "','"
        ),
        ("results[0:2]", 10, "']' (JSONPath, which has slices, starts with '$')", "':'"),
        (
            "results.-1.title", 9, #"a name or an index from 0 (from the end: [-1]; a name: "-1")"#, "'-1'"
        ),
        ("results.\"a\"b", 12, "'.', '[' or the end", "'b'"),
        ("results.\"a", 11, "the closing \"", "the end of the query"),
    ])
    func refusesWithColumnExpectedAndFound(_ query: String, _ column: Int, _ expected: String, _ found: String) throws {
        let error = try #require(throws: JSONPathError.self) { try JSONPath(query) }
        #expect(error == JSONPathError(column: column, expected: expected, found: found))
    }

    @Test func refusesTooDeepNesting() throws {
        let filters = { (count: Int) in
            "$" + String(repeating: "[?@", count: count) + String(repeating: "]", count: count)
        }
        _ = try JSONPath(filters(64))
        let error = try #require(throws: JSONPathError.self) { try JSONPath(filters(65)) }
        #expect(error.expected == "at most 64 levels of nesting")
        for bomb in [
            "$[?" + String(repeating: "(", count: 100_000), "$[?" + String(repeating: "length(", count: 100_000),
        ] {
            #expect(throws: JSONPathError.self) { try JSONPath(bomb) }
        }
    }
}

import Testing

@testable import JSONText

/// An invalid query is refused with an error that points at the mistake.
struct PathErrorTests {
    /// An invalid query and the error that it is refused with.
    struct Row: Sendable, CustomTestStringConvertible {
        let query: String
        let error: JSONPathError

        /// - Parameter column: The column of the mistake, counted from 1.
        init(_ query: String, column: Int, expected: String, found: String) {
            self.query = query
            error = JSONPathError(column: column, expected: expected, found: found)
        }

        var testDescription: String { query }
    }

    @Test(arguments: [
        Row("", column: 1, expected: "a name or an index (JSONPath starts with '$')", found: "the end of the query"),
        Row("$.", column: 3, expected: "a name or '*'", found: "the end of the query"),
        Row("$..", column: 4, expected: "a name, '*' or '['", found: "the end of the query"),
        Row("$ ", column: 2, expected: "'.', '[' or the end", found: "' '"),
        Row(" $", column: 1, expected: "a name or an index (JSONPath starts with '$')", found: "' '"),
        Row("$a", column: 2, expected: "'.', '[' or the end", found: "'a'"),
        Row("$.1", column: 3, expected: "a name or '*'", found: "'1'"),
        Row("$.a b", column: 4, expected: "'.', '[' or the end", found: "' '"),
        Row("$. a", column: 3, expected: "a name or '*'", found: "' '"),
        Row("$...a", column: 4, expected: "a name, '*' or '['", found: "'.'"),
        Row("$.a-b", column: 4, expected: "'.', '[' or the end", found: "'-'"),
        Row("$.é\u{1B}", column: 4, expected: "'.', '[' or the end", found: "'\\u001B'"),
        Row(
            "$[",
            column: 3,
            expected: "a name in quotes, an index, a slice, '*' or '?'",
            found: "the end of the query"),
        Row("$[]", column: 3, expected: "a name in quotes, an index, a slice, '*' or '?'", found: "']'"),
        Row("$[a]", column: 3, expected: "a name in quotes, an index, a slice, '*' or '?'", found: "'a'"),
        Row("$[0", column: 4, expected: "',' or ']'", found: "the end of the query"),
        Row("$[0 1]", column: 5, expected: "',' or ']'", found: "'1'"),
        Row("$[0,]", column: 5, expected: "a name in quotes, an index, a slice, '*' or '?'", found: "']'"),
        Row("$[01]", column: 3, expected: "an integer without leading zeros, at most 9007199254740991", found: "'0'"),
        Row("$[-0]", column: 3, expected: "an integer without leading zeros, at most 9007199254740991", found: "'-'"),
        Row("$[1.0]", column: 4, expected: "',' or ']'", found: "'.'"),
        Row(
            "$[9007199254740992]",
            column: 3,
            expected: "an integer without leading zeros, at most 9007199254740991",
            found: "'9'"),
        Row("$[1:2:3:4]", column: 8, expected: "',' or ']'", found: "':'"),
        Row("$['a]", column: 6, expected: "the closing '", found: "the end of the query"),
        Row("$[\"a']", column: 7, expected: "the closing \"", found: "the end of the query"),
        Row("$['\\\"']", column: 3, expected: "a string with JSON's escapes", found: "''\\\"''"),
        Row("$[\"\\'\"]", column: 3, expected: "a string with JSON's escapes", found: "'\"\\'\"'"),
        Row("$['\\u12']", column: 3, expected: "a string with JSON's escapes", found: "''\\u12''"),
        Row("$['\\uD800']", column: 3, expected: "a string with JSON's escapes", found: "''\\uD800''"),
        Row("$['\n']", column: 3, expected: "a string with JSON's escapes", found: "''\\n''"),
        Row("$[?]", column: 4, expected: "a query, a literal or a function", found: "']'"),
        Row("$[?@", column: 5, expected: "',' or ']'", found: "the end of the query"),
        Row("$[?1]", column: 5, expected: "a comparison: '==', '!=', '<', '<=', '>' or '>='", found: "']'"),
        Row("$[?@ = 1]", column: 6, expected: "',' or ']'", found: "'='"),
        Row("$[?@ ==]", column: 8, expected: "a query, a literal or a function", found: "']'"),
        Row("$[?@.a == 1 == 2]", column: 13, expected: "',' or ']'", found: "'='"),
        Row("$[?@ == 01]", column: 9, expected: "a number", found: "'01'"),
        Row("$[?@ == 1.]", column: 9, expected: "a number", found: "'1.'"),
        Row("$[?(@.a]", column: 8, expected: "'&&', '||' or ')'", found: "']'"),
        Row("$[?@.a &&]", column: 10, expected: "a query, a literal or a function", found: "']'"),
        Row("$[?@.a & @.b]", column: 8, expected: "',' or ']'", found: "'&'"),
        Row("$[?!1]", column: 6, expected: "a comparison: '==', '!=', '<', '<=', '>' or '>='", found: "']'"),
        Row("$[?!@.a == 1]", column: 9, expected: "',' or ']'", found: "'='"),
        Row("$[?!!@.a]", column: 5, expected: "a query, a literal or a function", found: "'!'"),
        Row("$[?(@.a) == 1]", column: 10, expected: "',' or ']'", found: "'='"),
        Row("$[?True == 1]", column: 4, expected: "a query, a literal or a function", found: "'T'"),
        Row("$[?nul == 1]", column: 4, expected: "a query, a literal or a function", found: "'nul'"),
        Row("$[?@.* == 1]", column: 4, expected: "a query for one value, of names and indexes only", found: "'@.*'"),
        Row("$[?@..a == 1]", column: 4, expected: "a query for one value, of names and indexes only", found: "'@..a'"),
        Row(
            "$[?@[0,1] == 1]",
            column: 4,
            expected: "a query for one value, of names and indexes only",
            found: "'@[0,1]'"),
        Row(
            "$[?1 == @[0:1]]",
            column: 9,
            expected: "a query for one value, of names and indexes only",
            found: "'@[0:1]'"),
        Row("$[?foo(@) == 1]", column: 4, expected: "length, count, value, match or search", found: "'foo'"),
        Row(
            "$[?length(@.*) < 3]",
            column: 11,
            expected: "a query for one value, of names and indexes only",
            found: "'@.*'"),
        Row("$[?length(@)]", column: 13, expected: "a comparison: '==', '!=', '<', '<=', '>' or '>='", found: "']'"),
        Row("$[?length() == 1]", column: 11, expected: "a query, a literal or a function", found: "')'"),
        Row("$[?length(@, 1) == 1]", column: 12, expected: "')'", found: "','"),
        Row("$[?length (@) == 1]", column: 4, expected: "a query, a literal or a function", found: "'length'"),
        Row("$[?count(1) == 1]", column: 10, expected: "a query", found: "'1'"),
        Row("$[?count(length(@)) == 1]", column: 10, expected: "a query", found: "'length(@)'"),
        Row(
            "$[?value(@..color)]",
            column: 19,
            expected: "a comparison: '==', '!=', '<', '<=', '>' or '>='",
            found: "']'"),
        Row("$[?match(@.a, 'b') == true]", column: 4, expected: "a value", found: "'match(@.a, 'b')'"),
        Row("$[?match(@.a)]", column: 13, expected: "','", found: "')'"),
        Row(
            "$[?match(@.a, @.*)]",
            column: 15,
            expected: "a query for one value, of names and indexes only",
            found: "'@.*'"),
        Row("$[?length(match(@.a, 'b')) == 1]", column: 11, expected: "a value", found: "'match(@.a, 'b')'"),
        Row("results..title", column: 9, expected: "a name or an index (JSONPath starts with '$')", found: "'.'"),
        Row(
            "results.",
            column: 9,
            expected: "a name or an index (JSONPath starts with '$')",
            found: "the end of the query"),
        Row("results[0]a", column: 11, expected: "'.', '[' or the end", found: "'a'"),
        Row(
            "results[*]",
            column: 9,
            expected: "an index, a name in quotes or ']' (JSONPath starts with '$')",
            found: "'*'"),
        Row(
            "{a,b}",
            column: 1,
            expected: """
                a name or an index (for several members: $['a','b']; a name with such a character is in quotes)
                """,
            found: "'{'"),
        Row(
            "a,b",
            column: 2,
            expected: """
                '.', '[' or the end (for several members: $['a','b']; a name with such a character is in quotes)
                """,
            found: "','"),
        Row("results[0:2]", column: 10, expected: "']' (JSONPath, which has slices, starts with '$')", found: "':'"),
        Row(
            "results.-1.title",
            column: 9,
            expected: #"a name or an index from 0 (from the end: [-1]; a name: "-1")"#,
            found: "'-1'"),
        Row("results.\"a\"b", column: 12, expected: "'.', '[' or the end", found: "'b'"),
        Row("results.\"a", column: 11, expected: "the closing \"", found: "the end of the query"),
    ])
    func anInvalidQueryIsRefusedWithColumnExpectedAndFound(_ row: Row) throws {
        let error = try #require(throws: JSONPathError.self) { try JSONPath(row.query) }
        #expect(error == row.error)
    }

    @Test func filtersMayBeNested64Levels() throws {
        func nestedFilters(levels: Int) -> String {
            "$" + String(repeating: "[?@", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(throws: Never.self) { try JSONPath(nestedFilters(levels: 64)) }
        let error = try #require(throws: JSONPathError.self) { try JSONPath(nestedFilters(levels: 65)) }
        #expect(error.expected == "at most 64 levels of nesting")
    }

    /// A parser that recursed without a limit would overflow its stack.
    @Test(arguments: ["(", "length("])
    func manyOpenParenthesesAreRefused(_ opening: String) {
        #expect(throws: JSONPathError.self) { try JSONPath("$[?" + String(repeating: opening, count: 100_000)) }
    }
}

/// A query for values in a JSON document: JSONPath (RFC 9535), or names with dots that walk through lists.
///
///     $.results[?@.vote_average > 7].title
///     results.title        the title of each result
///     results.0.title      of the first
///     results."odd.key"
package struct JSONPath: Sendable {
    let query: PathQuery

    /// A query in JSONPath if it starts with `$`, else in names.
    ///
    /// Throws ``JSONPathError`` if it is neither.
    package init(_ text: String) throws(JSONPathError) {
        var parser = PathParser(text)
        query = try text.hasPrefix("$") ? parser.wholeQuery() : parser.names()
    }

    /// Calls `body` with the slot of each value that the query selects, in the order of RFC 9535, until it returns false.
    ///
    /// - Parameters:
    ///   - limit: How many values may be looked at, again and again; far more than the document has unless given.
    ///   - check: Called every few thousand steps; what it throws stops the search.
    ///
    /// Throws ``JSONPathLimit``, and what `check` and `body` throw.
    package func select(
        in document: JSONDocument, limit: Int? = nil, check: (() throws -> Void)? = nil, _ body: (Int) throws -> Bool
    ) throws {
        // Some passes over the document, and enough for any query of a small one.
        let limit = limit ?? max(20_000_000, document.next(after: JSONDocument.root) * 64)
        let evaluation = PathEvaluation(document, limit: limit, check: check)
        _ = try evaluation.select(query, from: JSONDocument.root, body)
    }
}

/// Where a query stops being one, and why.
package struct JSONPathError: Error, Equatable, CustomStringConvertible {
    /// In Unicode scalars, from 1.
    package let column: Int
    /// What was expected there, e.g. `']'`.
    package let expected: String
    /// What was found there, e.g. `'x'` or `end of the query`.
    package let found: String

    /// `column 7: expected ']', found 'x'`
    package var description: String { "column \(column): expected \(expected), found \(found)" }
}

/// A query that is too much work.
package enum JSONPathLimit: Error, Equatable, CustomStringConvertible {
    /// It visits more values than so many.
    case tooManySteps(Int)
    /// A regular expression has more states than so many.
    case tooLargeExpression(Int)

    package var description: String {
        switch self {
        case .tooManySteps(let limit): "the query takes more than \(limit) steps in this document"
        case .tooLargeExpression(let limit): "a regular expression of the query has more than \(limit) states"
        }
    }
}

extension JSONPath {
    /// The names and positions of a query that only names members and elements; nil for JSONPath.
    package var names: [String]? {
        guard query.segments.allSatisfy({ !$0.isDescendant && $0.selectors.count == 1 }) else { return nil }
        var names: [String] = []
        for segment in query.segments {
            guard case .walk(let name, _) = segment.selectors[0] else { return nil }
            names.append(String(decoding: name.bytes, as: UTF8.self))
        }
        return names
    }
}

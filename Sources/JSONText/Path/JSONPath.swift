/// A query for values in a JSON document: JSONPath (RFC 9535), or names with dots that walk through lists.
///
///     $.results[?@.vote_average > 7].title
///     results.title        the title of each result, as results[].title
///     results.0.title      of the first, as results[0].title
///     results[-1].title    of the last
///     results."odd.key"
package struct JSONPath: Sendable {
    private let query: PathQuery
    /// Whether it is not JSONPath.
    private let isDotted: Bool

    /// A query in JSONPath if it starts with `$`, else in names.
    ///
    /// Throws ``JSONPathError`` if it is neither.
    package init(_ text: String) throws(JSONPathError) {
        var parser = PathParser(text)
        isDotted = !text.hasPrefix("$")
        query = try isDotted ? parser.names() : parser.wholeQuery()
    }

    /// Calls `body` with the slot of each value that the query selects, in the order of RFC 9535, until it returns false.
    ///
    /// - Parameters:
    ///   - limit: How many values may be looked at, again and again, and bytes compared; several times as many as the document has unless
    ///     given.
    ///   - check: Called every few thousand steps; what it throws stops the search.
    ///
    /// Throws ``JSONPathLimit``, and what `check` and `body` throw.
    package func select(
        in document: JSONDocument, limit: Int? = nil, check: (() throws -> Void)? = nil, _ body: (Int) throws -> Bool
    ) throws {
        // Some passes over the document, and enough for any query of a small one.
        let limit = limit ?? 20_000_000 + 8 * document.bytes.count
        let evaluation = PathEvaluation(document, limit: limit, check: check)
        _ = try evaluation.select(query, from: JSONDocument.root, body)
    }

    /// The names that a query follows from the start, nil for all members of an object or elements of a list; up to where what it selects depends
    /// on values.
    package var steps: [String?] {
        var steps: [String?] = []
        for segment in query.segments {
            if segment.isDescendant || segment.selectors.count > 1 { break }
            switch segment.selectors[0] {
            case .walk(let name, _), .name(let name): steps.append(name)
            case .index(let index) where isDotted: steps.append("\(index)")
            case .wildcard, .filter: steps.append(nil)
            case .index, .slice: break
            }
        }
        return steps
    }

    /// The names and positions of a query that only names members and elements; nil for any other.
    package var names: [String]? {
        var names: [String] = []
        for segment in query.segments {
            switch segment.selectors[0] {
            case .walk(let name, _): names.append(name)
            case .index(let index) where index >= 0 && isDotted: names.append("\(index)")
            // All elements, which names walk through anyway.
            case .slice where isDotted: break
            default: return nil
            }
        }
        return names
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
    /// It visits more values, and compares more bytes, than so many.
    case tooManySteps(Int)
    /// A regular expression has more states than so many.
    case tooLargeExpression(Int)

    package var description: String {
        switch self {
        case .tooManySteps(let limit):
            "the query is too much work in this document: more than \(limit) values visited and bytes compared; "
                + "name fewer values, or compare shorter ones"
        case .tooLargeExpression(let limit): "a regular expression of the query has more than \(limit) states"
        }
    }
}

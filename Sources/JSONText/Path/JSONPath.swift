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

    /// A step of a query, as far as it can be compared with a model.
    package enum Step {
        /// A name that walks through lists, or a position in one.
        case walk(String)
        /// The member of an object.
        case key(String)
        /// Elements of a list.
        case element
        /// All members and elements, or those that a filter chooses.
        case every

        package var name: String? {
            switch self {
            case .walk(let name), .key(let name): name
            case .element, .every: nil
            }
        }
    }

    /// What the query follows from the start, side by side what it selects at once; up to where anything inside may be selected.
    package var steps: [[Step]] {
        query.segments.prefix { !$0.isDescendant }.map { segment in
            segment.selectors.compactMap { selector in
                switch selector {
                case .walk(let name, _): .walk(name)
                case .name(let name): .key(name)
                case .index(let index) where isDotted: .walk("\(index)")
                // All elements, which names walk through anyway.
                case .slice where isDotted: nil
                case .index, .slice: .element
                case .wildcard, .filter: .every
                }
            }
        }.filter { !$0.isEmpty }
    }

    /// The query as reports write paths, if it is one of names and of all elements or members; nil for any other.
    package var foldedText: String? {
        var text = "$"
        for segment in query.segments {
            guard !segment.isDescendant, segment.selectors.count == 1 else { return nil }
            switch segment.selectors[0] {
            case .name(let name): text += JSONPathComponent.key(name).text
            case .wildcard: text += segment.hasDot ? ".*" : "[*]"
            default: return nil
            }
        }
        return text
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

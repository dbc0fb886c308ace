/// A query for values in a JSON document: JSONPath (RFC 9535) if it starts with `$`, or else a dotted path.
///
/// The names of a dotted path walk through lists:
///
///     $.results[?@.vote_average > 7].title
///     results.title        the title of each result, as results[].title
///     results.0.title      the title of the first result, as results[0].title
///     results[-1].title    the title of the last result
///     results."odd.key"
package struct JSONPath: Sendable {
    private let query: PathQuery
    /// Whether the query is a dotted path and not JSONPath.
    private let isDotted: Bool

    /// Reads a query.
    ///
    /// - Throws: ``JSONPathError`` if `text` is neither JSONPath nor a dotted path.
    package init(_ text: String) throws(JSONPathError) {
        isDotted = !text.hasPrefix("$")
        if isDotted {
            query = try DottedPathParser(PathCursor(text)).parseWholeQuery()
        } else {
            query = try PathParser(PathCursor(text)).parseWholeQuery()
        }
    }

    /// Calls `body` with each value that the query selects, in the order of RFC 9535, until it returns false.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - steps: Counts the values that the query visits, the bytes that it compares, and an eighth of the bytes that
    ///     it selects.
    ///   - body: Called with the slot of each value: its number in the document's index. An error that it throws ends
    ///     the search.
    /// - Throws: ``JSONPathLimit``, and the errors of the counter's check and of `body`.
    package func select(
        in document: JSONDocument, counting steps: StepCounter, _ body: (Int) throws -> Bool
    ) throws {
        let evaluation = PathEvaluation(document, steps: steps)
        _ = try evaluation.visitValues(selectedBy: query, from: JSONDocument.root) { slot in
            // A query such as `$..*..*` selects the same values again and again. So the length of what it selects
            // counts too, but less, because `$..*` selects each byte once for every level around it.
            try steps.count(document.range(of: slot).count / 8)
            return try body(slot)
        }
    }

    /// Calls `body` with each value that the query selects, until it returns false. The size of the document limits how
    /// many steps the search may take.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - check: Called every few thousand steps. An error that it throws ends the search.
    ///   - body: Called with the slot of each value: its number in the document's index.
    /// - Throws: ``JSONPathLimit``, and the errors of `check` and `body`.
    package func select(
        in document: JSONDocument, check: (() throws -> Void)? = nil, _ body: (Int) throws -> Bool
    ) throws {
        try select(in: document, counting: StepCounter(for: document, check: check), body)
    }

    /// Whether the query may select several values of any document, because it has a wildcard, a slice, a filter or a
    /// descendant segment, or several selectors side by side.
    package var mayFindSeveral: Bool {
        query.segments.contains { segment in
            if segment.isDescendant || segment.selectors.count > 1 { return true }
            switch segment.selectors[0] {
            case .wildcard, .slice, .filter: return true
            case .name, .index, .dottedName: return false
            }
        }
    }

    /// A step of a query, as far as it can be compared with the shape of a model.
    package enum Step {
        /// A name that walks through lists, or an index in a list.
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

    /// The steps of each segment, up to the first segment with `..`, which may select anything.
    ///
    /// A segment with several selectors, such as `["a", "b"]`, has several steps side by side. Segments that only
    /// select all elements of a list (`[]` in a dotted path) are left out, because names walk through lists anyway.
    ///
    ///     $.results[*].title     [[key results], [every], [key title]]
    ///     results[].title        [[walk results], [walk title]]
    package var steps: [[Step]] {
        let segments = query.segments.prefix { !$0.isDescendant }
        return segments.map { $0.selectors.compactMap(modelStep) }.filter { !$0.isEmpty }
    }

    /// Translates a selector into a step through the shape of a model: its properties without their values.
    ///
    /// The shape of a model does not tell the elements of a list apart, so an index of JSONPath becomes any element. In
    /// a dotted path, `[0]` becomes the same step as `.0`, which is an index in a list or a name.
    ///
    /// - Returns: The step. It is nil for the `[]` of a dotted path, which needs none: the names of a dotted path go
    ///   through lists by themselves.
    private func modelStep(for selector: PathQuery.Selector) -> Step? {
        switch selector {
        case .dottedName(let name, _): .walk(name)
        case .name(let name): .key(name)
        case .index(let index) where isDotted: .walk("\(index)")
        case .index, .slice: .element
        case .wildcard where isDotted: nil
        case .wildcard, .filter: .every
        }
    }

    /// The query in the form in which reports write paths, such as `$.results[*].title`.
    ///
    /// It is nil for a query with anything else than single names and wildcards, which includes every dotted path with
    /// a name.
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

    /// The names and indexes of a dotted path from its start to its end: `results`, `0` and `title` for
    /// `results[0].title`.
    ///
    /// `[]` is left out, because names walk through lists anyway. The list is nil for JSONPath other than `$`, and for
    /// an index that counts from the end.
    package var names: [String]? {
        var names: [String] = []
        for segment in query.segments {
            // A segment of a dotted path has exactly one selector. JSONPath never has one of the first three cases.
            switch segment.selectors[0] {
            case .dottedName(let name, _): names.append(name)
            case .index(let index) where index >= 0 && isDotted: names.append("\(index)")
            case .wildcard where isDotted: break
            default: return nil
            }
        }
        return names
    }
}

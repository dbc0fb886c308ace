import EndpointKit
import EndpointTools
import JSONText

/// The list in a result whose elements are the rows of a table.
struct RowList {
    /// The names that lead from the result to the list.
    let path: [String]
    /// The shapes that an element of the list may have.
    let rowShapes: [Shape]

    /// The number of levels that are searched, of which the result itself is the first. A list deeper inside belongs to
    /// a detail of the result.
    private static let maxDepth = 4

    // MARK: In a model

    /// A value in a result that may be the list.
    private struct Candidate {
        /// The names that lead from the result to the value.
        let path: [String]
        let shape: Shape
        /// Whether a response need not have the value.
        let isOptional: Bool

        /// Returns the members of the value. A member of an optional object is optional too.
        func members(in model: ModelShape) -> [Candidate] {
            model.directFields(of: shape).map { field in
                Candidate(path: path + [field.key], shape: field.shape, isOptional: isOptional || field.isOptional)
            }
        }
    }

    /// Finds the outermost list in the model of a result. A list of objects is preferred to other lists, even if it is
    /// further inside.
    ///
    ///     {"tags": ["a"], "page": {"items": [{"id": 1}]}}  →  page.items
    ///
    /// - Parameter shape: The shape of the result.
    /// - Returns: The list. If the result has none, the result itself is the only row.
    /// - Throws: ``UsageError`` if several lists of the outermost level are candidates, unless exactly one of them is
    ///   required in each response.
    static func find(in shape: ModelShape) throws(UsageError) -> RowList {
        if let list = try outermostList(in: shape, where: { holdsObjects($0, in: shape) }) { return list }
        if let list = try outermostList(in: shape, where: { _ in true }) { return list }
        return RowList(path: [], rowShapes: shape.elements(of: shape.root))
    }

    /// Finds the outermost list that satisfies a condition, by breadth-first search.
    ///
    /// - Parameters:
    ///   - shape: The shape of the result.
    ///   - condition: Returns whether a list satisfies the condition.
    /// - Returns: The list; nil if there is none within ``maxDepth`` levels.
    /// - Throws: ``UsageError`` if several lists of that level satisfy the condition, unless exactly one of them is
    ///   required in each response.
    private static func outermostList(
        in shape: ModelShape, where condition: (Shape) -> Bool
    ) throws(UsageError) -> RowList? {
        var level = [Candidate(path: [], shape: shape.root, isOptional: false)]
        for _ in 0..<maxDepth {
            let lists = level.filter { shape.mayBeList($0.shape) && condition($0.shape) }
            if let list = try unambiguousList(of: lists) {
                return RowList(path: list.path, rowShapes: shape.elements(of: list.shape))
            }
            level = level.flatMap { $0.members(in: shape) }
        }
        return nil
    }

    /// Returns the only required list, or else the only list.
    ///
    /// - Returns: The list; nil if `lists` is empty.
    /// - Throws: ``UsageError`` with the paths of the lists if the choice is not clear.
    private static func unambiguousList(of lists: [Candidate]) throws(UsageError) -> Candidate? {
        let requiredLists = lists.filter { !$0.isOptional }
        if requiredLists.count == 1 { return requiredLists.first }
        if lists.count > 1 { throw severalLists(lists.map(\.path)) }
        return lists.first
    }

    /// Returns whether elements of a list may be objects with known fields.
    private static func holdsObjects(_ list: Shape, in shape: ModelShape) -> Bool {
        shape.elements(of: list).contains { !shape.directFields(of: $0).isEmpty }
    }

    // MARK: In a document

    /// A value in a document, with the names that lead to it.
    private struct ValueAtPath {
        let path: [String]
        let value: JSONValue

        /// The number of elements of a list; 0 for any other value.
        var elementCount: Int { value.elements?.count ?? 0 }

        /// The members of an object; none for any other value.
        var members: [ValueAtPath] {
            (value.members ?? []).map { ValueAtPath(path: path + [$0.key], value: $0.value) }
        }
    }

    /// Returns the path to the list in a document without a model.
    ///
    /// Lists whose elements are objects or lists are preferred. Of these, the outermost ones count, and of several such
    /// lists on one level, the longest.
    ///
    ///     {"facets": [{"id": 1}], "rows": [[1, "a"], [2, "b"]]}   →   rows
    ///
    /// - Returns: The names that lead to the list. Without any list, the path is empty, because the document itself is
    ///   the only row.
    /// - Throws: ``UsageError`` if several lists are the longest.
    static func path(in document: JSONValue) throws(UsageError) -> [String] {
        if let path = try pathOfLongestList(in: document, where: holdsRows) { return path }
        return try pathOfLongestList(in: document, where: { $0.elements != nil }) ?? []
    }

    /// Returns the path to the longest of the outermost lists that satisfy a condition. They are found by breadth-first
    /// search.
    ///
    /// - Returns: The path; nil if there is no such list within ``maxDepth`` levels.
    /// - Throws: ``UsageError`` with the paths of the lists if several are the longest.
    private static func pathOfLongestList(
        in document: JSONValue, where condition: (JSONValue) -> Bool
    ) throws(UsageError) -> [String]? {
        var level = [ValueAtPath(path: [], value: document)]
        for _ in 0..<maxDepth {
            let lists = level.filter { condition($0.value) }
            if let greatestCount = lists.map(\.elementCount).max() {
                let longestLists = lists.filter { $0.elementCount == greatestCount }
                if longestLists.count > 1 { throw severalLists(lists.map(\.path)) }
                return longestLists[0].path
            }
            level = level.flatMap(\.members)
        }
        return nil
    }

    /// Returns whether a value is a list with an element that can fill a row: a list, or an object with members.
    private static func holdsRows(_ value: JSONValue) -> Bool {
        guard let elements = value.elements else { return false }
        return elements.contains { element in
            let isList = element.elements != nil
            let hasMembers = element.members?.isEmpty == false
            return isList || hasMembers
        }
    }

    /// Returns the error that a result has several lists which could be meant.
    private static func severalLists(_ paths: [[String]]) -> UsageError {
        let names = paths.map { $0.joined(separator: ".") }.joined(separator: ", ")
        return UsageError("the result has several lists: \(names); choose one with --select")
    }
}

import EndpointKit
import EndpointTools
import JSONText

/// The place of a result's list, and the columns of its rows.
struct RowLayout: Sendable {
    /// The names that lead from the result to the list. It is empty if the result itself is the list, or the only row.
    let path: [String]
    let columns: [RowColumn]

    /// Finds the outermost list in a result, and the columns of its elements.
    ///
    /// - Parameter shape: The shape of the result.
    /// - Throws: ``UsageError`` if there are several lists.
    init(of shape: ModelShape) throws(UsageError) {
        let list = try RowList.find(in: shape)
        self.init(path: list.path, rows: list.rows, of: shape, title: list.path.last)
    }

    /// Makes the layout of a known list.
    ///
    /// - Parameters:
    ///   - path: The names that lead to the list.
    ///   - rows: The shapes of the rows.
    ///   - shape: The shape that has the models of the rows.
    ///   - title: The heading of the only column if the rows are not objects.
    init(path: [String], rows: [Shape], of shape: ModelShape, title: String?) {
        self.path = path
        let members = rows.flatMap(shape.directFields).lazy.map { field in
            RowColumn.Member(key: field.key, isSingle: shape.isSingle(field.shape))
        }
        columns = RowColumn.columns(of: members, title: title)
    }

    /// Returns the path to the list in a document without a model.
    ///
    /// It is the longest of the outermost lists of objects or lists, or else of the outermost lists of other values.
    /// Without a list, the document itself is the only row, and the path is empty.
    ///
    ///     {"facets": [{"id": 1}], "rows": [[1, "a"], [2, "b"]]}   →   rows
    ///
    /// - Throws: ``UsageError`` if several lists are the longest.
    static func path(in document: JSONValue) throws(UsageError) -> [String] {
        let holdsRows: (JSONValue) -> Bool = { list in
            list.elements?.contains { $0.elements != nil || ($0.members?.count ?? 0) > 0 } == true
        }
        if let path = try longestList(in: document, where: holdsRows) { return path }
        return try longestList(in: document) { $0.elements != nil } ?? []
    }

    /// Returns the path to the longest of the outermost lists that fulfil a condition; nil if there is none within
    /// ``RowList/maxDepth`` levels.
    ///
    /// - Throws: ``UsageError`` with the paths of the lists if several are the longest.
    private static func longestList(
        in document: JSONValue, where isWanted: (JSONValue) -> Bool
    ) throws(UsageError) -> [String]? {
        var level = [(path: [String](), value: document)]
        for _ in 0..<RowList.maxDepth {
            let lists = level.filter { isWanted($0.value) }.map {
                (path: $0.path, count: $0.value.elements?.count ?? 0)
            }
            if let longest = lists.map(\.count).max() {
                let paths = lists.filter { $0.count == longest }.map(\.path)
                return try RowList.only(of: paths, among: lists.map(\.path))
            }
            level = level.flatMap { path, value in
                (value.members ?? []).map { (path: path + [$0.key], value: $0.value) }
            }
        }
        return nil
    }
}

/// The list in a result whose elements are the rows.
struct RowList {
    /// The names that lead from the result to the list.
    let path: [String]
    /// The shapes of the elements.
    let rows: [Shape]

    /// A value in a result that may be the list.
    private struct Candidate {
        let path: [String]
        let shape: Shape
        let isOptional: Bool
    }

    /// Lists deeper than this are not found: they belong to a detail of the result.
    fileprivate static let maxDepth = 4

    /// Finds the outermost list in a result. A list of objects is preferred to other lists, even if it is further
    /// inside.
    ///
    /// If there is no list, the result itself is the only row.
    ///
    ///     {"tags": ["a"], "page": {"items": [{"id": 1}]}}  →  page.items
    ///
    /// - Parameter shape: The shape of the result.
    /// - Throws: ``UsageError`` if there are several such lists, unless exactly one of them is required.
    static func find(in shape: ModelShape) throws(UsageError) -> RowList {
        if let list = try find(in: shape, where: { holdsObjects($0, in: shape) }) { return list }
        if let list = try find(in: shape, where: { _ in true }) { return list }
        return RowList(path: [], rows: shape.elements(of: shape.root))
    }

    /// Finds the outermost list that fulfills a condition, level by level.
    ///
    /// - Parameters:
    ///   - shape: The shape of the result.
    ///   - isWanted: Returns whether a list fulfills the condition.
    /// - Returns: The list; nil if there is none within ``maxDepth`` levels.
    /// - Throws: ``UsageError`` if several lists of one level are equally good.
    private static func find(
        in shape: ModelShape, where isWanted: (Shape) -> Bool
    ) throws(UsageError) -> RowList? {
        var level = [Candidate(path: [], shape: shape.root, isOptional: false)]
        for _ in 0..<maxDepth {
            let lists = level.filter { shape.isList($0.shape) && isWanted($0.shape) }
            if let list = try choose(from: lists) {
                return RowList(path: list.path, rows: shape.elements(of: list.shape))
            }
            level = level.flatMap { fields(of: $0, in: shape) }
        }
        return nil
    }

    /// Returns the only list, or the only required one of several; nil if there is no list.
    ///
    /// - Throws: ``UsageError`` with the paths of the lists if the choice is not clear.
    private static func choose(from lists: [Candidate]) throws(UsageError) -> Candidate? {
        let required = lists.filter { !$0.isOptional }
        if lists.count > 1, required.count != 1 {
            _ = try only(of: lists.map(\.path), among: lists.map(\.path))
        }
        return required.first ?? lists.first
    }

    /// Returns the only one of some paths.
    ///
    /// - Parameters:
    ///   - paths: The paths of the lists that may be meant.
    ///   - all: The paths of all lists, for the message.
    /// - Throws: ``UsageError`` with the paths of all lists unless there is exactly one path.
    fileprivate static func only(of paths: [[String]], among all: [[String]]) throws(UsageError) -> [String] {
        if paths.count == 1 { return paths[0] }
        let names = all.map { $0.joined(separator: ".") }.joined(separator: ", ")
        throw UsageError("the result has several lists: \(names); choose one with --select")
    }

    /// Returns the fields of an object as candidates of the next level. A field in an optional object is optional too.
    private static func fields(of candidate: Candidate, in shape: ModelShape) -> [Candidate] {
        shape.directFields(of: candidate.shape).map { field in
            Candidate(
                path: candidate.path + [field.key], shape: field.shape,
                isOptional: candidate.isOptional || field.isOptional)
        }
    }

    /// Returns whether elements of a list may be objects with known fields.
    private static func holdsObjects(_ list: Shape, in shape: ModelShape) -> Bool {
        shape.elements(of: list).contains { !shape.directFields(of: $0).isEmpty }
    }
}

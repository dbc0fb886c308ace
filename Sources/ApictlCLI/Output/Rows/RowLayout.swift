import EndpointKit

/// Where the list of a result is, and the columns of its rows.
struct RowLayout: Sendable {
    /// The names that lead from the result to the list; none if the result itself is the list, or the only row.
    let path: [String]
    let columns: [RowColumn]

    init(path: [String], columns: [RowColumn]) {
        self.path = path
        self.columns = columns
    }

    /// The list in a result of that shape. Throws ``UsageError`` if there are several, or none of the fields that `columns` name.
    init(of shape: ModelShape, columns: [RowColumn]?) throws(UsageError) {
        path = try Self.listPath(in: shape)
        var list = [shape.root]
        for name in path { list = list.flatMap { shape.directFields(of: $0) }.filter { $0.key == name }.map(\.shape) }
        self.columns = columns ?? Self.columns(of: list.flatMap(shape.elements), in: shape, title: path.last)
    }

    /// Rows of that shape; `title` is the name of a column of values that are no objects.
    init(rows shape: ModelShape, columns: [RowColumn]?, title: String?) {
        path = []
        self.columns = columns ?? Self.columns(of: shape.elements(of: shape.root), in: shape, title: title)
    }

    /// The path to the outermost list of objects; if there is none, to the outermost list of anything.
    private static func listPath(in shape: ModelShape) throws(UsageError) -> [String] {
        let ofObjects = try listPath(in: shape) { list in
            shape.elements(of: list).contains { !shape.directFields(of: $0).isEmpty }
        }
        if let ofObjects { return ofObjects }
        return try listPath(in: shape) { _ in true } ?? []
    }

    /// The path to the outermost list that `isWanted`; nil if there is none. Among several, one that is always there is preferred.
    private static func listPath(
        in shape: ModelShape, _ isWanted: (Shape) -> Bool
    ) throws(UsageError) -> [String]? {
        var level: [(path: [String], shape: Shape, isOptional: Bool)] = [([], shape.root, false)]
        // Deeper lists belong to a detail of the result.
        for _ in 0..<4 {
            let lists = level.filter { shape.isList($0.shape) && isWanted($0.shape) }
            let required = lists.filter { !$0.isOptional }
            if let list = required.count == 1 ? required.first : lists.first {
                if lists.count > 1, required.count != 1 {
                    throw .severalLists(lists.map { $0.path.joined(separator: ".") })
                }
                return list.path
            }
            level = level.flatMap { path, value, isOptional in
                shape.directFields(of: value).map { (path + [$0.key], $0.shape, isOptional || $0.isOptional) }
            }
        }
        return nil
    }

    /// The fields of objects, single values first; one column for everything else.
    private static func columns(of elements: [Shape], in shape: ModelShape, title: String?) -> [RowColumn] {
        var fields: [Shape.Field] = []
        for field in elements.flatMap({ shape.directFields(of: $0) })
        where !fields.contains(where: { $0.key == field.key }) {
            fields.append(field)
        }
        if fields.isEmpty { return [RowColumn(name: title ?? "value", names: [])] }
        let (single, nested) = (fields.filter { shape.isSingle($0.shape) }, fields.filter { !shape.isSingle($0.shape) })
        return (single + nested).map { RowColumn(name: $0.key, names: [$0.key]) }
    }
}

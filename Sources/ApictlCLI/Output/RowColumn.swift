import EndpointKit
import JSONText

/// The cell of a row in one column.
struct RowCell {
    /// The cell of a row without a value in the column.
    static let empty = RowCell(text: "", isNumber: false)

    let text: String
    let isNumber: Bool
}

/// A column of rows: the path to its value in each row.
struct RowColumn: Sendable {
    /// A member of a row that is an object.
    struct Member {
        let key: String
        /// Whether the value is neither a list nor an object.
        let isSingle: Bool
    }

    /// The heading.
    let name: String
    /// The names that lead to the value; empty for the row itself.
    let names: [String]

    /// Reads the value of `--columns`, such as `id,owner.name`.
    ///
    /// - Throws: ``UsageError`` if it is not a list of names.
    static func list(_ word: SourcedText) throws(UsageError) -> [RowColumn] {
        var columns: [RowColumn] = []
        for name in names(in: word.text) {
            let path = try JSONPath(word.with(name), option: "--columns")
            guard let names = path.names else {
                throw .unusableValue(
                    option: "--columns", problem: "expected names separated by commas, such as id,owner.name",
                    source: word.source)
            }
            // The heading of a single name has no quotes, so that `"a.b"` is the column a.b.
            columns.append(RowColumn(name: names.count == 1 ? names[0] : name, names: names))
        }
        return columns
    }

    /// Returns the parts of a text between commas. A comma in quotes belongs to a name.
    private static func names(in text: String) -> [String] {
        var names: [String] = []
        var name = String.UnicodeScalarView()
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if scalar == ",", quote == nil {
                names.append(String(name))
                name.removeAll()
                continue
            }
            name.append(scalar)
            if quote != nil {
                if !isEscaped, scalar == quote { quote = nil }
                isEscaped = !isEscaped && scalar == "\\"
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
            }
        }
        return names + [String(name)]
    }

    /// Returns the columns of rows that are objects: one for each key, in the order in which keys appear.
    ///
    /// Columns in which a row has a list or an object come last, because such cells are long. Without members, the row
    /// itself is the only column.
    ///
    /// - Parameters:
    ///   - members: The members of all rows.
    ///   - title: The heading of the column for the row itself; nil for `value`.
    static func columns(of members: some Sequence<Member>, title: String?) -> [RowColumn] {
        var keys: [String] = []
        var isSingle: [String: Bool] = [:]
        for member in members {
            if isSingle[member.key] == nil { keys.append(member.key) }
            isSingle[member.key] = member.isSingle && isSingle[member.key] != false
        }
        if keys.isEmpty { return [.row(title: title)] }
        let ordered = keys.filter { isSingle[$0] == true } + keys.filter { isSingle[$0] == false }
        return ordered.map { RowColumn(name: $0, names: [$0]) }
    }

    /// Returns the column for the row itself, for rows that are not objects.
    ///
    /// - Parameter title: The heading; nil for `value`.
    static func row(title: String?) -> RowColumn { RowColumn(name: title ?? "value", names: []) }

    /// Whether the column shows the row itself.
    var isOfRow: Bool { names.isEmpty }

    /// Returns the cell of this column in a row.
    ///
    /// | Value | Cell |
    /// |---|---|
    /// | `"a"` | `a` |
    /// | `1.50`, `true` | as written |
    /// | null or none | empty |
    /// | an object or list | compact JSON |
    /// | the values in a list that the path walks through | a JSON array of them |
    func cell(in row: JSONValue) throws -> RowCell {
        let found = row.values(at: names[...])
        if found.areOfList {
            let texts = try found.values.map { try $0.compact }
            return RowCell(text: "[\(texts.joined(separator: ","))]", isNumber: false)
        }
        guard let value = found.values.first else { return .empty }
        return switch value.content {
        case .null: .empty
        case .string(let text): RowCell(text: text, isNumber: false)
        case .number(let text): RowCell(text: text, isNumber: true)
        case .bool, .array, .object: RowCell(text: try value.compact, isNumber: false)
        }
    }
}

extension [RowColumn] {
    /// Returns the cells of a row.
    ///
    /// A row that is not an object, such as a string among objects, has no values in the columns for keys. It is shown
    /// whole: in the column for the row itself, or else in the first one.
    func cells(of row: JSONValue) throws -> [RowCell] {
        let cells = try map { column in
            column.isOfRow && count > 1 ? RowCell.empty : try column.cell(in: row)
        }
        // A path that walks through a list without finding anything has the cell [].
        let isFound = cells.contains { !["", "[]"].contains($0.text) }
        if isFound || row.members != nil { return cells }
        let rowIndex = firstIndex(where: \.isOfRow) ?? 0
        let rowCell = try RowColumn.row(title: nil).cell(in: row)
        return indices.map { $0 == rowIndex ? rowCell : .empty }
    }

    /// The columns with the keys that usually identify a row, then all others in their order.
    ///
    /// A table that is too wide loses its last columns.
    var identifyingFirst: [RowColumn] {
        let identifying = ["id", "number", "key", "name", "full_name", "title", "login"]
        let first = identifying.compactMap { name in self.first { $0.name == name } }
        return first + filter { !identifying.contains($0.name) }
    }
}

/// The values at a path in a document.
struct PathValues {
    var values: [JSONValue] = []
    /// Whether a name of the path walked through a list, so that there may be any number of values.
    var areOfList = false
}

extension JSONValue {
    /// The value on one line, without white space.
    var compact: String { get throws { String(decoding: try Coding().encode(self), as: UTF8.self) } }

    /// Returns the values at a path of names and indexes. A name walks through lists.
    ///
    ///     {"a": [{"b": 1}, {"b": 2}]}    a, b → 1 and 2    a, 0, b → 1
    ///
    /// - Returns: The values; none if there is no such member or element.
    func values(at names: ArraySlice<String>) -> PathValues {
        guard let name = names.first else { return PathValues(values: [self]) }
        if let value = self[name] { return value.values(at: names.dropFirst()) }
        guard let elements else { return PathValues() }
        if let index = Int(name) {
            // A negative index counts as 0.
            let element = elements.dropFirst(max(index, 0)).first { _ in true }
            return element?.values(at: names.dropFirst()) ?? PathValues()
        }
        let values = elements.flatMap { $0.values(at: names).values }
        return PathValues(values: values, areOfList: true)
    }
}

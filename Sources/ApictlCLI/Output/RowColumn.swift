import EndpointKit
import JSONText

/// A column of rows: the path to its value in each row.
struct RowColumn: Sendable {
    /// A member of a row that is an object.
    struct Member {
        let key: String
        /// Whether the value is neither a list nor an object.
        let isScalar: Bool
    }

    /// The heading.
    let name: String
    /// The names that lead from a row to the value of the column; empty for the row itself.
    let path: [String]

    // MARK: Making columns

    /// Reads the value of `--columns`, such as `id,owner.name`.
    ///
    /// - Throws: ``UsageError`` for a column that is not a dotted path.
    static func parse(_ option: SourcedText) throws(UsageError) -> [RowColumn] {
        var columns: [RowColumn] = []
        for text in splitAtCommas(option.text) {
            let path = try JSONPath(option.with(text), option: "--columns")
            // A path with a wildcard or a filter is not made of names alone.
            guard let names = path.names else {
                throw .unusableValue(
                    option: "--columns", problem: "expected names separated by commas, such as id,owner.name",
                    source: option.source)
            }
            // The heading of a single name has no quotes: `"a.b"` is the column a.b.
            let heading = names.count == 1 ? names[0] : text
            columns.append(RowColumn(name: heading, path: names))
        }
        return columns
    }

    /// Splits a text at its commas, except at those in quotes: `id,"a,b"` has the parts `id` and `"a,b"`.
    ///
    /// As in JSONPath, a quoted name stands between single or double quotes, and a backslash keeps the next quote from
    /// ending it. Quotes and backslashes stay in the parts.
    private static func splitAtCommas(_ text: String) -> [String] {
        var parts: [String] = []
        var part = String.UnicodeScalarView()
        // The quote that has begun and not ended.
        var openQuote: Unicode.Scalar?
        // Whether a backslash stands before the next scalar.
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if scalar == ",", openQuote == nil {
                parts.append(String(part))
                part.removeAll()
                continue
            }
            part.append(scalar)
            if openQuote != nil {
                if scalar == openQuote, !isEscaped { openQuote = nil }
                isEscaped = scalar == "\\" && !isEscaped
            } else if scalar == "\"" || scalar == "'" {
                openQuote = scalar
            }
        }
        parts.append(String(part))
        return parts
    }

    /// Returns the columns of rows that are objects: one for each key, in the order in which keys first appear.
    ///
    /// Columns in which a row has a list or an object come last, because such cells are long. Without members, the row
    /// itself is the only column.
    ///
    /// - Parameters:
    ///   - members: The members of all rows, one row after the other.
    ///   - title: The heading of the column for the row itself; nil for `value`.
    static func columns(of members: some Sequence<Member>, title: String?) -> [RowColumn] {
        var keys: [String] = []
        var seenKeys: Set<String> = []
        var keysOfLongCells: Set<String> = []
        for member in members {
            if seenKeys.insert(member.key).inserted { keys.append(member.key) }
            if !member.isScalar { keysOfLongCells.insert(member.key) }
        }
        if keys.isEmpty { return [.row(title: title)] }
        let shortKeys = keys.filter { !keysOfLongCells.contains($0) }
        let longKeys = keys.filter { keysOfLongCells.contains($0) }
        return (shortKeys + longKeys).map { RowColumn(name: $0, path: [$0]) }
    }

    /// Returns the column for the row itself, for rows that are not objects.
    ///
    /// - Parameter title: The heading; nil for `value`.
    static func row(title: String?) -> RowColumn { RowColumn(name: title ?? "value", path: []) }

    /// Whether the column shows the row itself.
    var isOfRow: Bool { path.isEmpty }

    // MARK: Cells

    /// Returns the cell of this column in a row.
    ///
    /// | Value | Cell |
    /// |---|---|
    /// | `"a"` | `a` |
    /// | `1.50`, `true` | as written |
    /// | null, or no such member | empty |
    /// | an object or list | compact JSON |
    /// | the values in a list that the path walks through | a JSON array of them |
    func cell(in row: JSONValue) throws -> RowCell {
        let match = row.values(at: path[...])
        if match.walksThroughList {
            let texts = try match.values.map { try $0.compact }
            return RowCell(text: "[\(texts.joined(separator: ","))]", isNumber: false)
        }
        guard let value = match.values.first else { return .empty }
        return switch value.content {
        case .null: .empty
        case .string(let text): RowCell(text: text, isNumber: false)
        case .number(let text): RowCell(text: text, isNumber: true)
        case .bool, .array, .object: RowCell(text: try value.compact, isNumber: false)
        }
    }
}

/// The cell of a row in one column.
struct RowCell {
    /// The cell of a row without a value in the column.
    static let empty = RowCell(text: "", isNumber: false)

    let text: String
    let isNumber: Bool

    /// Whether the row has a value in the column. The cell is `[]` if the path of the column walks through a list
    /// without finding anything there.
    var hasValue: Bool { !text.isEmpty && text != "[]" }
}

extension [RowColumn] {
    /// Returns the cells of a row, one for each column.
    ///
    /// Most columns show the member of a row under a key. A row that is not an object, such as a string among objects,
    /// has no members. It is shown as a whole: in the column that is meant for such rows (``RowColumn/isOfRow``), or
    /// else in the first one.
    func cells(of row: JSONValue) throws -> [RowCell] {
        let hasKeyColumns = count > 1
        let cells = try map { column in
            // Only rows without members fill the column for whole rows, if there are columns for keys too.
            if column.isOfRow && hasKeyColumns { return RowCell.empty }
            return try column.cell(in: row)
        }
        let isObject = row.members != nil
        if isObject || cells.contains(where: \.hasValue) { return cells }
        let wholeRowCell = try RowColumn.row(title: nil).cell(in: row)
        let wholeRowIndex = firstIndex(where: \.isOfRow) ?? 0
        return indices.map { $0 == wholeRowIndex ? wholeRowCell : .empty }
    }

    /// The columns with the keys that usually identify a row, such as `id` and `name`, then all others in their order.
    ///
    /// A table that is too wide loses its last columns, so that these are the least important ones.
    var identifyingFirst: [RowColumn] {
        let identifyingKeys = ["id", "number", "key", "name", "full_name", "title", "login"]
        let identifyingColumns = identifyingKeys.compactMap { key in first { $0.name == key } }
        return identifyingColumns + filter { !identifyingKeys.contains($0.name) }
    }
}

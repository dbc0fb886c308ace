import EndpointKit
import JSONText

/// A column of rows: the path to its value in each row.
struct RowColumn: Sendable {
    /// The heading.
    let name: String
    /// The names that lead to the value; none is the row itself.
    let names: [String]

    /// The columns that `word` names, separated by commas. Throws ``UsageError``.
    static func list(_ word: Word) throws(UsageError) -> [RowColumn] {
        var columns: [RowColumn] = []
        for name in word.text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            let path = try JSONPath(Word(text: name, position: word.position), option: "--columns")
            guard let names = path.names else {
                throw .unusableValue(
                    option: "--columns", problem: "expected names separated by commas, such as id,owner.name",
                    position: word.position)
            }
            columns.append(RowColumn(name: name, names: names))
        }
        return columns
    }

    /// The cell of `row`: a string as it is, a number or boolean as written, nothing for null, anything else as compact JSON.
    ///
    /// If the path walks through a list, the values are one JSON array, however many there are.
    fileprivate func cell(of row: JSONValue) throws -> RowCell {
        var isList = false
        let values = row.values(at: names[...], isList: &isList)
        if isList {
            return RowCell(
                text: "[" + (try values.map { try $0.compact }).joined(separator: ",") + "]", isNumber: false)
        }
        guard let first = values.first else { return RowCell(text: "", isNumber: false) }
        switch first.content {
        case .null: return RowCell(text: "", isNumber: false)
        case .string(let text): return RowCell(text: text, isNumber: false)
        case .number(let text): return RowCell(text: text, isNumber: true)
        case .bool, .array, .object: return RowCell(text: try first.compact, isNumber: false)
        }
    }
}

extension [RowColumn] {
    /// The cells of `row`. A value among objects is shown in the first column.
    func cells(of row: JSONValue) throws -> [RowCell] {
        var cells = try map { try $0.cell(of: row) }
        if row.members == nil, !row.isNull, let first, cells.allSatisfy(\.text.isEmpty) {
            cells[0] = try RowColumn(name: first.name, names: []).cell(of: row)
        }
        return cells
    }

    /// The columns that tell rows apart, then the others.
    var mostTellingFirst: [RowColumn] {
        let telling = ["id", "number", "key", "name", "full_name", "title", "login"]
        return telling.compactMap { name in first { $0.name == name } } + filter { !telling.contains($0.name) }
    }
}

/// The text of one column in one row.
struct RowCell: Sendable {
    let text: String
    let isNumber: Bool
}

extension JSONValue {
    /// The value on one line, without white space.
    fileprivate var compact: String { get throws { String(decoding: try Coding().encode(self), as: UTF8.self) } }
}

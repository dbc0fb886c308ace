import EndpointKit
import JSONText

/// How rows are written.
enum RowStyle: Sendable {
    case table, tsv, csv
}

/// The list in a result as rows of cells: `--table`, `--tsv`, `--csv`.
struct RowView: Sendable {
    let style: RowStyle
    /// The paths of `--select`, whose results are the rows; without any, the list is searched for.
    let paths: [(word: Word, path: JSONPath)]
    /// The columns that were asked for; nil is all.
    let columns: [RowColumn]?
    /// The position of `--columns` on the command line.
    let columnsPosition: Int
    let mustFind: Bool
    /// Where the list is and what its columns are, if the model tells; otherwise the document does.
    var layout: RowLayout?

    /// Throws ``UsageError`` for a path or a column's name that is none.
    init(_ options: some SelectionOptions, style: RowStyle) throws(UsageError) {
        self.style = style
        var paths: [(Word, JSONPath)] = []
        for word in options.selects { paths.append((word, try JSONPath(word, option: "--select"))) }
        self.paths = paths
        columns = try options.columns.map(RowColumn.list)
        columnsPosition = options.columns?.position ?? 0
        mustFind = options.mustFind
    }

    /// The name of a column of values that are no objects: the last one of the selection; nil if several selections have other names.
    var title: String? {
        let titles = Set(paths.map { $0.path.names?.last { Int($0) == nil } })
        return titles.count == 1 ? titles.first ?? nil : nil
    }
}

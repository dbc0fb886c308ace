import EndpointKit
import JSONText

/// The format of rows.
enum RowStyle: Sendable {
    case table, tsv, csv
}

/// The options of `call` and `format` that show a part of a result, or its list as rows.
struct SelectionOptions: Sendable, Equatable {
    /// The paths of `--select`. JSON takes at most one, rows take several.
    var selects: [SourcedText] = []
    /// Whether the selected values are printed as one array (`--array`).
    var array = false
    /// Whether selected strings are printed without quotes (`--raw-strings`).
    var rawStrings = false
    /// Whether the exit code is 1 if nothing is found (`--exit-status`).
    var mustFind = false
    /// The format that `--table`, `--tsv` or `--csv` chooses; nil is JSON.
    var rowStyle: RowStyle?
    /// The value of `--columns`; nil if it is not given.
    var columns: SourcedText?

    /// Returns the declarations of these options, for a command that has them.
    ///
    /// - Parameter excluded: The names of the command's other options that can't be combined with these.
    static func group(excluding excluded: [String]) -> OptionGroup<SelectionOptions> {
        let jsonOptions = ["array", "raw-strings", "compact"]
        let rowOptions = ["table", "tsv", "csv"]
        return OptionGroup(
            title: "Selection and rows",
            options: [
                Option(
                    "select", .word("PATH", completion: .fields),
                    "a part of the result, one per line: results.title (walks through lists), or JSONPath: $..title"
                ) { $0.selects.append($1) }.excluding(excluded),
                Option("array", \.array, "with --select: one array").needing("select").rarelyUsed(),
                Option(
                    "raw-strings", short: "r", \.rawStrings, "with --select: strings without quotes"
                ).needing("select"),
                Option(
                    "exit-status", short: "e", \.mustFind,
                    "with --select, --table, --tsv or --csv: exit 1 if nothing is found"
                ).needing(["select"] + rowOptions).rarelyUsed(),
                Option(
                    "table", \.rowStyle, is: .table,
                    "print a list as a table: the result's, or what --select finds; several --select: one after another"
                ).excluding(excluded + ["tsv", "csv"] + jsonOptions),
                Option(
                    "tsv", \.rowStyle, is: .tsv, "print it as tab-separated values"
                ).excluding(excluded + ["csv"] + jsonOptions).rarelyUsed(),
                Option(
                    "csv", \.rowStyle, is: .csv, "print it as comma-separated values (RFC 4180)"
                ).excluding(excluded + jsonOptions),
                Option(
                    "columns", .word("A,B.C", completion: .columns), \.columns,
                    "the columns of --table, --tsv and --csv"
                ).needing(rowOptions),
            ])
    }

    /// Returns the view that the options choose; nil for the whole result as JSON.
    ///
    /// - Throws: ``UsageError`` for a path or column that can't be read.
    func view() throws(UsageError) -> ResultView? {
        let showsWholeResult = rowStyle == nil && selects.isEmpty
        return showsWholeResult ? nil : try ResultView(self)
    }
}

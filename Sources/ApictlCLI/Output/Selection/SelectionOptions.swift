import JSONText

/// Options for showing a part of a result, or its list as rows; `call` and `format` have them.
protocol SelectionOptions: Sendable {
    /// The paths of `--select`; only rows take more than one.
    var selects: [Word] { get set }
    var array: Bool { get set }
    var rawStrings: Bool { get set }
    var mustFind: Bool { get set }
    /// `--table`, `--tsv` or `--csv`; nil is JSON.
    var rowStyle: RowStyle? { get set }
    var columns: Word? { get set }
}

extension SelectionOptions {
    /// The options; `excluded` are those of the command that they can't be used with.
    static func selectionOptions(excluding excluded: [String]) -> [Option<Self>] {
        [
            Option(
                "select", .word("PATH"),
                "a part of the result, one per line: results.title (walks through lists), or JSONPath: $..title",
                excludes: excluded
            ) { $0.selects.append($1) },
            Option("array", "with --select: one array", missing: missingSelect) { $0.array = true },
            Option("raw-strings", short: "r", "with --select: strings without quotes", missing: missingSelect) {
                $0.rawStrings = true
            },
            Option(
                "exit-status", short: "e", "with --select or rows: exit 1 if nothing is found",
                missing: { $0.rowStyle == nil && $0.selects.isEmpty ? "--select PATH, --table, --tsv or --csv" : nil }
            ) { $0.mustFind = true },
            Option(
                "table", "the list in the result, or what --select finds (several: one after the other), as a table",
                excludes: excluded + ["tsv", "csv"] + otherForms
            ) { $0.rowStyle = .table },
            Option("tsv", "the same as tab-separated values", excludes: excluded + ["csv"] + otherForms) {
                $0.rowStyle = .tsv
            },
            Option("csv", "the same as comma-separated values (RFC 4180)", excludes: excluded + otherForms) {
                $0.rowStyle = .csv
            },
            Option(
                "columns", .word("A,B.C"), "the columns of --table, --tsv and --csv",
                missing: { $0.rowStyle == nil ? "--table, --tsv or --csv" : nil }
            ) { $0.columns = $1 },
        ]
    }

    /// Options about JSON that rows are not.
    private static var otherForms: [String] { ["array", "raw-strings", "compact"] }

    /// The option that others need, if it is missing.
    @Sendable private static func missingSelect(_ options: Self) -> String? {
        options.selects.isEmpty ? "--select PATH" : nil
    }

    /// What is to be shown; nil is the whole result as JSON. Throws ``UsageError``.
    func view() throws(UsageError) -> ResultView? {
        if let rowStyle { return .rows(try RowView(self, style: rowStyle)) }
        guard let select = selects.last else { return nil }
        guard selects.count == 1 else { throw .selectTwice(position: select.position) }
        var selection = try Selection(select)
        selection.isArray = array
        selection.hasRawStrings = rawStrings
        selection.mustFind = mustFind
        return .selection(selection)
    }
}

/// What is shown of a result that is not printed whole.
enum ResultView: Sendable {
    case selection(Selection)
    case rows(RowView)

    func printer(_ environment: ProcessEnvironment, color: ColorChoice, isQuiet: Bool = false) -> any ResultPrinter {
        let output: any ByteOutput = isQuiet ? BufferOutput() : environment.stdout
        let palette = environment.palette(color, for: output)
        switch self {
        case .selection(let selection):
            return SelectionPrinter(selection, output: output, palette: palette)
        case .rows(let rows):
            let notes = environment.stderr.isTerminal && !isQuiet ? environment.stderr : nil
            return RowPrinter(rows, output: output, palette: palette, notes: notes)
        }
    }
}

/// Prints a result that may come in several documents.
protocol ResultPrinter {
    /// Prints what there is to show of `document`. Throws `JSONPathLimit`, ``UsageError`` for rows of a document with several lists, and
    /// what `check` and the output throw.
    mutating func add(_ document: JSONDocument, check: (() throws -> Void)?) throws
    /// Ends the output and returns the exit code. Throws what the output throws.
    mutating func finish() throws -> ExitCode
}

extension ResultPrinter {
    /// Prints a single document. Throws as ``add(_:check:)`` and ``finish()`` do.
    mutating func print(_ document: JSONDocument, check: (() throws -> Void)? = nil) throws -> ExitCode {
        try add(document, check: check)
        return try finish()
    }
}

import EndpointKit
import JSONText

/// `format`: checks and re-indents JSON from files or stdin.
struct FormatCommand: Command {
    static let name = "format"
    static let usage = "format [FILE…] [--compact | --indent N | --check | --select PATH]"
    static let summary = "check, re-indent and select from JSON in files or stdin"
    static let operands = CommandOperands.files
    static let table = FormatOptions.table

    /// The name of stdin in messages.
    private static let stdinName = "stdin"

    /// The files to read; `-` or no file means stdin.
    private let files: [SourcedText]
    private let options: FormatOptions
    /// The part of the documents to print; nil for all.
    private let view: ResultView?

    /// Reads the names of files and the part to select.
    ///
    /// - Throws: ``UsageError`` for a path that can't be read, and if stdin is named twice.
    init(_ words: CommandWords<FormatOptions>) throws {
        files = words.operands
        try UsageError.requireAtMostOneStdin(among: files.filter { $0.text == "-" })
        options = words.options
        view = try words.options.selection.view()
    }

    /// Whether the output is shown in a pager: not for `--check`, which prints nothing, and not for stdin, which may be
    /// a pipe that never ends. A pager shows nothing before the end.
    var isPaged: Bool {
        let readsStdin = files.isEmpty || files.contains { $0.text == "-" }
        let printsNothing = options.style == .none
        return !readsStdin && !printsNothing
    }

    /// Formats all files to stdout, also after a file with an error, which is reported on stderr.
    ///
    /// - Returns: Success, or the exit code of the first file that failed.
    /// - Throws: ``Failure`` if no file failed, but nothing was found with `--exit-status`. An error that concerns all
    ///   files, such as one of stdout.
    func run(_ context: CommandContext) async throws -> ExitCode {
        let environment = context.environment
        if files.isEmpty, environment.stdin.isTerminal {
            throw UsageError("format needs a file, or JSON on stdin")
        }
        // An interruption is to be reported as JSON too, for which the command has 200 ms. Without `--json-errors`, a
        // signal ends the process as usual.
        if context.reportsJSON { environment.signals.startHandling(.milliseconds(200)) }
        /// The exit codes of the files, in their order.
        var fileCodes: [ExitCode] = []
        var hasFailed = false
        let paths = files.isEmpty ? ["-"] : files.map(\.text)
        for path in paths {
            do {
                fileCodes.append(try printFile(path, environment))
            } catch {
                // An error that concerns all files, and not this one, ends the command.
                guard let failure = fileFailure(error, in: Self.shownName(of: path)) else { throw error }
                // With `--json-errors`, stderr may have just one line, which is about the first failure.
                let isReported = !context.reportsJSON || !hasFailed
                if isReported { try failure.print(context, asJSON: context.reportsJSON) }
                hasFailed = true
                fileCodes.append(failure.code)
            }
        }
        let firstProblemCode = fileCodes.first { $0 != .success } ?? .success
        // A failure has been reported already.
        if hasFailed { return firstProblemCode }
        return try firstProblemCode.successOrThrow("nothing was found")
    }

    /// Returns the name of a file in messages. The path `-` is stdin.
    private static func shownName(of path: String) -> String { path == "-" ? stdinName : path }

    /// Prints a file on stdout, or the part of it that `--select` or an option for rows, such as `--table`, finds.
    ///
    /// - Returns: The exit code: a failure if nothing was found and `--exit-status` is given.
    private func printFile(_ path: String, _ environment: ProcessEnvironment) throws -> ExitCode {
        let input = path == "-" ? environment.stdin : try environment.files.open(path)
        guard let view else {
            try printWhole(input, environment)
            return .success
        }
        // A part can only be found in a complete document.
        let bytes = try input.readAll(name: Self.shownName(of: path), limit: JSONDocument.maxTextLength)
        // The only style that `--select` can be combined with is `--compact`. Nil leaves the style to the printer.
        let style: JSONStyle? = options.style == .compact ? .compact : nil
        var printer = view.printer(environment, options.common, style: style)
        return try printer.print(view.documents(in: bytes))
    }

    /// Prints a whole file on stdout. It is formatted as it is read, so that it may be of any length.
    private func printWhole(_ input: any ByteInput, _ environment: ProcessEnvironment) throws {
        let isColored = environment.isColored(options.common.color, environment.stdout)
        var printer = BodyPrinter(output: environment.stdout, style: options.style, isColored: isColored)
        while true {
            let chunk = try input.read(until: nil)
            // An empty chunk is the end of the file.
            if chunk.isEmpty { break }
            try Task.checkCancellation()
            try printer.write(chunk)
        }
        try printer.finish()
    }

    /// Returns the failure of a file that is not JSON or can't be read. After such a failure, other files are still
    /// formatted.
    ///
    /// The message of a syntax error starts with its place as in compilers, `movie.json:3:7:`, which editors recognize.
    ///
    /// - Returns: Nil for any other error, such as one of the output, which ends the command.
    private func fileFailure(_ error: any Error, in name: String) -> Failure? {
        switch error {
        case let error as JSONSyntaxError:
            var failure = Failure(
                "\(name):\(error.line):\(error.column): \(error.problem) (byte offset \(error.offset))", .badResponse)
            // An editor can't open stdin.
            failure.startsWithPlace = name != Self.stdinName
            return failure
        case let error as FileError where error.operation == .read: return Failure(error)
        default: return nil
        }
    }
}

/// The options of `format`.
struct FormatOptions: CommandOptions {
    var common = CommonOptions()
    var style = JSONStyle.pretty(indent: .spaces(2))
    var selection = SelectionOptions()

    static let table = OptionTable<FormatOptions>(command: [
        OptionGroup(
            title: "Options",
            options: [
                Option("compact", "one line per document") { $0.style = .compact }.excluding("indent", "check"),
                Option("indent", indent, "indent by N spaces (0–8) or a tab; default 2") {
                    $0.style = .pretty(indent: $1)
                }.excluding("check"),
                Option("check", "check only, print nothing") { $0.style = .none },
            ]),
        SelectionOptions.group(excluding: ["indent", "check"]).lifted(to: \.selection),
    ])

    private static let indent = OptionValueType<JSONStyle.Indent>.parsed(
        "N|tab", expected: "0 to 8 spaces or 'tab'", parseIndent)

    /// Reads the value of `--indent`; nil if it is neither a number from 0 to 8 nor `tab`.
    @Sendable private static func parseIndent(_ text: String) -> JSONStyle.Indent? {
        if text == "tab" { return .tab }
        guard let spaceCount = Int(text), (0...8).contains(spaceCount) else { return nil }
        return .spaces(spaceCount)
    }
}

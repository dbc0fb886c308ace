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

    init(_ words: CommandWords<FormatOptions>) throws {
        files = words.others
        try UsageError.check(readers: files.filter { $0.text == "-" })
        options = words.options
        view = try words.options.selection.view()
    }

    /// Stdin may be a pipe that never ends, and a pager shows nothing before the end.
    var isPaged: Bool { !files.isEmpty && !files.contains { $0.text == "-" } && options.style != .none }

    /// Formats all files, also after a file with an error.
    ///
    /// - Returns: The exit code of the first file that failed; otherwise a failure if nothing was found with
    ///   `--exit-status`.
    func run(_ context: CommandContext) async throws -> ExitCode {
        let environment = context.environment
        if files.isEmpty, environment.stdin.isTerminal {
            throw UsageError("format needs a file, or JSON on stdin")
        }
        if context.reportsJSON { environment.signals.watch(.milliseconds(200)) }
        // The first failure determines the exit code. With `--json-errors`, only this one is printed, because stderr
        // may have just one line. The other files are formatted nevertheless.
        var code = ExitCode.success
        var hasFailed = false
        for path in files.isEmpty ? ["-"] : files.map(\.text) {
            let name = path == "-" ? Self.stdinName : path
            let fileCode: ExitCode
            do {
                let input = path == "-" ? environment.stdin : try environment.files.open(path)
                fileCode = try print(input, name: name, environment)
            } catch {
                guard let failure = failure(error, in: name) else { throw error }
                if !hasFailed || !context.reportsJSON { try failure.print(context, asJSON: context.reportsJSON) }
                hasFailed = true
                fileCode = failure.code
            }
            if code == .success { code = fileCode }
        }
        return hasFailed ? code : try code.reported("nothing was found")
    }

    /// Prints a file, or the part of it that `--select` or rows find.
    ///
    /// A whole file is formatted as it is read, so that it may be of any length. For a part, all of it is read first.
    ///
    /// - Returns: The exit code: a failure if nothing was found and `--exit-status` is given.
    private func print(_ input: any ByteInput, name: String, _ environment: ProcessEnvironment) throws -> ExitCode {
        guard let view else {
            let isColored = environment.isColored(options.common.color, environment.stdout)
            var stream = BodyPrinter(output: environment.stdout, style: options.style, isColored: isColored)
            while case let chunk = try input.read(until: nil), !chunk.isEmpty {
                try Task.checkCancellation()
                try stream.write(chunk)
            }
            try stream.finish()
            return .success
        }
        let bytes = try input.readAll(name: name, limit: JSONDocument.maxTextLength)
        var printer = view.printer(environment, options.common, style: options.style == .compact ? .compact : nil)
        return try printer.print(view.documents(in: bytes))
    }

    /// Returns the failure of a file that is not JSON or can't be read, after which other files are still formatted.
    ///
    /// A syntax error starts with its place in the form of compilers, `movie.json:3:7:`, which editors recognize.
    ///
    /// - Returns: Nil for any other error, such as one of the output, which ends the command.
    private func failure(_ error: any Error, in name: String) -> Failure? {
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
        guard let count = Int(text), (0...8).contains(count) else { return nil }
        return .spaces(count)
    }
}

import EndpointKit
import JSONText

/// `format`: checks and re-indents JSON from files or stdin.
struct FormatCommand: Command {
    /// The files to read; `-` or no file means stdin.
    var files: [Word] = []
    var options = FormatOptions()
    var view: ResultView?

    /// The command that `words` describe; nil for `--help`. Throws ``UsageError``.
    static func parse(_ words: [Word]) throws(UsageError) -> FormatCommand? {
        var command = FormatCommand()
        let (files, given) = try FormatOptions.table.parse(words, into: &command.options)
        if command.options.help { return nil }
        try FormatOptions.table.check(command.options, given: given)
        command.files = files
        command.view = try command.options.view()
        return command
    }

    static func help(_ context: RunContext) -> CommandHelp { CommandHelp(FormatOptions.table) }

    func run(_ context: RunContext) async throws -> ExitCode {
        let environment = context.environment
        var code = ExitCode.success
        for file in files.isEmpty ? [Word(text: "-", position: 0)] : files {
            do {
                let isStdin = file.text == "-"
                if files.isEmpty, environment.stdin.isTerminal { throw UsageError.fileExpected }
                let input = isStdin ? environment.stdin : try environment.files.open(file.text)
                let name = isStdin ? "stdin" : file.text
                if let view {
                    let found = try show(view, of: input, name: name, environment)
                    if code == .success { code = found }
                } else {
                    try format(input, name: name, environment)
                }
            } catch let error where error is FormatFailure || (error as? FileError)?.operation == .read {
                // The other files are still formatted; the first failure determines the exit code.
                let report = FailureReport(error, context, topic: nil)
                try environment.stderr.write(report.text)
                if code == .success { code = report.code }
            }
        }
        return code
    }

    private func format(_ input: any ByteInput, name: String, _ environment: ProcessEnvironment) throws {
        let palette = environment.palette(options.color, for: environment.stdout)
        var stream = FormattedOutput(output: environment.stdout, style: options.style, palette: palette)
        do {
            while case let chunk = try input.read(), !chunk.isEmpty { try stream.write(chunk) }
            try stream.finish()
        } catch let error as JSONSyntaxError {
            throw FormatFailure(file: name, error: error)
        }
    }

    /// Prints what `--select` or rows find; the exit code says whether it is anything. Throws ``FormatFailure`` and ``FileError``.
    private func show(
        _ view: ResultView, of input: any ByteInput, name: String, _ environment: ProcessEnvironment
    ) throws -> ExitCode {
        let bytes = try input.readAll(name: name, limit: JSONDocument.longestText)
        do {
            var printer = view.printer(environment, color: options.color)
            return try printer.print(JSONDocument(bytes))
        } catch let error as JSONSyntaxError {
            throw FormatFailure(file: name, error: error)
        } catch let error as JSONDocumentError {
            throw FormatFailure(file: name, problem: JSONMismatch(error, in: bytes))
        }
    }
}

/// A file that is not JSON.
struct FormatFailure: Error, Equatable {
    /// In the form that editors and compilers use: `FILE:LINE:COLUMN: …`.
    let description: String

    init(file: String, error: JSONSyntaxError) {
        description =
            "\(file):\(error.line):\(error.column): expected \(error.expected), found \(error.found)"
            + " (byte offset \(error.offset))"
    }

    init(file: String, problem: JSONMismatch) {
        description = "\(file):\(problem.line ?? 1):\(problem.column ?? 1): \(problem.problem)"
    }
}

/// The options of `format`.
struct FormatOptions: Sendable, SelectionOptions {
    var style = JSONStyle.pretty(indent: .spaces(2))
    var color = ColorChoice.auto
    var selects: [Word] = []
    var array = false
    var rawStrings = false
    var mustFind = false
    var rowStyle: RowStyle?
    var columns: Word?
    var help = false

    static let table = OptionTable<FormatOptions>([
        OptionGroup(title: "Options", options: options),
        OptionGroup(title: "Selection and rows", options: selectionOptions(excluding: ["indent", "check"])),
    ])

    private static let options: [Option<FormatOptions>] = [
        Option("compact", "one line per document", excludes: ["indent", "check"]) { $0.style = .compact },
        Option("indent", .indent, "indent by N spaces (0–8) or a tab; default 2", excludes: ["check"]) {
            $0.style = .pretty(indent: $1)
        },
        Option("check", "check only, print nothing") { $0.style = .none },
        Option("color", .color, "when to use colour; default auto") { $0.color = $1 },
        Option("help", short: "h", HelpCommand.optionHelp) { $0.help = true },
    ]
}

extension ValueType where Value == JSONStyle.Indent {
    fileprivate static let indent = parsed("N|tab", expected: "0 to 8 spaces or 'tab'") { text in
        if text == "tab" { return .tab }
        return Int(text).flatMap { (0...8).contains($0) ? .spaces($0) : nil }
    }
}

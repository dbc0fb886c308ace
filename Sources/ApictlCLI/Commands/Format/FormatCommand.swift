import EndpointKit
import JSONText

/// `format`: checks and re-indents JSON from files or stdin.
struct FormatCommand: Command {
    static let name = "format"
    static let usage = "format [FILE…] [--compact | --indent N | --check | --select PATH]"
    static let summary = "check, re-indent and select from JSON in files or stdin"
    static let operands = Operands.files
    static let table = FormatOptions.table

    /// The files to read; `-` or no file means stdin.
    private let files: [Word]
    private let options: FormatOptions
    private let view: ResultView?

    init(_ words: CommandWords<FormatOptions>) throws {
        files = words.others
        options = words.options
        view = try words.options.view()
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        let environment = context.environment
        var code = ExitCode.success
        for file in files.isEmpty ? [Word(text: "-", position: 0)] : files {
            do {
                let isStdin = file.text == "-"
                if files.isEmpty, environment.stdin.isTerminal {
                    throw UsageError("format needs a file, or JSON on stdin")
                }
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
                let failure = Failure(error)
                try failure.print(to: environment.stderr, tool: context.tool, asJSON: context.reportsJSON)
                if code == .success { code = failure.code }
            }
        }
        return code
    }

    private func format(_ input: any ByteInput, name: String, _ environment: ProcessEnvironment) throws {
        let palette = environment.palette(options.common.color, for: environment.stdout)
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
            var printer = view.printer(environment, color: options.common.color)
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
struct FormatOptions: CommandOptions, SelectionOptions {
    var common = CommonOptions()
    var style = JSONStyle.pretty(indent: .spaces(2))
    var selects: [Word] = []
    var array = false
    var rawStrings = false
    var mustFind = false
    var rowStyle: RowStyle?
    var columns: Word?

    static let table = OptionTable<FormatOptions>(command: [
        OptionGroup(title: "Options", options: options),
        OptionGroup(title: "Selection and rows", options: selectionOptions(excluding: ["indent", "check"])),
    ])

    private static let options: [Option<FormatOptions>] = [
        Option("compact", "one line per document", excludes: ["indent", "check"]) { $0.style = .compact },
        Option("indent", .indent, "indent by N spaces (0–8) or a tab; default 2", excludes: ["check"]) {
            $0.style = .pretty(indent: $1)
        },
        Option("check", "check only, print nothing") { $0.style = .none },
    ]
}

extension ValueType where Value == JSONStyle.Indent {
    fileprivate static let indent = parsed("N|tab", expected: "0 to 8 spaces or 'tab'") { text in
        if text == "tab" { return .tab }
        return Int(text).flatMap { (0...8).contains($0) ? .spaces($0) : nil }
    }
}

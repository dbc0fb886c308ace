import EndpointKit
import JSONText

/// `format`: checks and re-indents JSON from files or stdin.
struct FormatCommand: Command {
    static let name = "format"
    static let usage = "format [FILE…] [--compact | --indent N | --check | --select PATH]"
    static let summary = "check, re-indent and select from JSON in files or stdin"
    static let operands = CommandOperands.files
    static let table = FormatOptions.table

    /// The files to read; `-` or no file means stdin.
    private let files: [SourcedText]
    private let options: FormatOptions
    private let view: ResultView?

    init(_ words: CommandWords<FormatOptions>) throws {
        files = words.others
        try UsageError.check(readers: files.filter { $0.text == "-" })
        options = words.options
        view = try words.options.selection.view()
    }

    func run(_ context: CommandContext) async throws -> ExitCode {
        let environment = context.environment
        if files.isEmpty, environment.stdin.isTerminal {
            throw UsageError("format needs a file, or JSON on stdin")
        }
        if context.reportsJSON { environment.signals.watch(.milliseconds(200)) }
        var (code, isTold) = (ExitCode.success, false)
        for path in files.isEmpty ? ["-"] : files.map(\.text) {
            let name = path == "-" ? "stdin" : path
            do {
                let input = path == "-" ? environment.stdin : try environment.files.open(path)
                let found = try print(input, name: name, environment)
                if code == .success { code = found }
            } catch {
                guard let failure = failure(error, in: name) else { throw error }
                // The other files are still formatted; the first failure determines the exit code, and is the one in JSON.
                if !isTold || !context.reportsJSON { try failure.print(context, asJSON: context.reportsJSON) }
                isTold = true
                if code == .success { code = failure.code }
            }
        }
        return isTold ? code : try code.reported("nothing was found")
    }

    /// Prints the input, or what `--select` or rows find; then the exit code says whether it is anything.
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

    /// The failure that the file `name` is not JSON, in the form that editors and compilers use, or can't be read; nil for other errors.
    private func failure(_ error: any Error, in name: String) -> Failure? {
        switch error {
        case let error as JSONSyntaxError:
            var failure = Failure(
                "\(name):\(error.line):\(error.column): \(error.problem) (byte offset \(error.offset))", .badResponse)
            failure.startsWithPlace = true
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

    private static let indent = OptionValueType<JSONStyle.Indent>.parsed("N|tab", expected: "0 to 8 spaces or 'tab'") {
        $0 == "tab" ? .tab : Int($0).flatMap { (0...8).contains($0) ? .spaces($0) : nil }
    }
}

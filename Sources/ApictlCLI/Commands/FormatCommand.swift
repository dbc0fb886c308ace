import EndpointKit
import JSONText

/// `format`: checks and re-indents JSON from files or stdin.
struct FormatCommand: ImmediateCommand {
    /// `-` is stdin; none at all is stdin too.
    var files: [Word] = []
    var style = JSONStyle.pretty(indent: .spaces(2))
    var color = ColorChoice.auto

    func run(_ context: RunContext) throws -> ExitCode {
        let environment = context.environment
        var code = ExitCode.success
        for file in files.isEmpty ? [Word(text: "-", position: 0)] : files {
            do {
                let isStdin = file.text == "-"
                if files.isEmpty, environment.stdin.isTerminal { throw UsageError.fileExpected }
                let input = isStdin ? environment.stdin : try environment.files.open(file.text)
                try format(ReadAhead(input), name: isStdin ? "stdin" : file.text, environment)
            } catch let error where error is FormatFailure || (error as? FileError)?.operation == .read {
                // The other files are still worth formatting; each failure is told where it happens, the first gives the code.
                let report = FailureReport(error, tool: context.tool)
                // Editors read `FILE:LINE:COLUMN` at the start of a line only.
                let prefix = error is FormatFailure ? "" : context.tool + ": "
                try environment.stderr.write(report.lines.map { prefix + $0.safeToShow + "\n" }.joined())
                if code == .success { code = report.code }
            }
        }
        return code
    }

    private func format(_ input: any ByteInput, name: String, _ environment: ProcessEnvironment) throws {
        let output = environment.stdout
        var stream = FormattedOutput(
            output: output, style: style, palette: environment.palette(color, for: output))
        do {
            while true {
                let piece = try input.read()
                if piece.isEmpty { break }
                try stream.write(piece)
            }
            try stream.finish()
        } catch let error as JSONSyntaxError {
            throw FormatFailure(file: name, error: error)
        }
    }
}

/// A file that is not JSON.
struct FormatFailure: Error, Equatable {
    let file: String
    let error: JSONSyntaxError

    /// In the form that editors and compilers use: `FILE:LINE:COLUMN: …`.
    var description: String {
        "\(file):\(error.line):\(error.column): expected \(error.expected), found \(error.found)"
            + " (byte offset \(error.offset))"
    }
}

import EndpointKit
import JSONText

/// `format`: checks and re-indents JSON from files or stdin.
struct FormatCommand: Command {
    /// The files to read; `-` or no file means stdin.
    var files: [Word] = []
    var options = FormatOptions()

    /// The command that `words` describe; nil for `--help`. Throws ``UsageError``.
    static func parse(_ words: [Word]) throws(UsageError) -> FormatCommand? {
        var command = FormatCommand()
        let (files, given) = try FormatOptions.table.parse(words, into: &command.options)
        if command.options.help { return nil }
        try FormatOptions.table.check(command.options, given: given)
        command.files = files
        return command
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        let environment = context.environment
        var code = ExitCode.success
        for file in files.isEmpty ? [Word(text: "-", position: 0)] : files {
            do {
                let isStdin = file.text == "-"
                if files.isEmpty, environment.stdin.isTerminal { throw UsageError.fileExpected }
                let input = isStdin ? environment.stdin : try environment.files.open(file.text)
                try format(ReadAhead(input), name: isStdin ? "stdin" : file.text, environment)
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
        let output = environment.stdout
        var stream = FormattedOutput(
            output: output, style: options.style, palette: environment.palette(options.color, for: output))
        do {
            while true {
                let chunk = try input.read()
                if chunk.isEmpty { break }
                try stream.write(chunk)
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

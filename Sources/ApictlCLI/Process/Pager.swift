import EndpointKit
import SystemCalls

/// Collects a text for a terminal. In the end it shows the text in a pager if it is longer than the screen, and
/// otherwise directly, as git does.
struct Pager: Sendable {
    /// The output for the text.
    let output: PagedOutput
    /// The output for messages.
    let messages: Messages
    private let terminal: DescriptorStream
    /// The command of the pager, which a shell runs.
    private let command: String

    /// Makes a pager.
    ///
    /// - Parameters:
    ///   - command: The command of the pager, which a shell runs.
    ///   - terminal: The terminal on which the text is shown.
    ///   - errors: The output for messages.
    init(_ command: String, terminal: DescriptorStream, errors: any ByteOutput) {
        self.command = command
        self.terminal = terminal
        output = PagedOutput(terminal: terminal)
        messages = Messages(errors: errors, text: output)
    }

    /// The output for messages, which share the terminal with the pager.
    ///
    /// Messages before the first text are written at once. Later ones wait until the pager has ended, because they
    /// would spoil its screen.
    struct Messages: ByteOutput {
        let errors: any ByteOutput
        /// The text for the pager.
        let text: PagedOutput
        /// The messages that wait.
        let later = BufferOutput()

        var isTerminal: Bool { errors.isTerminal }
        var columns: Int? { errors.columns }

        func write(_ bytes: [UInt8]) throws {
            let output: any ByteOutput = text.bytes.isEmpty ? errors : later
            try output.write(bytes)
        }
    }

    /// Returns the command in `$APICTL_PAGER`, in the configuration or in `$PAGER`, else `less`.
    ///
    /// - Parameter configured: The command in the configuration; nil if it has none.
    /// - Returns: The command; nil if it is `cat`, empty or not installed, or if the terminal can't show a pager.
    static func command(
        _ names: VariableNames, _ configured: String?, _ environment: ProcessEnvironment
    ) -> String? {
        guard let terminal = environment.value("TERM"), terminal != "dumb" else { return nil }
        let variable = environment.variable
        let command = variable(names.pager) ?? configured ?? variable("PAGER") ?? "less"
        guard let program = command.split(separator: " ").first, command != "cat" else { return nil }
        return isInstalled(String(program), environment) ? command : nil
    }

    /// Whether a program can be run, by its path or by its name in a directory of `$PATH`.
    private static func isInstalled(_ program: String, _ environment: ProcessEnvironment) -> Bool {
        if program.contains("/") { return access(program, X_OK) == 0 }
        let directories = (environment.variable("PATH") ?? "").split(separator: ":")
        return directories.contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Shows the text that has been collected, and waits until the user has left the pager.
    ///
    /// - Throws: The error of the terminal.
    func finish() throws {
        let text = output.bytes
        if !text.isEmpty, fitsTerminal(text) || !page(text) { try terminal.write(text) }
        try messages.errors.write(messages.later.bytes)
    }

    /// Whether the whole text can be seen at once, with a line left for the prompt of the shell.
    private func fitsTerminal(_ text: [UInt8]) -> Bool {
        guard let rows = terminal.rows else { return true }
        let columns = terminal.columns ?? 80
        // The text ends with a line break, after which there is no further line.
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        // A long line continues in further rows.
        let usedRows = lines.reduce(0) { count, line in count + 1 + max(0, line.count - 1) / columns }
        return usedRows < rows
    }

    /// Shows a text in the pager, and waits until the pager ends.
    ///
    /// - Returns: False if the pager can't be started or fails. The caller then writes the text itself.
    private func page(_ text: [UInt8]) -> Bool {
        // Without a pager, the text is written to the terminal directly. So errors are no reason to fail.
        guard let pipe = try? Descriptor.makePipe() else { return false }
        // As git sets them: leave at once if the text fits, obey colours, and do not clear the screen.
        // Ctrl-C is for the pager alone: the shell and this process wait until it ends.
        let script = "trap : INT; LESS=${LESS-FRX}; LV=${LV--c}; export LESS LV; \(command)"
        let child = try? ChildProgram.start(["sh", "-c", script], input: pipe.reading)
        SystemCall.close(pipe.reading)
        if child != nil {
            signal(SIGINT, SIG_IGN)
            // Writing fails if the user leaves the pager early.
            try? text.withUnsafeBytes { try Descriptor.write(pipe.writing, $0) }
        }
        SystemCall.close(pipe.writing)
        guard let child else { return false }
        return Self.hasShown(status: ChildProgram.wait(child))
    }

    /// Whether a pager has shown the text, by the status of `waitpid`: it has ended itself, or by Ctrl-C, or because the
    /// terminal has gone. A pager that anything else has ended, such as SIGKILL, may have shown nothing.
    static func hasShown(status: Int32) -> Bool {
        // The second byte is the exit code. In a shell, that is 128 and the number of a signal which ended the pager. The
        // lowest seven bits are the number of a signal which ended the shell itself.
        let exitCode = status >> 8 & 0xFF
        let signal = exitCode > 128 ? exitCode - 128 : status & 0x7F
        if signal != 0 { return [SIGINT, SIGHUP, SIGPIPE].contains(signal) }
        return exitCode == 0
    }
}

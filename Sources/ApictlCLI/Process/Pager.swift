import EndpointKit
import SystemCalls

/// Collects a text for a terminal and finally shows it: in a pager such as `less` if it is longer than the screen, and
/// otherwise directly. Git does the same.
struct Pager: Sendable {
    /// The output for the text.
    let output: PagedOutput
    /// The output for messages.
    let messages: Messages
    private let terminal: DescriptorStream
    /// The command of the pager, which a shell runs.
    private let command: String

    /// Prepares a pager. It is started in ``finish()``, when the text is complete.
    ///
    /// - Parameters:
    ///   - command: The command that starts it, which a shell runs.
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
        /// The messages that wait until the pager has ended.
        let waiting = BufferOutput()

        var isTerminal: Bool { errors.isTerminal }
        var columns: Int? { errors.columns }

        /// Writes a message, or keeps it if there is text for the pager.
        ///
        /// - Throws: The error of the output.
        func write(_ bytes: [UInt8]) throws {
            let output: any ByteOutput = text.bytes.isEmpty ? errors : waiting
            try output.write(bytes)
        }
    }

    /// Returns the command of the pager. The first of these that is set counts: the tool's own variable
    /// (`$APICTL_PAGER`), the configuration, `$PAGER`, and finally `less`.
    ///
    /// - Parameters:
    ///   - names: The names of the tool's variables.
    ///   - configured: The command in the configuration; nil if it has none.
    ///   - environment: The process, with its variables.
    /// - Returns: The command; nil if it is `cat`, empty or not installed, or if the terminal can't show a pager.
    static func command(
        names: VariableNames, configured: String?, environment: ProcessEnvironment
    ) -> String? {
        guard let terminalType = environment.value("TERM"), terminalType != "dumb" else { return nil }
        let variable = environment.variable
        let command = variable(names.pager) ?? configured ?? variable("PAGER") ?? "less"
        guard let program = command.split(separator: " ").first, command != "cat" else { return nil }
        return isInstalled(String(program), in: environment) ? command : nil
    }

    /// Returns whether a program can be run, by its path or by its name in a directory of `$PATH`.
    private static func isInstalled(_ program: String, in environment: ProcessEnvironment) -> Bool {
        if program.contains("/") { return access(program, X_OK) == 0 }
        let directories = (environment.variable("PATH") ?? "").split(separator: ":")
        return directories.contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Shows the text that has been collected, waits until the user has left the pager, and writes the messages that
    /// have waited.
    ///
    /// - Throws: The error of the terminal.
    func finish() throws {
        let text = output.bytes
        if !text.isEmpty {
            let wasShown = !fitsTerminal(text) && showInPager(text)
            if !wasShown { try terminal.write(text) }
        }
        try messages.errors.write(messages.waiting.bytes)
    }

    /// Returns whether the whole text can be seen at once, with a line left for the prompt of the shell.
    ///
    /// The height of the text is estimated: each byte is taken to fill a column.
    private func fitsTerminal(_ text: [UInt8]) -> Bool {
        guard let rows = terminal.rows else { return true }
        let columns = terminal.columns ?? 80
        // The text ends with a line break, after which there is no further line.
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        var usedRows = 0
        for line in lines {
            // A line that is too long for a row continues in further ones.
            let furtherRows = max(0, line.count - 1) / columns
            usedRows += 1 + furtherRows
        }
        return usedRows < rows
    }

    /// Shows a text in the pager, and waits until the pager ends. From then on, this process ignores Ctrl-C.
    ///
    /// - Returns: False if the pager can't be started or fails. The caller then writes the text itself, so that errors
    ///   are no reason to fail.
    private func showInPager(_ text: [UInt8]) -> Bool {
        guard let pipe = try? Descriptor.makePipe() else { return false }
        // The variables are those that git sets: F leaves at once if the text fits, R and -c obey colours, and X does
        // not clear the screen. With the trap, Ctrl-C is for the pager alone: the shell waits until the pager ends.
        let script = "trap : INT; LESS=${LESS-FRX}; LV=${LV--c}; export LESS LV; \(command)"
        let child = try? ChildProgram.start(["sh", "-c", script], input: pipe.reading)
        // A pager that was started reads from its own copy of this descriptor.
        SystemCall.close(pipe.reading)
        guard let child else {
            SystemCall.close(pipe.writing)
            return false
        }
        signal(SIGINT, SIG_IGN)
        // Writing fails if the user leaves the pager early, which is no error.
        try? text.withUnsafeBytes { try Descriptor.write(pipe.writing, $0) }
        SystemCall.close(pipe.writing)
        return Self.hasShown(status: ChildProgram.wait(child))
    }

    /// Returns whether a pager has shown the text, by the status with which its shell has ended.
    ///
    /// A pager that ended successfully, by Ctrl-C (SIGINT), or because the terminal has gone (SIGHUP, SIGPIPE) has
    /// shown the text. One that failed, or that another signal such as SIGKILL ended, may have shown nothing.
    ///
    /// - Parameter status: The status from `waitpid(2)`.
    static func hasShown(status: Int32) -> Bool {
        // The lowest seven bits of the status are the number of the signal that ended the shell, or 0. The byte above
        // them is the shell's exit code, which is 128 plus the number of the signal that ended the pager.
        let exitCode = status >> 8 & 0xFF
        let signal = exitCode > 128 ? exitCode - 128 : status & 0x7F
        if signal != 0 { return [SIGINT, SIGHUP, SIGPIPE].contains(signal) }
        return exitCode == 0
    }
}

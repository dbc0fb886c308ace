import SystemCalls

/// Collects a text for a terminal, and shows it in a pager if it is longer than the terminal, as git does.
struct Pager: Sendable {
    let output: BufferOutput
    /// The output for messages: written at once before there is any text, otherwise after it.
    let messages: Messages
    private let terminal: DescriptorOutput
    private let command: String

    /// A pager for `terminal`, run by the shell; `errors` is where messages go.
    init(_ command: String, terminal: DescriptorOutput, errors: any ByteOutput) {
        self.command = command
        self.terminal = terminal
        output = BufferOutput(isTerminal: true, columns: terminal.columns)
        messages = Messages(errors: errors, text: output)
    }

    struct Messages: ByteOutput {
        let errors: any ByteOutput
        let text: BufferOutput
        let later = BufferOutput()
        var isTerminal: Bool { errors.isTerminal }
        var columns: Int? { errors.columns }
        func write(_ bytes: [UInt8]) throws { try (text.bytes.isEmpty ? errors : later).write(bytes) }
    }

    /// The command in `$APICTL_PAGER` or `$PAGER`, else `less`; nil if it is `cat`, empty or not installed, or the terminal can't show it.
    static func command(_ names: VariableNames, _ environment: ProcessEnvironment) -> String? {
        guard let terminal = environment.value("TERM"), terminal != "dumb" else { return nil }
        let variable = environment.variable
        let command = variable(names.pager) ?? variable("PAGER") ?? "less"
        guard let program = command.split(separator: " ").first.map(String.init), command != "cat" else { return nil }
        let directories = program.contains("/") ? [""] : (variable("PATH") ?? "").split(separator: ":").map { $0 + "/" }
        return directories.contains { access($0 + program, X_OK) == 0 } ? command : nil
    }

    /// Shows what has been collected, and waits until the user has left the pager.
    func finish() throws {
        let text = output.bytes
        if fitsTerminal(text) || !page(text) { try terminal.write(text) }
        try messages.errors.write(messages.later.bytes)
    }

    private func fitsTerminal(_ text: [UInt8]) -> Bool {
        let columns = terminal.columns ?? 80
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .reduce(0) { $0 + 1 + max(0, $1.count - 1) / columns }
        return lines < terminal.rows ?? .max
    }

    /// Runs the pager until it ends; false if it can't be started or fails.
    private func page(_ text: [UInt8]) -> Bool {
        guard let pipe = try? Descriptor.makePipe() else { return false }
        // As git sets them: leave at once if the text fits, obey colours, and do not clear the screen.
        // Ctrl-C is for the pager alone: the shell and this process wait until it ends.
        let script = "trap : INT; LESS=${LESS-FRX}; LV=${LV--c}; export LESS LV; \(command)"
        let child = try? ChildProgram.start(["sh", "-c", script], input: pipe.reading)
        SystemCall.close(pipe.reading)
        if child != nil {
            signal(SIGINT, SIG_IGN)
            // It fails if the user leaves the pager early.
            try? text.withUnsafeBytes { try Descriptor.write(pipe.writing, $0) }
        }
        SystemCall.close(pipe.writing)
        // Above 128, the user has ended it by a signal.
        return child.map { !(1...128).contains(ChildProgram.wait($0) >> 8 & 0xFF) } ?? false
    }
}

import Synchronization
import SystemCalls

/// Collects a text for a terminal, and shows it in a pager if it is longer than the terminal, as git does.
final class Pager: Sendable {
    private struct Collected {
        var text: [UInt8] = []
        /// What was reported after the text had begun.
        var messages: [UInt8] = []
    }

    private let terminal: DescriptorOutput
    private let errors: any ByteOutput
    private let command: String
    private let collected = Mutex(Collected())

    /// A pager for `terminal`, run by the shell; `errors` is where messages go.
    init(_ command: String, terminal: DescriptorOutput, errors: any ByteOutput) {
        self.command = command
        self.terminal = terminal
        self.errors = errors
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

    /// The output to page.
    var output: any ByteOutput {
        Output(base: terminal) { [self] bytes in collected.withLock { $0.text += bytes } }
    }

    /// The output for messages: at once before there is any text, otherwise after it.
    var messages: any ByteOutput {
        Output(base: errors) { [self] bytes in
            try collected.withLock { collected in
                if collected.text.isEmpty { return try errors.write(bytes) }
                collected.messages += bytes
            }
        }
    }

    private struct Output: ByteOutput {
        let base: any ByteOutput
        let writing: @Sendable ([UInt8]) throws -> Void
        var isTerminal: Bool { base.isTerminal }
        var columns: Int? { base.columns }
        func write(_ bytes: [UInt8]) throws { try writing(bytes) }
    }

    /// Shows what has been collected, and waits until the user has left the pager.
    func finish() throws {
        let (text, messages) = collected.withLock { ($0.text, $0.messages) }
        if fitsTerminal(text) || !page(text) { try terminal.write(text) }
        try errors.write(messages)
    }

    private func fitsTerminal(_ text: [UInt8]) -> Bool {
        let columns = terminal.columns ?? 80
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .reduce(0) { $0 + 1 + max(0, $1.count - 1) / columns }
        return lines < terminal.rows ?? .max
    }

    /// Runs the pager until it ends; false if it can't be started.
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
        return child.map(ChildProgram.wait) != nil
    }
}

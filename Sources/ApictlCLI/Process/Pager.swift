import Synchronization
import SystemCalls

/// Shows text that is longer than the terminal in a pager, as git does.
final class Pager: Sendable {
    private enum State {
        /// It may still fit the terminal.
        case collecting([UInt8])
        /// The text goes to the terminal itself.
        case direct
        /// The text goes to the pager; messages wait until it has ended.
        case running(child: pid_t, input: Int32, messages: [UInt8])
    }

    private let terminal: DescriptorOutput
    private let errors: any ByteOutput
    private let command: String
    private let state = Mutex(State.collecting([]))

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
    var output: any ByteOutput { Output(base: terminal, writing: write) }
    /// The output for messages, which do not disturb the pager.
    var messages: any ByteOutput { Output(base: errors, writing: writeMessage) }

    private struct Output: ByteOutput {
        let base: any ByteOutput
        let writing: @Sendable ([UInt8]) throws -> Void
        var isTerminal: Bool { base.isTerminal }
        var columns: Int? { base.columns }
        func write(_ bytes: [UInt8]) throws { try writing(bytes) }
    }

    /// Writes what has been collected, or waits until the user has left the pager.
    func finish() throws {
        let last = state.withLock { state in
            defer { state = .direct }
            return state
        }
        switch last {
        case .collecting(let text): if !text.isEmpty { try terminal.write(text) }
        case .direct: break
        case .running(let child, let input, let messages):
            SystemCall.close(input)
            _ = ChildProgram.wait(child)
            if !messages.isEmpty { try errors.write(messages) }
        }
    }

    @Sendable private func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            var bytes = bytes
            if case .collecting(let text) = state {
                bytes = text + bytes
                state = fitsTerminal(bytes) ? .collecting(bytes) : start()
            }
            switch state {
            case .collecting: break
            case .direct: try terminal.write(bytes)
            case .running(_, let input, _):
                do {
                    try bytes.withUnsafeBytes { try Descriptor.write(input, $0) }
                } catch {
                    // The user has left the pager.
                    throw OutputClosed()
                }
            }
        }
    }

    @Sendable private func writeMessage(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            if case .running(let child, let input, let messages) = state {
                state = .running(child: child, input: input, messages: messages + bytes)
                return
            }
            if case .collecting(let text) = state, !text.isEmpty {
                // The message is about the text before it.
                state = .direct
                try terminal.write(text)
            }
            try errors.write(bytes)
        }
    }

    private func fitsTerminal(_ text: [UInt8]) -> Bool {
        let columns = terminal.columns ?? 80
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .reduce(0) { $0 + 1 + max(0, $1.count - 1) / columns }
        return lines < terminal.rows ?? .max
    }

    /// The running pager, or direct output if it can't be started.
    private func start() -> State {
        guard let pipe = try? Descriptor.makePipe() else { return .direct }
        defer { SystemCall.close(pipe.reading) }
        // As git sets them: leave at once if the text fits, obey colours, and do not clear the screen.
        // Ctrl-C is for the pager alone: the shell and this process wait until it ends.
        let script = "trap : INT; LESS=${LESS-FRX}; LV=${LV--c}; export LESS LV; \(command)"
        guard let child = try? ChildProgram.start(["sh", "-c", script], input: pipe.reading) else {
            SystemCall.close(pipe.writing)
            return .direct
        }
        signal(SIGINT, SIG_IGN)
        return .running(child: child, input: pipe.writing, messages: [])
    }
}

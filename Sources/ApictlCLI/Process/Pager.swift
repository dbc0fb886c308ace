import Synchronization
import SystemCalls

/// Shows text that is longer than the terminal in a pager, as git does.
final class Pager: Sendable {
    private enum State {
        /// It may still fit the terminal.
        case collecting([UInt8], lines: Int)
        /// The text goes to the terminal itself.
        case direct
        /// The text goes to the pager; messages wait until it has ended.
        case running(child: pid_t, input: Int32, messages: [UInt8])
    }

    private let terminal: DescriptorOutput
    private let errors: any ByteOutput
    private let command: String
    private let state = Mutex(State.collecting([], lines: 0))

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
        let folders = program.contains("/") ? [""] : (variable("PATH") ?? "").split(separator: ":").map { $0 + "/" }
        return folders.contains { access($0 + program, X_OK) == 0 } ? command : nil
    }

    /// The output to page.
    var output: any ByteOutput { Output(pager: self) }
    /// The output for messages, which do not disturb the pager.
    var messages: any ByteOutput { Messages(pager: self) }

    /// Writes what has been collected, or waits until the user has left the pager.
    func finish() throws {
        let last = state.withLock { state in
            defer { state = .direct }
            return state
        }
        switch last {
        case .collecting(let text, _): if !text.isEmpty { try terminal.write(text) }
        case .direct: break
        case .running(let child, let input, let messages):
            SystemCall.close(input)
            _ = ChildProgram.wait(child)
            if !messages.isEmpty { try errors.write(messages) }
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            if case .collecting(let text, let lines) = state {
                let all = text + bytes
                let count = lines + self.lines(in: bytes)
                guard count >= terminal.rows ?? .max else {
                    state = .collecting(all, lines: count)
                    return
                }
                state = start()
                return try write(all, state)
            }
            try write(bytes, state)
        }
    }

    private func write(_ bytes: [UInt8], _ state: State) throws {
        guard case .running(_, let input, _) = state else { return try terminal.write(bytes) }
        do {
            try bytes.withUnsafeBytes { try Descriptor.write(input, $0) }
        } catch {
            // The user has left the pager.
            throw OutputClosed()
        }
    }

    /// The running pager, or direct output if it can't be started.
    private func start() -> State {
        guard let pipe = try? Descriptor.makePipe() else { return .direct }
        defer { SystemCall.close(pipe.reading) }
        // As git sets them: leave at once if the text fits, obey colours, and do not clear the screen.
        let script = "LESS=${LESS-FRX}; LV=${LV--c}; export LESS LV; \(command)"
        guard let child = try? ChildProgram.start(["sh", "-c", script], input: pipe.reading) else {
            SystemCall.close(pipe.writing)
            return .direct
        }
        // Ctrl-C is the pager's.
        signal(SIGINT, SIG_IGN)
        return .running(child: child, input: pipe.writing, messages: [])
    }

    private func message(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            switch state {
            case .collecting(let text, _) where !text.isEmpty:
                // The message is about the text before it.
                state = .direct
                try terminal.write(text)
            case .collecting, .direct: break
            case .running(let child, let input, let messages):
                state = .running(child: child, input: input, messages: messages + bytes)
                return
            }
            try errors.write(bytes)
        }
    }

    /// The lines that `bytes` take on the terminal, at least.
    private func lines(in bytes: [UInt8]) -> Int {
        let columns = terminal.columns ?? 80
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .reduce(0) { $0 + 1 + max(0, $1.count - 1) / columns }
    }

    private struct Output: ByteOutput {
        let pager: Pager
        var isTerminal: Bool { true }
        var columns: Int? { pager.terminal.columns }
        func write(_ bytes: [UInt8]) throws { try pager.write(bytes) }
    }

    private struct Messages: ByteOutput {
        let pager: Pager
        var isTerminal: Bool { pager.errors.isTerminal }
        var columns: Int? { pager.errors.columns }
        func write(_ bytes: [UInt8]) throws { try pager.message(bytes) }
    }
}

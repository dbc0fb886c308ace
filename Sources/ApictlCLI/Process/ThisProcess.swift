import Dispatch
import EndpointKit
import EndpointTools
import Synchronization
import SystemCalls

extension Apictl {
    /// Runs the command line of this process and ends it with the run's exit code.
    ///
    /// `transport` makes the transport; its argument looks up environment variables.
    public static func main(
        apis: [any API.Type], tool: String = "apictl", version: String = Version.number,
        transport: (_ variable: @Sendable (String) -> String?) -> any Transport
    ) -> Never {
        Descriptor.fillStandardDescriptors()
        // Writing to a closed pipe should be an error, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // The same for a file that exceeds `ulimit -f`.
        signal(SIGXFSZ, SIG_IGN)
        let stdout = DescriptorStream(STDOUT_FILENO, name: "stdout", isOwn: false)
        let variable: @Sendable (String) -> String? = { name in getenv(name).map { String(exactCString: $0) } }
        var environment = ProcessEnvironment(
            stdout: stdout, stderr: DescriptorStream(STDERR_FILENO, name: "stderr", isOwn: false),
            stdin: DescriptorStream(STDIN_FILENO, name: "stdin", isOwn: false), variable: variable,
            files: DiskFileSystem(), transport: transport(variable))
        environment.commandOutput = { words, limit in
            try await BlockingWork.run {
                try CommandOutput.of(words, within: limit, maxBytes: CredentialSource.maxValueLength)
            }
        }
        environment.signals.interrupt = { kill(getpid(), SIGTERM) }
        environment.takeStdout = {
            let copy = try OpenDescriptor.copy(STDOUT_FILENO, name: "stdout")
            guard dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { throw FileError(.write, "stdout", number: errno) }
            return copy
        }
        let process = InterruptibleRun()
        environment.signals.watch = process.watchSignals
        environment.signals.exitCode = { process.state.withLock(\.exitCode) }
        environment.makePager = { [environment] configured in
            guard stdout.isTerminal else { return nil }
            let command = Pager.command(VariableNames(tool: tool), configured, environment)
            return command.map { Pager($0, terminal: stdout, errors: environment.stderr) }
        }
        let catalogueAPIs = apis.map { CatalogueAPI($0) }
        let arguments = SystemCall.arguments().map { String(exactBytes: $0) }
        process.carryOut { [environment] in
            await run(
                arguments, apis: catalogueAPIs, environment: environment, tool: tool, version: version)
        }
    }
}

/// Runs the process's work. A signal cancels it, so that it removes its temporary files; then the process ends.
final class InterruptibleRun: Sendable {
    fileprivate struct State {
        var task: Task<Void, Never>?
        /// 128 + the number of the received signal, as shells report it; nil if none was received.
        var exitCode: Int32?
    }

    fileprivate let state = Mutex(State())

    /// Runs `work` and ends the process with the exit code that it returns, or with that of the received signal.
    func carryOut(_ work: @escaping @Sendable () async -> Int32) -> Never {
        let code = WaitingThread.run(work) { task in state.withLock { $0.task = task } }
        CommandOutput.endAll()
        SystemCall.endProcess(state.withLock(\.exitCode) ?? code)
    }

    /// From now on, signals cancel the work instead of killing the process, which ends after `cleanUpTime` or at a second signal.
    ///
    /// Must be called before other threads are started, because they inherit the blocked signals.
    func watchSignals(_ cleanUpTime: Duration) {
        let signals = Signals([SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM])
        signals.block()
        let thread = try? SystemThread.start { [self] in
            guard let number = signals.wait() else { return }
            state.withLock { $0.exitCode = 128 + number }
            // Before the work can end.
            CommandOutput.endAll()
            state.withLock { $0.task?.cancel() }
            // The signal of this timer ends the wait for a second one.
            let (seconds, attoseconds) = cleanUpTime.components
            if seconds > 0 { alarm(UInt32(seconds)) } else { ualarm(useconds_t(attoseconds / 1_000_000_000_000), 0) }
            // A program that signals this one and its group, as timeout does, sends the first one twice.
            let first = ContinuousClock.now
            while let next = signals.wait(), next == number, .now - first < .milliseconds(50) {}
            SystemCall.endProcess(128 + number)
        }
        // If no thread can be started, signals kill the process as usual.
        if thread == nil { signals.unblock() }
    }
}

/// An executor that runs a task on the thread that waits for its end.
///
/// glibc starts no new threads while a library is being loaded, which would delay tasks on Swift's own threads.
final class WaitingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let count = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        count.signal()
    }

    /// Runs `work` on the calling thread and returns its result; `started` gets the task.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value, started: (Task<Void, Never>) -> Void = { _ in }
    ) -> Value {
        let thread = WaitingThread()
        let result = Result<Value>()
        started(
            Task(executorPreference: thread) {
                let value = await work()
                result.value.withLock { $0 = value }
            })
        while true {
            thread.count.wait()
            let job = thread.jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: thread.asUnownedTaskExecutor())
            if let value = result.value.withLock({ $0 }) { return value }
        }
    }

    private final class Result<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}

/// Collects a text for a terminal, and shows it in a pager if it is longer than the terminal, as git does.
struct Pager: Sendable {
    let output: BufferOutput
    /// The output for messages: written at once before there is any text, otherwise after it.
    let messages: Messages
    private let terminal: DescriptorStream
    private let command: String

    /// A pager for `terminal`, run by the shell; `errors` is where messages go.
    init(_ command: String, terminal: DescriptorStream, errors: any ByteOutput) {
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

    /// Returns the command in `$APICTL_PAGER`, in the configuration or in `$PAGER`, else `less`.
    ///
    /// - Returns: Nil if the command is `cat`, empty or not installed, or if the terminal can't show a pager.
    static func command(
        _ names: VariableNames, _ configured: String?, _ environment: ProcessEnvironment
    ) -> String? {
        guard let terminal = environment.value("TERM"), terminal != "dumb" else { return nil }
        let variable = environment.variable
        let command = variable(names.pager) ?? configured ?? variable("PAGER") ?? "less"
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

import CArguments
import Synchronization

/// Programs that this process starts.
package enum ChildProgram {
    /// Starts the program that `words` name, looked up in PATH, with its arguments.
    ///
    /// Its stdin is `input` or else empty, its stdout `output` or else this process's. `isAlone`: it has no terminal, and leads a process group
    /// of its number. Throws ``SystemError``.
    package static func start(
        _ words: [String], input: Int32? = nil, output: Int32? = nil, isAlone: Bool = false
    ) throws(SystemError) -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        // Reset the signal mask and the handlers for the child.
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let session = isAlone ? SystemCall.spawnInNewSession : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session))
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, words.first ?? "", &actions, &attributes, &pointers, carguments_environment())
        guard error == 0 else { throw SystemError(number: error) }
        return child
    }

    /// Waits for the program's end and returns its status, as `waitpid` has it.
    package static func wait(_ child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        return status
    }
}

/// Runs a program and reads what it prints.
package enum CommandOutput {
    package enum Failure: Error, Sendable, Equatable {
        /// It could not be started.
        case notStarted(SystemError)
        /// It took longer than allowed and was killed.
        case timedOut
        case exited(Int32)
        case killed(signal: Int32)
        /// It printed more than allowed.
        case tooLong
    }

    /// The programs that are running; nil if none may be started any more.
    private static let running = Mutex<Set<pid_t>?>([])

    /// Ends the programs that are running, with their children.
    package static func endAll() {
        running.withLock { running in
            for child in running ?? [] { kill(-child, SIGKILL) }
            running = nil
        }
    }

    /// What the program prints on stdout, at most `maxBytes`; its stdin is empty, its stderr this process's. Its children end with it.
    ///
    /// `words` are the program, which is looked up in PATH, and its arguments. It is killed if the task is cancelled. Throws ``Failure``.
    package static func of(_ words: [String], within limit: Duration, maxBytes: Int) throws(Failure) -> [UInt8] {
        let pipe: (reading: Int32, writing: Int32)
        do { pipe = try Descriptor.makePipe() } catch { throw .notStarted(error) }
        defer { SystemCall.close(pipe.reading) }
        let child: pid_t
        do throws(SystemError) {
            defer { SystemCall.close(pipe.writing) }
            child = try running.withLock { running throws(SystemError) in
                guard running != nil else { throw SystemError(reason: "interrupted") }
                let child = try ChildProgram.start(words, output: pipe.writing, isAlone: true)
                running?.insert(child)
                return child
            }
        } catch {
            throw .notStarted(error)
        }
        var status: Int32 = 0
        let output: [UInt8]
        do {
            defer {
                // As long as the program is not waited for, no other group has its number.
                running.withLock { running in
                    kill(-child, SIGKILL)
                    status = ChildProgram.wait(child)
                    running?.remove(child)
                }
            }
            let deadline = ContinuousClock.now + limit
            output = try read(pipe.reading, until: deadline, maxBytes: maxBytes)
            // It may go on after it has closed its output.
            try wait(until: deadline) { hasEnded(child) }
        }
        if status & 0x7F != 0 { throw .killed(signal: status & 0x7F) }
        if status >> 8 & 0xFF != 0 { throw .exited(status >> 8 & 0xFF) }
        return output
    }

    private static func wait(until deadline: ContinuousClock.Instant, _ isOver: () -> Bool) throws(Failure) {
        while !isOver() {
            if Task.isCancelled { throw .killed(signal: SIGKILL) }
            if .now >= deadline { throw .timedOut }
        }
    }

    /// Whether the program has ended, or does so in a moment; it can still be waited for.
    private static func hasEnded(_ child: pid_t) -> Bool {
        var end = siginfo_t()
        let result = waitid(P_PID, id_t(child), &end, WEXITED | WNOWAIT | WNOHANG)
        if result == 0 ? end.si_signo != 0 : errno != EINTR { return true }
        usleep(500)
        return false
    }

    private static func read(
        _ descriptor: Int32, until deadline: ContinuousClock.Instant, maxBytes: Int
    ) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            try wait(until: deadline) {
                Descriptor.wait(for: .readable, of: descriptor, until: min(deadline, .now + .milliseconds(100)))
            }
            // An error on a pipe of this process is the end of it.
            let count = buffer.withUnsafeMutableBytes { (try? Descriptor.read(descriptor, into: $0)) ?? 0 }
            if count == 0 { return output }
            output += buffer[..<count]
            if output.count > maxBytes { throw .tooLong }
        }
    }
}

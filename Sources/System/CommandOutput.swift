import Locking

/// Runs a program and reads what it prints.
package enum CommandOutput {
    /// The reason why there is no output.
    package enum Failure: Error, Sendable, Equatable {
        case notStarted(SystemError)
        /// The program took longer than allowed and was killed.
        case timedOut
        case exited(Int32)
        case killed(signal: Int32)
        /// The program printed more than allowed.
        case tooLong
    }

    /// The programs that are running, or nil if none may be started any more.
    private static let running = Lock<Set<pid_t>?>([])

    /// Ends the programs that are running, with their children. No program can be started afterwards.
    package static func endAll() {
        running.withLock { running in
            for child in running ?? [] { kill(-child, SIGKILL) }
            running = nil
        }
    }

    /// A program that has been started.
    private struct RunningProgram {
        let process: pid_t
        /// The end of a pipe from which the program's output can be read.
        let output: Int32
    }

    /// Runs a program and returns what it prints on stdout.
    ///
    /// The program's stderr is that of this process. Its children end with it, and may keep its output open: what they
    /// print later does not count. The program is killed if the task is cancelled.
    ///
    /// - Parameters:
    ///   - words: The program, which is looked up in PATH, and its arguments.
    ///   - input: The bytes on the program's stdin. It need not read them.
    ///   - limit: The longest time that the program may take.
    ///   - maxBytes: The greatest number of bytes that it may print.
    /// - Throws: ``Failure``.
    package static func capture(
        _ words: [String], input: [UInt8] = [], within limit: Duration, maxBytes: Int
    ) throws(Failure) -> [UInt8] {
        let deadline = ContinuousClock.now + limit
        let inputPipe = try makeInputPipe(input)
        defer { if let inputPipe { SystemCall.close(inputPipe) } }
        let program = try start(words, input: inputPipe)
        defer { SystemCall.close(program.output) }
        let output: [UInt8]
        do throws(Failure) {
            output = try readOutput(of: program, until: deadline, maxBytes: maxBytes)
            // A program may go on after it has closed its output.
            try waitForEnd(of: program.process, until: deadline)
        } catch {
            _ = killAndWait(program.process)
            throw error
        }
        // The program itself has ended. Children that it has left behind are killed.
        try checkStatus(killAndWait(program.process))
        return output
    }

    /// Checks that a program has ended with the exit code 0.
    ///
    /// - Parameter status: The status of the program, as `waitpid` returns it.
    /// - Throws: ``Failure`` with the exit code, or with the signal that has ended the program.
    private static func checkStatus(_ status: Int32) throws(Failure) {
        // The lower seven bits are the signal, and bits 8 to 15 are the exit code.
        let signal = status & 0x7F
        if signal != 0 { throw .killed(signal: signal) }
        let exitCode = status >> 8 & 0xFF
        if exitCode != 0 { throw .exited(exitCode) }
    }

    /// Makes a pipe from which a program can read the given bytes, and starts a thread that writes them, because a pipe
    /// holds only some of many bytes.
    ///
    /// - Returns: The end of the pipe from which the bytes can be read, or nil if there are no bytes.
    /// - Throws: ``Failure`` if the system has no pipe or thread for it.
    private static func makeInputPipe(_ input: [UInt8]) throws(Failure) -> Int32? {
        if input.isEmpty { return nil }
        do throws(SystemError) {
            let pipe = try Descriptor.makePipe()
            do throws(SystemError) {
                try SystemThread.start {
                    // A program that does not read its input closes the pipe, which ends the thread.
                    try? input.withUnsafeBytes { try Descriptor.write(pipe.writing, $0) }
                    SystemCall.close(pipe.writing)
                }
            } catch {
                SystemCall.close(pipe.writing)
                SystemCall.close(pipe.reading)
                throw error
            }
            return pipe.reading
        } catch {
            throw .notStarted(error)
        }
    }

    /// Starts a program with a pipe for its output.
    ///
    /// - Parameters:
    ///   - words: The program, which is looked up in PATH, and its arguments.
    ///   - input: The descriptor for the program's stdin, or nil if it is empty.
    /// - Throws: ``Failure`` if the program can't be started, or if no program may be started any more.
    private static func start(_ words: [String], input: Int32?) throws(Failure) -> RunningProgram {
        do throws(SystemError) {
            let pipe = try Descriptor.makePipe()
            // The program has a copy of its own.
            defer { SystemCall.close(pipe.writing) }
            do throws(SystemError) {
                let process = try startAndList(words, input: input, output: pipe.writing)
                return RunningProgram(process: process, output: pipe.reading)
            } catch {
                SystemCall.close(pipe.reading)
                throw error
            }
        } catch {
            throw .notStarted(error)
        }
    }

    /// Starts a program, and adds it to the list of those that ``endAll()`` ends.
    ///
    /// The list is locked meanwhile, so that ``endAll()`` finds every program that has started.
    ///
    /// - Throws: ``SystemError`` if the program can't be started, or if no program may be started any more.
    private static func startAndList(_ words: [String], input: Int32?, output: Int32) throws(SystemError) -> pid_t {
        try running.withLock { running throws(SystemError) in
            guard running != nil else { throw SystemError(reason: "interrupted") }
            let process = try ChildProgram.start(words, input: input, output: output, session: .own)
            running?.insert(process)
            return process
        }
    }

    /// Kills a program and its children, as far as they are still running, and waits for the end of the program.
    ///
    /// - Returns: The program's status, as `waitpid` returns it.
    private static func killAndWait(_ process: pid_t) -> Int32 {
        running.withLock { running in
            // No other group can have the number before the process has been waited for.
            kill(-process, SIGKILL)
            running?.remove(process)
            return ChildProgram.wait(process)
        }
    }

    /// Checks that a program may still run.
    ///
    /// - Throws: ``Failure`` if the deadline has passed or the task is cancelled.
    private static func checkDeadline(_ deadline: ContinuousClock.Instant) throws(Failure) {
        // After either error, the caller kills the program.
        if Task.isCancelled { throw .killed(signal: SIGKILL) }
        if .now >= deadline { throw .timedOut }
    }

    /// Waits until a program has ended.
    ///
    /// - Throws: ``Failure`` if the deadline has passed or the task is cancelled.
    private static func waitForEnd(of process: pid_t, until deadline: ContinuousClock.Instant) throws(Failure) {
        while !hasEnded(process) {
            let pauseInMicroseconds: UInt32 = 500
            usleep(pauseInMicroseconds)
            try checkDeadline(deadline)
        }
    }

    /// Returns whether a program has ended. Its status stays available for ``ChildProgram/wait(_:)``.
    private static func hasEnded(_ process: pid_t) -> Bool {
        var information = siginfo_t()
        let result = waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT | WNOHANG)
        let errorNumber = errno
        // While the program is running, `waitid` succeeds too, but leaves the signal 0.
        let hasStatus = result == 0 && information.si_signo != 0
        // Any error but an interruption means that there is no such process any more.
        let isUnknown = result != 0 && errorNumber != EINTR
        return hasStatus || isUnknown
    }

    /// Reads a program's output until the program closes it or has ended.
    ///
    /// - Parameters:
    ///   - program: The program, which has been started.
    ///   - deadline: The time at which to give up.
    ///   - maxBytes: The greatest number of bytes to accept.
    /// - Throws: ``Failure`` if the output is too long, the time is over, or the task is cancelled.
    private static func readOutput(
        of program: RunningProgram, until deadline: ContinuousClock.Instant, maxBytes: Int
    ) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            // This comes before the look at the pipe, so that all output of a program that has ended is read.
            let hasEnded = hasEnded(program.process)
            // The pause is short, so that the end of the program and a cancelled task are noticed soon.
            let pauseInMilliseconds: Int32 = hasEnded ? 0 : 10
            let isReadable = Descriptor.wait([(program.output, .readable)], milliseconds: pauseInMilliseconds)[0]
            if !isReadable {
                if hasEnded { return output }
                try checkDeadline(deadline)
                continue
            }
            let count = buffer.withUnsafeMutableBytes { try? Descriptor.read(program.output, into: $0) }
            // An error on a pipe of this process counts as its end.
            guard let count, count > 0 else { return output }
            output += buffer[..<count]
            if output.count > maxBytes { throw .tooLong }
        }
    }
}

import CArguments

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

    /// What the program prints on stdout, at most `most` bytes; its stdin is empty, its stderr this process's.
    ///
    /// `words` are the program, which is looked up in PATH, and its arguments. Throws ``Failure``.
    package static func of(_ words: [String], within limit: Duration, most: Int) throws(Failure) -> [UInt8] {
        let pipe: (reading: Int32, writing: Int32)
        do { pipe = try Descriptor.makePipe() } catch { throw .notStarted(error) }
        defer { SystemCall.close(pipe.reading) }
        let child: pid_t
        do {
            defer { SystemCall.close(pipe.writing) }
            child = try start(words, output: pipe.writing)
        }
        do throws(Failure) {
            let output = try read(pipe.reading, until: .now + limit, most: most)
            let status = wait(child)
            if status & 0x7F != 0 { throw Failure.killed(signal: status & 0x7F) }
            if status >> 8 & 0xFF != 0 { throw Failure.exited(status >> 8 & 0xFF) }
            return output
        } catch {
            // It may have ended already; then this does nothing.
            if error == .timedOut || error == .tooLong {
                kill(child, SIGKILL)
                _ = wait(child)
            }
            throw error
        }
    }

    private static func start(_ words: [String], output: Int32) throws(Failure) -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        // The signals that this process blocks or ignores are not the program's affair.
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, words.first ?? "", &actions, &attributes, &pointers, carguments_environment())
        guard error == 0 else { throw .notStarted(SystemError(number: error)) }
        return child
    }

    private static func read(
        _ descriptor: Int32, until deadline: ContinuousClock.Instant, most: Int
    ) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let left = Int32((deadline - .now) / .milliseconds(1))
            guard left > 0 else { throw .timedOut }
            guard Descriptor.wait([(descriptor, .readable)], milliseconds: left)[0] else { continue }
            // An error on a pipe of this process is the end of it.
            let count = buffer.withUnsafeMutableBytes { (try? Descriptor.read(descriptor, into: $0)) ?? 0 }
            if count == 0 { return output }
            output += buffer[..<count]
            if output.count > most { throw .tooLong }
        }
    }

    /// The status of the program's end.
    private static func wait(_ child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        return status
    }
}

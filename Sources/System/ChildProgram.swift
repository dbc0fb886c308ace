import CSystem

/// Programs that this process starts.
package enum ChildProgram {
    /// Where a program runs.
    package enum Session {
        /// With this process's terminal, in its process group.
        case shared
        /// Without a terminal, as the leader of a process group that has the program's number.
        case own
    }

    /// Starts a program, with default signal handlers and no signal blocked.
    ///
    /// - Parameters:
    ///   - words: The program, which is looked up in PATH, and its arguments.
    ///   - input: The program's stdin; nil: it is empty.
    ///   - output: The program's stdout; nil: that of this process.
    ///   - session: Whether the program shares this process's terminal.
    /// - Returns: The program's process, for ``wait(_:)``.
    /// - Throws: ``SystemError``.
    package static func start(
        _ words: [String], input: Int32? = nil, output: Int32? = nil, session: Session = .shared
    ) throws(SystemError) -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process may block or ignore signals, and a new program would inherit that.
        var noSignals = sigset_t()
        var allSignals = sigset_t()
        sigemptyset(&noSignals)
        sigfillset(&allSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setsigdefault(&attributes, &allSignals)
        let newSession = session == .own ? spawnInNewSession : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | newSession))

        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }

        // `posix_spawnp` takes copies of the words as C strings, with a null pointer after the last.
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawnp(
            &child, words.first ?? "", &actions, &attributes, &arguments, cenvironment_entries())
        guard failure == 0 else { throw SystemError(number: failure) }
        return child
    }

    #if canImport(Darwin)
    private static let spawnInNewSession = POSIX_SPAWN_SETSID
    #else
    /// POSIX_SPAWN_SETSID, which Swift's modules of the C library leave out.
    private static let spawnInNewSession: Int32 = 0x80
    #endif

    /// Waits for the program's end and returns its status, as `waitpid` has it.
    package static func wait(_ child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        return status
    }
}

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
    ///   - input: The descriptor of the program's stdin. Unless given, the program's stdin is empty.
    ///   - output: The descriptor of the program's stdout. Unless given, it is that of this process.
    ///   - session: Whether the program shares this process's terminal.
    /// - Returns: The program's process, for ``wait(_:)``.
    /// - Throws: ``SystemError``.
    package static func start(
        _ words: [String], input: Int32? = nil, output: Int32? = nil, session: Session = .shared
    ) throws(SystemError) -> pid_t {
        #if canImport(Darwin)
        var actions: FileActions = nil
        var attributes: Attributes = nil
        #else
        var actions = FileActions()
        var attributes = Attributes()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setSignalsAndSession(session, in: &attributes)

        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        setStreams(input: input, output: output, in: &actions)

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
    private typealias Attributes = posix_spawnattr_t?
    private typealias FileActions = posix_spawn_file_actions_t?
    private static let spawnInNewSession = POSIX_SPAWN_SETSID
    #else
    private typealias Attributes = posix_spawnattr_t
    private typealias FileActions = posix_spawn_file_actions_t
    /// POSIX_SPAWN_SETSID, which Swift's modules of the C library leave out.
    private static let spawnInNewSession: Int32 = 0x80
    #endif

    /// Sets with which signals and in which session a program starts.
    ///
    /// The program gets default signal handlers and no blocked signals. Otherwise it would inherit the signals that
    /// this process blocks or ignores.
    private static func setSignalsAndSession(_ session: Session, in attributes: inout Attributes) {
        var noSignals = sigset_t()
        var allSignals = sigset_t()
        sigemptyset(&noSignals)
        sigfillset(&allSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setsigdefault(&attributes, &allSignals)
        let sessionFlag = session == .own ? spawnInNewSession : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | sessionFlag))
    }

    /// Sets the descriptors that become a program's stdin and stdout. Without them, its stdin is empty, and its stdout
    /// is that of this process.
    private static func setStreams(input: Int32?, output: Int32?, in actions: inout FileActions) {
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    }

    /// Waits for the end of a program.
    ///
    /// - Returns: The program's status, as `waitpid` returns it.
    package static func wait(_ child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        return status
    }
}

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs other programs, from many tests at once.
///
/// Foundation's `Process` is not used: running several at the same time has crashed on Linux.
public enum ChildProcess {
    /// The output and the end of a program.
    public struct Result: Equatable, Sendable {
        /// The bytes of stdout and stderr in the order in which they were written.
        public var output: [UInt8]
        /// The exit status, or 128 + the number of the signal that ended the program.
        public var status: Int32

        public init(output: [UInt8], status: Int32) {
            self.output = output
            self.status = status
        }
    }

    /// A system call that failed, and its `errno`.
    public struct Failure: Error {
        public let call: String
        public let code: Int32
    }

    /// Runs `executable` in `folder` with nothing on stdin, and waits for its end.
    ///
    /// - Throws: ``Failure`` if the program can't be started.
    public static func run(
        _ executable: String, _ arguments: [String], environment: [String: String], in folder: String = "/"
    ) throws -> Result {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(call: "pipe", code: errno) }
        // Another child that is started meanwhile must not inherit the ends, or else reading would not end before it.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let child: pid_t
        do {
            defer { close(ends[1]) }
            child = try spawn(executable, arguments, environment, folder, output: ends[1])
        }
        // Read to the end first: a child whose pipe is full waits for its reader.
        let output = readAll(ends[0])
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        let signal = status & 0x7F
        return Result(output: output, status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
    }

    /// Starts a shell that changes to `folder` and then becomes `executable`, with stdout and stderr going to `output`.
    private static func spawn(
        _ executable: String, _ arguments: [String], _ environment: [String: String], _ folder: String, output: Int32
    ) throws -> pid_t {
        #if canImport(Glibc)
        var actions = posix_spawn_file_actions_t()
        #else
        var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        // Changing the folder is no portable file action, but a shell can.
        let command = ["/bin/sh", "-c", #"cd "$1" && shift && exec "$@""#, "sh", folder, executable] + arguments
        let words = command.map { strdup($0) }
        let variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") }
        defer { for pointer in words + variables { free(pointer) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, command[0], &actions, nil, words + [nil], variables + [nil])
        guard code == 0 else { throw Failure(call: "posix_spawn", code: code) }
        return child
    }

    /// Reads from `descriptor` until its end.
    private static func readAll(_ descriptor: Int32) -> [UInt8] {
        var result: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count > 0 {
                result += piece[..<count]
            } else if count == 0 || errno != EINTR {
                return result
            }
        }
    }
}

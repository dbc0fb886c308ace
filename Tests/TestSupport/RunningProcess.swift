#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program that runs while the test does, so that the test can send it signals.
public final class RunningProcess: Sendable {
    private let pid: pid_t

    /// Starts `executable` with nothing on stdin. Its stdout and stderr are dropped.
    ///
    /// - Throws: ``ChildProcess/Failure`` if the program can't be started.
    public init(_ executable: String, _ arguments: [String], environment: [String: String]) throws {
        #if canImport(Glibc)
        var actions = posix_spawn_file_actions_t()
        #else
        var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let words = ([executable] + arguments).map { strdup($0) }
        let variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") }
        defer { for pointer in words + variables { free(pointer) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, executable, &actions, nil, words + [nil], variables + [nil])
        guard code == 0 else { throw ChildProcess.Failure(call: "posix_spawn", code: code) }
        pid = child
    }

    /// Sends the program the signal `number`, such as `SIGINT`.
    public func signal(_ number: Int32) { kill(pid, number) }

    /// Waits for the end of the program, and kills it after `limit`.
    ///
    /// - Returns: The exit status, or 128 + the number of the signal that ended the program; nil if it was killed after
    ///   `limit`.
    public func wait(for limit: Duration) async throws -> Int32? {
        let end = ContinuousClock.now + limit
        var status: Int32 = 0
        while waitpid(pid, &status, WNOHANG) == 0 {
            guard ContinuousClock.now < end else {
                kill(pid, SIGKILL)
                waitpid(pid, &status, 0)
                return nil
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

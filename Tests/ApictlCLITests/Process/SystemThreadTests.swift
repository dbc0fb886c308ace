import Foundation
import SystemCalls
import Testing

struct SystemThreadTests {
    @Test("A thread blocks the signals that end a program, but not those of a crash, which must leave a backtrace")
    func signals() async throws {
        let blocked: [Int32: Bool] = try await withCheckedThrowingContinuation { continuation in
            do {
                try SystemThread.start {
                    var mask = sigset_t()
                    pthread_sigmask(SIG_BLOCK, nil, &mask)
                    let numbers = [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]
                    continuation.resume(
                        returning: Dictionary(uniqueKeysWithValues: numbers.map { ($0, sigismember(&mask, $0) == 1) }))
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        for signal in [SIGINT, SIGTERM, SIGPIPE, SIGHUP] { #expect(blocked[signal] == true) }
        for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP] { #expect(blocked[signal] == false) }
    }
}

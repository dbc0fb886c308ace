import EndpointKit
import Foundation
import MockServer
import SystemCalls
import TestSupport
import Testing

@testable import ApictlCLI

/// Calls of the system, as the module `System` makes them.
struct SystemCallTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static func isClosedOnExec(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFD)
        return flags >= 0 && flags & FD_CLOEXEC != 0
    }

    @Test("Programs that this one starts inherit no pipe, no file and no socket")
    func closeOnExec() throws {
        let pipe = try Descriptor.makePipe()
        let file = try SystemCall.open(try directory.write("f", "".utf8).exactBytes, O_RDONLY)
        let listener = try Socket.listen(host: "127.0.0.1", port: 0)
        let client = try RawClient(port: listener.port)
        #expect(Descriptor.wait(for: .readable, of: listener.descriptor, until: .now + .seconds(60)))
        guard case .connection(let connection) = Socket.accept(listener.descriptor) else {
            Issue.record("no connection")
            return
        }
        for descriptor in [pipe.reading, pipe.writing, file, listener.descriptor, connection] {
            #expect(Self.isClosedOnExec(descriptor))
            SystemCall.close(descriptor)
        }
        withExtendedLifetime(client) {}
    }

    @Test("Without a connection, accepting does not wait")
    func nothingToAccept() throws {
        let listener = try Socket.listen(host: "127.0.0.1", port: 0)
        defer { SystemCall.close(listener.descriptor) }
        guard case .none = Socket.accept(listener.descriptor) else {
            Issue.record("there is no connection to accept")
            return
        }
    }

    @Test("An error is that of the call, whatever comes after it")
    func errors() throws {
        let missing = directory.path + "/missing"
        #expect(throws: SystemError(number: ENOENT)) { try SystemCall.open(missing.exactBytes, O_RDONLY) }
        #expect(throws: SystemError(number: ENOENT)) { try Directory.entries(of: missing.exactBytes) }
        #expect(throws: SystemError(number: ENOTDIR)) {
            try Directory.entries(of: try directory.write("f", "".utf8).exactBytes)
        }
        #expect(SystemError(number: ENOENT).reason == "no such file or directory")
        #expect(SystemError(reason: "RPC failed").reason == "RPC failed")
        #expect(SystemError(reason: "").reason == "")
    }

    @Test("Directories are told from files and from links to directories")
    func entries() throws {
        _ = try directory.write("file", "".utf8)
        try FileManager.default.createDirectory(atPath: directory.path + "/folder", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/link", withDestinationPath: directory.path + "/folder")
        let entries = try Directory.entries(of: directory.path.exactBytes)
        let names = entries.map { ($0.isDirectory ? "d " : "- ") + String(decoding: $0.name, as: UTF8.self) }
        #expect(names.sorted() == ["- file", "- link", "d .", "d ..", "d folder"])
    }
}

/// Threads that the tool starts.
struct SystemThreadTests {
    @Test("A thread blocks the signals that end a program, but not those of a crash, which must leave a backtrace")
    func signals() async throws {
        let blocked = try await onItsOwnThread {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            return [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP].filter {
                sigismember(&mask, $0) == 1
            }
        }
        #expect(blocked == [SIGINT, SIGTERM, SIGPIPE, SIGHUP])
    }
}

import EndpointKit
import Synchronization
import Testing

@testable import ApictlCLI

/// A response of a stub.
///
/// The description of a stub is short, because the test library describes the arguments of tests several times.
struct StubResponse: Sendable, CustomStringConvertible {
    var head = ResponseHead(status: 200, reason: "OK")
    var body: [UInt8] = []
    /// The length of the chunks of the body. With 0, the body is one chunk.
    var pieceSize = 0
    /// The time before each chunk.
    var pause = Duration.zero
    /// The events that are reported before the request is sent.
    var events: [TransferEvent] = []
    /// The error that is thrown in place of a response.
    var failure: TransportError?
    /// The error that is thrown after the body.
    var failureInBody: TransportError?
    /// The transfer's times.
    var times: TransferTimes?

    var description: String { "\(head.statusText), \(body.count) bytes" }

    static func json(_ text: String, _ status: Int = 200, _ reason: String = "OK") -> StubResponse {
        typed("application/json", text, status, reason)
    }

    static func typed(_ type: String, _ text: String, _ status: Int = 200, _ reason: String = "OK") -> StubResponse {
        StubResponse(
            head: ResponseHead(status: status, reason: reason, fields: [.init("Content-Type", type)]),
            body: text.exactBytes)
    }

    /// Returns a response without a body and without a content type.
    static func empty(_ status: Int = 200, _ reason: String = "OK") -> StubResponse {
        StubResponse(head: ResponseHead(status: status, reason: reason))
    }

    static func failing(_ cause: TransportError.Cause, _ detail: String = "") -> StubResponse {
        StubResponse(failure: TransportError(cause, detail: detail))
    }

    /// Returns a copy of the response before which these events are reported.
    func behind(_ events: TransferEvent...) -> StubResponse {
        var copy = self
        copy.events = events
        return copy
    }

    /// Returns a copy of the response that fails after its body.
    func broken(_ cause: TransportError.Cause = .cutShort(.noResponse), _ detail: String = "") -> StubResponse {
        var copy = self
        copy.failureInBody = TransportError(cause, detail: detail)
        return copy
    }

    /// Returns a copy of the response whose body comes in chunks of this size.
    func inPieces(of size: Int) -> StubResponse {
        var copy = self
        copy.pieceSize = size
        return copy
    }

    /// Returns a copy of the response with one more header.
    func with(_ name: String, _ value: String) -> StubResponse {
        var copy = self
        copy.head.fields.append(.init(name, value))
        return copy
    }
}

/// Gives a response to every request, reports wire events, and records the requests with their options.
final class StubTransport: Transport {
    let respond: @Sendable (Request) async throws -> StubResponse
    private let sent = Mutex<[(request: Request, options: TransferOptions)]>([])

    /// Gives the same response to every request.
    convenience init(_ response: StubResponse) { self.init { _ in response } }

    /// Gives one response after the other. A request after the last one fails the test.
    convenience init(_ responses: [StubResponse]) {
        let rest = Mutex(responses[...])
        self.init { _ in
            if let response = rest.withLock({ $0.popFirst() }) { return response }
            Issue.record("a request too many")
            return .failing(.other, "a request too many")
        }
    }

    init(_ respond: @escaping @Sendable (Request) async throws -> StubResponse) { self.respond = respond }

    var requests: [Request] { sent.withLock { $0.map(\.request) } }
    var options: [TransferOptions] { sent.withLock { $0.map(\.options) } }

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        sent.withLock { $0.append((request, options)) }
        let response = try await respond(request)
        if let times = response.times { options.onTimes?(times) }
        if let onEvent = options.onEvent {
            response.events.forEach(onEvent)
            onEvent(.information("Trying \(try request.revealedURL())"))
            onEvent(.requestHead(try head(of: request)))
        }
        if let failure = response.failure { throw failure }
        options.onEvent?(.responseHead(head(of: response.head)))
        return StreamedResponse(head: response.head, body: body(of: response))
    }

    private func body(of response: StubResponse) -> ResponseBody {
        let size = response.pieceSize > 0 ? response.pieceSize : max(response.body.count, 1)
        let rest = Mutex(response.body[...])
        return ResponseBody {
            if response.pause > .zero { try await Task.sleep(for: response.pause) }
            let piece = rest.withLock { rest in
                defer { rest = rest.dropFirst(size) }
                return Array(rest.prefix(size))
            }
            if piece.isEmpty, let failure = response.failureInBody { throw failure }
            return piece.isEmpty ? nil : piece
        }
    }

    private func head(of request: Request) throws -> [UInt8] {
        let target = try request.revealedURL().dropFirst(request.base.text.count)
        let lines = try request.headers.map { "\($0.name): \(try $0.revealedValue())\r\n" }
        return "\(request.method) \(target) HTTP/1.1\r\n\(lines.joined())\r\n".exactBytes
    }

    private func head(of head: ResponseHead) -> [UInt8] {
        let fields = head.fields.map { "\($0.name): \($0.value)\r\n" }
        return "\(head.version) \(head.status) \(head.reason)\r\n\(fields.joined())\r\n".exactBytes
    }
}

/// Files in memory.
///
/// New files can be created only in the directories `.`, `out` and `Endpoints`. Writing the file `full` fails as on a
/// full disk.
final class MemoryFiles: FileSystem {
    private let contents: Mutex<[String: [UInt8]]>
    private let readOnly: Set<String>
    private let unreadable: Set<String>
    /// Whether a new file can be restarted.
    private let rewinds: Bool

    init(
        _ contents: [String: [UInt8]] = [:], readOnly: Set<String> = [], unreadable: Set<String> = [],
        rewinds: Bool = true
    ) {
        self.contents = Mutex(contents)
        self.readOnly = readOnly
        self.unreadable = unreadable
        self.rewinds = rewinds
    }

    var texts: [String: String] { contents.withLock { $0.mapValues { String(exactBytes: $0) } } }

    subscript(_ path: String) -> String? { contents.withLock { $0[path] }.map { String(exactBytes: $0) } }

    func open(_ path: String) throws -> any ByteInput {
        if unreadable.contains(path) { throw FileError(.read, path, reason: "permission denied") }
        guard let bytes = contents.withLock({ $0[path] }) else {
            throw FileError(.read, path, reason: "no such file or directory", isMissing: true)
        }
        return MemoryInput(bytes)
    }

    func beginReplacing(_ path: String, isPrivate: Bool) throws -> any FileReplacement {
        guard !path.contains("/") || path.hasPrefix("out/") || path.hasPrefix("Endpoints/") else {
            throw FileError(.write, path, reason: "no such file or directory")
        }
        if readOnly.contains(path) { throw FileError(.write, path, reason: "permission denied") }
        return Replacement(files: self, path: path)
    }

    func requireReadable(_ path: String) throws { _ = try open(path) }

    func isStream(_ path: String) -> Bool { false }

    func realPath(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }

    func resume(_ path: String) throws -> PartialFile { throw FileError(.write, path, reason: "it is in memory") }

    func list(_ directory: String, directories: Bool) throws -> [String] {
        let inside = contents.withLock { $0.keys.filter { $0.hasPrefix(directory + "/") } }
        if inside.isEmpty { throw FileError(.read, directory, reason: "no such file or directory", isMissing: true) }
        let parts = inside.map { $0.dropFirst(directory.count + 1).split(separator: "/") }
        return Set(parts.filter { ($0.count > 1) == directories }.map { String($0[0]) }).sorted()
    }

    func makeDirectory(_ path: String) throws {
        if !path.hasPrefix("out"), !path.hasPrefix("Endpoints") {
            throw FileError(.write, path, reason: "it is in memory")
        }
    }

    func remove(_ path: String) throws { contents.withLock { $0[path] = nil } }

    private final class Replacement: FileReplacement {
        let isTerminal = false
        private let files: MemoryFiles
        private let path: String
        private let written = Mutex<[UInt8]>([])

        init(files: MemoryFiles, path: String) {
            self.files = files
            self.path = path
        }

        func write(_ bytes: [UInt8]) throws {
            if path == "full" { throw FileError(.write, path, reason: "no space left on device") }
            written.withLock { $0 += bytes }
        }

        func restart() throws -> Bool {
            if files.rewinds { written.withLock { $0 = [] } }
            return files.rewinds
        }

        func commit() throws {
            let bytes = written.withLock { $0 }
            files.contents.withLock { $0[path] = bytes }
        }

        func discard() {}
    }
}

extension BufferOutput {
    /// Everything written so far as text, with the replacement character for bytes that are not UTF-8.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// An output whose reader goes away after some bytes.
final class ClosingOutput: ByteOutput {
    let isTerminal = false
    private let room: Mutex<Int>

    init(after count: Int) { room = Mutex(count) }

    func write(_ bytes: [UInt8]) throws {
        try room.withLock { room in
            guard bytes.count <= room else { throw OutputClosed() }
            room -= bytes.count
        }
    }
}

// Hostile responses over a real socket. A server sends the bytes of the input as they are, and the tool calls it with
// libcurl.
//
// No input may cause a trap or a hang. For every input, the exit code is a documented one, neither output has anything
// that a terminal obeys, and stderr does not show the key.

import Foundation
import Synchronization

@testable import ApictlCLI
@testable import CurlTransport
@testable import EndpointKit
@testable import EndpointTools
@testable import SystemCalls

private let key = "s3cret%key-1"
private let server = RawServer()
private let transport = CurlTransport()

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = [UInt8](start, count)
    guard input.count > 2 else { return 0 }
    // Two bytes choose the call; the rest are responses to one request after the other.
    let words = words(input[0], input[1])
    server.respond(with: Array(input[2...]).split(separator: RawServer.separator).map { Array($0) })
    // Both are terminals, which obey control characters.
    let (out, err) = (BufferOutput(isTerminal: true), BufferOutput(isTerminal: true))
    let environment = ProcessEnvironment(
        stdout: out, stderr: err, stdin: Bytes([]),
        variable: { ["PETS_KEY": key, "NO_COLOR": "1", "TERM": "dumb"][$0] }, files: Files([]),
        transport: transport)
    let done = DispatchSemaphore(value: 0)
    let code = Mutex<Int32>(-1)
    let begin = ContinuousClock.now
    let task = Task {
        let result = await Apictl.run(words, apis: [CatalogueAPI(Pets.self)], environment: environment)
        code.withLock { $0 = result }
        done.signal()
    }
    let isDone = done.wait(timeout: .now() + 8) == .success
    require(isDone, "a call ends soon after its time limit: \(words)")
    _ = task
    require(ContinuousClock.now - begin < .seconds(8), "it takes no longer")
    let result = code.withLock { $0 }
    require(ExitCode(rawValue: result) != nil, "exit code \(result)")
    require(isSafeForTerminal(String(decoding: out.bytes, as: UTF8.self)), "a terminal obeys nothing of the body")
    require(isSafeForTerminal(String(decoding: err.bytes, as: UTF8.self)), "a terminal obeys no message")
    for spelled in [key, "s3cret%25key-1"] { require(!err.bytes.holds(Array(spelled.utf8)), "the key is not shown") }
    require(result == 0 || !err.bytes.isEmpty || words.contains("-q"), "a failure says why")
    return 0
}

/// Returns the words of a call in which each bit of the two bytes stands for an option.
///
/// With a proxy, every host that a redirect names is the fuzzer's own server.
private func words(_ first: UInt8, _ second: UInt8) -> [String] {
    let calls = [
        ["pets.find", "--status", "sold"], ["pets.find", "--status", "sold", "--raw"], ["pets.photo", "1"],
        ["pets.find", "--status", "sold", "-o", "f"], ["pets.find", "--status", "sold", "--select", "name"],
        ["pets.find", "--status", "sold", "--table"], ["pets.add", "--pet.name", "Rex"],
        ["pets.find", "--status", "sold", "--all-pages"],
    ]
    var words = ["call"] + calls[Int(first & 7)] + ["--max-time", "2", "--max-bytes", "1000000"]
    if first & 8 != 0 { words.append("-v") }
    if first & 16 != 0 { words.append("-i") }
    if first & 32 != 0 { words += ["--retry", "1", "--retry-delay", "1ms"] }
    if first & 64 != 0 { words.append("-vv") }
    if first & 128 != 0 { words.append("--fail-with-body") }
    if second & 1 != 0 { words.append("-q") }
    if second & 2 != 0 { words.append("--any-status") }
    if second & 4 != 0 { words += ["-w", "%{json}%{header_json}"] }
    if second & 8 != 0 { words.append("--timing") }
    let isProxied = second & 16 != 0
    words += ["--max-redirects", isProxied ? "3" : "0"]
    if isProxied { words += ["-x", "http://127.0.0.1:\(server.port)", "--base-url", "http://pets.test/v1"] }
    return isProxied ? words : words + ["--base-url", "http://127.0.0.1:\(server.port)"]
}

/// A server on a thread of its own that sends bytes as they are, whatever it is asked.
final class RawServer: Sendable {
    /// The bytes between two responses in the input.
    static let separator: [UInt8] = [0xFF, 0x00, 0xFF]

    let port: UInt16
    private let responses = Mutex<[[UInt8]]>([])

    init() {
        do {
            let (descriptor, port) = try Socket.listen(host: "127.0.0.1", port: 0)
            self.port = port
            try SystemThread.start { [self] in
                while true {
                    Descriptor.wait([(descriptor, .readable)])
                    if let connection = Socket.accept(descriptor) { serve(connection) }
                }
            }
        } catch {
            fatalError("no server: \(error)")
        }
    }

    /// Answers the next requests with these responses, and all later ones with the last response.
    func respond(with bytes: [[UInt8]]) { responses.withLock { $0 = bytes } }

    private func next() -> [UInt8] {
        responses.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
    }

    /// Reads one request's head, answers it, and closes the connection.
    private func serve(_ connection: Int32) {
        defer { SystemCall.close(connection) }
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 8192)
        while head.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
            let count = receive(connection, &buffer)
            if count == 0 { return }
            head += buffer[..<count]
        }
        let response = next()
        response.withUnsafeBytes { bytes in
            // A client that has left does not matter.
            try? Descriptor.write(connection, bytes)
        }
        Socket.endSending(connection)
        // To close it before the client has read all would reset the connection.
        while receive(connection, &buffer) > 0 {}
    }

    /// Receives bytes and returns their number: 0 at the end, or if none came for a second.
    private func receive(_ connection: Int32, _ buffer: inout [UInt8]) -> Int {
        guard Descriptor.wait(for: .readable, of: connection, until: .now + .seconds(1)) else { return 0 }
        let transfer = buffer.withUnsafeMutableBytes { Socket.receive(connection, into: $0) }
        return if case .bytes(let count) = transfer { count } else { 0 }
    }
}

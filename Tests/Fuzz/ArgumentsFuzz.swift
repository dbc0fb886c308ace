// Hostile command lines, stdin, files and responses, all in memory.
//
// No input may cause a trap. For every input, the exit code is a documented one, stderr has nothing that a terminal
// obeys, and a failure has a message.

import Foundation

@testable import ApictlCLI
@testable import EndpointKit
@testable import EndpointTools

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    // Words end with a NUL, as on a real command line; what follows two of them is the response.
    let parts = [UInt8](start, count).split(separator: 0, maxSplits: 20, omittingEmptySubsequences: false)
    let end = parts.firstIndex(of: []) ?? parts.count
    let words = parts[..<end].map { String(exactBytes: $0) }
    let response = Array(parts[end...].joined())
    let (out, err) = (BufferOutput(), BufferOutput(isTerminal: true))
    let environment = ProcessEnvironment(
        stdout: out, stderr: err, stdin: Bytes(response),
        variable: { ["PETS_KEY": "s3cret-key-1", "NO_COLOR": "1"][$0] },
        files: Files(response),
        transport: Answer(response))
    let done = DispatchSemaphore(value: 0)
    let code = Code()
    Task {
        code.value = await Apictl.run(words, apis: [CatalogueAPI(Pets.self)], environment: environment)
        done.signal()
    }
    done.wait()
    require(ExitCode(rawValue: code.value) != nil, "exit code \(code.value)")
    // The text after --write-out is written as it is, because it is the user's own.
    let isOwn = words.contains { $0.hasPrefix("-") && $0.contains("w") } && !words.allSatisfy(isSafeForTerminal)
    require(isOwn || isSafeForTerminal(String(decoding: err.bytes, as: UTF8.self)), "a terminal obeys nothing")
    require(!err.bytes.holds(Array("s3cret-key-1".utf8)), "the key is not shown")
    let isQuiet = words.contains { $0.hasPrefix("-") && $0.contains("q") }
    // The report of check and the differences of diff go to stdout.
    require(code.value == 0 || !err.bytes.isEmpty || !out.bytes.isEmpty || isQuiet, "a failure says why")
    return 0
}

/// The exit code. The task writes it before it signals, and it is read only after that.
final class Code: @unchecked Sendable {
    var value: Int32 = -1
}

/// Answers each request with a response that the input determines: status, reason, fields and body.
struct Answer: Transport {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        let statuses = [200, 200, 200, 204, 206, 302, 401, 500]
        let first = bytes.first ?? 0
        let head = ResponseHead(
            status: statuses[Int(first & 7)], reason: String(exactBytes: bytes.dropFirst().prefix(8)),
            fields: [
                .init("Content-Type", first & 8 == 0 ? "application/json" : "text/plain"),
                .init("Location", String(exactBytes: bytes.dropFirst(2).prefix(40))),
            ])
        options.onEvent?(.responseHead(Array(bytes.prefix(60))))
        options.onEvent?(.information(String(exactBytes: bytes.prefix(60))))
        return StreamedResponse(head: head, body: ResponseBody(bytes: Array(bytes.dropFirst())))
    }
}

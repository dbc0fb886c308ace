import EndpointKit

/// Prints a request that is not sent: request line, header fields, a blank line, the body.
struct RequestPrinter {
    let output: any ByteOutput

    func print(_ request: Request) throws {
        try output.write(request.shownHead + "\n")
        guard let body = request.body else { return }
        try output.write("\n")
        var last: UInt8?
        for piece in body.pieces {
            switch piece {
            case .bytes(let bytes): try write(bytes)
            case .file(let path): try output.write("(the content of \(path.safeToShow))")
            }
            if case .bytes(let bytes) = piece { last = bytes.last }
        }
        if last != UInt8(ascii: "\n") { try output.write("\n") }
    }

    private func write(_ bytes: [UInt8]) throws {
        guard output.isTerminal else { return try output.write(bytes) }
        var filter = TerminalFilter()
        guard let text = filter.feed(bytes) else { return try output.write("(\(bytes.count) bytes of binary data)") }
        try output.write(text + filter.finish())
    }
}

import EndpointKit

/// Prints a request that is not sent: request line, headers, a blank line, the body.
struct RequestPrinter {
    let output: any ByteOutput
    let colors: HeadColors

    /// Prints the request of `plan`; `files` has the partial download that `-C` would resume. Throws ``FileError``.
    func print(_ plan: CallPlan, _ files: any FileSystem) throws {
        var request = plan.request
        if plan.options.resumes, let path = plan.options.output {
            let file = try files.resume(path)
            defer { file.discard() }
            request = request.resuming(file)
        }
        try print(request)
    }

    private func print(_ request: Request) throws {
        try output.write(request.shownHeaders(colors) + "\n")
        guard let body = request.body else { return }
        try output.write("\n")
        var last: UInt8?
        for piece in body.pieces {
            switch piece {
            case .bytes(let bytes):
                try write(bytes)
                last = bytes.last
            case .file(let path): try output.write("(the content of \(path.safeToShow))")
            }
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

import EndpointKit
import SystemCalls

/// A request's body, read in chunks while it is sent.
///
/// Files are opened at the start, so that a wrong path fails before anything is sent and the length is known.
struct UploadSource: Sendable {
    let count: Int64
    private let parts: [Part]
    private var index = 0
    private var offset: Int64 = 0

    private enum Part: Sendable {
        case bytes([UInt8])
        case file(RegularFile, path: String)

        var count: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(let file, _): file.count
            }
        }
    }

    /// Throws ``TransportError`` if a file can't be read.
    init(_ body: RequestBody) throws(TransportError) {
        var parts: [Part] = []
        var count: Int64 = 0
        for piece in body.pieces {
            let part: Part =
                switch piece {
                case .bytes(let bytes): .bytes(bytes)
                case .file(let path):
                    .file(
                        try Self.reading(path) { () throws(SystemError) in
                            try RegularFile(path.exactBytes)
                        }, path: path)
                }
            let (sum, overflow) = count.addingReportingOverflow(part.count)
            guard !overflow else { throw CurlErrors.invalidRequest("the request's body is too large") }
            count = sum
            parts.append(part)
        }
        self.parts = parts
        self.count = count
    }

    /// Fills the start of `buffer` with the next bytes and returns how many; 0 is the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
        while index < parts.count {
            let part = parts[index]
            // The smaller of both is never more than the buffer's count, an Int.
            let wanted = Int(min(Int64(buffer.count), part.count - offset))
            if wanted > 0 {
                var read = wanted
                switch part {
                case .bytes(let bytes):
                    bytes.withUnsafeBytes {
                        buffer.copyMemory(from: .init(rebasing: $0[Int(offset)..<Int(offset) + wanted]))
                    }
                case .file(let file, let path):
                    let offset = offset
                    read = try Self.reading(path) { () throws(SystemError) in
                        try file.read(into: .init(rebasing: buffer[..<wanted]), at: offset)
                    }
                }
                offset += Int64(read)
                return read
            }
            index += 1
            offset = 0
        }
        return 0
    }

    /// Moves to a position from the start of the body; false if the body is shorter.
    mutating func seek(to position: Int64) -> Bool {
        guard (0...count).contains(position) else { return false }
        index = 0
        offset = position
        while index < parts.count, offset >= parts[index].count {
            offset -= parts[index].count
            index += 1
        }
        return true
    }

    private static func reading<Result>(
        _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(TransportError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw TransportError(.unreadableBody(path: path), detail: error.inSentence)
        }
    }
}

import EndpointKit

/// A request's body, read piece by piece while it is sent.
///
/// Files are opened at the start, so that a wrong path fails before anything is sent and the length is known.
struct UploadSource: Sendable {
    let count: Int64
    private let pieces: [Piece]
    private var index = 0
    private var offset: Int64 = 0

    private enum Piece: Sendable {
        case bytes([UInt8])
        case file(OpenFile)

        var count: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(let file): file.count
            }
        }
    }

    /// Throws ``TransportError`` where a file can't be read.
    init(_ body: RequestBody) throws(TransportError) {
        var pieces: [Piece] = []
        var count: Int64 = 0
        for piece in body.pieces {
            let opened: Piece =
                switch piece {
                case .bytes(let bytes): .bytes(bytes)
                case .file(let path): .file(try OpenFile(path))
                }
            let (sum, overflow) = count.addingReportingOverflow(opened.count)
            guard !overflow else { throw TransportError(.unreadableBody, "the request's body is too large") }
            count = sum
            pieces.append(opened)
        }
        self.pieces = pieces
        self.count = count
    }

    /// Fills the start of `buffer` with the next bytes and returns how many; 0 is the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
        while index < pieces.count {
            let piece = pieces[index]
            // The smaller of both is never more than the buffer's count, an Int.
            let wanted = Int(min(Int64(buffer.count), piece.count - offset))
            if wanted > 0 {
                var read = wanted
                switch piece {
                case .bytes(let bytes):
                    bytes.withUnsafeBytes {
                        buffer.copyMemory(from: .init(rebasing: $0[Int(offset)..<Int(offset) + wanted]))
                    }
                case .file(let file):
                    read = try file.read(into: .init(rebasing: buffer[..<wanted]), at: offset)
                }
                offset += Int64(read)
                return read
            }
            index += 1
            offset = 0
        }
        return 0
    }

    /// Goes to a place counted from the body's start; false where the body has no such place.
    mutating func seek(to position: Int64) -> Bool {
        guard (0...count).contains(position) else { return false }
        index = 0
        offset = position
        while index < pieces.count, offset >= pieces[index].count {
            offset -= pieces[index].count
            index += 1
        }
        return true
    }
}

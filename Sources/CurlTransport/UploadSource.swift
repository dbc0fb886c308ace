import EndpointKit
import SystemCalls

/// A request's body, read in chunks while it is sent.
///
/// Files are opened at the start, so that a wrong path fails before anything is sent and the length is known.
struct UploadSource: Sendable {
    private struct Part: Sendable {
        enum Content: Sendable {
            case bytes([UInt8])
            case file(RegularFile, path: String)
        }

        let content: Content
        /// Where it is in the whole body.
        let range: Range<Int64>
    }

    private let parts: [Part]
    private var index = 0
    private var position: Int64 = 0

    /// Throws ``TransportError`` if a file can't be read.
    init(_ body: RequestBody) throws(TransportError) {
        var parts: [Part] = []
        for piece in body.pieces {
            let (content, count): (Part.Content, Int64)
            switch piece {
            case .bytes(let bytes): (content, count) = (.bytes(bytes), Int64(bytes.count))
            case .file(let path):
                let file: RegularFile
                do { file = try RegularFile(path.exactBytes) } catch { throw Self.unreadable(path, error) }
                (content, count) = (.file(file, path: path), file.count)
            }
            let start = parts.last?.range.upperBound ?? 0
            let (end, overflow) = start.addingReportingOverflow(count)
            guard !overflow else { throw TransportError(.invalidRequest, detail: "the request's body is too large") }
            parts.append(Part(content: content, range: start..<end))
        }
        self.parts = parts
    }

    /// The length of the whole body.
    var count: Int64 { parts.last?.range.upperBound ?? 0 }

    /// Fills the start of `buffer` with the next bytes and returns how many; 0 is the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
        while index < parts.count, position == parts[index].range.upperBound { index += 1 }
        guard index < parts.count else { return 0 }
        let part = parts[index]
        let offset = position - part.range.lowerBound
        // The smaller of both is never more than the buffer's count, an Int.
        var count = Int(min(Int64(buffer.count), part.range.upperBound - position))
        switch part.content {
        case .bytes(let bytes):
            bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[Int(offset)..<Int(offset) + count])) }
        case .file(let file, let path):
            do {
                count = try file.read(into: .init(rebasing: buffer[..<count]), at: offset)
            } catch {
                throw Self.unreadable(path, error)
            }
        }
        position += Int64(count)
        return count
    }

    /// Moves to a position from the start of the body; false if the body is shorter.
    mutating func seek(to position: Int64) -> Bool {
        guard (0...count).contains(position) else { return false }
        self.position = position
        index = parts.firstIndex { position < $0.range.upperBound } ?? parts.count
        return true
    }

    private static func unreadable(_ path: String, _ error: SystemError) -> TransportError {
        TransportError(.unreadableBody(path: path), detail: error.inSentence)
    }
}

import EndpointKit
import SystemCalls

/// A request's body, read in chunks while it is sent.
///
/// Files are opened at the start, so that a wrong path fails before anything is sent and the length is known.
struct UploadSource: Sendable {
    /// A part of the body, in memory or in a file.
    private struct Part: Sendable {
        enum Content: Sendable {
            case bytes([UInt8])
            case file(RegularFile, path: String)

            var count: Int64 {
                switch self {
                case .bytes(let bytes): Int64(bytes.count)
                case .file(let file, _): file.count
                }
            }
        }

        let content: Content
        /// The positions of the part in the whole body.
        let range: Range<Int64>
    }

    private let parts: [Part]
    /// The index of the part that ``position`` is in.
    private var currentPart = 0
    /// The number of bytes that were read.
    private(set) var position: Int64 = 0

    /// Opens the files of a body, and finds out where each part of the body starts and ends.
    ///
    /// - Throws: `TransportError` if a file can't be read, or the length is beyond 63 bits.
    init(_ body: RequestBody) throws(TransportError) {
        var parts: [Part] = []
        var partStart: Int64 = 0
        for piece in body.pieces {
            let content = try Self.openContent(of: piece)
            let (partEnd, isTooLarge) = partStart.addingReportingOverflow(content.count)
            if isTooLarge { throw TransportError(.invalidRequest, detail: "the request's body is too large") }
            parts.append(Part(content: content, range: partStart..<partEnd))
            partStart = partEnd
        }
        self.parts = parts
    }

    /// Returns the content of a piece of the body: its bytes, or its file, which is opened.
    ///
    /// - Throws: ``TransportError`` that names the file if it can't be opened.
    private static func openContent(of piece: RequestBody.Piece) throws(TransportError) -> Part.Content {
        switch piece {
        case .bytes(let bytes):
            return .bytes(bytes)
        case .file(let path):
            do throws(SystemError) {
                return .file(try RegularFile(path.exactBytes), path: path)
            } catch {
                throw unreadableError(path: path, error)
            }
        case .stream:
            throw TransportError(.invalidRequest, detail: "the streams of the body have not been written to files")
        }
    }

    /// The length of the whole body.
    var count: Int64 { parts.last?.range.upperBound ?? 0 }

    /// Fills the start of a buffer with the next bytes of the body.
    ///
    /// One call reads from one part of the body only, so it may fill less than the whole buffer.
    ///
    /// - Returns: The number of bytes, which is 0 at the end of the body.
    /// - Throws: ``TransportError`` if a file can't be read any more.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
        // Skips the part that has been read to its end, and empty parts after it.
        while currentPart < parts.count, position == parts[currentPart].range.upperBound { currentPart += 1 }
        guard currentPart < parts.count else { return 0 }
        let part = parts[currentPart]
        let offsetInPart = position - part.range.lowerBound
        let remainingInPart = part.range.upperBound - position
        // The smaller of both is never more than the buffer's count, an Int.
        let maxCount = Int(min(Int64(buffer.count), remainingInPart))
        let startOfBuffer = UnsafeMutableRawBufferPointer(rebasing: buffer[..<maxCount])
        let readCount = try Self.read(part.content, at: offsetInPart, into: startOfBuffer)
        position += Int64(readCount)
        return readCount
    }

    /// Fills a buffer with the bytes of a part from an offset on.
    ///
    /// - Precondition: The part has, or had when its file was opened, enough bytes to fill the buffer.
    /// - Returns: The number of bytes, at least one. From a file, the system may read fewer than the buffer takes.
    /// - Throws: ``TransportError`` if the part is a file that can't be read any more, or that has become shorter.
    private static func read(
        _ content: Part.Content, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(TransportError) -> Int {
        switch content {
        case .bytes(let bytes):
            let start = Int(offset)
            bytes.withUnsafeBytes { partBytes in
                let neededBytes = partBytes[start..<start + buffer.count]
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: neededBytes))
            }
            return buffer.count
        case .file(let file, let path):
            do throws(SystemError) {
                return try file.read(into: buffer, at: offset)
            } catch {
                throw unreadableError(path: path, error)
            }
        }
    }

    /// Moves to a position of the body, and returns whether the body is long enough.
    mutating func seek(to position: Int64) -> Bool {
        guard (0...count).contains(position) else { return false }
        self.position = position
        currentPart = parts.firstIndex { position < $0.range.upperBound } ?? parts.count
        return true
    }

    /// Returns the error for a file of the body that can't be opened or read.
    private static func unreadableError(path: String, _ error: SystemError) -> TransportError {
        TransportError(.unreadableBody(path: path), detail: error.reason)
    }
}

import JSONText
import Locking

/// Bytes of a request's body that come from an asynchronous sequence, such as a recording or another response.
///
///     case upload(video: BodyStream)
///     …
///     case .upload(let video):
///         .post(
///             "/videos", body: .multipart([.stream("video", video, filename: "clip.mov", contentType: "video/quicktime")]),
///             returns: Video.self, summary: "Adds a video")
///     …
///     let stream = BodyStream { recording.makeChunks() }
///     let video: Video = try await client.send(Videos.upload(video: stream))
///
/// On the command line, the value is the path of a file.
///
/// The sequence is made and read anew for each attempt to send the request, such as a retry, a redirect, or the attempt
/// with a renewed credential. So the closure must make a new sequence each time. An `AsyncStream` that the closure only
/// returns can be read once: the second attempt is not sent, but fails with a ``TransportError``.
///
/// The transports of this package write it to a temporary file before they send it. So its length need not be known,
/// the request has a `Content-Length`, and memory stays bounded.
public struct BodyStream: Sendable, Hashable {
    private enum Source: Sendable {
        case file(path: String)
        /// `longestRead` is the number of bytes of the longest attempt to read the sequence so far.
        case sequence(any ByteReader, longestRead: GreatestCount)
    }

    /// The greatest of several byte counts, which all copies of a stream share.
    private final class GreatestCount: Sendable {
        private let greatestCount = Lock(0)

        /// The greatest count so far.
        var value: Int { greatestCount.withLock(\.self) }

        /// Keeps `count` if it is the greatest so far.
        func record(_ count: Int) { greatestCount.withLock { $0 = max($0, count) } }
    }

    private let source: Source

    /// Creates a stream of the bytes of a file.
    public init(path: String) { source = .file(path: path) }

    /// Creates a stream of chunks.
    ///
    /// - Parameter chunks: Returns the sequence. It is called for each attempt to send the request.
    public init<Chunks: AsyncSequence>(_ chunks: @escaping @Sendable () -> Chunks) where Chunks.Element == [UInt8] {
        source = .sequence(ChunkReader(chunks), longestRead: GreatestCount())
    }

    /// Creates a stream of data.
    ///
    /// - Parameter data: Returns the sequence. It is called for each attempt to send the request.
    public init<Chunks: AsyncSequence>(data: @escaping @Sendable () -> Chunks) where Chunks.Element == Data {
        source = .sequence(DataReader(data), longestRead: GreatestCount())
    }

    /// Creates a stream of single bytes, such as `FileHandle.bytes`.
    ///
    /// - Parameter bytes: Returns the sequence. It is called for each attempt to send the request.
    public init<Bytes: AsyncSequence>(bytes: @escaping @Sendable () -> Bytes) where Bytes.Element == UInt8 {
        source = .sequence(SingleByteReader(bytes), longestRead: GreatestCount())
    }

    /// The stream as a piece of a request's body: a file or a sequence.
    var piece: RequestBody.Piece {
        switch source {
        case .file(let path): .file(path: path)
        case .sequence: .stream(self)
        }
    }

    /// Reads the sequence from its start to its end.
    ///
    /// - Parameter write: Gets the bytes, chunk by chunk. An error that it throws ends the reading.
    /// - Throws: The error of the sequence or of `write`. ``TransportError`` if the sequence ends before the end of an
    ///   earlier reading, as one does that can be read only once.
    public func readChunks(_ write: ([UInt8]) throws -> Void) async throws {
        switch source {
        case .file(let path): try write([UInt8](Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)))
        case .sequence(let reader, let longestRead):
            var readCount = 0
            // The bytes are also counted if this attempt fails. The next one must then read at least as many.
            defer { longestRead.record(readCount) }
            try await reader.read { chunk in
                readCount += chunk.count
                try write(chunk)
            }
            // A sequence that can be read only once has fewer bytes the second time.
            let expectedCount = longestRead.value
            if readCount < expectedCount { throw Self.tooShort(readCount, expectedCount: expectedCount) }
        }
    }

    /// Returns the error of a sequence that has fewer bytes than when it was read before.
    private static func tooShort(_ count: Int, expectedCount: Int) -> TransportError {
        TransportError(
            .invalidRequest,
            detail: "a stream of the body has ended after \(count) bytes, and had \(expectedCount) in an earlier "
                + "attempt: its closure must make a new sequence each time")
    }

    /// Returns whether two streams are of the same file, or copies of the same stream.
    public static func == (left: BodyStream, right: BodyStream) -> Bool {
        switch (left.source, right.source) {
        case (.file(let leftPath), .file(let rightPath)): leftPath == rightPath
        case (.sequence(let leftReader, _), .sequence(let rightReader, _)): leftReader === rightReader
        default: false
        }
    }

    /// Hashes the path of the file, or the identity of the stream.
    public func hash(into hasher: inout Hasher) {
        switch source {
        case .file(let path): hasher.combine(path)
        case .sequence(let reader, _): hasher.combine(ObjectIdentifier(reader))
        }
    }
}

extension BodyStream: Codable {
    /// Creates the stream of a file, whose path is the text to decode.
    public init(from decoder: any Decoder) throws {
        self.init(path: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the path of the file, or a text that stands for a sequence.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch source {
        case .file(let path): try container.encode(path)
        case .sequence: try container.encode("(stream)")
        }
    }
}

/// Reads a sequence of any type. The identity of the object tells a stream from others.
private protocol ByteReader: AnyObject, Sendable {
    /// Makes the sequence and reads it to its end.
    ///
    /// - Parameter write: Gets the bytes, chunk by chunk.
    func read(_ write: ([UInt8]) throws -> Void) async throws
}

/// Reads a sequence of chunks.
private final class ChunkReader<Chunks: AsyncSequence>: ByteReader where Chunks.Element == [UInt8] {
    private let chunks: @Sendable () -> Chunks

    init(_ chunks: @escaping @Sendable () -> Chunks) { self.chunks = chunks }

    func read(_ write: ([UInt8]) throws -> Void) async throws {
        for try await chunk in chunks() { try write(chunk) }
    }
}

/// Reads a sequence of data.
private final class DataReader<Chunks: AsyncSequence>: ByteReader where Chunks.Element == Data {
    private let chunks: @Sendable () -> Chunks

    init(_ chunks: @escaping @Sendable () -> Chunks) { self.chunks = chunks }

    func read(_ write: ([UInt8]) throws -> Void) async throws {
        for try await chunk in chunks() { try write([UInt8](chunk)) }
    }
}

/// Reads a sequence of single bytes, and joins them to chunks.
private final class SingleByteReader<Bytes: AsyncSequence>: ByteReader where Bytes.Element == UInt8 {
    private let bytes: @Sendable () -> Bytes
    /// The number of bytes of a chunk: 64 KiB, so that there are few calls and little memory is used.
    private static var chunkSize: Int { 64 << 10 }

    init(_ bytes: @escaping @Sendable () -> Bytes) { self.bytes = bytes }

    func read(_ write: ([UInt8]) throws -> Void) async throws {
        var chunk: [UInt8] = []
        for try await byte in bytes() {
            chunk.append(byte)
            if chunk.count == Self.chunkSize {
                try write(chunk)
                chunk.removeAll(keepingCapacity: true)
            }
        }
        // The bytes after the last whole chunk, if there are any.
        try write(chunk)
    }
}

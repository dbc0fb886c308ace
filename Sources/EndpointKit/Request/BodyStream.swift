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
        case sequence(any ByteReader, longestRead: ByteCount)
    }

    /// A number of bytes that all copies of a stream have in common.
    private final class ByteCount: Sendable {
        private let value = Lock(0)

        /// Keeps a count if it is greater than those before.
        ///
        /// - Returns: The greatest count that was kept so far, this one included.
        func keep(_ count: Int) -> Int {
            value.withLock { value in
                value = max(value, count)
                return value
            }
        }
    }

    private let source: Source

    /// Creates a stream of the bytes of a file.
    public init(path: String) { source = .file(path: path) }

    /// Creates a stream of chunks.
    ///
    /// - Parameter chunks: Returns the sequence. It is called for each attempt to send the request.
    public init<Chunks: AsyncSequence>(_ chunks: @escaping @Sendable () -> Chunks) where Chunks.Element == [UInt8] {
        source = .sequence(ChunkReader(chunks), longestRead: ByteCount())
    }

    /// Creates a stream of data.
    ///
    /// - Parameter data: Returns the sequence. It is called for each attempt to send the request.
    public init<Chunks: AsyncSequence>(data: @escaping @Sendable () -> Chunks) where Chunks.Element == Data {
        source = .sequence(DataReader(data), longestRead: ByteCount())
    }

    /// Creates a stream of single bytes, such as `FileHandle.bytes`.
    ///
    /// - Parameter bytes: Returns the sequence. It is called for each attempt to send the request.
    public init<Bytes: AsyncSequence>(bytes: @escaping @Sendable () -> Bytes) where Bytes.Element == UInt8 {
        source = .sequence(SingleByteReader(bytes), longestRead: ByteCount())
    }

    /// The piece of a request's body that this stream is.
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
            var count = 0
            do {
                try await reader.read { chunk in
                    count += chunk.count
                    try write(chunk)
                }
            } catch {
                _ = longestRead.keep(count)
                throw error
            }
            let expectedCount = longestRead.keep(count)
            if count < expectedCount { throw Self.ended(after: count, of: expectedCount) }
        }
    }

    /// Returns the error of a sequence that has fewer bytes than when it was read before.
    private static func ended(after count: Int, of expectedCount: Int) -> TransportError {
        TransportError(
            .invalidRequest,
            detail: "a stream of the body has ended after \(count) bytes, and had \(expectedCount) in an earlier "
                + "attempt: its closure must make a new sequence each time")
    }

    /// Whether both are the same stream.
    public static func == (left: BodyStream, right: BodyStream) -> Bool {
        switch (left.source, right.source) {
        case (.file(let leftPath), .file(let rightPath)): leftPath == rightPath
        case (.sequence(let leftReader, _), .sequence(let rightReader, _)): leftReader === rightReader
        default: false
        }
    }

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

/// Reads a sequence of any type. The object tells the stream apart from others.
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

/// Reads a sequence of single bytes, and passes 64 KiB on together.
private final class SingleByteReader<Bytes: AsyncSequence>: ByteReader where Bytes.Element == UInt8 {
    private let bytes: @Sendable () -> Bytes

    init(_ bytes: @escaping @Sendable () -> Bytes) { self.bytes = bytes }

    func read(_ write: ([UInt8]) throws -> Void) async throws {
        var chunk: [UInt8] = []
        for try await byte in bytes() {
            chunk.append(byte)
            if chunk.count == 64 << 10 {
                try write(chunk)
                chunk.removeAll(keepingCapacity: true)
            }
        }
        try write(chunk)
    }
}

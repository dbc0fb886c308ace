import JSONText

/// A request's body as it is sent: byte arrays, files and streams, one after the other.
public struct RequestBody: Sendable, Hashable {
    /// A piece of a body: bytes in memory, a file that is read while it is sent, or a stream.
    public enum Piece: Sendable, Hashable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// A whole file.
        case file(path: String)
        /// The bytes of an asynchronous sequence.
        case stream(BodyStream)
    }

    /// The pieces in the order they are sent.
    public var pieces: [Piece]
    /// The parts of a multipart body, for a client that makes its own boundaries, such as curl; nil for any other body.
    package var parts: [Part]?

    /// Creates a body of pieces. A multipart body also has its parts.
    package init(_ pieces: [Piece], parts: [Part]? = nil) {
        self.pieces = pieces
        self.parts = parts
    }

    /// Creates a body in memory, such as one that an interceptor sends in place of another.
    public init(bytes: [UInt8]) { self.init([.bytes(bytes)]) }

    /// The whole body; nil if it includes a file or a stream.
    public var bytes: [UInt8]? {
        // Most bodies have a single piece, which need not be copied.
        if pieces.count == 1, case .bytes(let bytes) = pieces[0] { return bytes }
        guard let byteCount else { return nil }
        var wholeBody: [UInt8] = []
        wholeBody.reserveCapacity(byteCount)
        for case .bytes(let bytes) in pieces { wholeBody += bytes }
        return wholeBody
    }

    /// The number of bytes of the whole body; nil if it includes a file or a stream.
    public var byteCount: Int? {
        var byteCount = 0
        for piece in pieces {
            guard case .bytes(let bytes) = piece else { return nil }
            byteCount += bytes.count
        }
        return byteCount
    }

    /// The bytes of the body that are in memory. Files and streams are left out.
    package var bytesInMemory: [UInt8] {
        if let bytes { return bytes }
        var bytesInMemory: [UInt8] = []
        for case .bytes(let bytes) in pieces { bytesInMemory += bytes }
        return bytesInMemory
    }
}

/// One part of a multipart/form-data body (RFC 7578).
public enum Part: Sendable, Hashable {
    /// A text field.
    case field(_ name: String, _ value: String)
    /// A text field with a content type, such as a JSON object.
    case text(_ name: String, _ value: String, contentType: String)
    /// A file, read from `path` while it is sent. `filename` is the last component of the path unless given.
    case file(_ name: String, path: String, filename: String? = nil, contentType: String = "application/octet-stream")
    /// Bytes in memory: a file with the name `filename`, or a field without a file name if that is nil.
    case bytes(_ name: String, [UInt8], filename: String?, contentType: String = "application/octet-stream")
    /// The bytes of an asynchronous sequence: a file with the name `filename`, or a field if that is nil.
    case stream(_ name: String, BodyStream, filename: String?, contentType: String = "application/octet-stream")
}

extension Part {
    /// Returns a part with data in memory, such as a picture that was taken.
    ///
    ///     .data("photo", jpegData, filename: "photo.jpg", contentType: "image/jpeg")
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - data: The bytes of the part.
    ///   - filename: The name of the file that the part is said to be; nil for a field without one.
    ///   - contentType: The media type of the content.
    public static func data(
        _ name: String, _ data: Data, filename: String? = nil, contentType: String = "application/octet-stream"
    ) -> Part {
        .bytes(name, [UInt8](data), filename: filename, contentType: contentType)
    }

    /// Returns a part with a value as JSON, such as the description of a file beside the file.
    ///
    ///     .json("attributes", ["name": "cat.png"])
    ///
    /// Dates are written in ISO 8601. A value that JSON can't express, such as an infinite number, is sent as null.
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - value: The value to encode.
    public static func json(_ name: String, _ value: some Encodable) -> Part {
        let json = (try? Coding().encode(value)) ?? Array("null".utf8)
        return .text(name, String(decoding: json, as: UTF8.self), contentType: "application/json")
    }
}

/// A request's body as it goes over the wire: pieces that are sent one after the other.
public struct RequestBody: Sendable, Hashable {
    /// Bytes at hand, or a file that is read while it is sent.
    public enum Piece: Sendable, Hashable {
        /// Bytes at hand.
        case bytes([UInt8])
        /// A file, from its first byte to its last.
        case file(path: String)
    }

    /// The pieces in the order they are sent.
    public var pieces: [Piece]
    /// The parts of a multipart body, for a reader that writes its own boundaries; nil for every other body.
    public var parts: [Part]?

    /// A body of those pieces; `parts` says the same once more for a multipart body.
    public init(_ pieces: [Piece], parts: [Part]? = nil) {
        self.pieces = pieces
        self.parts = parts
    }

    /// A body of one piece, at hand.
    public init(bytes: [UInt8]) { self.init([.bytes(bytes)]) }

    /// The body as one array where it holds no file, else nil.
    public var bytes: [UInt8]? {
        var result: [UInt8] = []
        for piece in pieces {
            guard case .bytes(let bytes) = piece else { return nil }
            result += bytes
        }
        return result
    }
}

/// One part of a multipart/form-data body (RFC 7578).
public enum Part: Sendable, Hashable {
    /// A text field.
    case field(_ name: String, _ value: String)
    /// A file, read from `path` while it is sent. `filename` is the last component of the path unless given.
    case file(_ name: String, path: String, filename: String? = nil, contentType: String = "application/octet-stream")
}

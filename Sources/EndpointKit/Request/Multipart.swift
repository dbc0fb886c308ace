/// Encodes multipart/form-data bodies (RFC 7578; RFC 2046, section 5.1).
package enum Multipart {
    /// Returns the body of a request that sends fields and files, such as this one with a single file:
    ///
    ///     --boundary
    ///     Content-Disposition: form-data; name="photo"; filename="cat.png"
    ///     Content-Type: image/png
    ///
    ///     …
    ///     --boundary--
    ///
    /// - Parameters:
    ///   - parts: The parts in order. Files are read only while the body is sent.
    ///   - boundary: The line between the parts; it must not occur in them.
    /// - Returns: The body. Its pieces are the files, and the bytes before, between and after them.
    static func body(_ parts: [Part], boundary: String) -> RequestBody {
        var pieces: [RequestBody.Piece] = []
        var bytesSinceLastFile: [UInt8] = []
        // Room for all contents, and about 200 bytes for each header, so that the array need not be copied to grow.
        bytesSinceLastFile.reserveCapacity(contentCount(parts) + parts.count * 200)
        for part in parts {
            bytesSinceLastFile += "--\(boundary)\r\n".utf8
            bytesSinceLastFile += header(of: part)
            switch part {
            case .field(_, let value), .text(_, let value, _):
                bytesSinceLastFile += value.exactBytes
            case .bytes(_, let bytes, _, _):
                bytesSinceLastFile += bytes
            case .file(_, let path, _, _):
                pieces.append(.bytes(bytesSinceLastFile))
                pieces.append(.file(path: path))
                bytesSinceLastFile = []
            case .stream(_, let stream, _, _):
                pieces.append(.bytes(bytesSinceLastFile))
                pieces.append(stream.piece)
                bytesSinceLastFile = []
            }
            bytesSinceLastFile += "\r\n".utf8
        }
        bytesSinceLastFile += "--\(boundary)--\r\n".utf8
        pieces.append(.bytes(bytesSinceLastFile))
        return RequestBody(pieces, parts: parts)
    }

    /// Returns how many bytes the contents of parts have that are in memory.
    private static func contentCount(_ parts: [Part]) -> Int {
        var count = 0
        for part in parts {
            switch part {
            case .field(_, let value), .text(_, let value, _): count += value.utf8.count
            case .bytes(_, let bytes, _, _): count += bytes.count
            case .file, .stream: break
            }
        }
        return count
    }

    /// Returns the header section of a part, with the empty line at its end (RFC 7578, section 4.2).
    ///
    ///     Content-Disposition: form-data; name="photo"; filename="cat.png"
    ///     Content-Type: image/png
    private static func header(of part: Part) -> [UInt8] {
        var header = Array("Content-Disposition: form-data; name=\"".utf8)
        switch part {
        case .field(let name, _):
            header += quoted(name)
            header += "\"\r\n".utf8
        case .text(let name, _, let contentType):
            header += quoted(name)
            header += "\"".utf8
            header += contentTypeLine(contentType)
        case .file(let name, let path, let filename, let contentType):
            header += file(name, filename ?? self.filename(path))
            header += contentTypeLine(contentType)
        case .bytes(let name, _, let filename?, let contentType),
            .stream(let name, _, let filename?, let contentType):
            header += file(name, filename)
            header += contentTypeLine(contentType)
        case .bytes(let name, _, nil, let contentType), .stream(let name, _, nil, let contentType):
            header += quoted(name)
            header += "\"".utf8
            header += contentTypeLine(contentType)
        }
        header += "\r\n".utf8
        return header
    }

    /// Returns the name of a part and that of its file, up to the quote at the end: `photo"; filename="cat.png"`.
    private static func file(_ name: String, _ filename: String) -> [UInt8] {
        quoted(name) + Array("\"; filename=\"".utf8) + quoted(filename) + Array("\"".utf8)
    }

    /// Returns the end of a line, and a line with the content type of a part.
    private static func contentTypeLine(_ contentType: String) -> [UInt8] {
        // Control characters are left out, because a line break could start another header.
        let value = contentType.exactBytes.filter { $0 >= 0x20 && $0 != 0x7F }
        return "\r\nContent-Type: ".utf8 + value + "\r\n".utf8
    }

    /// Returns a boundary in curl's form: dashes, and enough random digits that it will not occur in a body.
    static func randomBoundary() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = String(generator.next(), radix: 16)
        return String(repeating: "-", count: 24) + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Returns a name with quotes and line breaks percent-encoded, as browsers and curl do (WHATWG HTML, multipart form
    /// data).
    private static func quoted(_ text: String) -> [UInt8] {
        var quoted: [UInt8] = []
        for byte in text.exactBytes {
            if "\"\r\n".utf8.contains(byte) {
                quoted += PercentEncoding.encode(bytes: [byte]).utf8
            } else {
                quoted.append(byte)
            }
        }
        return quoted
    }

    /// Returns the name of the file at a path: `cat.png` for `pets/cat.png`.
    package static func filename(_ path: String) -> String {
        // Unicode scalars, because a name may start with a combining mark, which makes one character with the slash.
        path.unicodeScalars.split(separator: "/").last.map(String.init) ?? path
    }
}

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
    ///   - boundary: The text between the parts, which must not occur in them.
    /// - Returns: The body. Its pieces are the files, and the bytes before, between and after them.
    static func body(_ parts: [Part], boundary: String) -> RequestBody {
        var pieces: [RequestBody.Piece] = []
        var bytesSinceLastFile: [UInt8] = []
        // About 200 bytes are enough for the header of a part. So the array need not be copied to grow.
        bytesSinceLastFile.reserveCapacity(byteCountInMemory(parts) + parts.count * 200)
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

    /// Returns how many bytes the contents of `parts` have in memory. Files and streams have none.
    private static func byteCountInMemory(_ parts: [Part]) -> Int {
        var byteCount = 0
        for part in parts {
            switch part {
            case .field(_, let value), .text(_, let value, _): byteCount += value.utf8.count
            case .bytes(_, let bytes, _, _): byteCount += bytes.count
            case .file, .stream: break
            }
        }
        return byteCount
    }

    /// Returns the header section of a part, with the empty line at its end (RFC 7578, section 4.2).
    ///
    ///     Content-Disposition: form-data; name="photo"; filename="cat.png"
    ///     Content-Type: image/png
    private static func header(of part: Part) -> [UInt8] {
        switch part {
        case .field(let name, _):
            header(name: name, filename: nil, contentType: nil)
        case .text(let name, _, let contentType):
            header(name: name, filename: nil, contentType: contentType)
        case .file(let name, let path, let filename, let contentType):
            header(name: name, filename: filename ?? self.filename(path), contentType: contentType)
        case .bytes(let name, _, let filename, let contentType), .stream(let name, _, let filename, let contentType):
            header(name: name, filename: filename, contentType: contentType)
        }
    }

    /// Returns the header section of a part, with the empty line at its end (RFC 7578, section 4.2).
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - filename: The name of the file; nil for a field that is no file.
    ///   - contentType: The media type of the content; nil for plain text.
    private static func header(name: String, filename: String?, contentType: String?) -> [UInt8] {
        var header = Array("Content-Disposition: form-data; name=".utf8)
        header += quoted(name)
        if let filename {
            header += "; filename=".utf8
            header += quoted(filename)
        }
        header += "\r\n".utf8
        if let contentType {
            header += "Content-Type: ".utf8
            // Control characters are left out, because a line break could start another header.
            header += contentType.exactBytes.filter { $0 >= 0x20 && $0 != 0x7F }
            header += "\r\n".utf8
        }
        header += "\r\n".utf8
        return header
    }

    /// Returns a boundary in curl's form: 24 dashes, and 64 random bits in hexadecimal, which make it unlikely to occur
    /// in a body.
    static func randomBoundary() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = String(generator.next(), radix: 16)
        return String(repeating: "-", count: 24) + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Returns a name in quotes. In the name, quotes and line breaks are percent-encoded, as browsers and curl do it
    /// (WHATWG HTML, multipart form data).
    private static func quoted(_ name: String) -> [UInt8] {
        var quotedName = [UInt8(ascii: "\"")]
        for byte in name.exactBytes {
            if "\"\r\n".utf8.contains(byte) {
                quotedName += PercentEncoding.encode(bytes: [byte]).utf8
            } else {
                quotedName.append(byte)
            }
        }
        quotedName.append(UInt8(ascii: "\""))
        return quotedName
    }

    /// Returns the name of the file at a path: `cat.png` for `pets/cat.png`.
    package static func filename(_ path: String) -> String {
        // The path is split into Unicode scalars. A name may start with a combining mark, which would form one
        // character with the slash before it.
        path.unicodeScalars.split(separator: "/").last.map(String.init) ?? path
    }
}

/// Encodes multipart/form-data bodies (RFC 7578; RFC 2046, section 5.1).
enum Multipart {
    static func body(_ parts: [Part], boundary: String) -> RequestBody {
        var pieces: [RequestBody.Piece] = []
        var pending: [UInt8] = []
        for part in parts {
            pending += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"".utf8)
            switch part {
            case .field(let name, let value):
                pending += quoted(name) + Array("\"\r\n\r\n".utf8) + value.exactBytes
            case .file(let name, let path, let filename, let contentType):
                pending += quoted(name) + Array("\"; filename=\"".utf8) + quoted(filename ?? lastComponent(path))
                pending += Array("\"\r\nContent-Type: ".utf8)
                pending += contentType.exactBytes.filter { $0 >= 0x20 && $0 != 0x7F } + Array("\r\n\r\n".utf8)
                pieces += [.bytes(pending), .file(path: path)]
                pending = []
            }
            pending += Array("\r\n".utf8)
        }
        pending += Array("--\(boundary)--\r\n".utf8)
        return RequestBody(pieces + [.bytes(pending)], parts: parts)
    }

    /// A boundary in curl's form: dashes and enough random digits that it will not occur in a body.
    static func randomBoundary() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = String(generator.next(), radix: 16)
        return String(repeating: "-", count: 24) + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// A name with quotes and line breaks percent-encoded, as browsers and curl do (WHATWG HTML, multipart form data).
    private static func quoted(_ text: String) -> [UInt8] {
        text.exactBytes.flatMap { "\"\r\n".utf8.contains($0) ? Array(PercentEncoding.encode(bytes: [$0]).utf8) : [$0] }
    }

    private static func lastComponent(_ path: String) -> String {
        // Unicode scalars, because a name may start with a combining mark, which makes one character with the slash.
        path.unicodeScalars.split(separator: "/").last.map(String.init) ?? path
    }
}

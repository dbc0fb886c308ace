import JSONText

/// A request in the form that Signature Version 4 signs: the same text for all spellings of the request.
struct AWSCanonicalRequest {
    /// The text: method, path, query, headers, names of the headers, digest of the body.
    let text: String
    /// The names of the headers that are signed: `host;x-amz-date`.
    let signedHeaders: String

    /// Headers that are not signed, because proxies and transports add or change them. The AWS SDKs leave out the same
    /// ones.
    private static let unsigned: Set<String> = HTTPField.ofConnection.union([
        "accept-encoding", "authorization", "expect", "user-agent", "x-amzn-trace-id",
    ])

    /// Writes a request that has all headers to sign.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - encodesPathTwice: Whether the encoded path is normalized and encoded again, as for all services except S3.
    ///   - payloadDigest: The digest of the body in hexadecimal digits.
    /// - Throws: ``MissingCredential`` if a secret of the request has no value.
    init(_ request: Request, encodesPathTwice: Bool, payloadDigest: String) throws(MissingCredential) {
        let headers = try Self.headers(of: request)
        let path = request.encodedPath
        signedHeaders = headers.map(\.name).joined(separator: ";")
        var lines = [request.method.rawValue]
        lines.append(encodesPathTwice ? Self.encodedAgain(Self.normalized(path)) : Self.encoded(path))
        lines.append(Self.query(try request.encodedQuery()))
        lines += headers.map { "\($0.name):\($0.value)" }
        lines += ["", signedHeaders, payloadDigest]
        text = lines.joined(separator: "\n")
    }

    // MARK: Path

    /// Returns a path without empty and dot segments: `/a/c/` for `//a/./b/../c/`.
    private static func normalized(_ path: String) -> String {
        var segments: [Substring] = []
        let pathSegments = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        for segment in pathSegments {
            switch segment {
            case ".": break
            case "..": _ = segments.popLast()
            default: segments.append(segment)
            }
        }
        let isDirectory = path.hasSuffix("/") && !segments.isEmpty
        return "/" + segments.joined(separator: "/") + (isDirectory ? "/" : "")
    }

    /// Returns a path in which `%` is encoded too: `/a%2520b` for `/a%20b`.
    private static func encodedAgain(_ path: String) -> String {
        segments(of: path).map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
    }

    /// Returns an encoded path in the one spelling in which only unreserved characters are plain: `/a%28b%29` for
    /// `/a(b)`.
    private static func encoded(_ path: String) -> String {
        segments(of: path).map { PercentEncoding.encode(PercentEncoding.decode($0)) }.joined(separator: "/")
    }

    private static func segments(of path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    // MARK: Query

    /// Returns a query with all items encoded alike, and in order of the encoded names and values. An item without a
    /// value gets a `=`.
    private static func query(_ query: String) -> String {
        let items = query.split(separator: "&").map { text in
            let item = FormText.item(text)
            return (name: PercentEncoding.encode(item.name), value: PercentEncoding.encode(item.value ?? ""))
        }
        // The encoded texts are ASCII. In a comparison of whole items, the `=` would count, which comes after digits.
        let sorted = items.sorted { left, right in
            left.name == right.name ? left.value < right.value : left.name < right.name
        }
        return sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    // MARK: Headers

    /// Returns the headers to sign in order of their names, which are in lower case. Values of one name are joined by
    /// commas in the order they are sent.
    private static func headers(of request: Request) throws(MissingCredential) -> [(name: String, value: String)] {
        var values = ["host": request.host]
        for header in request.headers {
            let name = header.name.lowercased()
            if unsigned.contains(name) { continue }
            let value = singleSpaced(try header.revealedValue())
            // A header `Host` replaces the one that follows from the URL.
            if let others = values[name], name != "host" {
                values[name] = "\(others),\(value)"
            } else {
                values[name] = value
            }
        }
        return values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// Returns a header's value without blanks at its ends, and with one space in place of several blanks.
    private static func singleSpaced(_ value: String) -> String {
        let words = value.exactBytes.split { $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }
        return String(exactBytes: Array(words.joined(separator: " ".utf8)))
    }
}

import JSONText

/// A request in the form that AWS's Signature Version 4 signs: the same text for all spellings of the request.
struct AWSCanonicalRequest {
    /// The text: method, path, query, headers, names of the headers, digest of the body.
    let text: String
    /// The names of the headers that are signed: `host;x-amz-date`.
    let signedHeaders: String

    /// The names of headers that are not signed, because proxies and transports add or change them. The AWS SDKs leave
    /// out the same headers.
    private static let unsignedHeaders: Set<String> = HTTPField.ofConnection.union([
        "accept-encoding", "authorization", "expect", "user-agent", "x-amzn-trace-id",
    ])

    /// Creates the canonical request of AWS's Signature Version 4, which is the text that the signature covers:
    ///
    ///     GET
    ///     /items
    ///     page=2
    ///     host:api.example.com
    ///     x-amz-date:20150830T123600Z
    ///
    ///     host;x-amz-date
    ///     e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
    ///
    /// - Parameters:
    ///   - request: The request, which has all headers to sign.
    ///   - encodesPathTwice: Whether the encoded path is normalized and encoded again, as for all services except S3.
    ///   - payloadDigest: The digest of the body in hexadecimal digits.
    /// - Throws: ``MissingCredential`` if a secret of the request has no value.
    init(_ request: Request, encodesPathTwice: Bool, payloadDigest: String) throws(MissingCredential) {
        let headers = try Self.headersToSign(of: request)
        signedHeaders = headers.map(\.name).joined(separator: ";")
        let path = request.encodedPath
        let canonicalPath = encodesPathTwice ? Self.encodedTwice(Self.normalized(path)) : Self.encodedOnce(path)
        let canonicalQuery = Self.sortedAndEncoded(query: try request.encodedQuery())
        var lines = [request.method.rawValue, canonicalPath, canonicalQuery]
        lines += headers.map { "\($0.name):\($0.value)" }
        lines += ["", signedHeaders, payloadDigest]
        text = lines.joined(separator: "\n")
    }

    // MARK: Path

    /// Returns a path without empty and dot segments: `/a/c/` for `//a/./b/../c/`.
    private static func normalized(_ path: String) -> String {
        var normalizedSegments: [Substring] = []
        for segment in segments(of: path) {
            switch segment {
            case "", ".": break
            case "..": _ = normalizedSegments.popLast()
            default: normalizedSegments.append(segment)
            }
        }
        let endsWithSlash = path.hasSuffix("/") && !normalizedSegments.isEmpty
        return "/" + normalizedSegments.joined(separator: "/") + (endsWithSlash ? "/" : "")
    }

    /// Returns a percent-encoded path that is encoded a second time: `/a%2520b` for `/a%20b`.
    private static func encodedTwice(_ path: String) -> String {
        segments(of: path).map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
    }

    /// Returns a percent-encoded path in which everything but unreserved characters is encoded: `/a%28b%29` for
    /// `/a(b)`.
    private static func encodedOnce(_ path: String) -> String {
        segments(of: path).map { PercentEncoding.encode(PercentEncoding.decode($0)) }.joined(separator: "/")
    }

    /// Returns the texts between the slashes of a path, empty ones included.
    ///
    /// The path is split byte by byte, because a `/` before a combining mark is no `/` to a Character.
    private static func segments(of path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    // MARK: Query

    /// Returns a query with all items percent-encoded alike, sorted by their encoded names and then by their values. An
    /// item without a value gets a `=`.
    ///
    ///     b=2&a=(&c    →    a=%28&b=2&c=
    private static func sortedAndEncoded(query: String) -> String {
        let items = query.split(separator: "&").map { encodedItem in
            let item = FormText.item(encodedItem)
            return (name: PercentEncoding.encode(item.name), value: PercentEncoding.encode(item.value ?? ""))
        }
        // In a comparison of whole items, the `=` would count: `a1=` would come before `a=`.
        let sortedItems = items.sorted { left, right in
            left.name == right.name ? left.value < right.value : left.name < right.name
        }
        return sortedItems.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    // MARK: Headers

    /// Returns the headers to sign, sorted by their names, which are in lower case.
    ///
    /// Several values of one name are joined by commas in the order in which they are sent.
    ///
    /// - Throws: ``MissingCredential`` if a secret of the request has no value.
    private static func headersToSign(
        of request: Request
    ) throws(MissingCredential) -> [(name: String, value: String)] {
        var valuesByName = ["host": request.host]
        for header in request.headers {
            let name = header.name.lowercased()
            if unsignedHeaders.contains(name) { continue }
            let value = singleSpaced(try header.revealedValue())
            // A header `Host` replaces the value that follows from the URL.
            if let earlierValues = valuesByName[name], name != "host" {
                valuesByName[name] = "\(earlierValues),\(value)"
            } else {
                valuesByName[name] = value
            }
        }
        return valuesByName.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// Returns a header's value without blanks at its ends, and with one space in place of several blanks.
    private static func singleSpaced(_ value: String) -> String {
        let words = value.exactBytes.split { $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }
        return String(exactBytes: Array(words.joined(separator: " ".utf8)))
    }
}

import EndpointKit

/// What tells one state of a file on a server from another (RFC 9110, section 8.8).
struct DownloadEntity: Equatable {
    var etag: String?
    var lastModified: String?
    /// When the server said so.
    var date: String?
    /// The length of the whole in bytes.
    var length: Int?

    init(etag: String? = nil, lastModified: String? = nil, date: String? = nil, length: Int? = nil) {
        self.etag = etag
        self.lastModified = lastModified
        self.date = date
        self.length = length
    }

    /// What `head`, of an answer with the whole or with a part, tells.
    init(_ head: ResponseHead) {
        etag = head["ETag"].flatMap(Self.oneLine)
        lastModified = head["Last-Modified"].flatMap(Self.oneLine)
        date = head["Date"].flatMap(Self.oneLine)
        length = head.status == 206 ? head["Content-Range"].flatMap(ContentRange.init)?.total : head.bodyLength
    }

    /// Reads ``text``; nil where it says nothing. A line without its end is left out: it was never finished.
    init?(text: String) {
        self.init()
        var rest = text.unicodeScalars[...]
        while let end = rest.firstIndex(of: "\n") {
            let line = rest[..<end]
            rest = rest[end...].dropFirst()
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = String(line[colon...].dropFirst().drop { $0 == " " })
            switch String(line[..<colon]) {
            case "ETag": etag = Self.oneLine(value)
            case "Last-Modified": lastModified = Self.oneLine(value)
            case "Date": date = Self.oneLine(value)
            case "Content-Length": length = Int(value).flatMap { $0 >= 0 ? $0 : nil }
            default: break
            }
        }
        if etag == nil, lastModified == nil, length == nil { return nil }
    }

    /// As lines of `Name: value`, to be kept beside the bytes.
    var text: String {
        [("ETag", etag), ("Last-Modified", lastModified), ("Date", date), ("Content-Length", length.map(String.init))]
            .map { name, value in value.map { "\(name): \($0)\n" } ?? "" }.joined()
    }

    /// The value of `If-Range`: a strong entity tag, else a date of which it is sure that nothing changed within the same second
    /// (RFC 9110, sections 13.1.5 and 8.8.2.2). Nil where there is neither.
    var ifRange: String? {
        if let etag { if Self.isStrong(etag) { return etag } }
        guard let lastModified, let changed = HTTPDate.parse(lastModified), let date, let told = HTTPDate.parse(date),
            told > changed
        else { return nil }
        return lastModified
    }

    /// This with what only `other`, which agrees with it, knows.
    func completed(by other: DownloadEntity) -> DownloadEntity {
        var result = self
        result.etag = etag ?? other.etag
        result.length = length ?? other.length
        if lastModified == nil {
            // The two belong together: a later moment would make an unsure date look sure.
            result.lastModified = other.lastModified
            result.date = other.date
        }
        return result
    }

    /// Whether nothing that both know differs.
    func agrees(with other: DownloadEntity) -> Bool {
        func agree<Value: Equatable>(_ one: Value?, _ two: Value?) -> Bool { one == nil || two == nil || one == two }
        return agree(etag, other.etag) && agree(lastModified, other.lastModified) && agree(length, other.length)
    }

    /// Whether `other` is said to be the same: an entity tag, or without one the date, is there and equal.
    func isSame(as other: DownloadEntity) -> Bool {
        guard agrees(with: other) else { return false }
        return etag != nil && etag == other.etag || lastModified != nil && lastModified == other.lastModified
    }

    static func isStrong(_ etag: String) -> Bool {
        etag.utf8.count >= 2 && etag.hasPrefix("\"") && etag.hasSuffix("\"")
    }

    /// A header field's value that is sent back or written to a file must not end its line.
    private static func oneLine(_ text: String) -> String? {
        text.isEmpty || text.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? nil : text
    }
}

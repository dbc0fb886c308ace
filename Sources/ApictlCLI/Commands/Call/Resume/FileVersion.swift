import EndpointKit

/// What identifies a version of a file on a server: its validators and length (RFC 9110, section 8.8).
struct FileVersion: Equatable {
    var etag: String?
    var lastModified: String?
    /// The `Date` of the response that had `lastModified`.
    var date: String?
    /// The length of the whole in bytes.
    var length: Int?

    init(etag: String? = nil, lastModified: String? = nil, date: String? = nil, length: Int? = nil) {
        self.etag = etag
        self.lastModified = lastModified
        self.date = date
        self.length = length
    }

    /// The version that a response with the whole file or a part of it belongs to.
    init(_ head: ResponseHead) {
        etag = head["ETag"].flatMap(Self.oneLine)
        lastModified = head["Last-Modified"].flatMap(Self.oneLine)
        date = head["Date"].flatMap(Self.oneLine)
        length = head.status == 206 ? head["Content-Range"].flatMap(ContentRange.init)?.total : head.bodyLength
    }

    /// Parses ``text``; nil if it identifies nothing. A line without its newline is ignored: writing it was interrupted.
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

    /// Lines of `Name: value`, to be saved beside the bytes.
    var text: String {
        [("ETag", etag), ("Last-Modified", lastModified), ("Date", date), ("Content-Length", length.map(String.init))]
            .map { name, value in value.map { "\(name): \($0)\n" } ?? "" }.joined()
    }

    /// The value of `If-Range`: a strong entity tag, or a modification date that lies at least a second before the response
    /// (RFC 9110, sections 13.1.5 and 8.8.2.2); nil if there is neither.
    var ifRange: String? {
        if let etag { if Self.isStrong(etag) { return etag } }
        guard let lastModified, let changed = HTTPDate.parse(lastModified), let date, let sent = HTTPDate.parse(date),
            sent > changed
        else { return nil }
        return lastModified
    }

    /// This version with what only `other` states; the two must agree.
    func completed(by other: FileVersion) -> FileVersion {
        var result = self
        result.etag = etag ?? other.etag
        result.length = length ?? other.length
        if lastModified == nil {
            // Both from one response: a later `date` would make a weak `lastModified` look strong.
            result.lastModified = other.lastModified
            result.date = other.date
        }
        return result
    }

    /// Whether nothing that both state differs.
    func agrees(with other: FileVersion) -> Bool {
        func agree<Value: Equatable>(_ one: Value?, _ two: Value?) -> Bool { one == nil || two == nil || one == two }
        return agree(etag, other.etag) && agree(lastModified, other.lastModified) && agree(length, other.length)
    }

    /// Whether `other` is certainly the same: it agrees, and the entity tags or the modification dates are equal.
    func isSame(as other: FileVersion) -> Bool {
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

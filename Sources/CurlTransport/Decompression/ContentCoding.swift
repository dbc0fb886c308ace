import EndpointKit

/// A content coding that can be decoded (RFC 9110, section 8.4.1; RFC 7932; RFC 8878).
enum ContentCoding: String, Sendable, CaseIterable {
    case deflate, gzip, brotli = "br", zstd

    /// The content codings of a body.
    enum Listing: Equatable {
        /// In the order in which they were applied.
        case known([ContentCoding])
        /// The codings can't be decoded, for this reason.
        case refused(DecompressionProblem)
    }

    /// As many as libcurl and browsers accept.
    private static let limit = 5

    /// The codings that the response headers list; nil if the body is not compressed.
    static func listing(_ head: ResponseHead) -> Listing? {
        var codings: [ContentCoding] = []
        for member in head.members(of: "content-encoding") {
            let name = Substring(member).lowercased()
            if name.isEmpty || name == "identity" { continue }
            guard let coding = ContentCoding(rawValue: name == "x-gzip" ? "gzip" : name) else {
                return .refused(.unknown(String(Substring(member))))
            }
            guard codings.count < limit else { return .refused(.tooMany(limit)) }
            codings.append(coding)
        }
        return codings.isEmpty ? nil : .known(codings)
    }
}

import EndpointKit

/// A content coding that can be undone (RFC 9110, section 8.4.1; RFC 7932; RFC 8878).
enum Coding: String, Sendable, CaseIterable {
    case deflate, gzip, brotli = "br", zstd

    /// What is behind a body's head that is to be unpacked.
    enum Listing: Equatable {
        /// In the order in which they were applied.
        case known([Coding])
        /// The codings can't be undone; why.
        case refused(UnpackingProblem)
    }

    /// As many as libcurl and browsers take.
    private static let limit = 5

    /// The codings of a body; nil where it is not packed.
    static func listing(_ head: ResponseHead) -> Listing? {
        var codings: [Coding] = []
        for member in head.members(of: "content-encoding") {
            let name = Substring(member).lowercased()
            if name.isEmpty || name == "identity" { continue }
            guard let coding = Coding(rawValue: name == "x-gzip" ? "gzip" : name) else {
                return .refused(.unknown(String(Substring(member))))
            }
            guard codings.count < limit else { return .refused(.tooMany(limit)) }
            codings.append(coding)
        }
        return codings.isEmpty ? nil : .known(codings)
    }
}

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
        for member in head.fields.members(of: "content-encoding") {
            let name = member.lowercased()
            if name.isEmpty || name == "identity" { continue }
            guard let coding = ContentCoding(rawValue: name == "x-gzip" ? "gzip" : name) else {
                return .refused(.unknown(String(member)))
            }
            guard codings.count < limit else { return .refused(.tooMany(limit)) }
            codings.append(coding)
        }
        return codings.isEmpty ? nil : .known(codings)
    }
}

/// Decodes one content coding.
///
/// Not `Sendable`: used by one thread at a time.
protocol ContentDecoder: AnyObject {
    /// Decodes what fits from `input`, which may be empty, into `output`, which may not. Not called again after a problem.
    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep

    /// Whether the input so far is complete, including the checksum if the coding has one.
    var isAtEnd: Bool { get }
}

/// The outcome of one call of a decoder.
struct DecodingStep {
    /// The bytes of the input that were consumed.
    var consumed = 0
    /// The bytes written to the output; if they fill it, there may be more without further input.
    var produced = 0
    /// What is wrong with the input after those.
    var problem: DecompressionProblem?
}

/// Why a body can't be decompressed.
enum DecompressionProblem: Error, Equatable {
    /// The name of a coding, as the server sent it.
    case unknown(String)
    case tooMany(Int)
    /// This machine lacks the coding's library, or memory for it.
    case unavailable(ContentCoding)
    case wrong(ContentCoding, String)
    /// The compressed data ends early, and is right so far.
    case cut(ContentCoding)

    static func trailing(_ coding: ContentCoding) -> Self { .wrong(coding, "there is data after its end") }

    /// For an error message, such as `gzip: it ends too early`.
    var reason: String {
        switch self {
        case .unknown(let name): "the unknown coding \(name)"
        case .tooMany(let limit): "more than \(limit) codings"
        case .unavailable(let coding): "\(coding.rawValue): its library is missing, or out of memory"
        case .wrong(let coding, let what): "\(coding.rawValue): \(what)"
        case .cut(let coding): "\(coding.rawValue): it ends too early"
        }
    }
}

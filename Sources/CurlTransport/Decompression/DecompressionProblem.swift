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

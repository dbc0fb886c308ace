/// Why a body can't be unpacked.
enum UnpackingProblem: Error, Equatable {
    /// The name of a coding, as the server sent it.
    case unknown(String)
    case tooMany(Int)
    /// This machine lacks the coding's library, or memory for it.
    case unavailable(Coding)
    case wrong(Coding, String)
    /// The packed form breaks off; what there is of it is right.
    case cut(Coding)

    static func trailing(_ coding: Coding) -> Self { .wrong(coding, "there is more behind its end") }

    /// In a few words, such as `gzip: it ends too early`.
    var reason: String {
        switch self {
        case .unknown(let name): "the unknown coding \(name)"
        case .tooMany(let limit): "more than \(limit) codings"
        case .unavailable(let coding): "\(coding.rawValue): its library is not there, or has no memory"
        case .wrong(let coding, let what): "\(coding.rawValue): \(what)"
        case .cut(let coding): "\(coding.rawValue): it ends too early"
        }
    }
}

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The links of an issue that is a pull request.
public struct PullRequestLinks: Codable, Sendable, Equatable {
    public let url: String?
    public let htmlURL: String?
    public let diffURL: String?
    public let patchURL: String?
    /// Nil if it is not merged.
    public let mergedAt: Date?

    enum CodingKeys: String, CodingKey {
        case url
        case htmlURL = "html_url"
        case diffURL = "diff_url"
        case patchURL = "patch_url"
        case mergedAt = "merged_at"
    }
}

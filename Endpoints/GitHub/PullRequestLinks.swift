#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The links of an issue that is a pull request.
public struct PullRequestLinks: Codable, Sendable, Equatable {
    public let url: String?
    public let htmlUrl: String?
    public let diffUrl: String?
    public let patchUrl: String?
    /// Nil if it is not merged.
    public let mergedAt: Date?
}

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A milestone that issues are planned for.
public struct Milestone: Codable, Sendable, Equatable, Identifiable {
    public let url: String?
    public let htmlUrl: String?
    public let id: Int
    public let number: Int
    public let title: String
    public let description: String?
    /// `open` or `closed`.
    public let state: String?
    public let openIssues: Int?
    public let closedIssues: Int?
    public let createdAt: Date?
    public let updatedAt: Date?
    public let dueOn: Date?
    public let closedAt: Date?
}

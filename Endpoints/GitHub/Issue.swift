#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An issue or a pull request; GitHub lists both as issues.
public struct Issue: Codable, Sendable, Equatable, Identifiable {
    public let url: String?
    public let repositoryUrl: String?
    public let htmlUrl: String?
    public let id: Int
    public let nodeId: String?
    /// The number within the repository.
    public let number: Int
    public let title: String
    /// Nil if the account was deleted.
    public let author: Account?
    public let labels: [IssueLabel]?
    /// `open` or `closed`.
    public let state: String?
    public let isLocked: Bool?
    public let assignee: Account?
    public let assignees: [Account]?
    public let milestone: Milestone?
    /// The number of comments.
    public let comments: Int?
    public let createdAt: Date?
    public let updatedAt: Date?
    public let closedAt: Date?
    public let authorAssociation: String?
    public let activeLockReason: String?
    /// Only present on pull requests.
    public let isDraft: Bool?
    /// Absent from issues.
    public let pullRequest: PullRequestLinks?
    public let body: String?
    /// `completed`, `not_planned` or `reopened`.
    public let stateReason: String?

    enum CodingKeys: String, CodingKey {
        case url
        case repositoryUrl
        case htmlUrl
        case id
        case nodeId
        case number
        case title
        case author = "user"
        case labels
        case state
        case isLocked = "locked"
        case assignee
        case assignees
        case milestone
        case comments
        case createdAt
        case updatedAt
        case closedAt
        case authorAssociation
        case activeLockReason
        case isDraft = "draft"
        case pullRequest
        case body
        case stateReason
    }
}

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An issue or a pull request; GitHub lists both as issues.
public struct Issue: Codable, Sendable, Equatable, Identifiable {
    public let url: String?
    public let repositoryURL: String?
    public let htmlURL: String?
    public let id: Int
    public let nodeID: String?
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
        case repositoryURL = "repository_url"
        case htmlURL = "html_url"
        case id
        case nodeID = "node_id"
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
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case closedAt = "closed_at"
        case authorAssociation = "author_association"
        case activeLockReason = "active_lock_reason"
        case isDraft = "draft"
        case pullRequest = "pull_request"
        case body
        case stateReason = "state_reason"
    }
}

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A repository.
public struct Repository: Codable, Sendable, Equatable, Identifiable {
    public let id: Int
    public let nodeId: String?
    public let name: String
    /// The name with the owner's: `swiftlang/swift`.
    public let fullName: String?
    public let isPrivate: Bool?
    public let owner: Account?
    public let htmlUrl: String?
    public let description: String?
    public let isFork: Bool?
    public let url: String?
    public let createdAt: Date?
    public let updatedAt: Date?
    public let pushedAt: Date?
    public let cloneUrl: String?
    /// May be empty.
    public let homepage: String?
    /// In kilobytes.
    public let size: Int?
    public let stargazersCount: Int?
    /// The number of stargazers, once more. GitHub calls people who watch a repository its subscribers.
    public let watchersCount: Int?
    /// The language of most of the code.
    public let language: String?
    public let hasIssues: Bool?
    public let hasProjects: Bool?
    public let hasDownloads: Bool?
    public let hasWiki: Bool?
    public let hasPages: Bool?
    public let hasDiscussions: Bool?
    public let forksCount: Int?
    public let mirrorUrl: String?
    public let isArchived: Bool?
    public let isDisabled: Bool?
    /// Including pull requests.
    public let openIssuesCount: Int?
    public let license: License?
    public let allowsForking: Bool?
    public let isTemplate: Bool?
    public let requiresWebCommitSignoff: Bool?
    public let topics: [String]?
    public let visibility: String?
    public let forks: Int?
    public let openIssues: Int?
    public let watchers: Int?
    public let defaultBranch: String?
    public let networkCount: Int?
    public let subscribersCount: Int?
    /// Only search results have one.
    public let score: Double?

    enum CodingKeys: String, CodingKey {
        case id
        case nodeId
        case name
        case fullName
        case isPrivate = "private"
        case owner
        case htmlUrl
        case description
        case isFork = "fork"
        case url
        case createdAt
        case updatedAt
        case pushedAt
        case cloneUrl
        case homepage
        case size
        case stargazersCount
        case watchersCount
        case language
        case hasIssues
        case hasProjects
        case hasDownloads
        case hasWiki
        case hasPages
        case hasDiscussions
        case forksCount
        case mirrorUrl
        case isArchived = "archived"
        case isDisabled = "disabled"
        case openIssuesCount
        case license
        case allowsForking = "allowForking"
        case isTemplate
        case requiresWebCommitSignoff = "webCommitSignoffRequired"
        case topics
        case visibility
        case forks
        case openIssues
        case watchers
        case defaultBranch
        case networkCount
        case subscribersCount
        case score
    }
}

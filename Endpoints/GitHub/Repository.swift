#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A repository.
public struct Repository: Codable, Sendable, Equatable, Identifiable {
    public let id: Int
    public let nodeID: String?
    public let name: String
    /// The name with the owner's: `swiftlang/swift`.
    public let fullName: String?
    public let isPrivate: Bool?
    public let owner: Account?
    public let htmlURL: String?
    public let description: String?
    public let isFork: Bool?
    public let url: String?
    public let createdAt: Date?
    public let updatedAt: Date?
    public let pushedAt: Date?
    public let cloneURL: String?
    /// May be empty.
    public let homepage: String?
    /// In kilobytes.
    public let size: Int?
    public let stargazersCount: Int?
    /// The same as the number of stargazers; people who watch it are called subscribers.
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
    public let mirrorURL: String?
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
        case nodeID = "node_id"
        case name
        case fullName = "full_name"
        case isPrivate = "private"
        case owner
        case htmlURL = "html_url"
        case description
        case isFork = "fork"
        case url
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case pushedAt = "pushed_at"
        case cloneURL = "clone_url"
        case homepage
        case size
        case stargazersCount = "stargazers_count"
        case watchersCount = "watchers_count"
        case language
        case hasIssues = "has_issues"
        case hasProjects = "has_projects"
        case hasDownloads = "has_downloads"
        case hasWiki = "has_wiki"
        case hasPages = "has_pages"
        case hasDiscussions = "has_discussions"
        case forksCount = "forks_count"
        case mirrorURL = "mirror_url"
        case isArchived = "archived"
        case isDisabled = "disabled"
        case openIssuesCount = "open_issues_count"
        case license
        case allowsForking = "allow_forking"
        case isTemplate = "is_template"
        case requiresWebCommitSignoff = "web_commit_signoff_required"
        case topics
        case visibility
        case forks
        case openIssues = "open_issues"
        case watchers
        case defaultBranch = "default_branch"
        case networkCount = "network_count"
        case subscribersCount = "subscribers_count"
        case score
    }
}

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A user or an organization with its profile.
public struct User: Codable, Sendable, Equatable, Identifiable {
    /// The name in URLs.
    public let login: String
    public let id: Int
    public let nodeId: String?
    public let avatarUrl: String?
    public let gravatarId: String?
    public let url: String?
    public let htmlUrl: String?
    /// `User`, `Organization` or `Bot`.
    public let type: String?
    public let isSiteAdmin: Bool?
    public let name: String?
    public let company: String?
    public let blog: String?
    public let location: String?
    /// Nil unless the address is public.
    public let email: String?
    public let isHireable: Bool?
    public let bio: String?
    public let twitterUsername: String?
    public let publicRepositories: Int?
    public let publicGists: Int?
    public let followers: Int?
    public let following: Int?
    public let createdAt: Date?
    public let updatedAt: Date?

    enum CodingKeys: String, CodingKey {
        case login
        case id
        case nodeId
        case avatarUrl
        case gravatarId
        case url
        case htmlUrl
        case type
        case isSiteAdmin = "siteAdmin"
        case name
        case company
        case blog
        case location
        case email
        case isHireable = "hireable"
        case bio
        case twitterUsername
        case publicRepositories = "publicRepos"
        case publicGists
        case followers
        case following
        case createdAt
        case updatedAt
    }
}

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
    public let nodeID: String?
    public let avatarURL: String?
    public let gravatarID: String?
    public let url: String?
    public let htmlURL: String?
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
        case nodeID = "node_id"
        case avatarURL = "avatar_url"
        case gravatarID = "gravatar_id"
        case url
        case htmlURL = "html_url"
        case type
        case isSiteAdmin = "site_admin"
        case name
        case company
        case blog
        case location
        case email
        case isHireable = "hireable"
        case bio
        case twitterUsername = "twitter_username"
        case publicRepositories = "public_repos"
        case publicGists = "public_gists"
        case followers
        case following
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}

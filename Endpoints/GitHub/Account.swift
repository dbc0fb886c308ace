/// A user or an organization inside other responses.
public struct Account: Codable, Sendable, Equatable, Identifiable {
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
    }
}

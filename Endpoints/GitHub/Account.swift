/// A user or an organization inside other responses.
public struct Account: Codable, Sendable, Equatable, Identifiable {
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
    }
}

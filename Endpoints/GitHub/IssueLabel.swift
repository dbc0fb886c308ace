/// A label of an issue.
public struct IssueLabel: Codable, Sendable, Equatable, Identifiable {
    public let id: Int
    public let nodeId: String?
    public let url: String?
    public let name: String
    public let description: String?
    /// Six hexadecimal digits.
    public let color: String?
    public let isDefault: Bool?

    enum CodingKeys: String, CodingKey {
        case id
        case nodeId
        case url
        case name
        case description
        case color
        case isDefault = "default"
    }
}

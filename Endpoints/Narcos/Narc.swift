/// A trafficker.
public struct Narc: Codable, Sendable, Equatable, Identifiable {
    public let id: String
    public let name: String
    public let alias: String?
    public let cartel: String
    /// Days such as `1949-12-01`.
    public let born: String?
    public let died: String?
    public let isCaptured: Bool
    /// The seasons of the series in which the person appears.
    public let seasons: [Int]

    enum CodingKeys: String, CodingKey {
        case id
        case name
        case alias
        case cartel
        case born
        case died
        case isCaptured = "captured"
        case seasons
    }
}

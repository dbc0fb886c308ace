/// The license of a repository.
public struct License: Codable, Sendable, Equatable {
    public let key: String
    public let name: String
    /// The name in the SPDX license list.
    public let spdxID: String?
    public let url: String?
    public let nodeID: String?

    enum CodingKeys: String, CodingKey {
        case key
        case name
        case spdxID = "spdx_id"
        case url
        case nodeID = "node_id"
    }
}

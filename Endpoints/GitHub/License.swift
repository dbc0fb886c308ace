/// The license of a repository.
public struct License: Codable, Sendable, Equatable {
    public let key: String
    public let name: String
    /// The name in the SPDX license list.
    public let spdxId: String?
    public let url: String?
    public let nodeId: String?
}

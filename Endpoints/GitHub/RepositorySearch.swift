/// One page of the repositories found by a search.
public struct RepositorySearch: Codable, Sendable, Equatable {
    public let totalCount: Int
    /// Whether the search ran out of time.
    public let isIncomplete: Bool
    public let repositories: [Repository]

    enum CodingKeys: String, CodingKey {
        case totalCount
        case isIncomplete = "incompleteResults"
        case repositories = "items"
    }
}

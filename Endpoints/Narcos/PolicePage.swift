/// The officers on the case.
public struct PolicePage: Codable, Sendable, Equatable {
    public let officers: [Officer]
    public let totalOfficers: Int

    enum CodingKeys: String, CodingKey {
        case officers = "results"
        case totalOfficers = "total_results"
    }

    /// A police officer or an agent.
    public struct Officer: Codable, Sendable, Equatable, Identifiable {
        public let id: Int
        public let name: String
        public let agency: String
        public let rank: String?
        /// The seasons of the series in which the person appears.
        public let seasons: [Int]
    }
}

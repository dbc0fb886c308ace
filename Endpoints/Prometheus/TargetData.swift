/// The targets that the server scrapes, and those that its configuration drops.
public struct TargetData: Codable, Sendable, Equatable {
    public let activeTargets: [Target]
    public let droppedTargets: [DroppedTarget]
    /// The number of dropped targets by job; absent from servers before 2.47.
    public let droppedTargetCounts: [String: Int]?

    /// A target that is scraped.
    public struct Target: Codable, Sendable, Equatable {
        /// The labels before relabeling.
        public let discoveredLabels: [String: String]
        public let labels: [String: String]
        public let scrapePool: String
        public let scrapeUrl: String
        public let globalUrl: String?
        /// Empty if the last scrape succeeded.
        public let lastError: String
        /// The time as sent by the server, with nanoseconds and the server's time zone.
        public let lastScrape: String
        /// In seconds.
        public let lastScrapeDuration: Double
        /// `up`, `down` or `unknown`.
        public let health: String
        public let scrapeInterval: String?
        public let scrapeTimeout: String?
    }

    /// A target that relabeling drops.
    public struct DroppedTarget: Codable, Sendable, Equatable {
        public let discoveredLabels: [String: String]
    }
}

/// What the server scrapes, and what its configuration leaves out.
public struct TargetData: Codable, Sendable, Equatable {
    public let activeTargets: [Target]
    public let droppedTargets: [DroppedTarget]
    /// The number of dropped targets by job; servers before 2.47 do not tell.
    public let droppedTargetCounts: [String: Int]?

    /// A target that is scraped.
    public struct Target: Codable, Sendable, Equatable {
        /// The labels before relabeling.
        public let discoveredLabels: [String: String]
        public let labels: [String: String]
        public let scrapePool: String
        public let scrapeUrl: String
        public let globalUrl: String?
        /// Empty where the last scrape went well.
        public let lastError: String
        /// The time as the server writes it: with nanoseconds and the server's zone.
        public let lastScrape: String
        /// In seconds.
        public let lastScrapeDuration: Double
        /// `up`, `down` or `unknown`.
        public let health: String
        public let scrapeInterval: String?
        public let scrapeTimeout: String?
    }

    /// A target that relabeling leaves out.
    public struct DroppedTarget: Codable, Sendable, Equatable {
        public let discoveredLabels: [String: String]
    }
}

/// Comics, series, stories or events with a character: the first ones, and the URL of the whole list.
public struct ResourceList: Codable, Sendable, Equatable {
    public let available: Int?
    public let collectionURI: String?
    public let items: [Item]
    public let returned: Int?

    /// A comic, a series, a story or an event.
    public struct Item: Codable, Sendable, Equatable {
        public let resourceURI: String?
        public let name: String
        /// Only stories have one: `cover`, `interiorStory`, or empty.
        public let type: String?
    }
}

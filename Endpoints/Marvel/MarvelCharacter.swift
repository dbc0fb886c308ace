/// A character of the comics.
public struct MarvelCharacter: Codable, Sendable, Equatable, Identifiable {
    public let id: Int
    public let name: String
    /// Often empty.
    public let description: String?
    /// The time as sent by the server, such as `1969-12-31T19:00:00-0500` for a character that was never modified.
    public let modified: String?
    public let thumbnail: Image?
    public let resourceURI: String?
    public let comics: ResourceList?
    public let series: ResourceList?
    public let stories: ResourceList?
    public let events: ResourceList?
    public let urls: [Link]?

    /// An image, whose URL is the path, a size and the extension.
    public struct Image: Codable, Sendable, Equatable {
        public let path: String?
        public let `extension`: String?
    }

    /// A page about the character.
    public struct Link: Codable, Sendable, Equatable {
        public let type: String?
        public let url: String?
    }
}

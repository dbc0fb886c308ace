/// The slides of a talk.
public struct SlideshowResponse: Codable, Sendable, Equatable {
    public let slideshow: Slideshow

    /// A talk.
    public struct Slideshow: Codable, Sendable, Equatable {
        public let author: String
        public let date: String
        public let slides: [Slide]
        public let title: String
    }

    /// One slide; the first has a title only.
    public struct Slide: Codable, Sendable, Equatable {
        public let items: [String]?
        public let title: String
        public let type: String
    }
}

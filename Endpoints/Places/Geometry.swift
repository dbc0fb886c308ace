/// Where a place is, and the part of the map that shows it.
public struct Geometry: Codable, Sendable, Equatable {
    public let location: Coordinate
    public let viewport: Viewport?

    /// A point in degrees (WGS 84).
    public struct Coordinate: Codable, Sendable, Equatable {
        public let latitude: Double
        public let longitude: Double

        enum CodingKeys: String, CodingKey {
            case latitude = "lat"
            case longitude = "lng"
        }
    }

    /// A box on the map.
    public struct Viewport: Codable, Sendable, Equatable {
        public let northeast: Coordinate
        public let southwest: Coordinate
    }
}

/// A place in a list of search results.
public struct Place: Codable, Sendable, Equatable {
    /// `OPERATIONAL`, `CLOSED_TEMPORARILY` or `CLOSED_PERMANENTLY`.
    public let businessStatus: String?
    public let geometry: Geometry?
    public let icon: String?
    public let iconBackgroundColor: String?
    public let iconMaskBaseUri: String?
    public let name: String
    public let openingHours: OpeningHours?
    public let photos: [Photo]?
    public let placeId: String
    public let plusCode: PlusCode?
    /// 0 (free) to 4 (very expensive).
    public let priceLevel: Int?
    /// 1 to 5.
    public let rating: Double?
    public let reference: String?
    public let scope: String?
    public let types: [String]?
    public let ratingCount: Int?
    /// The short address.
    public let vicinity: String?
    public let isPermanentlyClosed: Bool?

    enum CodingKeys: String, CodingKey {
        case businessStatus
        case geometry
        case icon
        case iconBackgroundColor
        case iconMaskBaseUri
        case name
        case openingHours
        case photos
        case placeId
        case plusCode
        case priceLevel
        case rating
        case reference
        case scope
        case types
        case ratingCount = "userRatingsTotal"
        case vicinity
        case isPermanentlyClosed = "permanentlyClosed"
    }

    /// The opening hours; the server may send an empty object.
    public struct OpeningHours: Codable, Sendable, Equatable {
        public let isOpenNow: Bool?

        enum CodingKeys: String, CodingKey {
            case isOpenNow = "openNow"
        }
    }

    /// A photo, which is requested by its reference.
    public struct Photo: Codable, Sendable, Equatable {
        public let height: Int?
        public let attributions: [String]?
        public let reference: String?
        public let width: Int?

        enum CodingKeys: String, CodingKey {
            case height
            case attributions = "htmlAttributions"
            case reference = "photoReference"
            case width
        }
    }

    /// An Open Location Code (plus.codes).
    public struct PlusCode: Codable, Sendable, Equatable {
        public let compoundCode: String?
        public let globalCode: String?
    }
}

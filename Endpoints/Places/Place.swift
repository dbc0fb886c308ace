/// A place in a list of search results.
public struct Place: Codable, Sendable, Equatable {
    /// `OPERATIONAL`, `CLOSED_TEMPORARILY` or `CLOSED_PERMANENTLY`.
    public let businessStatus: String?
    public let geometry: Geometry?
    public let icon: String?
    public let iconBackgroundColor: String?
    public let iconMaskBaseURI: String?
    public let name: String
    public let openingHours: OpeningHours?
    public let photos: [Photo]?
    public let placeID: String
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
        case businessStatus = "business_status"
        case geometry
        case icon
        case iconBackgroundColor = "icon_background_color"
        case iconMaskBaseURI = "icon_mask_base_uri"
        case name
        case openingHours = "opening_hours"
        case photos
        case placeID = "place_id"
        case plusCode = "plus_code"
        case priceLevel = "price_level"
        case rating
        case reference
        case scope
        case types
        case ratingCount = "user_ratings_total"
        case vicinity
        case isPermanentlyClosed = "permanently_closed"
    }

    /// The opening hours; the server may send an empty object.
    public struct OpeningHours: Codable, Sendable, Equatable {
        public let isOpenNow: Bool?

        enum CodingKeys: String, CodingKey {
            case isOpenNow = "open_now"
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
            case attributions = "html_attributions"
            case reference = "photo_reference"
            case width
        }
    }

    /// An Open Location Code (plus.codes).
    public struct PlusCode: Codable, Sendable, Equatable {
        public let compoundCode: String?
        public let globalCode: String?

        enum CodingKeys: String, CodingKey {
            case compoundCode = "compound_code"
            case globalCode = "global_code"
        }
    }
}

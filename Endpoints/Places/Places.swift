import EndpointKit

/// Google Places, the nearby search (developers.google.com/maps/documentation/places/web-service).
public enum Places: API {
    case nearby(
        latitude: Double, longitude: Double, keyword: String?, radius: Int?, type: String?, language: String?)

    public static let api = APIInfo(
        name: "places",
        summary: "Google Places",
        servers: [Server("production", url: "https://maps.googleapis.com")],
        coding: Coding(keys: .convertFromSnakeCase),
        credentials: [
            .query(
                "key", variable: "GOOGLE_PLACES_API_KEY", helpURL: "https://console.cloud.google.com/apis/credentials")
        ],
        samples: Samples(PackageResources.places_json))
    public static let examples: [Places] = [
        .nearby(
            latitude: -33.8670522, longitude: 151.1957362, keyword: "cruise", radius: 1500, type: "restaurant",
            language: "en")
    ]

    public var endpoint: Endpoint {
        switch self {
        case .nearby(let latitude, let longitude, let keyword, let radius, let type, let language):
            .get(
                "/maps/api/place/nearbysearch/json",
                query: [
                    "location": "\(latitude),\(longitude)",
                    "keyword": keyword,
                    "radius": radius ?? 6500,
                    "type": type ?? "restaurant",
                    "language": language ?? UserLanguage().code,
                ],
                returns: PlacePage.self, summary: "Places around a point",
                notes: [
                    "latitude": "degrees, north positive",
                    "longitude": "degrees, east positive",
                    "keyword": "text to look for in names, types and addresses",
                    "radius": "metres",
                    "type": "such as cafe or museum",
                    "language": "such as de; from LC_ALL, LC_MESSAGES or LANG",
                ],
                rules: [.range("latitude", -90...90), .range("longitude", -180...180), .range("radius", 1...50000)],
                pages: .cursor("pagetoken", from: "next_page_token", items: "results"))
        }
    }
}

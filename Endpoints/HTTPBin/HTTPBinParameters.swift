import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPBin {
    /// A product; the server only sends it back.
    public struct Product: Codable, Sendable, Equatable {
        public var title: String
        public var price: Decimal
        public var tags: [String]?
        public var releasedOn: Date?
        public var maker: Maker?

        public init(
            title: String, price: Decimal, tags: [String]? = nil, releasedOn: Date? = nil, maker: Maker? = nil
        ) {
            self.title = title
            self.price = price
            self.tags = tags
            self.releasedOn = releasedOn
            self.maker = maker
        }
    }

    /// The maker of a product.
    public struct Maker: Codable, Sendable, Equatable {
        public var name: String
        public var site: URL?

        public init(name: String, site: URL? = nil) {
            self.name = name
            self.site = site
        }
    }

    /// Changes to a product; nil fields stay the same.
    struct ProductChange: Codable, Sendable {
        let price: Decimal?
        let inStock: Bool?
        let releasedOn: Date?
    }

    /// A choice of texts.
    public enum Colour: String, Codable, CaseIterable, Sendable, ScalarParameter {
        case red, green, blue
    }

    /// A choice of numbers.
    public enum Level: Int, Codable, CaseIterable, Sendable, ScalarParameter {
        case low = 1
        case middle = 2
        case high = 3
    }

    /// The statuses that redirect a client to another URL (RFC 9110, section 15.4).
    public enum RedirectStatus: Int, Codable, CaseIterable, Sendable, ScalarParameter {
        case movedPermanently = 301
        case found = 302
        case seeOther = 303
        case temporaryRedirect = 307
        case permanentRedirect = 308
    }

    /// The picture formats that the server has.
    public enum ImageFormat: String, Codable, CaseIterable, Sendable, ScalarParameter {
        case png, jpeg, svg, webp
    }
}

import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An API with a parameter of every type a case may have.
package enum Everything: API, Equatable {
    case nothing
    case bool(flag: Bool)
    case integers(a: Int, b: Int8, c: Int16, d: Int32, e: Int64)
    case unsigned(a: UInt, b: UInt8, c: UInt16, d: UInt32, e: UInt64)
    case numbers(float: Float, double: Double, decimal: Decimal)
    case texts(string: String, url: URL, uuid: UUID, date: Date)
    case choices(genre: Genre, size: Size, unit: Unit)
    case lists(integers: [Int], texts: [String], dates: [Date], genres: [Genre])
    case products(list: [Product])
    case product(product: Product)
    case optionalScalars(
        bool: Bool?, integer: Int?, number: Double?, decimal: Decimal?, string: String?, url: URL?, uuid: UUID?,
        date: Date?, genre: Genre?, size: Size?, unit: Unit?)
    case optionalLists(integers: [Int]?, genres: [Genre]?, list: [Product]?)
    case optionalProduct(product: Product?)
    case labels(labels: [String: Int])
    case unlabelled(String)
    case mixed(Int, name: String, Bool?)

    package enum Genre: String, Codable, CaseIterable, Sendable, ScalarParameter {
        case drama
        case scienceFiction = "science-fiction"
    }

    package enum Size: Int, Codable, CaseIterable, Sendable, ScalarParameter {
        case small = 1
        case large = 10
    }

    /// Not `CaseIterable`: its values are not known.
    package enum Unit: String, Codable, Sendable, ScalarParameter { case metre, foot }

    package struct Product: Codable, Sendable, Equatable {
        package var title: String
        package var box: Box
        package var tags: [String]?
        package var genre: Genre?

        package init(title: String, box: Box, tags: [String]? = nil, genre: Genre? = nil) {
            self.title = title
            self.box = box
            self.tags = tags
            self.genre = genre
        }

        package struct Box: Codable, Sendable, Equatable {
            package var width: Int
            package var inner: Inner?

            package init(width: Int, inner: Inner? = nil) {
                self.width = width
                self.inner = inner
            }
        }

        package struct Inner: Codable, Sendable, Equatable {
            package var since: Date

            package init(since: Date) { self.since = since }
        }
    }

    package static let api = APIInfo(name: "everything", servers: [Server("main", url: "https://h.test")])

    package static let day = Date(timeIntervalSince1970: 1_795_253_400)
    package static let uuid = UUID(
        uuid: (0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0x0C, 0x24, 0x7A, 0x3E, 0x6E, 0x5F))
    package static let url: URL = {
        guard let url = URL(string: "https://h.test/a?b=1") else { preconditionFailure("a URL") }
        return url
    }()
    package static let small = Product(title: "tea", box: .init(width: 3))
    package static let full = Product(
        title: "tea", box: .init(width: 3, inner: .init(since: day)), tags: ["a", "b"], genre: .drama)

    package static let examples: [Everything] = [
        .nothing, .bool(flag: true),
        .integers(a: 1, b: -2, c: 3, d: 4, e: 5), .unsigned(a: 1, b: 2, c: 3, d: 4, e: 5),
        .numbers(float: 0.5, double: 2.25, decimal: Decimal(string: "0.1") ?? 0),
        .texts(string: "a b", url: url, uuid: uuid, date: day),
        .choices(genre: .scienceFiction, size: .large, unit: .foot),
        .lists(integers: [1, 2], texts: ["a"], dates: [day], genres: [.drama, .scienceFiction]),
        .products(list: [small, full]),
        .product(product: full),
        .optionalScalars(
            bool: nil, integer: nil, number: nil, decimal: nil, string: nil, url: nil, uuid: nil, date: nil, genre: nil,
            size: nil, unit: nil),
        .optionalLists(integers: nil, genres: nil, list: nil),
        .optionalProduct(product: nil),
        .labels(labels: ["a": 1]),
        .unlabelled("x"), .mixed(1, name: "n", nil),
    ]

    package var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "Everything") }
}

// Foundation's values and texts, on Linux without the parts that need ICU; whoever imports this module has them.
#if canImport(FoundationEssentials)
@_exported import FoundationEssentials
#else
@_exported import Foundation
#endif

/// How an API writes keys, dates, data and special numbers in JSON: the strategies of `JSONDecoder` and `JSONEncoder`, for both directions.
///
///     static let coding = Coding(keys: .convertFromSnakeCase, dates: .secondsSince1970)
public struct Coding: Sendable {
    /// How keys in the text relate to those of the models.
    public enum Keys: Sendable {
        /// They are the same.
        case useDefaultKeys
        /// `poster_path` in the text is `posterPath` in the model, both ways, by the rules of `JSONDecoder` and `JSONEncoder`.
        case convertFromSnakeCase
        /// The last key of each path is replaced by what the closure makes of the path.
        case custom(
            decode: @Sendable ([any CodingKey]) -> any CodingKey, encode: @Sendable ([any CodingKey]) -> any CodingKey)
    }

    /// How dates are written.
    public enum Dates: Sendable {
        /// ISO 8601 and RFC 3339, with or without a fraction, with any UTC offset; written in UTC.
        case iso8601
        /// A number of seconds since 1970, fractions included.
        case secondsSince1970
        /// A number of milliseconds since 1970, fractions included.
        case millisecondsSince1970
        /// As `Date` codes itself: a number of seconds since 2001.
        case deferredToDate
        /// By the closures.
        case custom(
            decode: @Sendable (any Decoder) throws -> Date, encode: @Sendable (Date, any Encoder) throws -> Void)
    }

    /// How `Data` is written.
    public enum DataForm: Sendable {
        /// A string in Base64 (RFC 4648, section 4).
        case base64
        /// As `Data` codes itself: an array of numbers.
        case deferredToData
        /// By the closures.
        case custom(
            decode: @Sendable (any Decoder) throws -> Data, encode: @Sendable (Data, any Encoder) throws -> Void)
    }

    /// How infinity and NaN, which JSON numbers cannot express, are encoded and decoded.
    public enum NonConformingFloats: Sendable, Hashable {
        /// An error.
        case `throw`
        /// These strings stand for them.
        case strings(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    package var keys: Keys
    package var dates: Dates
    package var data: DataForm
    package var floats: NonConformingFloats
    /// Passed to every value that is coded.
    package var userInfo: [CodingUserInfoKey: any Sendable]

    /// Keys as they are, dates in ISO 8601 and data in Base64, unless given.
    public init(
        keys: Keys = .useDefaultKeys, dates: Dates = .iso8601, data: DataForm = .base64,
        floats: NonConformingFloats = .throw, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.keys = keys
        self.dates = dates
        self.data = data
        self.floats = floats
        self.userInfo = userInfo
    }
}

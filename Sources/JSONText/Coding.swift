// Foundation's values and texts, on Linux without the parts that need ICU; whoever imports this module has them.
#if canImport(FoundationEssentials)
@_exported import FoundationEssentials
#else
@_exported import Foundation
#endif

/// How an API writes keys, dates, data and special numbers in JSON: the strategies of `JSONDecoder` and `JSONEncoder`,
/// for both directions.
///
///     coding: Coding(keys: .convertFromSnakeCase, dates: .secondsSince1970)
public struct Coding: Sendable {
    /// How the keys of a text relate to those of models.
    public enum Keys: Sendable {
        /// Keys are the same in both.
        case useDefaultKeys
        /// A key `poster_path` of the text is `posterPath` in the model, both ways, by the rules of `JSONDecoder` and
        /// `JSONEncoder`. The keys in `except`, as the text spells them, are the same in both.
        ///
        /// A key such as `iso_639_1` needs the exception: it would become `iso6391`, which does not show where the
        /// underscores were.
        ///
        ///     Coding(keys: .convertFromSnakeCase(except: ["iso_639_1"]))
        case convertFromSnakeCase(except: Set<String>)
        /// The closures return the key that replaces the last one of a path.
        case custom(
            decode: @Sendable ([any CodingKey]) -> any CodingKey, encode: @Sendable ([any CodingKey]) -> any CodingKey)

        /// A key `poster_path` of the text is `posterPath` in the model, both ways, by the rules of `JSONDecoder` and
        /// `JSONEncoder`.
        public static let convertFromSnakeCase = Keys.convertFromSnakeCase(except: [])
    }

    /// How dates are written.
    public enum Dates: Sendable {
        /// ISO 8601 and RFC 3339: read with or without a fraction and with any UTC offset, written in UTC.
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

    /// How infinity and NaN are encoded and decoded, which JSON numbers cannot express.
    public enum NonConformingFloats: Sendable, Hashable {
        /// They are an error.
        case `throw`
        /// They are these strings.
        case strings(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    package var keys: Keys
    package var dates: Dates
    package var data: DataForm
    package var floats: NonConformingFloats
    /// Values that every decoder and encoder passes to the models.
    package var userInfo: [CodingUserInfoKey: any Sendable]

    /// Makes a coding with keys as they are, dates in ISO 8601 and data in Base64, unless given.
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

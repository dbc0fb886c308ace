#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Values of every type, at a place that is known.

extension DecodingSession {
    /// The scalar at `place`; the path is made only if it is needed.
    @inline(__always)
    func scalar<S: JSONScalar>(_ type: S.Type, _ slot: Int, _ path: @autoclosure () -> PathNode?) throws -> S {
        if slot >= 0, let value = S.read(self, slot) {
            observer?.didDecodeScalar(type, at: ObservedPlace(ValuePlace(slot: slot, path: path())))
            return value
        }
        return try otherScalar(type, ValuePlace(slot: slot, path: path()))
    }

    @inline(never)
    private func otherScalar<S: JSONScalar>(_ type: S.Type, _ place: ValuePlace) throws -> S {
        let error = refusal(type, place)
        guard let observer else { throw error }
        try report(error, place)
        observer.didDecodeScalar(type, at: ObservedPlace(place))
        return S.madeUp
    }

    /// A value of any type.
    @inline(__always)
    func value<T: Decodable>(
        _ type: T.Type, _ slot: Int, _ path: @autoclosure () -> PathNode?
    ) throws -> T {
        try tick()
        if type == String.self { return try exactly(scalar(String.self, slot, path()), type) }
        if type == Int.self { return try exactly(scalar(Int.self, slot, path()), type) }
        if type == Double.self { return try exactly(scalar(Double.self, slot, path()), type) }
        if type == Bool.self { return try exactly(scalar(Bool.self, slot, path()), type) }
        if type == JSONValue.self { return exactly(anyValue(slot, path()), type) }
        if type == Date.self, let date = plainDate(slot) { return exactly(date, type) }
        return try value(type, ValuePlace(slot: slot, path: path()))
    }

    /// A value of any type, through its `init(from:)` unless it is one of those that JSON writes in a way of its own.
    func value<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        let (slot, path) = (place.slot, place.path)
        if type == Date.self, let date = try date(place) { return exactly(date, type) }
        if type == String.self { return try exactly(scalar(String.self, slot, path), type) }
        if type == Int.self { return try exactly(scalar(Int.self, slot, path), type) }
        if type == Double.self { return try exactly(scalar(Double.self, slot, path), type) }
        if type == Bool.self { return try exactly(scalar(Bool.self, slot, path), type) }
        if type == JSONValue.self { return exactly(anyValue(slot, path), type) }
        if type == Decimal.self { return try exactly(scalar(Decimal.self, slot, path), type) }
        if type == URL.self { return try exactly(url(place), type) }
        if type == UUID.self { return try exactly(uuid(place), type) }
        if type == Data.self, let data = try data(place) { return exactly(data, type) }
        if observer != nil { return try observedValue(type, place) }
        return try ownValue(type, place)
    }

    /// A value through its type's `init(from:)`.
    func ownValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        // The keys of a dictionary are data, which no strategy changes.
        let keepsKeys = convertsKeys && type is any StringKeyedDictionary.Type
        if let list = longList(type, place), let value = try list.read(self, place) as? T { return value }
        do {
            return try T(from: ValueDecoder(session: self, place: place, keepsKeys: keepsKeys))
        } catch DecodingError.dataCorrupted(let context) where context.underlyingError == nil {
            throw DecodingError.dataCorrupted(located(context, type, place))
        }
    }

    /// An error of the type's own, with the raw values that would have done if it was about one.
    private func located(
        _ context: DecodingError.Context, _ type: Any.Type, _ place: ValuePlace
    ) -> DecodingError.Context {
        guard context.debugDescription.hasPrefix("Cannot initialize "), place.slot >= 0,
            context.codingPath.count == PathNode.keys(place.path).count, let expected = RawValues.text(of: type)
        else { return context }
        return DecodingError.Context(
            codingPath: context.codingPath, debugDescription: context.debugDescription,
            underlyingError: MismatchDetail(slot: place.slot, expected: expected))
    }

    /// The value as a `T`, which is its type.
    @inline(__always)
    private func exactly<Known, T>(_ value: @autoclosure () throws -> Known, _ type: T.Type) rethrows -> T {
        // Callers have compared the two types: they are the same.
        try unsafeBitCast(value(), to: T.self)
    }

    private func url(_ place: ValuePlace) throws -> URL {
        try parsed("a URL", place, madeUp: URL(string: "a:")) { URL(string: $0) }
    }

    private func uuid(_ place: ValuePlace) throws -> UUID {
        let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return try parsed("a UUID", place, madeUp: zero) { UUID(uuidString: $0) }
    }

    /// The date at `place`; nil if `Date` is to decode itself.
    private func date(_ place: ValuePlace) throws -> Date? {
        switch coding.dates {
        case .iso8601: return try dateText("an ISO 8601 date", place) { DateText.parse($0) }
        case .format(let pattern):
            return try dateText("a date like \(pattern)", place) { [datePattern] in datePattern?.parse($0) }
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try scalar(Double.self, place.slot, place.path))
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try scalar(Double.self, place.slot, place.path) / 1000)
        case .deferredToDate: return nil
        case .custom(let decode, _):
            return try decode(ValueDecoder(session: self, place: place, keepsKeys: false))
        }
    }

    /// The date at a slot if it is in ISO 8601; nil if there is more to say.
    private func plainDate(_ slot: Int) -> Date? {
        guard observer == nil, slot >= 0, case .iso8601 = coding.dates, document.isString(slot),
            document.slots[slot].isPlain
        else { return nil }
        return document.withScalar(slot) { DateText.parse($0) }
    }

    private func dateText(
        _ expected: String, _ place: ValuePlace, _ parse: (UnsafeRawBufferPointer) -> Date?
    ) throws -> Date {
        if place.slot >= 0, document.isString(place.slot), document.slots[place.slot].isPlain,
            let date = document.withScalar(place.slot, parse)
        {
            observer?.didDecodeScalar(Date.self, at: ObservedPlace(place))
            return date
        }
        return try parsed(expected, place, madeUp: Date(timeIntervalSince1970: 0)) { text in
            Array(text.utf8).withUnsafeBytes(parse)
        }
    }

    /// The data at `place`; nil if `Data` is to decode itself.
    private func data(_ place: ValuePlace) throws -> Data? {
        switch coding.data {
        case .base64: return try parsed("Base64 text", place, madeUp: Data()) { Data(base64Encoded: $0) }
        case .deferredToData: return nil
        case .custom(let decode, _):
            return try decode(ValueDecoder(session: self, place: place, keepsKeys: false))
        }
    }

    /// The text of the string at `place`.
    private func parsed<Value>(
        _ expected: String, _ place: ValuePlace, madeUp: Value?, _ parse: (String) -> Value?
    ) throws -> Value {
        if place.slot >= 0, let text = String.read(self, place.slot), let value = parse(text) {
            observer?.didDecodeScalar(Value.self, at: ObservedPlace(place))
            return value
        }
        let error =
            place.slot >= 0 && document.isString(place.slot) && document.string(at: place.slot) != nil
            ? unfit(expected, place) : refusal(String.self, place)
        guard let observer, let madeUp else { throw error }
        try report(error, place)
        observer.didDecodeScalar(Value.self, at: ObservedPlace(place))
        return madeUp
    }

    private func anyValue(_ slot: Int, _ path: @autoclosure () -> PathNode?) -> JSONValue {
        observer?.didDecodeScalar(JSONValue.self, at: ObservedPlace(ValuePlace(slot: slot, path: path())))
        return slot >= 0 ? JSONValue(document, slot) : .null
    }
}

/// A dictionary with strings for keys.
protocol StringKeyedDictionary {}

extension Dictionary: StringKeyedDictionary where Key == String {}

/// The raw values that an enum has, in words.
enum RawValues {
    private static let most = 20

    /// `one of a, b`, or `a value of E` if they cannot be listed; nil if it is a type without raw values.
    static func text(of type: Any.Type) -> String? {
        switch type {
        case let type as any (RawRepresentable & CaseIterable).Type:
            let values = values(of: type)
            return "one of " + values.prefix(most).joined(separator: ", ") + (values.count > most ? ", …" : "")
        case is any RawRepresentable.Type: return "a value of \(type)"
        default: return nil
        }
    }

    private static func values<T: RawRepresentable & CaseIterable>(of type: T.Type) -> [String] {
        type.allCases.map { "\($0.rawValue)" }
    }
}

// Values of every type, at a place that is known.

extension DecodingSession {
    /// The scalar at `place`; the path is made only if it is needed.
    @inline(__always)
    func scalar<S: JSONScalar>(_ type: S.Type, _ slot: Int, _ path: @autoclosure () -> PathNode?) throws -> S {
        if slot >= 0, let value = S.read(self, slot) {
            marks?.setRead(slot)
            if isObserved { observer?.didDecodeScalar(type, at: ValuePlace(slot: slot, path: path())) }
            return value
        }
        return try otherScalar(type, ValuePlace(slot: slot, path: path()))
    }

    @inline(never)
    private func otherScalar<S: JSONScalar>(_ type: S.Type, _ place: ValuePlace) throws -> S {
        try placeholder(S.placeholder, for: failure(type, place), place)
    }

    /// `placeholder` in place of a scalar that does not fit, if decoding goes on.
    private func placeholder<Value>(_ placeholder: Value, for error: any Error, _ place: ValuePlace) throws -> Value {
        guard isObserved, let observer else { throw error }
        try report(error, place)
        if decodesMissing(place.slot), observer.skipsForm(at: place) { throw error }
        observer.didDecodeScalar(Value.self, at: place)
        return placeholder
    }

    /// A value of any type. For a type that is known where this is called, only its own branch remains.
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
        // No other scalar is larger; most models are.
        if MemoryLayout<T>.size <= 16 {
            if type == Float.self { return try exactly(scalar(Float.self, slot, path()), type) }
            if type == Int8.self { return try exactly(scalar(Int8.self, slot, path()), type) }
            if type == Int16.self { return try exactly(scalar(Int16.self, slot, path()), type) }
            if type == Int32.self { return try exactly(scalar(Int32.self, slot, path()), type) }
            if type == Int64.self { return try exactly(scalar(Int64.self, slot, path()), type) }
            if type == UInt.self { return try exactly(scalar(UInt.self, slot, path()), type) }
            if type == UInt8.self { return try exactly(scalar(UInt8.self, slot, path()), type) }
            if type == UInt16.self { return try exactly(scalar(UInt16.self, slot, path()), type) }
            if type == UInt32.self { return try exactly(scalar(UInt32.self, slot, path()), type) }
            if type == UInt64.self { return try exactly(scalar(UInt64.self, slot, path()), type) }
            if type == Int128.self { return try exactly(scalar(Int128.self, slot, path()), type) }
            if type == UInt128.self { return try exactly(scalar(UInt128.self, slot, path()), type) }
        }
        return try composite(type, ValuePlace(slot: slot, path: path()))
    }

    /// A value of any type.
    func value<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        try value(type, place.slot, place.path)
    }

    /// A value through its `init(from:)`, unless its type is one that JSON writes in a way of its own.
    @inline(never)
    private func composite<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        if type == Date.self, let date = try date(place) { return exactly(date, type) }
        if type == Decimal.self { return try exactly(scalar(Decimal.self, place.slot, place.path), type) }
        if type == URL.self {
            return try exactly(parsed("a URL", place, placeholder: URL(string: "a:")) { URL(string: $0) }, type)
        }
        if type == UUID.self {
            let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            return try exactly(parsed("a UUID", place, placeholder: zero) { UUID(uuidString: $0) }, type)
        }
        if type == Data.self, let data = try data(place) { return exactly(data, type) }
        if isObserved { return try observedValue(type, place) }
        return try ownValue(type, place)
    }

    /// A value through its type's `init(from:)`.
    func ownValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        try requireStack(place)
        // The keys of a dictionary are data, which no strategy changes.
        let keepsKeys = convertsKeys && type is any StringKeyedDictionary.Type
        let isFirst = place.slot >= 0 && marks?.isRead(place.slot) == false
        do {
            let value: T
            if place.slot >= 0, document.kind(of: place.slot) == .array, let array = array(type) {
                value = try array.read(type, self, place)
            } else {
                value = try T(from: ValueDecoder(session: self, place: place, keepsKeys: keepsKeys))
            }
            if place.slot >= 0 { marks?.setRead(place.slot) }
            return value
        } catch {
            if isObserved, !isStrict {
                if place.slot >= 0 { marks?.setIncomplete(place.slot) }
            } else if isFirst {
                marks?.clear(place.slot)
            }
            if case DecodingError.dataCorrupted(let context) = error, context.underlyingError == nil {
                throw DecodingError.dataCorrupted(located(context, type, place))
            }
            throw error
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

    /// The date at `place`; nil if `Date` is to decode itself.
    private func date(_ place: ValuePlace) throws -> Date? {
        switch coding.dates {
        case .iso8601:
            let placeholder = Date(timeIntervalSince1970: 0)
            return try parsed("an ISO 8601 date", place, placeholder: placeholder) { DateText.parse($0) }
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
        guard !isObserved, slot >= 0, case .iso8601 = coding.dates, document.isString(slot),
            document.slots[slot].isPlain
        else { return nil }
        guard let date = document.withScalar(slot, { DateText.parse($0) }) else { return nil }
        marks?.setRead(slot)
        return date
    }

    /// The data at `place`; nil if `Data` is to decode itself.
    private func data(_ place: ValuePlace) throws -> Data? {
        switch coding.data {
        case .base64: return try parsed("Base64 text", place, placeholder: Data()) { Data(base64Encoded: $0) }
        case .deferredToData: return nil
        case .custom(let decode, _):
            return try decode(ValueDecoder(session: self, place: place, keepsKeys: false))
        }
    }

    /// The text of the string at `place`.
    private func parsed<Value>(
        _ expected: String, _ place: ValuePlace, placeholder: Value?, _ parse: (String) -> Value?
    ) throws -> Value {
        if place.slot >= 0, let text = String.read(self, place.slot), let value = parse(text) {
            marks?.setRead(place.slot)
            if isObserved { observer?.didDecodeScalar(Value.self, at: place) }
            return value
        }
        let error =
            place.slot >= 0 && document.isString(place.slot) && document.string(at: place.slot) != nil
            ? unfit(expected, place) : failure(String.self, place)
        guard let placeholder else { throw error }
        return try self.placeholder(placeholder, for: error, place)
    }

    private func anyValue(_ slot: Int, _ path: @autoclosure () -> PathNode?) -> JSONValue {
        if isObserved {
            observer?.didDecodeScalar(JSONValue.self, at: ValuePlace(slot: slot, path: path()))
        }
        guard slot >= 0 else { return .null }
        marks?.setAllRead(slot)
        return JSONValue(document, slot: slot)
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
            let start = values.count == 1 ? "" : "one of "
            return start + values.prefix(most).joined(separator: ", ") + (values.count > most ? ", …" : "")
        case is any RawRepresentable.Type: return "a value of \(type)"
        default: return nil
        }
    }

    private static func values<T: RawRepresentable & CaseIterable>(of type: T.Type) -> [String] {
        type.allCases.map { "\($0.rawValue)" }
    }
}

// How a session decodes a value of any type: scalars by their token, Foundation's types by the coding, all others by
// their `init(from:)`.

extension DecodingSession {
    /// Decodes a value of any type.
    ///
    /// This is inlined: where the type is known to the compiler, only the branch of that type remains. Scalars come
    /// first, because the runtime would take longer to find their conformance to ``JSONScalar`` than they take to
    /// decode.
    ///
    /// - Parameters:
    ///   - slot: The value in the document, or ``ValuePlace/absent`` or ``ValuePlace/empty``.
    ///   - path: The way to the value, which is made only if it is needed.
    /// - Throws: `DecodingError` or ``UnfitScalar`` if the value does not fit, and the errors of the model, the check
    ///   and the stack.
    @inline(__always)
    func value<T: Decodable>(
        _ type: T.Type, _ slot: Int, _ path: @autoclosure () -> PathNode?
    ) throws -> T {
        try countValue()
        if type == String.self { return same(try scalar(String.self, slot, path())) }
        if type == Int.self { return same(try scalar(Int.self, slot, path())) }
        if type == Double.self { return same(try scalar(Double.self, slot, path())) }
        if type == Bool.self { return same(try scalar(Bool.self, slot, path())) }
        if type == JSONValue.self { return same(jsonValue(slot, path())) }
        if type == Date.self, let date = plainDate(slot) { return same(date) }
        // No other scalar is larger than 16 bytes. Most models are.
        if MemoryLayout<T>.size <= 16 {
            if type == Float.self { return same(try scalar(Float.self, slot, path())) }
            if type == Int8.self { return same(try scalar(Int8.self, slot, path())) }
            if type == Int16.self { return same(try scalar(Int16.self, slot, path())) }
            if type == Int32.self { return same(try scalar(Int32.self, slot, path())) }
            if type == Int64.self { return same(try scalar(Int64.self, slot, path())) }
            if type == UInt.self { return same(try scalar(UInt.self, slot, path())) }
            if type == UInt8.self { return same(try scalar(UInt8.self, slot, path())) }
            if type == UInt16.self { return same(try scalar(UInt16.self, slot, path())) }
            if type == UInt32.self { return same(try scalar(UInt32.self, slot, path())) }
            if type == UInt64.self { return same(try scalar(UInt64.self, slot, path())) }
            if #available(iOS 18, macOS 15, *) {
                if type == Int128.self { return same(try scalar(Int128.self, slot, path())) }
                if type == UInt128.self { return same(try scalar(UInt128.self, slot, path())) }
            }
        }
        return try otherValue(type, ValuePlace(slot: slot, path: path()))
    }

    /// Decodes a value of any type at `place`, as ``value(_:_:_:)`` does.
    func value<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        try value(type, place.slot, place.path)
    }

    /// Returns `value` as a `T`. Precondition: `T` and `Known` are the same type, which the caller has compared.
    @inline(__always)
    private func same<Known, T>(_ value: Known) -> T {
        // Not `as?`: the runtime would look up `Optional<T>` for each value, which takes longer than to decode it.
        switch value {
        case let value as T: return value
        default: preconditionFailure("\(Known.self) is not \(T.self)")
        }
    }

    /// Decodes a value that is no scalar: one of Foundation's types in the way that the coding says, any other through
    /// its `init(from:)`.
    @inline(never)
    private func otherValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        if type == Date.self, let date = try date(place) { return same(date) }
        if type == Decimal.self { return same(try scalar(Decimal.self, place.slot, place.path)) }
        if type == URL.self {
            return same(try stringValue("a URL", place, placeholder: URL(string: "a:")) { URL(string: $0) })
        }
        if type == UUID.self {
            let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            return same(try stringValue("a UUID", place, placeholder: zero) { UUID(uuidString: $0) })
        }
        if type == Data.self, let data = try data(place) { return same(data) }
        if isObserved, let recovery { return try recovery.value(type, place) }
        return try modelValue(type, place)
    }

    // MARK: Scalars

    /// Decodes the scalar at a slot.
    ///
    /// - Parameter path: The way to the value, which is made only if it is needed.
    /// - Throws: An error if the token does not stand for a value of the type, and decoding does not continue after
    ///   that.
    @inline(__always)
    func scalar<S: JSONScalar>(_ type: S.Type, _ slot: Int, _ path: @autoclosure () -> PathNode?) throws -> S {
        if slot >= 0, let value = S.read(self, slot) {
            marks?.setRead(slot)
            if isObserved { observer?.didDecodeScalar(type, at: ValuePlace(slot: slot, path: path())) }
            return value
        }
        return try unfitScalar(type, ValuePlace(slot: slot, path: path()))
    }

    /// Handles a token that does not stand for a value of the type, or a place that is not in the document.
    ///
    /// - Returns: A placeholder, if decoding continues after the error.
    /// - Throws: The error otherwise.
    @inline(never)
    private func unfitScalar<S: JSONScalar>(_ type: S.Type, _ place: ValuePlace) throws -> S {
        let error = failure(type, place)
        guard let recovery else { throw error }
        return try recovery.placeholder(S.placeholder, for: error, place)
    }

    /// Returns the value at a slot as it is written; null if it is not in the document.
    @inline(__always)
    private func jsonValue(_ slot: Int, _ path: @autoclosure () -> PathNode?) -> JSONValue {
        if isObserved {
            observer?.didDecodeScalar(JSONValue.self, at: ValuePlace(slot: slot, path: path()))
        }
        guard slot >= 0 else { return .null }
        marks?.setAllRead(slot)
        return JSONValue(document, slot: slot)
    }

    // MARK: Foundation's types

    /// Decodes the date at `place` by the coding's date strategy.
    ///
    /// - Returns: The date; nil if `Date` is to decode itself.
    private func date(_ place: ValuePlace) throws -> Date? {
        switch coding.dates {
        case .iso8601:
            let placeholder = Date(timeIntervalSince1970: 0)
            return try stringValue("an ISO 8601 date", place, placeholder: placeholder) { DateText.parse($0) }
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try scalar(Double.self, place.slot, place.path))
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try scalar(Double.self, place.slot, place.path) / 1000)
        case .deferredToDate: return nil
        case .custom(let decode, _):
            return try decode(ValueDecoder(session: self, place: place, keepsKeys: false))
        }
    }

    /// Decodes a date in ISO 8601 without making a string of it.
    ///
    /// - Returns: The date; nil if it is written otherwise, or has to be reported. Then ``date(_:)`` decodes it.
    private func plainDate(_ slot: Int) -> Date? {
        guard !isObserved, slot >= 0, case .iso8601 = coding.dates, document.isString(slot),
            document.slots[slot].isPlain
        else { return nil }
        guard let date = document.withScalar(slot, { DateText.parse($0) }) else { return nil }
        marks?.setRead(slot)
        return date
    }

    /// Decodes the data at `place` by the coding's data strategy.
    ///
    /// - Returns: The data; nil if `Data` is to decode itself.
    private func data(_ place: ValuePlace) throws -> Data? {
        switch coding.data {
        case .base64: return try stringValue("Base64 text", place, placeholder: Data()) { Data(base64Encoded: $0) }
        case .deferredToData: return nil
        case .custom(let decode, _):
            return try decode(ValueDecoder(session: self, place: place, keepsKeys: false))
        }
    }

    /// Decodes a value that JSON has no type for and that is written as a string, such as a date or a URL.
    ///
    /// - Parameters:
    ///   - expected: A description of the value, for the error: `a URL`.
    ///   - place: The value in the document, or a place that is not in the document.
    ///   - placeholder: The value to return if there is no string that fits and decoding continues after errors; nil
    ///     if no value can stand for others.
    ///   - parse: Makes the value of the string's text; nil if the text does not describe one.
    /// - Throws: An error that the value is no string or does not fit, unless a placeholder takes its place.
    private func stringValue<Value>(
        _ expected: String, _ place: ValuePlace, placeholder: Value?, _ parse: (String) -> Value?
    ) throws -> Value {
        let text = place.isInDocument ? String.read(self, place.slot) : nil
        if let text, let value = parse(text) {
            marks?.setRead(place.slot)
            if isObserved { observer?.didDecodeScalar(Value.self, at: place) }
            return value
        }
        let error = text == nil ? failure(String.self, place) : unfit(expected, place)
        guard let recovery, let placeholder else { throw error }
        return try recovery.placeholder(placeholder, for: error, place)
    }

    // MARK: Models

    /// Decodes a value through its type's `init(from:)`, and notes in the session's ``ReadMarks`` whether that
    /// succeeded. Arrays are decoded element by element.
    ///
    /// After an error, the marks of the value and of all inside it are removed, because a type that tries several forms
    /// in turn must not leave marks of a form that failed. Two rules go before that: a value that had been read before
    /// keeps its marks, and if decoding continues after the error, the value is marked as incomplete instead.
    ///
    /// - Throws: The error of the type. If an enum does not have a raw value, the error lists those that it has.
    func modelValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        try requireStack(place)
        let isFirst = place.isInDocument && marks?.isRead(place.slot) == false
        do {
            let value = try unmarkedModelValue(type, place)
            if place.isInDocument { marks?.setRead(place.slot) }
            return value
        } catch {
            let decodingContinues = recovery?.isAttempting == false
            if decodingContinues {
                if place.isInDocument { marks?.setIncomplete(place.slot) }
            } else if isFirst {
                marks?.clear(place.slot)
            }
            if case DecodingError.dataCorrupted(let context) = error, context.underlyingError == nil {
                throw DecodingError.dataCorrupted(withRawValues(context, type, place))
            }
            throw error
        }
    }

    /// Decodes a value as ``modelValue(_:_:)`` does, but leaves marks and errors to that function.
    ///
    /// A JSON array for a Swift array is read directly, because `Array.init(from:)` is slower.
    private func unmarkedModelValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        if place.isInDocument, document.kind(of: place.slot) == .array {
            switch arrayKind(of: type) {
            case .scalars(let element): return arrayOfItsType(try element.readArray(self, place))
            case .values(let array): return arrayOfItsType(try array.read(self, place))
            case .other: break
            }
        }
        // The keys of a dictionary are data, which no strategy changes.
        let keepsKeys = convertsKeys && type is any StringKeyedDictionary.Type
        return try T(from: ValueDecoder(session: self, place: place, keepsKeys: keepsKeys))
    }

    /// Returns `array` as a `T`. Precondition: the array was read for the type `T`.
    private func arrayOfItsType<T>(_ array: Any) -> T {
        switch array {
        case let array as T: return array
        default: preconditionFailure("an array is not \(T.self)")
        }
    }

    /// Adds the raw values of `type` to the standard library's error for a raw value that an enum does not have.
    ///
    /// - Returns: The context with the raw values; the same context for any other error.
    private func withRawValues(
        _ context: DecodingError.Context, _ type: Any.Type, _ place: ValuePlace
    ) -> DecodingError.Context {
        guard context.debugDescription.hasPrefix("Cannot initialize "), place.isInDocument,
            context.codingPath.count == PathNode.keys(place.path).count, let expected = RawValues.text(of: type)
        else { return context }
        return DecodingError.Context(
            codingPath: context.codingPath, debugDescription: context.debugDescription,
            underlyingError: MismatchDetail(slot: place.slot, expected: expected))
    }
}

/// A dictionary with strings for keys.
private protocol StringKeyedDictionary {}

extension Dictionary: StringKeyedDictionary where Key == String {}

/// The raw values that an enum has, in words.
enum RawValues {
    /// The most values that an error message lists.
    private static let maxListed = 20

    /// Describes the raw values of `type`.
    ///
    /// - Returns: `one of a, b`, or `a value of E` if they cannot be listed; nil if it is a type without raw values.
    static func text(of type: Any.Type) -> String? {
        switch type {
        case let type as any (RawRepresentable & CaseIterable).Type:
            let values = values(of: type)
            let start = values.count == 1 ? "" : "one of "
            let end = values.count > maxListed ? ", …" : ""
            return start + values.prefix(maxListed).joined(separator: ", ") + end
        case is any RawRepresentable.Type: return "a value of \(type)"
        default: return nil
        }
    }

    private static func values<T: RawRepresentable & CaseIterable>(of type: T.Type) -> [String] {
        type.allCases.map { "\($0.rawValue)" }
    }
}

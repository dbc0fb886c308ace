// How a session decodes a value of any type: scalars by their token, Foundation's types by the coding, all others by
// their `init(from:)`.

extension DecodingSession {
    /// Decodes a value of any type: scalars here, all other types in ``decodeNonScalar(_:at:)``.
    ///
    /// The function is inlined: where the compiler knows the type, only the branch of that type remains. The types are
    /// compared one by one, because the runtime would take longer to find their conformance to ``JSONScalar`` than a
    /// scalar takes to decode. Each value is counted for the caller's check.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - slot: The slot of the value in the document's index, or ``ValuePlace/absent`` or ``ValuePlace/empty``.
    ///   - path: The way from the root to the value, which is made only if it is needed.
    /// - Throws: `DecodingError` or ``UnfitScalar`` if the value does not fit, and the errors of the model, the check
    ///   and the stack.
    @inline(__always)
    func decodeValue<T: Decodable>(
        _ type: T.Type, slot: Int, path: @autoclosure () -> PathNode?
    ) throws -> T {
        try countValue()
        if type == String.self { return asRequestedType(try decodeScalar(String.self, slot: slot, path: path())) }
        if type == Int.self { return asRequestedType(try decodeScalar(Int.self, slot: slot, path: path())) }
        if type == Double.self { return asRequestedType(try decodeScalar(Double.self, slot: slot, path: path())) }
        if type == Bool.self { return asRequestedType(try decodeScalar(Bool.self, slot: slot, path: path())) }
        if type == JSONValue.self { return asRequestedType(readJSONValue(slot: slot, path: path())) }
        if type == Date.self, let date = decodePlainDate(slot: slot) { return asRequestedType(date) }
        // No other scalar is larger than 16 bytes. Most models are.
        if MemoryLayout<T>.size <= 16 {
            if type == Float.self { return asRequestedType(try decodeScalar(Float.self, slot: slot, path: path())) }
            if type == Int8.self { return asRequestedType(try decodeScalar(Int8.self, slot: slot, path: path())) }
            if type == Int16.self { return asRequestedType(try decodeScalar(Int16.self, slot: slot, path: path())) }
            if type == Int32.self { return asRequestedType(try decodeScalar(Int32.self, slot: slot, path: path())) }
            if type == Int64.self { return asRequestedType(try decodeScalar(Int64.self, slot: slot, path: path())) }
            if type == UInt.self { return asRequestedType(try decodeScalar(UInt.self, slot: slot, path: path())) }
            if type == UInt8.self { return asRequestedType(try decodeScalar(UInt8.self, slot: slot, path: path())) }
            if type == UInt16.self { return asRequestedType(try decodeScalar(UInt16.self, slot: slot, path: path())) }
            if type == UInt32.self { return asRequestedType(try decodeScalar(UInt32.self, slot: slot, path: path())) }
            if type == UInt64.self { return asRequestedType(try decodeScalar(UInt64.self, slot: slot, path: path())) }
            if #available(iOS 18, macOS 15, *) {
                if type == Int128.self {
                    return asRequestedType(try decodeScalar(Int128.self, slot: slot, path: path()))
                }
                if type == UInt128.self {
                    return asRequestedType(try decodeScalar(UInt128.self, slot: slot, path: path()))
                }
            }
        }
        return try decodeNonScalar(type, at: ValuePlace(slot: slot, path: path()))
    }

    /// Decodes a value of any type at `place`, as ``decodeValue(_:slot:path:)`` does.
    func decodeValue<T: Decodable>(_ type: T.Type, at place: ValuePlace) throws -> T {
        try decodeValue(type, slot: place.slot, path: place.path)
    }

    /// Returns a value of a type that the caller has found to be `T`, as a `T`.
    ///
    /// - Precondition: `T` and `Known` are the same type.
    @inline(__always)
    private func asRequestedType<Known, T>(_ value: Known) -> T {
        // Not `as?`: the runtime would look up `Optional<T>` for each value, which takes longer than to decode it.
        switch value {
        case let value as T: return value
        default: preconditionFailure("\(Known.self) is not \(T.self)")
        }
    }

    /// Decodes a value of one of Foundation's types as the coding says, and of any other type through its
    /// `init(from:)`. If decoding continues after errors, ``DecodingRecovery`` decodes the other types.
    @inline(never)
    private func decodeNonScalar<T: Decodable>(_ type: T.Type, at place: ValuePlace) throws -> T {
        if type == Date.self, let date = try decodeDate(at: place) { return asRequestedType(date) }
        if type == Decimal.self {
            return asRequestedType(try decodeScalar(Decimal.self, slot: place.slot, path: place.path))
        }
        // The placeholder has a scheme, because an empty text is not a URL.
        if type == URL.self {
            return asRequestedType(
                try decodeString(expected: "a URL", at: place, placeholder: URL(string: "a:")) { URL(string: $0) })
        }
        if type == UUID.self {
            let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            return asRequestedType(
                try decodeString(expected: "a UUID", at: place, placeholder: zero) { UUID(uuidString: $0) })
        }
        if type == Data.self, let data = try decodeData(at: place) { return asRequestedType(data) }
        if isObserved, let recovery { return try recovery.decodeValue(type, at: place) }
        return try decodeModel(type, at: place)
    }

    // MARK: Scalars

    /// Decodes a scalar: a string, a number or a boolean.
    ///
    /// - Parameters:
    ///   - type: The type of the scalar.
    ///   - slot: The slot of the scalar in the document's index. It is negative for a value that is not in the
    ///     document.
    ///   - path: The way from the root to the scalar, which is made only if it is needed.
    /// - Throws: An error if the value does not fit the type, unless decoding continues after errors.
    @inline(__always)
    func decodeScalar<S: JSONScalar>(_ type: S.Type, slot: Int, path: @autoclosure () -> PathNode?) throws -> S {
        let isInDocument = slot >= 0
        if isInDocument, let value = S.read(from: self, at: slot) {
            marks?.setRead(slot)
            if isObserved { observer?.didDecodeScalar(type, at: ValuePlace(slot: slot, path: path())) }
            return value
        }
        return try reportUnfitScalar(type, at: ValuePlace(slot: slot, path: path()))
    }

    /// Reports to the observer a scalar that does not fit its type, or that is not in the document.
    ///
    /// - Returns: A placeholder, if decoding continues after errors.
    /// - Throws: The error, if it does not.
    @inline(never)
    private func reportUnfitScalar<S: JSONScalar>(_ type: S.Type, at place: ValuePlace) throws -> S {
        let error = scalarError(type, at: place)
        guard let recovery else { throw error }
        return try recovery.reportAndReplace(with: S.placeholder, for: error, at: place)
    }

    /// Returns a value of the document as it is written, marks all that it holds as read, and notifies the observer. A
    /// value that is not in the document is null.
    @inline(__always)
    private func readJSONValue(slot: Int, path: @autoclosure () -> PathNode?) -> JSONValue {
        if isObserved {
            observer?.didDecodeScalar(JSONValue.self, at: ValuePlace(slot: slot, path: path()))
        }
        let isInDocument = slot >= 0
        guard isInDocument else { return .null }
        marks?.setAllRead(slot)
        return JSONValue(document, slot: slot)
    }

    // MARK: Foundation's types

    /// Decodes a date as the coding says: from ISO 8601 text, from a number, or by a closure.
    ///
    /// - Parameter place: The slot of the date, and the path to it.
    /// - Returns: The date, or nil if the coding leaves it to `Date`, which then decodes itself through its
    ///   `init(from:)`.
    /// - Throws: An error if the value is not a date as the coding says, unless decoding continues after errors. Also
    ///   the errors of the closure.
    private func decodeDate(at place: ValuePlace) throws -> Date? {
        switch coding.dates {
        case .iso8601:
            let placeholder = Date(timeIntervalSince1970: 0)
            return try decodeString(expected: "an ISO 8601 date", at: place, placeholder: placeholder) {
                DateText.parse($0)
            }
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try decodeScalar(Double.self, slot: place.slot, path: place.path))
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try decodeScalar(Double.self, slot: place.slot, path: place.path) / 1000)
        case .deferredToDate: return nil
        case .custom(let decode, _):
            return try decode(ValueDecoder(session: self, place: place, keepsKeys: false))
        }
    }

    /// Decodes a date in ISO 8601 directly from the bytes of the document, without making a string. Most dates have no
    /// escapes, and are decoded here.
    ///
    /// - Parameter slot: The slot of the date in the document's index. It is negative for a value that is not in the
    ///   document.
    /// - Returns: The date, or nil if it has another form or an observer has to be notified. Then ``decodeDate(at:)``
    ///   decodes it.
    private func decodePlainDate(slot: Int) -> Date? {
        let isInDocument = slot >= 0
        guard isInDocument, !isObserved, case .iso8601 = coding.dates else { return nil }
        let isStringWithoutEscapes = document.isString(slot) && document.slots[slot].isPlain
        guard isStringWithoutEscapes else { return nil }
        guard let date = document.withScalar(slot, { DateText.parse($0) }) else { return nil }
        marks?.setRead(slot)
        return date
    }

    /// Decodes data as the coding says: from Base64 text, or by a closure.
    ///
    /// - Parameter place: The slot of the data, and the path to it.
    /// - Returns: The data, or nil if the coding leaves it to `Data`, which then decodes itself through its
    ///   `init(from:)`.
    /// - Throws: An error if the value is not Base64 text, unless decoding continues after errors. Also the errors of
    ///   the closure.
    private func decodeData(at place: ValuePlace) throws -> Data? {
        switch coding.data {
        case .base64:
            return try decodeString(expected: "Base64 text", at: place, placeholder: Data()) { Data(base64Encoded: $0) }
        case .deferredToData: return nil
        case .custom(let decode, _):
            return try decode(ValueDecoder(session: self, place: place, keepsKeys: false))
        }
    }

    /// Decodes a value that JSON has no type for and that is written as a string, such as a date or a URL.
    ///
    /// - Parameters:
    ///   - expected: A description of the value, for the error: `a URL`.
    ///   - place: The slot of the value, and the path to it.
    ///   - placeholder: The value to return if decoding continues after errors, or nil if no value can stand for
    ///     others.
    ///   - parse: Returns the value for the text of the string, or nil if the text does not describe one.
    /// - Throws: An error if the value is not a string, or if `parse` returns nil, unless a placeholder takes its
    ///   place.
    private func decodeString<Value>(
        expected: String, at place: ValuePlace, placeholder: Value?, parse: (String) -> Value?
    ) throws -> Value {
        let text = place.isInDocument ? String.read(from: self, at: place.slot) : nil
        if let text, let value = parse(text) {
            marks?.setRead(place.slot)
            if isObserved { observer?.didDecodeScalar(Value.self, at: place) }
            return value
        }
        let isString = text != nil
        let error = isString ? unfitError(expected: expected, at: place) : scalarError(String.self, at: place)
        guard let recovery, let placeholder else { throw error }
        return try recovery.reportAndReplace(with: placeholder, for: error, at: place)
    }

    // MARK: Models

    /// Decodes a value through its type's `init(from:)`, and marks it as read if that succeeds. If it fails, the marks
    /// of the value are removed or set to incomplete.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - place: The slot of the value, and the path to it.
    /// - Throws: The error of the type, and ``JSONSyntaxError`` if the thread's stack is too small. If an enum does not
    ///   have a raw value, the error lists those that it has.
    func decodeModel<T: Decodable>(_ type: T.Type, at place: ValuePlace) throws -> T {
        try requireStack(for: place)
        let wasUnread = place.isInDocument && marks?.isRead(place.slot) == false
        do {
            let value = try decodeModelWithoutMarks(type, at: place)
            if place.isInDocument { marks?.setRead(place.slot) }
            return value
        } catch {
            updateMarks(afterErrorAt: place, wasUnread: wasUnread)
            throw addingRawValues(to: error, of: type, at: place)
        }
    }

    /// Updates the marks of a value whose type has thrown an error.
    ///
    /// The marks of the value and of all inside it are removed, because a type that tries several forms one after the
    /// other must not leave the marks of a form that failed. There are two exceptions: a value that had been read
    /// before keeps its marks, and if decoding continues after the error, the value is marked as incomplete instead.
    private func updateMarks(afterErrorAt place: ValuePlace, wasUnread: Bool) {
        let decodingContinues = recovery?.isAttempting == false
        if decodingContinues {
            if place.isInDocument { marks?.setIncomplete(place.slot) }
        } else if wasUnread {
            marks?.clear(place.slot)
        }
    }

    /// Decodes a value through its type's `init(from:)`, without changing marks or errors.
    ///
    /// A JSON array for a Swift array is read directly, because `Array.init(from:)` is slower.
    private func decodeModelWithoutMarks<T: Decodable>(_ type: T.Type, at place: ValuePlace) throws -> T {
        if place.isInDocument, document.kind(of: place.slot) == .array {
            switch arrayKind(of: type) {
            case .scalars(let scalarType): return castArray(try scalarType.readArray(from: self, at: place))
            case .values(let arrayType): return castArray(try arrayType.decode(from: self, at: place))
            case .other: break
            }
        }
        // The keys of a dictionary are data, which no strategy changes.
        let keepsKeys = convertsKeys && type is any StringKeyedDictionary.Type
        return try T(from: ValueDecoder(session: self, place: place, keepsKeys: keepsKeys))
    }

    /// Returns an array that was decoded for the type `T` as a `T`.
    ///
    /// - Precondition: The array is a `T`.
    private func castArray<T>(_ array: Any) -> T {
        switch array {
        case let array as T: return array
        default: preconditionFailure("an array is not \(T.self)")
        }
    }

    /// Adds the raw values of an enum to the standard library's error for a raw value that the enum does not have:
    /// `expected one of asc, desc`.
    ///
    /// - Parameters:
    ///   - error: The error that decoding the enum has thrown.
    ///   - enumType: The type of the enum.
    ///   - place: The slot of the raw value, and the path to it.
    /// - Returns: The error with the raw values. Any other error is returned unchanged.
    private func addingRawValues(to error: any Error, of enumType: Any.Type, at place: ValuePlace) -> any Error {
        // The errors of this decoder have a `MismatchDetail` as their underlying error. Those of the standard library
        // have none.
        guard case DecodingError.dataCorrupted(let context) = error, context.underlyingError == nil else {
            return error
        }
        // The standard library's error can only be recognized by its text.
        let isUnknownRawValue = context.debugDescription.hasPrefix("Cannot initialize ")
        // The error of a value inside this one has a longer path.
        let isAboutThisValue = place.isInDocument && context.codingPath.count == place.codingPath.count
        guard isUnknownRawValue, isAboutThisValue, let rawValues = RawValues.text(of: enumType) else { return error }
        let contextWithRawValues = DecodingError.Context(
            codingPath: context.codingPath, debugDescription: context.debugDescription,
            underlyingError: MismatchDetail(slot: place.slot, expected: rawValues))
        return DecodingError.dataCorrupted(contextWithRawValues)
    }
}

/// A dictionary with strings for keys.
private protocol StringKeyedDictionary {}

extension Dictionary: StringKeyedDictionary where Key == String {}

/// The state that all encoders and containers of one `encode` call share.
///
/// It encodes scalars, dictionaries and Foundation's types itself: their own `encode(to:)` would write how they are
/// stored.
final class EncodingSession {
    let coding: Coding
    private var keyConversion: KeyConversion
    private var stack = StackGuard()
    /// The first misuse in a place where `Encoder` cannot throw.
    private(set) var firstMisuse: EncodingError?

    init(_ coding: Coding) {
        self.coding = coding
        keyConversion = KeyConversion(coding.keys)
    }

    /// Notes a misuse of an encoder, in a place where `Encoder` cannot throw. Only the first one is kept, to be thrown
    /// at the end.
    ///
    /// - Parameters:
    ///   - mistake: A sentence that describes the misuse, for a developer.
    ///   - path: The coding path of the value.
    func reportMisuse(_ mistake: String, at path: [any CodingKey]) {
        if firstMisuse == nil {
            firstMisuse = .invalidValue(mistake, .init(codingPath: path, debugDescription: mistake))
        }
    }

    /// Returns the key that is written for a model's key in the object at `path`: `poster_path` for `posterPath`, if
    /// the coding converts keys.
    ///
    /// A ``PositionKey`` is written unchanged. It stands for `super` or a position, and is not a key of the model.
    func writtenKey<Key: CodingKey>(for key: Key, at path: PathNode?) -> String {
        Key.self == PositionKey.self ? key.stringValue : keyConversion.writtenKey(key, path: PathNode.keys(path))
    }

    /// Encodes a value of any type: scalars here, all other types in ``encodeNonScalar(_:at:)``.
    ///
    /// Types are compared before a value is cast, because the cast of a value of another type searches through its
    /// conformances, which takes long.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - path: The way from the root to the value, which is made only if it is needed.
    /// - Returns: The encoded value.
    /// - Throws: An error if JSON can't express the value, and the errors of the value's own `encode(to:)`.
    func encode<Value: Encodable>(_ value: Value, at path: @autoclosure () -> PathNode?) throws -> EncodedValue.Part {
        if let digits = integerText(value) { return .text(digits) }
        if Value.self == String.self, let string = value as? String { return .string(string) }
        if Value.self == Bool.self, let bool = value as? Bool { return .text(bool.description) }
        if Value.self == Double.self, let double = value as? Double { return try encodeNumber(double, at: path()) }
        if Value.self == Float.self, let float = value as? Float { return try encodeNumber(float, at: path()) }
        if Value.self == Decimal.self, let decimal = value as? Decimal { return try encodeDecimal(decimal, at: path()) }
        if Value.self == UUID.self, let id = value as? UUID { return .string(id.uuidString) }
        if Value.self == URL.self, let url = value as? URL { return .string(url.absoluteString) }
        if Value.self == JSONValue.self, let json = value as? JSONValue { return .json(json) }
        return try encodeNonScalar(value, at: path())
    }

    /// Encodes a value that is not a scalar: dates and data as the coding says, dictionaries as objects with sorted
    /// keys, and any other value through its `encode(to:)`.
    ///
    /// - Throws: An error if the thread's stack is too small for the nesting, or if the coding has no text or number
    ///   for a date. Also the errors of `encode(to:)` and of the coding's closures.
    private func encodeNonScalar<Value: Encodable>(_ value: Value, at path: PathNode?) throws -> EncodedValue.Part {
        guard stack.hasRoom() else {
            throw invalidValueError(
                value, description: "The value is nested too deeply for the thread's stack.", at: path)
        }
        if Value.self == Date.self, let date = value as? Date { return try encodeDate(date, at: path) }
        if Value.self == Data.self, let data = value as? Data { return try encodeData(data, at: path) }
        let encoder = ValueEncoder(session: self, value: EncodedValue(), path: path)
        // All dictionaries are one pointer large. Values of other sizes are not cast, because the first cast of each
        // type searches through all conformances of the program.
        let mayBeDictionary = MemoryLayout<Value>.size == MemoryLayout<[String: String]>.size
        if mayBeDictionary, let dictionary = value as? any SortedDictionary {
            let becameObject = try dictionary.encodeAsObject(to: encoder)
            if becameObject { return .value(encoder.value) }
        }
        try value.encode(to: encoder)
        return .value(encoder.value)
    }

    // MARK: Dates and data

    /// Encodes a date as the coding says: as ISO 8601 text, as a number, or by a closure.
    ///
    /// - Throws: An error if ISO 8601 has no text for the date, or JSON no number for its seconds. Also the errors of
    ///   the closure.
    private func encodeDate(_ date: Date, at path: PathNode?) throws -> EncodedValue.Part {
        let encoder = ValueEncoder(session: self, value: EncodedValue(), path: path)
        switch coding.dates {
        case .iso8601:
            if let text = DateText.iso8601(date) { return .string(text) }
            // The error has a number and not the date itself: Foundation traps when it describes a date that is not a
            // number.
            throw invalidValueError(
                date.timeIntervalSince1970, description: "ISO 8601 has no text for this date.", at: path)
        case .secondsSince1970: return try encodeNumber(date.timeIntervalSince1970, at: path)
        case .millisecondsSince1970: return try encodeNumber(date.timeIntervalSince1970 * 1000, at: path)
        case .deferredToDate: try date.encode(to: encoder)
        case .custom(_, let encode): try encode(date, encoder)
        }
        return .value(encoder.value)
    }

    /// Encodes data as the coding says: as Base64 text, as an array of numbers, or by a closure.
    ///
    /// - Throws: The errors of the closure.
    private func encodeData(_ data: Data, at path: PathNode?) throws -> EncodedValue.Part {
        let encoder = ValueEncoder(session: self, value: EncodedValue(), path: path)
        switch coding.data {
        case .base64: return .string(data.base64EncodedString())
        case .deferredToData: try data.encode(to: encoder)
        case .custom(_, let encode): try encode(data, encoder)
        }
        return .value(encoder.value)
    }

    // MARK: Numbers

    /// Returns the digits of a value that is an integer of any type, or nil for any other value.
    ///
    /// The types are compared one by one, because a cast to a protocol of all integers would take longer.
    @inline(__always)
    private func integerText<Value>(_ value: Value) -> String? {
        // No integer is larger than 16 bytes. Most models are.
        guard MemoryLayout<Value>.size <= 16 else { return nil }
        if let digits = decimalDigits(of: value, ifIs: Int.self) { return digits }
        if let digits = decimalDigits(of: value, ifIs: Int64.self) { return digits }
        if let digits = decimalDigits(of: value, ifIs: Int32.self) { return digits }
        if let digits = decimalDigits(of: value, ifIs: Int16.self) { return digits }
        if let digits = decimalDigits(of: value, ifIs: Int8.self) { return digits }
        if let digits = decimalDigits(of: value, ifIs: UInt.self) { return digits }
        if let digits = decimalDigits(of: value, ifIs: UInt64.self) { return digits }
        if let digits = decimalDigits(of: value, ifIs: UInt32.self) { return digits }
        if let digits = decimalDigits(of: value, ifIs: UInt16.self) { return digits }
        if let digits = decimalDigits(of: value, ifIs: UInt8.self) { return digits }
        guard #available(iOS 18, macOS 15, *) else { return nil }
        return decimalDigits(of: value, ifIs: Int128.self) ?? decimalDigits(of: value, ifIs: UInt128.self)
    }

    /// Returns the digits of a value if it is an integer of the given type, or nil for a value of any other type.
    @inline(__always)
    private func decimalDigits<Value, Integer: FixedWidthInteger>(of value: Value, ifIs type: Integer.Type) -> String? {
        guard Value.self == type, let integer = value as? Integer else { return nil }
        return integer.description
    }

    /// Encodes a floating-point number as the shortest text that reads back as the same number: `2` for 2.0.
    ///
    /// - Throws: An error for infinity and NaN, unless the coding has strings for them.
    private func encodeNumber<Number: BinaryFloatingPoint & CustomStringConvertible>(
        _ value: Number, at path: @autoclosure () -> PathNode?
    ) throws -> EncodedValue.Part {
        if value.isFinite {
            // Swift writes whole numbers with `.0`, which JSON does not need.
            let digits = value.description
            return .text(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits)
        }
        guard case .strings(let positiveInfinity, let negativeInfinity, let nan) = coding.floats else {
            throw invalidValueError(value, description: "JSON has no number for \(value).", at: path())
        }
        if value.isNaN { return .string(nan) }
        return .string(value > 0 ? positiveInfinity : negativeInfinity)
    }

    /// Encodes a decimal with all of its digits.
    ///
    /// - Throws: An error for NaN, which JSON can't express.
    private func encodeDecimal(_ value: Decimal, at path: @autoclosure () -> PathNode?) throws -> EncodedValue.Part {
        guard value.isFinite else {
            throw invalidValueError(value, description: "JSON has no number for \(value).", at: path())
        }
        return .text(value.description)
    }

    /// Returns the error for a value that JSON can't express.
    ///
    /// - Parameters:
    ///   - value: The value that can't be encoded.
    ///   - description: A sentence that says why, for a developer.
    ///   - path: The way from the root to the value.
    private func invalidValueError(_ value: Any, description: String, at path: PathNode?) -> EncodingError {
        .invalidValue(value, .init(codingPath: PathNode.keys(path), debugDescription: description))
    }
}

/// A dictionary that may become an object. Its keys are sorted, because the order of a dictionary differs from run to
/// run.
private protocol SortedDictionary {
    /// Encodes the dictionary as an object, if its keys can be keys of an object.
    ///
    /// - Returns: Whether the dictionary became an object. If it is false, nothing has been encoded.
    func encodeAsObject(to encoder: ValueEncoder) throws -> Bool
}

extension Dictionary: SortedDictionary where Key: Encodable, Value: Encodable {
    /// Encodes the dictionary as an object, if its keys can be keys of an object.
    ///
    /// The members are sorted by their keys, because the order of a dictionary differs from run to run. `Int` keys are
    /// in the order of numbers: 2 comes before 10.
    ///
    /// - Parameter encoder: The encoder of a value to which nothing has been added.
    /// - Returns: Whether the dictionary became an object. It is false if its keys are not `CodingKeyRepresentable`.
    ///   Then nothing has been encoded.
    /// - Throws: The error of a member's value.
    fileprivate func encodeAsObject(to encoder: ValueEncoder) throws -> Bool {
        guard Key.self is any CodingKeyRepresentable.Type else { return false }
        let session = encoder.session
        let path = encoder.path
        // Nothing has been added to the value, so this always succeeds.
        _ = encoder.value.decideKind(.object)
        for (key, value) in sortedMembers() {
            // Keys that are text are data, such as the names of users, and no strategy converts them.
            let writtenKey = Key.self == String.self ? key.stringValue : session.writtenKey(for: key, at: path)
            let encodedMember = try session.encode(value, at: PathNode(path, key))
            encoder.value.setMember(writtenKey, to: encodedMember)
        }
        return true
    }

    /// Returns the members with their keys as coding keys, sorted by the keys.
    ///
    /// - Precondition: The keys are `CodingKeyRepresentable`.
    private func sortedMembers() -> [(key: any CodingKey, value: Value)] {
        var members: [(key: any CodingKey, value: Value)] = []
        for (key, value) in self {
            if let key = key as? any CodingKeyRepresentable { members.append((key.codingKey, value)) }
        }
        let keysAreNumbers = Key.self == Int.self
        if keysAreNumbers {
            // The coding key of an `Int` always has its number.
            members.sort { ($0.key.intValue ?? 0) < ($1.key.intValue ?? 0) }
        } else {
            members.sort { $0.key.stringValue < $1.key.stringValue }
        }
        return members
    }
}

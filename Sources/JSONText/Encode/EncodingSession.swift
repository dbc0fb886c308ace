/// The state that all encoders and containers of one `encode` call share.
///
/// It encodes scalars, dictionaries and Foundation's types itself: their own `encode(to:)` would write how they are
/// stored.
final class EncodingSession {
    let coding: Coding
    private var keyConversion: KeyConversion
    private var stack = StackGuard()
    /// The first misuse in a place where `Encoder` cannot throw.
    private(set) var problem: EncodingError?

    init(_ coding: Coding) {
        self.coding = coding
        keyConversion = KeyConversion(coding.keys)
    }

    /// Notes a misuse of an encoder. The first one is thrown at the end.
    func report(_ mistake: String, at path: [any CodingKey]) {
        if problem == nil {
            problem = .invalidValue(mistake, .init(codingPath: path, debugDescription: mistake))
        }
    }

    /// Returns the key that is written for a model's key in the object at `path`. A ``PositionKey`` is written as it
    /// is.
    func name<Key: CodingKey>(of key: Key, at path: PathNode?) -> String {
        Key.self == PositionKey.self ? key.stringValue : keyConversion.textKey(key, path: PathNode.keys(path))
    }

    /// Encodes a value of any type: scalars here, all other types in `otherPart`.
    ///
    /// Types are compared before a value is cast, because the cast of a value of another type searches through its
    /// conformances, which takes long.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - path: The way from the root to the value, which is made only if it is needed.
    /// - Returns: The encoded value.
    /// - Throws: An error if JSON can't express the value, and the errors of the value's own `encode(to:)`.
    func part<Value: Encodable>(_ value: Value, at path: @autoclosure () -> PathNode?) throws -> EncodedValue.Part {
        if let number = integer(value) { return .text(number) }
        if Value.self == String.self, let string = value as? String { return .string(string) }
        if Value.self == Bool.self, let bool = value as? Bool { return .text(bool.description) }
        if Value.self == Double.self, let double = value as? Double { return try number(double, at: path()) }
        if Value.self == Float.self, let float = value as? Float { return try number(float, at: path()) }
        if Value.self == Decimal.self, let number = value as? Decimal { return try decimal(number, at: path()) }
        if Value.self == UUID.self, let id = value as? UUID { return .string(id.uuidString) }
        if Value.self == URL.self, let url = value as? URL { return .string(url.absoluteString) }
        if Value.self == JSONValue.self, let json = value as? JSONValue { return .json(json) }
        return try otherPart(value, at: path())
    }

    /// Encodes a value that is not a scalar: dates and data as the coding says, dictionaries as objects with sorted
    /// keys, and any other value through its `encode(to:)`.
    private func otherPart<Value: Encodable>(_ value: Value, at path: PathNode?) throws -> EncodedValue.Part {
        guard stack.hasRoom() else {
            throw invalid(value, "The value is nested too deeply for the thread's stack.", at: path)
        }
        if Value.self == Date.self, let date = value as? Date { return try self.date(date, at: path) }
        if Value.self == Data.self, let data = value as? Data { return try self.data(data, at: path) }
        let encoder = ValueEncoder(session: self, value: EncodedValue(), path: path)
        // Only what may be a dictionary by its size is cast: the answer for a new type takes a search through all
        // conformances.
        if MemoryLayout<Value>.size == MemoryLayout<[String: String]>.size,
            let dictionary = value as? any SortedDictionary, try dictionary.encodeMembers(to: encoder)
        {
            return .value(encoder.value)
        }
        try value.encode(to: encoder)
        return .value(encoder.value)
    }

    // MARK: Dates and data

    /// Encodes a date as the coding says: as ISO 8601 text, as a number, or by a closure.
    ///
    /// - Throws: An error if ISO 8601 has no text for the date, and the errors of the closure.
    private func date(_ date: Date, at path: PathNode?) throws -> EncodedValue.Part {
        let encoder = ValueEncoder(session: self, value: EncodedValue(), path: path)
        switch coding.dates {
        case .iso8601:
            if let text = DateText.iso8601(date) { return .string(text) }
            // The error has a number and not the date itself: Foundation traps when it describes a date that is not a
            // number.
            throw invalid(date.timeIntervalSince1970, "ISO 8601 has no text for this date.", at: path)
        case .secondsSince1970: return try number(date.timeIntervalSince1970, at: path)
        case .millisecondsSince1970: return try number(date.timeIntervalSince1970 * 1000, at: path)
        case .deferredToDate: try date.encode(to: encoder)
        case .custom(_, let encode): try encode(date, encoder)
        }
        return .value(encoder.value)
    }

    /// Encodes data as the coding says: as Base64 text, as an array of numbers, or by a closure.
    private func data(_ data: Data, at path: PathNode?) throws -> EncodedValue.Part {
        let encoder = ValueEncoder(session: self, value: EncodedValue(), path: path)
        switch coding.data {
        case .base64: return .string(data.base64EncodedString())
        case .deferredToData: try data.encode(to: encoder)
        case .custom(_, let encode): try encode(data, encoder)
        }
        return .value(encoder.value)
    }

    // MARK: Numbers

    /// Returns the text of a value that is an integer of any type, or nil for any other value.
    @inline(__always)
    private func integer<Value>(_ value: Value) -> String? {
        // No integer is larger than 16 bytes. Most models are.
        guard MemoryLayout<Value>.size <= 16 else { return nil }
        if let text = text(value, Int.self) ?? text(value, Int64.self) ?? text(value, Int32.self) { return text }
        if let text = text(value, Int16.self) ?? text(value, Int8.self) ?? text(value, UInt.self) { return text }
        if let text = text(value, UInt64.self) ?? text(value, UInt32.self) ?? text(value, UInt16.self) { return text }
        if let text = text(value, UInt8.self) { return text }
        guard #available(iOS 18, macOS 15, *) else { return nil }
        return text(value, Int128.self) ?? text(value, UInt128.self)
    }

    /// Returns the text of a value that is an integer of the given type, or nil for a value of any other type.
    @inline(__always)
    private func text<Value, Integer: FixedWidthInteger>(_ value: Value, _ type: Integer.Type) -> String? {
        guard Value.self == type, let integer = value as? Integer else { return nil }
        return integer.description
    }

    /// Encodes a floating-point number as the shortest text that reads back as the same number: `2` for 2.0.
    ///
    /// - Throws: An error for infinity and NaN, unless the coding has strings for them.
    private func number<Number: BinaryFloatingPoint & CustomStringConvertible>(
        _ value: Number, at path: @autoclosure () -> PathNode?
    ) throws -> EncodedValue.Part {
        if value.isFinite {
            let text = value.description
            return .text(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        }
        guard case .strings(let positiveInfinity, let negativeInfinity, let nan) = coding.floats else {
            throw invalid(value, "JSON has no number for \(value).", at: path())
        }
        if value.isNaN { return .string(nan) }
        return .string(value > 0 ? positiveInfinity : negativeInfinity)
    }

    /// Returns the text of a decimal, which is exact. NaN has none.
    private func decimal(_ value: Decimal, at path: @autoclosure () -> PathNode?) throws -> EncodedValue.Part {
        guard value.isFinite else { throw invalid(value, "JSON has no number for \(value).", at: path()) }
        return .text(value.description)
    }

    /// Returns the error for a value that can't be encoded.
    private func invalid(_ value: Any, _ problem: String, at path: PathNode?) -> EncodingError {
        .invalidValue(value, .init(codingPath: PathNode.keys(path), debugDescription: problem))
    }
}

/// A dictionary that may become an object. Its keys are sorted, because the order of a dictionary differs from run to
/// run.
private protocol SortedDictionary {
    /// Encodes the members of an object.
    ///
    /// - Returns: Whether the dictionary becomes an object. It is false if its keys are not text, so that it becomes an
    ///   array.
    func encodeMembers(to encoder: ValueEncoder) throws -> Bool
}

extension Dictionary: SortedDictionary where Key: Encodable, Value: Encodable {
    /// Encodes the dictionary as an object, if its keys can be keys of an object.
    ///
    /// The members are sorted by their keys, because the order of a dictionary differs from run to run. `Int` keys are
    /// in the order of numbers: 2 comes before 10.
    ///
    /// - Parameter encoder: The encoder of a value to which nothing has been added.
    /// - Returns: Whether the dictionary became an object. It is false if its keys are not `CodingKeyRepresentable`.
    /// - Throws: The error of a member's value.
    fileprivate func encodeMembers(to encoder: ValueEncoder) throws -> Bool {
        guard Key.self is any CodingKeyRepresentable.Type else { return false }
        let session = encoder.session
        let path = encoder.path
        // The value is new, so it can still become an object.
        _ = encoder.value.decide(.object)
        for (key, value) in sortedMembers() {
            // Keys that are text are data, which no strategy changes.
            let name = Key.self == String.self ? key.stringValue : session.name(of: key, at: path)
            let part = try session.part(value, at: PathNode(path, key))
            encoder.value.set(name, part)
        }
        return true
    }

    /// Returns the members with their keys as coding keys, sorted by the keys.
    private func sortedMembers() -> [(key: any CodingKey, value: Value)] {
        var members: [(key: any CodingKey, value: Value)] = []
        for (key, value) in self {
            if let key = key as? any CodingKeyRepresentable { members.append((key.codingKey, value)) }
        }
        if Key.self == Int.self {
            members.sort { ($0.key.intValue ?? 0) < ($1.key.intValue ?? 0) }
        } else {
            members.sort { $0.key.stringValue < $1.key.stringValue }
        }
        return members
    }
}

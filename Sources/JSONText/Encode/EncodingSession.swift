/// What all encoders and containers of one `encode` call share.
///
/// Foundation's own types, whose `encode(to:)` gives away too much of how they are made, and dictionaries are encoded here.
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

    func report(_ mistake: String, at path: [any CodingKey]) {
        if problem == nil {
            problem = .invalidValue(mistake, .init(codingPath: path, debugDescription: mistake))
        }
    }

    /// The name of a key in the object at `path`; a ``PositionKey`` is one already.
    func name<Key: CodingKey>(of key: Key, _ path: PathNode?) -> String {
        Key.self == PositionKey.self ? key.stringValue : keyConversion.textKey(key, path: PathNode.keys(path))
    }

    /// What a value becomes.
    func part<Value: Encodable>(_ value: Value, _ path: @autoclosure () -> PathNode?) throws -> EncodedValue.Part {
        // Where the types are the same, the casts cannot trap; `as` would search for conformances and bridges first.
        if let number = integer(value) { return .text(number) }
        if Value.self == String.self { return .string(unsafeBitCast(value, to: String.self)) }
        if Value.self == Bool.self { return .text(unsafeBitCast(value, to: Bool.self).description) }
        if Value.self == Double.self { return try number(unsafeBitCast(value, to: Double.self), path()) }
        if Value.self == Float.self { return try number(unsafeBitCast(value, to: Float.self), path()) }
        if Value.self == Decimal.self { return try decimal(unsafeBitCast(value, to: Decimal.self), path()) }
        if Value.self == UUID.self { return .string(unsafeBitCast(value, to: UUID.self).uuidString) }
        if Value.self == URL.self, let url = value as? URL { return .string(url.absoluteString) }
        if Value.self == JSONValue.self, let json = value as? JSONValue { return .json(json) }
        return try composite(value, path())
    }

    private func composite<Value: Encodable>(_ value: Value, _ path: PathNode?) throws -> EncodedValue.Part {
        guard stack.hasRoom() else {
            throw invalid(value, "The value is nested too deeply for the thread's stack.", path)
        }
        let encoder = ValueEncoder(session: self, value: EncodedValue(), path: path)
        if Value.self == Date.self, let date = value as? Date {
            switch coding.dates {
            case .iso8601:
                if let text = DateText.iso8601(date) { return .string(text) }
                // Not the date itself: Foundation traps when it describes one that is not a number.
                throw invalid(date.timeIntervalSince1970, "ISO 8601 has no text for this date.", path)
            case .secondsSince1970: return try number(date.timeIntervalSince1970, path)
            case .millisecondsSince1970: return try number(date.timeIntervalSince1970 * 1000, path)
            case .deferredToDate: try value.encode(to: encoder)
            case .custom(_, let encode): try encode(date, encoder)
            }
        } else if Value.self == Data.self, let data = value as? Data {
            switch coding.data {
            case .base64: return .string(data.base64EncodedString())
            case .deferredToData: try value.encode(to: encoder)
            case .custom(_, let encode): try encode(data, encoder)
            }
        } else if MemoryLayout<Value>.size == MemoryLayout<[String: String]>.size,
            // Only what may be a dictionary is asked: the answer for a new type takes a search through all conformances.
            let dictionary = value as? any SortedDictionary, try dictionary.encodeMembers(to: encoder)
        {
            return .value(encoder.value)
        } else {
            try value.encode(to: encoder)
        }
        return .value(encoder.value)
    }

    // MARK: Numbers

    /// The text of an integer of any type; nil for any other value.
    @inline(__always)
    private func integer<Value>(_ value: Value) -> String? {
        guard MemoryLayout<Value>.size <= 16 else { return nil }
        if let text = text(value, Int.self) ?? text(value, Int64.self) ?? text(value, Int32.self) { return text }
        if let text = text(value, Int16.self) ?? text(value, Int8.self) ?? text(value, UInt.self) { return text }
        if let text = text(value, UInt64.self) ?? text(value, UInt32.self) ?? text(value, UInt16.self) { return text }
        if let text = text(value, UInt8.self) { return text }
        return text(value, Int128.self) ?? text(value, UInt128.self)
    }

    @inline(__always)
    private func text<Value, Integer: FixedWidthInteger>(_ value: Value, _ type: Integer.Type) -> String? {
        Value.self == type ? unsafeBitCast(value, to: type).description : nil
    }

    private func number<Number: BinaryFloatingPoint & CustomStringConvertible>(
        _ value: Number, _ path: @autoclosure () -> PathNode?
    ) throws -> EncodedValue.Part {
        if value.isFinite {
            let text = value.description
            return .text(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        }
        guard case .strings(let positiveInfinity, let negativeInfinity, let nan) = coding.floats else {
            throw invalid(value, "JSON has no number for \(value).", path())
        }
        return .string(value.isNaN ? nan : value > 0 ? positiveInfinity : negativeInfinity)
    }

    private func decimal(_ value: Decimal, _ path: @autoclosure () -> PathNode?) throws -> EncodedValue.Part {
        guard value.isFinite else { throw invalid(value, "JSON has no number for \(value).", path()) }
        return .text(value.description)
    }

    private func invalid(_ value: Any, _ problem: String, _ path: PathNode?) -> EncodingError {
        .invalidValue(value, .init(codingPath: PathNode.keys(path), debugDescription: problem))
    }
}

/// A dictionary that becomes an object. Its keys are sorted, as their order differs from run to run.
private protocol SortedDictionary {
    /// False if it becomes an array, because its keys are no text.
    func encodeMembers(to encoder: ValueEncoder) throws -> Bool
}

extension Dictionary: SortedDictionary where Key: Encodable, Value: Encodable {
    fileprivate func encodeMembers(to encoder: ValueEncoder) throws -> Bool {
        guard Key.self is any CodingKeyRepresentable.Type else { return false }
        let (session, path) = (encoder.session, encoder.path)
        var members = compactMap { key, value in (key as? any CodingKeyRepresentable).map { ($0.codingKey, value) } }
        if Key.self == Int.self {
            members.sort { ($0.0.intValue ?? 0) < ($1.0.intValue ?? 0) }
        } else {
            members.sort { $0.0.stringValue < $1.0.stringValue }
        }
        _ = encoder.value.become(.object)
        for (key, value) in members {
            // Keys that are text are data, which no strategy changes.
            let name = Key.self == String.self ? key.stringValue : session.name(of: key, path)
            let part = try session.part(value, PathNode(path, key))
            encoder.value.set(name, part)
        }
        return true
    }
}

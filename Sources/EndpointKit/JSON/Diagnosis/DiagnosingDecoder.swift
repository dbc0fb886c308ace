/// Decodes a model a second time after `JSONDecoder` refused it, to find out what is wrong, and where.
///
/// `JSONDecoder` tells a number that does not fit its type without the coding path. This decoder refuses the same
/// values, always with the path, and looks at the members of an object in their order in the text.
struct DiagnosingDecoder: Decoder {
    let value: DiagnosedValue

    var codingPath: [any CodingKey] { value.path.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try KeyedDecodingContainer(DiagnosingKeyedContainer(value))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try DiagnosingUnkeyedContainer(value) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { DiagnosingValueContainer(value: value) }
}

extension DiagnosedValue {
    /// The value as a `type`. Throws `DecodingError` with the coding path, or what the type's `init(from:)` throws.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let scalar = try scalar(type), let value = scalar as? T { return value }
        do {
            return try T(from: DiagnosingDecoder(value: self))
        } catch DecodingError.dataCorrupted(let context) where isRefusedRawValue(context) {
            guard let expected = Self.rawValues(of: type) else { throw DecodingError.dataCorrupted(context) }
            throw unfit(expected)
        }
    }

    /// Whether the error is the standard library's for a raw value that a `RawRepresentable` does not know.
    private func isRefusedRawValue(_ context: DecodingError.Context) -> Bool {
        context.debugDescription.hasPrefix("Cannot initialize ") && context.codingPath.count == path.codingPath.count
    }

    private static let mostRawValues = 20

    private static func rawValues(of type: Any.Type) -> String? {
        switch type {
        case let type as any (RawRepresentable & CaseIterable).Type:
            let values = allRawValues(of: type)
            let rest = values.count > mostRawValues ? ", …" : ""
            return "one of " + values.prefix(mostRawValues).joined(separator: ", ") + rest
        case is any RawRepresentable.Type: return "a value of \(type)"
        default: return nil
        }
    }

    private static func allRawValues<T: RawRepresentable & CaseIterable>(of type: T.Type) -> [String] {
        type.allCases.map { "\($0.rawValue)" }
    }
}

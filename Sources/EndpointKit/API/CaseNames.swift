import JSONText

/// Returns the Swift name of the case that a value of an enum is.
///
/// - Returns: The name. Nil if the value is not of an enum, or if its case has no associated values and its type
///   describes itself, so that the standard library does not show the name.
package func swiftCaseName<Value>(of value: Value) -> String? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return nil }
    if let associatedValues = mirror.children.first { return associatedValues.label }
    let describesItself =
        value is any CustomStringConvertible || value is any CustomDebugStringConvertible
        || value is any TextOutputStreamable
    return describesItself ? nil : "\(value)"
}

extension API {
    /// The Swift name of the case.
    ///
    /// - Throws: ``NotACase`` for a type that is not an enum.
    package var caseName: String {
        get throws {
            if let name = swiftCaseName(of: self) { return name }
            // The synthesised `Codable` of an enum writes an object with the name of the case as its only key.
            guard Mirror(reflecting: self).displayStyle == .enum,
                let members = try? JSONValue(text: JSONTextEncoder().encode(self)).members, members.count == 1
            else { throw NotACase(Self.self) }
            return members[0].key
        }
    }

    /// The Swift names of all cases in the order of declaration; empty if the API has a `Codable` of its own that does
    /// not show them.
    package static var caseNames: [String] {
        let reader = CaseNameReader()
        // The reader throws once it knows the names.
        _ = try? Self(from: reader)
        return reader.names
    }
}

/// A decoder that holds no value: it learns the cases of an enum from the type of the keys that the synthesised
/// `init(from:)` asks for.
private final class CaseNameReader: Decoder {
    private struct Refused: Error {}

    private(set) var names: [String] = []
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        // A closure, because the runtime takes longer to make a key path to a generic type's property than to list the
        // names.
        names = CaseKeys.all(of: type).map { $0.stringValue }
        throw Refused()
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Refused() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Refused() }
}

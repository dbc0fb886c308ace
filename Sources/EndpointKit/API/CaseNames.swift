import JSONText

/// The runtime's own function behind the text of an enum's value: the name of its case, a constant of the program; nil if the type is not an
/// enum, or the program has no reflection metadata.
///
/// The standard library declares it in this way too (ReflectionMirror.swift of the Swift project), and `Mirror` calls it. If a later library
/// lacks it, linking fails.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// The Swift name of the case that a value of an enum is; nil for any other value.
package func swiftCaseName<Value>(of value: Value) -> String? { enumCaseName(value).map { String(cString: $0) } }

extension API {
    /// The Swift name of the case. Throws ``NotACase`` for a type that is not an enum.
    package var caseName: String {
        get throws {
            guard let name = swiftCaseName(of: self) else { throw NotACase(Self.self) }
            return name
        }
    }

    /// The Swift names of all cases in the order of declaration; empty if the synthesised `Codable` does not tell them.
    package static var caseNames: [String] {
        let reader = KeyTypeReader()
        // It never gives a value.
        _ = try? Self(from: reader)
        return reader.names
    }
}

/// Learns from the synthesised decoder of an enum which keys there are; nothing is decoded.
private final class KeyTypeReader: Decoder {
    private struct Refused: Error {}

    private(set) var names: [String] = []
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        // A key path to a generic type's property takes longer to make than the names.
        names = CaseKeys.all(of: type).map { $0.stringValue }
        throw Refused()
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Refused() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Refused() }
}

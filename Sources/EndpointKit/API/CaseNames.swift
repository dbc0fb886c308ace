import JSONText

/// The runtime's own function for the name of an enum's case, which `print` and `Mirror` show.
///
/// The name is a constant of the program, so the pointer stays valid. It is nil if the type is not an enum, or if the
/// program has no reflection metadata. The standard library declares the function in the same way
/// (ReflectionMirror.swift of the Swift project). If a later library lacks it, linking fails.
///
/// It is used instead of `Mirror`, which searches through all conformances for each new type: that takes a tenth of the
/// time of `apictl list`. In contrast to `print`, it also gives the name if the enum describes itself otherwise.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// Returns the Swift name of an enum value's case: `popular` for `Movies.popular(page: 1)`; nil for any other value.
package func swiftCaseName<Value>(of value: Value) -> String? {
    guard let name = enumCaseName(value) else { return nil }
    return String(cString: name)
}

extension API {
    /// The Swift name of the case.
    ///
    /// - Throws: ``NotAnEnumCase`` for a type that is not an enum.
    package var caseName: String {
        get throws {
            guard let name = swiftCaseName(of: self) else { throw NotAnEnumCase(Self.self) }
            return name
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

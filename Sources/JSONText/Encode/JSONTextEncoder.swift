/// Encodes a value as JSON text, its keys in the order in which the value encodes them.
///
/// A synthesised `encode(to:)` encodes in declaration order. Numbers are exact: every integer, `Decimal` and the
/// shortest text that reads back as the same `Float` or `Double`, without `.0`. `URL` and `UUID` are their text; keys, dates, data
/// and special numbers are as the coding says. Dictionaries become objects with
/// sorted keys, so that the text is the same each time; dictionaries whose keys are neither text, `Int` nor
/// `CodingKeyRepresentable` become arrays of keys and values by turns, as the standard library has it.
package struct JSONTextEncoder {
    private let coding: Coding

    package init(coding: Coding = Coding()) { self.coding = coding }

    /// The JSON text of `value` as one line, without a line break at its end.
    ///
    /// Throws `EncodingError.invalidValue` with the coding path for a number that is not finite, unless the coding has a text for it, for
    /// a date outside the years 1 to 9999, for a value that encodes nothing or is nested too deeply for the thread's stack; and whatever the
    /// value's own `encode(to:)` throws.
    package func encode(_ value: some Encodable) throws -> [UInt8] {
        let session = EncodingSession(coding)
        let part = try session.part(value, nil)
        if case .value(let encoded) = part, encoded.kind == .undecided {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "The value encoded nothing."))
        }
        if let problem = session.problem { throw problem }
        var text: [UInt8] = []
        EncodedValue.write(part, to: &text)
        return text
    }
}

/// An encoder that says how it writes dates.
package protocol CodingEncoder: Encoder { var coding: Coding { get } }

/// The `Encoder` that a value's `encode(to:)` gets, its single-value container, and an array that is being filled.
struct ValueEncoder: CodingEncoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
    let session: EncodingSession
    let value: EncodedValue
    let path: PathNode?

    var codingPath: [any CodingKey] { PathNode.keys(path) }
    var coding: Coding { session.coding }
    var userInfo: [CodingUserInfoKey: Any] { coding.userInfo }
    /// The elements of an array.
    var count: Int { value.parts.count }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        decide(.object)
        return KeyedEncodingContainer(KeyedContainer<Key>(session: session, object: value, path: path))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        decide(.array)
        return self
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { add(.text("null")) }

    func encode<Value: Encodable>(_ value: Value) throws { try addPart(value) }
    // The protocol has default implementations of these, which refuse 128 bits.
    func encode(_ value: Int128) throws { try addPart(value) }
    func encode(_ value: UInt128) throws { try addPart(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> { nested().container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    func superEncoder() -> any Encoder { nested() }

    private func nested() -> ValueEncoder {
        let encoder = ValueEncoder(session: session, value: EncodedValue(), path: PathNode(path, index: count))
        add(.value(encoder.value))
        return encoder
    }

    private func addPart<Value: Encodable>(_ value: Value) throws {
        add(try session.part(value, self.value.kind == .array ? PathNode(path, index: count) : path))
    }

    private func add(_ part: EncodedValue.Part) {
        if value.kind == .single {
            return session.report("The value encodes more than one JSON value.", at: codingPath)
        }
        if value.kind != .array { decide(.single) }
        value.append(part)
    }

    private func decide(_ kind: EncodedValue.Kind) {
        if !value.become(kind) {
            session.report("The value encodes itself as two different kinds of JSON value.", at: codingPath)
        }
    }
}

/// An object that is being filled.
private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let session: EncodingSession
    let object: EncodedValue
    let path: PathNode?

    var codingPath: [any CodingKey] { PathNode.keys(path) }

    private func name(_ key: some CodingKey) -> String { session.name(of: key, path) }

    func encodeNil(forKey key: Key) { object.set(name(key), .text("null")) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try member(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try member(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try member(value, key) }

    private func member<Value: Encodable>(_ value: Value, _ key: Key) throws {
        let part = try session.part(value, PathNode(path, key))
        object.set(name(key), part)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { nested(.object, key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(.array, key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested(.undecided, PositionKey.super) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(.undecided, key) }

    /// An encoder for a member; the same container if there is one of that kind already.
    private func nested(_ kind: EncodedValue.Kind, _ key: some CodingKey) -> ValueEncoder {
        let name = name(key)
        let value = object.container(name, kind) ?? EncodedValue()
        object.set(name, .value(value))
        return ValueEncoder(session: session, value: value, path: PathNode(path, key))
    }
}

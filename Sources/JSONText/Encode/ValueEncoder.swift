/// An encoder whose strategies a value can see.
package protocol CodingEncoder: Encoder {
    var coding: Coding { get }
}

/// The `Encoder` that a value's `encode(to:)` gets. It is also its own single-value container and unkeyed container.
struct ValueEncoder: CodingEncoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
    let session: EncodingSession
    let value: EncodedValue
    let path: PathNode?

    var codingPath: [any CodingKey] { PathNode.keys(path) }
    var coding: Coding { session.coding }
    var userInfo: [CodingUserInfoKey: Any] { coding.userInfo }
    /// The elements of an array.
    var count: Int { value.parts.count }

    /// Makes the value an object, and returns a container for its members.
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        decide(.object)
        return KeyedEncodingContainer(KeyedContainer<Key>(session: session, object: value, path: path))
    }

    /// Makes the value an array. This encoder is the container for its elements.
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        decide(.array)
        return self
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { add(.text("null")) }

    func encode<Value: Encodable>(_ value: Value) throws { try addPart(value) }
    // The protocol has default implementations of these, which refuse 128 bits.
    @available(iOS 18, macOS 15, *)
    func encode(_ value: Int128) throws { try addPart(value) }
    @available(iOS 18, macOS 15, *)
    func encode(_ value: UInt128) throws { try addPart(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> { nested().container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    func superEncoder() -> any Encoder { nested() }

    /// Adds an element that is still empty, and returns an encoder that fills it.
    ///
    /// The element refers to the encoder's value. So it has all that the encoder is given until the end of the
    /// encoding.
    private func nested() -> ValueEncoder {
        let encoder = ValueEncoder(session: session, value: EncodedValue(), path: PathNode(path, index: count))
        add(.value(encoder.value))
        return encoder
    }

    /// Encodes an element, or the only value.
    private func addPart<Value: Encodable>(_ value: Value) throws {
        let isElement = self.value.kind == .array
        add(try session.part(value, at: isElement ? PathNode(path, index: count) : path))
    }

    /// Adds an element of an array, or the only value. A second value outside of an array is a misuse of the encoder,
    /// which is reported at the end.
    private func add(_ part: EncodedValue.Part) {
        if value.kind == .single {
            return session.report("The value encodes more than one JSON value.", at: codingPath)
        }
        if value.kind != .array { decide(.single) }
        value.append(part)
    }

    /// Decides the kind of the value. Another kind than was decided before is a misuse, which is reported at the end.
    private func decide(_ kind: EncodedValue.Kind) {
        if !value.decide(kind) {
            session.report("The value encodes itself as two different kinds of JSON value.", at: codingPath)
        }
    }
}

/// The keyed container of an object that is being encoded.
private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let session: EncodingSession
    let object: EncodedValue
    let path: PathNode?

    var codingPath: [any CodingKey] { PathNode.keys(path) }

    private func name(_ key: some CodingKey) -> String { session.name(of: key, at: path) }

    func encodeNil(forKey key: Key) { object.set(name(key), .text("null")) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try member(value, key) }
    @available(iOS 18, macOS 15, *)
    func encode(_ value: Int128, forKey key: Key) throws { try member(value, key) }
    @available(iOS 18, macOS 15, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try member(value, key) }

    /// Encodes a member.
    private func member<Value: Encodable>(_ value: Value, _ key: Key) throws {
        let part = try session.part(value, at: PathNode(path, key))
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

    /// Returns an encoder for the value of a member. If the member has a container of that kind already, the encoder
    /// adds to it.
    private func nested(_ kind: EncodedValue.Kind, _ key: some CodingKey) -> ValueEncoder {
        let name = name(key)
        let value = object.container(name, kind) ?? EncodedValue()
        object.set(name, .value(value))
        return ValueEncoder(session: session, value: value, path: PathNode(path, key))
    }
}

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
        decideKind(.object)
        return KeyedEncodingContainer(KeyedContainer<Key>(session: session, object: value, path: path))
    }

    /// Makes the value an array. This encoder is the container for its elements.
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        decideKind(.array)
        return self
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { add(.text("null")) }

    func encode<Value: Encodable>(_ value: Value) throws { try encodeAndAdd(value) }
    // The protocol has default implementations of these, which refuse 128 bits.
    @available(iOS 18, macOS 15, *)
    func encode(_ value: Int128) throws { try encodeAndAdd(value) }
    @available(iOS 18, macOS 15, *)
    func encode(_ value: UInt128) throws { try encodeAndAdd(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        addNestedEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { addNestedEncoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { addNestedEncoder() }

    /// Adds an element that is still empty, and returns an encoder that fills it.
    ///
    /// The element and the new encoder share one ``EncodedValue``, which is a class. So what the encoder adds later is
    /// in the element.
    private func addNestedEncoder() -> ValueEncoder {
        let encoder = ValueEncoder(session: session, value: EncodedValue(), path: PathNode(path, index: count))
        add(.value(encoder.value))
        return encoder
    }

    /// Encodes an element of an array, or the only value, and adds it to the value of this encoder.
    private func encodeAndAdd<Value: Encodable>(_ value: Value) throws {
        let isElement = self.value.kind == .array
        add(try session.encode(value, at: isElement ? PathNode(path, index: count) : path))
    }

    /// Adds an element to an array, or sets the only value. A second value outside of an array is a misuse of the
    /// encoder. It is noted and thrown at the end of the encoding, because some callers, such as `encodeNil()`, can't
    /// throw.
    private func add(_ part: EncodedValue.Part) {
        let hasOnlyValue = value.kind == .single
        if hasOnlyValue {
            return session.reportMisuse("The value encodes more than one JSON value.", at: codingPath)
        }
        if value.kind != .array { decideKind(.single) }
        value.append(part)
    }

    /// Decides the kind of the value. If another kind was decided before, that is a misuse of the encoder, which is
    /// noted and thrown at the end.
    private func decideKind(_ kind: EncodedValue.Kind) {
        if !value.decideKind(kind) {
            session.reportMisuse("The value encodes itself as two different kinds of JSON value.", at: codingPath)
        }
    }
}

/// The keyed container of an object that is being encoded.
private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let session: EncodingSession
    let object: EncodedValue
    let path: PathNode?

    var codingPath: [any CodingKey] { PathNode.keys(path) }

    private func writtenKey(_ key: some CodingKey) -> String { session.writtenKey(for: key, at: path) }

    func encodeNil(forKey key: Key) { object.setMember(writtenKey(key), to: .text("null")) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encodeMember(value, forKey: key) }
    @available(iOS 18, macOS 15, *)
    func encode(_ value: Int128, forKey key: Key) throws { try encodeMember(value, forKey: key) }
    @available(iOS 18, macOS 15, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try encodeMember(value, forKey: key) }

    /// Encodes the value of a member, and adds the member to the object.
    private func encodeMember<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let encodedMember = try session.encode(value, at: PathNode(path, key))
        object.setMember(writtenKey(key), to: encodedMember)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        makeMemberEncoder(.object, forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        makeMemberEncoder(.array, forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { makeMemberEncoder(.undecided, forKey: PositionKey.super) }
    func superEncoder(forKey key: Key) -> any Encoder { makeMemberEncoder(.undecided, forKey: key) }

    /// Returns an encoder for the value of a member, and adds the member to the object.
    ///
    /// If the member has a container of this kind already, the encoder adds to it, because a model may ask for the same
    /// nested container twice.
    private func makeMemberEncoder(_ kind: EncodedValue.Kind, forKey key: some CodingKey) -> ValueEncoder {
        let writtenKey = writtenKey(key)
        let memberValue = object.container(named: writtenKey, of: kind) ?? EncodedValue()
        object.setMember(writtenKey, to: .value(memberValue))
        return ValueEncoder(session: session, value: memberValue, path: PathNode(path, key))
    }
}

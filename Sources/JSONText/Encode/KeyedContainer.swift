/// An object that is being filled.
struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let session: EncodingSession
    let container: EncodedContainer
    let path: CodingPath

    var codingPath: [any CodingKey] { path.codingPath }

    func encodeNil(forKey key: Key) throws { set(session.null(), key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        set(try session.encodeMember(value, at: path(to: key)), key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(
            KeyedContainer<NestedKey>(
                session: session, container: nested(isObject: true, key), path: path(to: key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        UnkeyedContainer(session: session, container: nested(isObject: false, key), path: path(to: key))
    }

    func superEncoder() -> any Encoder { superEncoder(PositionKey.super) }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key) }

    private func superEncoder(_ key: any CodingKey) -> any Encoder {
        let encoder = ValueEncoder(session: session, path: path(to: key))
        set(.encoder(encoder), key)
        return encoder
    }

    /// The container for that key; the same one again if it is there already.
    private func nested(isObject: Bool, _ key: Key) -> EncodedContainer {
        if case .container(let container)? = container[key.stringValue], container.isObject == isObject {
            return container
        }
        let nested = EncodedContainer(isObject: isObject)
        set(.container(nested), key)
        return nested
    }

    private func path(to key: any CodingKey) -> CodingPath { .child(of: path, key: key) }

    private func set(_ value: EncodedValue, _ key: any CodingKey) {
        container.set(value, for: key.stringValue)
    }
}

extension KeyedContainer {
    func encode(_ value: Bool, forKey key: Key) throws { set(session.boolean(value), key) }
    func encode(_ value: String, forKey key: Key) throws { set(session.string(value), key) }
    func encode(_ value: Double, forKey key: Key) throws { try set(session.number(value, at: path(to: key)), key) }
    func encode(_ value: Float, forKey key: Key) throws { try set(session.number(value, at: path(to: key)), key) }
    func encode(_ value: Int, forKey key: Key) throws { set(session.integer(value), key) }
    func encode(_ value: Int8, forKey key: Key) throws { set(session.integer(value), key) }
    func encode(_ value: Int16, forKey key: Key) throws { set(session.integer(value), key) }
    func encode(_ value: Int32, forKey key: Key) throws { set(session.integer(value), key) }
    func encode(_ value: Int64, forKey key: Key) throws { set(session.integer(value), key) }
    func encode(_ value: UInt, forKey key: Key) throws { set(session.integer(value), key) }
    func encode(_ value: UInt8, forKey key: Key) throws { set(session.integer(value), key) }
    func encode(_ value: UInt16, forKey key: Key) throws { set(session.integer(value), key) }
    func encode(_ value: UInt32, forKey key: Key) throws { set(session.integer(value), key) }
    func encode(_ value: UInt64, forKey key: Key) throws { set(session.integer(value), key) }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func encode(_ value: Int128, forKey key: Key) throws { set(session.integer(value), key) }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func encode(_ value: UInt128, forKey key: Key) throws { set(session.integer(value), key) }
}

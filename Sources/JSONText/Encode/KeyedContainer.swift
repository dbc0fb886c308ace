/// An object that is being filled.
struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let handle: EncodingSession.Handle

    private var session: EncodingSession { handle.session }

    var codingPath: [any CodingKey] { session.codingPath(of: handle) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try session.encode(value, at: .member(key), in: handle)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(
            KeyedContainer<NestedKey>(handle: session.nested(.member(key), in: handle, isObject: true)))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        UnkeyedContainer(handle: session.nested(.member(key), in: handle, isObject: false))
    }

    func superEncoder() -> any Encoder { session.encoder(.member(PositionKey.super), in: handle) }

    func superEncoder(forKey key: Key) -> any Encoder { session.encoder(.member(key), in: handle) }

    func encodeNil(forKey key: Key) throws { session.write(key, handle) { $0.writeNull(&$1) } }

    func encode(_ value: Bool, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }
    func encode(_ value: String, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }
    func encode(_ value: Double, forKey key: Key) throws { try session.encode(value, at: .member(key), in: handle) }
    func encode(_ value: Float, forKey key: Key) throws { try session.encode(value, at: .member(key), in: handle) }
    func encode(_ value: Int, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }
    func encode(_ value: Int8, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }
    func encode(_ value: Int16, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }
    func encode(_ value: Int32, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }
    func encode(_ value: Int64, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt8, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt16, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt32, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt64, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func encode(_ value: Int128, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func encode(_ value: UInt128, forKey key: Key) throws { session.write(key, handle) { $0.write(value, &$1) } }
}

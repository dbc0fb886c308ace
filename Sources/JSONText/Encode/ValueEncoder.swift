/// The `Encoder` that a value's `encode(to:)` gets.
struct ValueEncoder: Encoder {
    let handle: EncodingSession.Handle

    private var session: EncodingSession { handle.session }

    var codingPath: [any CodingKey] { session.codingPath(of: handle) }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        session.openContainer(handle, isObject: true)
        return KeyedEncodingContainer(KeyedContainer<Key>(handle: handle))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        session.openContainer(handle, isObject: false)
        return UnkeyedContainer(handle: handle)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encode<Value: Encodable>(_ value: Value) throws { try session.encode(value, at: .same, in: handle) }

    func encodeNil() throws { session.write(.same, handle) { $0.writeNull(&$1) } }

    func encode(_ value: Bool) throws { session.write(.same, handle) { $0.write(value, &$1) } }
    func encode(_ value: String) throws { session.write(.same, handle) { $0.write(value, &$1) } }
    func encode(_ value: Double) throws { try session.encode(value, at: .same, in: handle) }
    func encode(_ value: Float) throws { try session.encode(value, at: .same, in: handle) }
    func encode(_ value: Int) throws { session.write(.same, handle) { $0.write(value, &$1) } }
    func encode(_ value: Int8) throws { session.write(.same, handle) { $0.write(value, &$1) } }
    func encode(_ value: Int16) throws { session.write(.same, handle) { $0.write(value, &$1) } }
    func encode(_ value: Int32) throws { session.write(.same, handle) { $0.write(value, &$1) } }
    func encode(_ value: Int64) throws { session.write(.same, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt) throws { session.write(.same, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt8) throws { session.write(.same, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt16) throws { session.write(.same, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt32) throws { session.write(.same, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt64) throws { session.write(.same, handle) { $0.write(value, &$1) } }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func encode(_ value: Int128) throws { session.write(.same, handle) { $0.write(value, &$1) } }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func encode(_ value: UInt128) throws { session.write(.same, handle) { $0.write(value, &$1) } }
}

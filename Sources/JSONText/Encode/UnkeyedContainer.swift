/// An array that is being filled.
struct UnkeyedContainer: UnkeyedEncodingContainer {
    let handle: EncodingSession.Handle

    private var session: EncodingSession { handle.session }

    var codingPath: [any CodingKey] { session.codingPath(of: handle) }
    var count: Int { session.count(of: handle) }

    private var next: TextPart.Spot { .element(count) }

    func encode<Value: Encodable>(_ value: Value) throws { try session.encode(value, at: next, in: handle) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(KeyedContainer<NestedKey>(handle: session.nested(next, in: handle, isObject: true)))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedContainer(handle: session.nested(next, in: handle, isObject: false))
    }

    func superEncoder() -> any Encoder { session.encoder(next, in: handle) }

    func encodeNil() throws { session.write(next, handle) { $0.writeNull(&$1) } }

    func encode(_ value: Bool) throws { session.write(next, handle) { $0.write(value, &$1) } }
    func encode(_ value: String) throws { session.write(next, handle) { $0.write(value, &$1) } }
    func encode(_ value: Double) throws { try session.encode(value, at: next, in: handle) }
    func encode(_ value: Float) throws { try session.encode(value, at: next, in: handle) }
    func encode(_ value: Int) throws { session.write(next, handle) { $0.write(value, &$1) } }
    func encode(_ value: Int8) throws { session.write(next, handle) { $0.write(value, &$1) } }
    func encode(_ value: Int16) throws { session.write(next, handle) { $0.write(value, &$1) } }
    func encode(_ value: Int32) throws { session.write(next, handle) { $0.write(value, &$1) } }
    func encode(_ value: Int64) throws { session.write(next, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt) throws { session.write(next, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt8) throws { session.write(next, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt16) throws { session.write(next, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt32) throws { session.write(next, handle) { $0.write(value, &$1) } }
    func encode(_ value: UInt64) throws { session.write(next, handle) { $0.write(value, &$1) } }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func encode(_ value: Int128) throws { session.write(next, handle) { $0.write(value, &$1) } }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func encode(_ value: UInt128) throws { session.write(next, handle) { $0.write(value, &$1) } }
}

/// An array that is being filled.
struct UnkeyedContainer: UnkeyedEncodingContainer {
    let session: EncodingSession
    let container: EncodedContainer
    let path: CodingPath

    var codingPath: [any CodingKey] { path.codingPath }
    var count: Int { container.values.count }

    func encodeNil() throws { container.append(session.null()) }

    func encode<Value: Encodable>(_ value: Value) throws {
        container.append(try session.encodeMember(value, at: pathToNext))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        let path = pathToNext
        return KeyedEncodingContainer(
            KeyedContainer<NestedKey>(session: session, container: appendContainer(isObject: true), path: path))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let path = pathToNext
        return UnkeyedContainer(session: session, container: appendContainer(isObject: false), path: path)
    }

    func superEncoder() -> any Encoder {
        let encoder = ValueEncoder(session: session, path: pathToNext)
        container.append(.encoder(encoder))
        return encoder
    }

    private func appendContainer(isObject: Bool) -> EncodedContainer {
        let nested = EncodedContainer(isObject: isObject)
        container.append(.container(nested))
        return nested
    }

    private var pathToNext: CodingPath { .child(of: path, key: PositionKey(intValue: count)) }
}

extension UnkeyedContainer {
    func encode(_ value: Bool) throws { container.append(session.boolean(value)) }
    func encode(_ value: String) throws { container.append(session.string(value)) }
    func encode(_ value: Double) throws { try container.append(session.number(value, at: pathToNext)) }
    func encode(_ value: Float) throws { try container.append(session.number(value, at: pathToNext)) }
    func encode(_ value: Int) throws { container.append(session.integer(value)) }
    func encode(_ value: Int8) throws { container.append(session.integer(value)) }
    func encode(_ value: Int16) throws { container.append(session.integer(value)) }
    func encode(_ value: Int32) throws { container.append(session.integer(value)) }
    func encode(_ value: Int64) throws { container.append(session.integer(value)) }
    func encode(_ value: UInt) throws { container.append(session.integer(value)) }
    func encode(_ value: UInt8) throws { container.append(session.integer(value)) }
    func encode(_ value: UInt16) throws { container.append(session.integer(value)) }
    func encode(_ value: UInt32) throws { container.append(session.integer(value)) }
    func encode(_ value: UInt64) throws { container.append(session.integer(value)) }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func encode(_ value: Int128) throws { container.append(session.integer(value)) }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func encode(_ value: UInt128) throws { container.append(session.integer(value)) }
}

/// What a value's `encode(to:)` is handed: it becomes an object, an array or a scalar.
final class ValueEncoder: Encoder {
    let session: EncodingSession
    let path: CodingPath
    /// What has been encoded so far; nil if nothing has.
    private(set) var value: EncodedValue?

    init(session: EncodingSession, path: CodingPath) {
        self.session = session
        self.path = path
    }

    var codingPath: [any CodingKey] { path.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(
            KeyedContainer<Key>(session: session, container: container(isObject: true), path: path))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedContainer(session: session, container: container(isObject: false), path: path)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// The same container each time: a subclass may go on filling the one of its superclass.
    private func container(isObject: Bool) -> EncodedContainer {
        if case .container(let container)? = value, container.isObject == isObject { return container }
        let container = EncodedContainer(isObject: isObject)
        if value == nil {
            value = .container(container)
        } else {
            session.report("The value encodes itself as two different kinds of JSON value.", at: path)
        }
        return container
    }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { set(session.null()) }

    func encode<Value: Encodable>(_ value: Value) throws {
        set(try session.encodeMember(value, at: path))
    }

    private func set(_ encoded: EncodedValue) {
        if value != nil { session.report("The value encodes more than one JSON value.", at: path) }
        value = encoded
    }
}

extension ValueEncoder {
    func encode(_ value: Bool) throws { set(session.boolean(value)) }
    func encode(_ value: String) throws { set(session.string(value)) }
    func encode(_ value: Double) throws { try set(session.number(value, at: path)) }
    func encode(_ value: Float) throws { try set(session.number(value, at: path)) }
    func encode(_ value: Int) throws { set(session.integer(value)) }
    func encode(_ value: Int8) throws { set(session.integer(value)) }
    func encode(_ value: Int16) throws { set(session.integer(value)) }
    func encode(_ value: Int32) throws { set(session.integer(value)) }
    func encode(_ value: Int64) throws { set(session.integer(value)) }
    func encode(_ value: UInt) throws { set(session.integer(value)) }
    func encode(_ value: UInt8) throws { set(session.integer(value)) }
    func encode(_ value: UInt16) throws { set(session.integer(value)) }
    func encode(_ value: UInt32) throws { set(session.integer(value)) }
    func encode(_ value: UInt64) throws { set(session.integer(value)) }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func encode(_ value: Int128) throws { set(session.integer(value)) }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func encode(_ value: UInt128) throws { set(session.integer(value)) }
}

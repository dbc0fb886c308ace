/// The `Decoder` that a value's `init(from:)` gets. It fits an existential without being boxed.
struct ValueDecoder: Decoder {
    let session: DecodingSession
    let path: PathNode?
    private let slot32: Int32
    /// Whether the keys of an object are left as they are whatever the strategy.
    private let keepsKeys: Bool

    init(session: DecodingSession, place: ValuePlace, keepsKeys: Bool = false) {
        self.session = session
        path = place.path
        // There are fewer slots than bytes, and those are below 2^30.
        slot32 = Int32(truncatingIfNeeded: place.slot)
        self.keepsKeys = keepsKeys
    }

    var slot: Int { Int(slot32) }
    var place: ValuePlace { ValuePlace(slot: slot, path: path) }
    var codingPath: [any CodingKey] { PathNode.keys(path) }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try KeyedDecodingContainer(KeyedReader<Key>(session, place, keepsKeys: keepsKeys))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try UnkeyedReader(session, place) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { slot >= 0 ? session.document.isNull(slot) : !session.decodesMissing(slot) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try session.value(type, place) }

    func decode(_ type: Bool.Type) throws -> Bool { try session.scalar(type, slot, path) }
    func decode(_ type: String.Type) throws -> String { try session.scalar(type, slot, path) }
    func decode(_ type: Double.Type) throws -> Double { try session.scalar(type, slot, path) }
    func decode(_ type: Float.Type) throws -> Float { try session.scalar(type, slot, path) }
    func decode(_ type: Int.Type) throws -> Int { try session.scalar(type, slot, path) }
    func decode(_ type: Int8.Type) throws -> Int8 { try session.scalar(type, slot, path) }
    func decode(_ type: Int16.Type) throws -> Int16 { try session.scalar(type, slot, path) }
    func decode(_ type: Int32.Type) throws -> Int32 { try session.scalar(type, slot, path) }
    func decode(_ type: Int64.Type) throws -> Int64 { try session.scalar(type, slot, path) }
    func decode(_ type: UInt.Type) throws -> UInt { try session.scalar(type, slot, path) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try session.scalar(type, slot, path) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try session.scalar(type, slot, path) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try session.scalar(type, slot, path) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try session.scalar(type, slot, path) }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try session.scalar(type, slot, path) }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try session.scalar(type, slot, path) }
}

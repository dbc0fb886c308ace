/// The `Decoder` that a value's `init(from:)` gets.
///
/// The slot takes 32 bits, so that the whole fits the three words of an existential and needs no allocation.
struct ValueDecoder: Decoder {
    let session: DecodingSession
    let path: PathNode?
    private let slot32: Int32
    /// Whether the keys of an object are left as they are, even if the coding converts keys.
    private let keepsKeys: Bool

    /// Makes a decoder of one value.
    ///
    /// - Parameters:
    ///   - session: The state that all decoders of one document share.
    ///   - place: The slot of the value, and the way to it from the root.
    ///   - keepsKeys: Whether the keys of an object are left as they are, even if the coding converts keys.
    init(session: DecodingSession, place: ValuePlace, keepsKeys: Bool = false) {
        self.session = session
        path = place.path
        // Every slot fits 32 bits, because a document has less than 2^30 bytes, and each slot stands for at least one.
        slot32 = Int32(truncatingIfNeeded: place.slot)
        self.keepsKeys = keepsKeys
    }

    var slot: Int { Int(slot32) }
    var place: ValuePlace { ValuePlace(slot: slot, path: path) }
    var codingPath: [any CodingKey] { PathNode.keys(path) }
    var userInfo: [CodingUserInfoKey: Any] { session.coding.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try session.container(keyedBy: type, at: place, keepsKeys: keepsKeys)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try UnkeyedReader(session, at: place) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension Decoder {
    /// Notifies the observer of the decoding that a value is none of an enum's values, although the model accepts it.
    ///
    /// - Parameter type: The enum. If it is `CaseIterable`, the report lists its values.
    package func noteUnknownValue(of type: Any.Type) {
        guard let decoder = self as? ValueDecoder else { return }
        decoder.session.observer?.didReadUnknown(at: decoder.place, expected: RawValues.text(of: type))
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    /// Returns whether the value is null, and marks it as read if it is. A value that is not in the document is null,
    /// unless it is made up to show the shape of a model.
    func decodeNil() -> Bool {
        session.observer?.didAskForNull(at: place)
        let isInDocument = slot >= 0
        guard isInDocument else { return !session.isMadeUpForShape(slot) }
        guard session.document.isNull(slot) else { return false }
        session.marks?.setRead(slot)
        return true
    }

    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try session.decodeValue(type, slot: slot, path: path) }

    // The protocol has default implementations of these, which refuse 128 bits.

    @available(iOS 18, macOS 15, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try session.decodeValue(type, slot: slot, path: path) }
    @available(iOS 18, macOS 15, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try session.decodeValue(type, slot: slot, path: path) }
}

/// The members of an object.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let session: DecodingSession
    private let place: ValuePlace
    /// Nil if each key is looked at in turn.
    private let table: KeyTable?

    init(_ session: DecodingSession, _ place: ValuePlace, keepsKeys: Bool) throws {
        self.session = session
        guard place.slot >= 0, session.document.kind(of: place.slot) == .object else {
            guard session.observer != nil else { throw session.mismatch([String: Any].self, place) }
            // A place that is not there stays as it is; anything else becomes an object without members.
            try session.report(session.mismatch([String: Any].self, place), place)
            self.place = ValuePlace(slot: place.slot >= 0 ? DecodingSession.empty : place.slot, path: place.path)
            table = nil
            return
        }
        self.place = place
        let document = session.document
        if document.hasSurrogateEscapes { try session.checkKeys(place) }
        let converts = session.convertsKeys && !keepsKeys
        table =
            converts || document.count(of: place.slot) > KeyTable.fewMembers
            ? KeyTable(session, place.slot, place.path, converts: converts) : nil
    }

    var codingPath: [any CodingKey] { PathNode.keys(place.path) }

    var allKeys: [Key] {
        session.observer?.didAskForAllKeys(of: ObservedPlace(place))
        if let table { return table.keys.compactMap { Key(stringValue: $0) } }
        guard place.slot >= 0 else {
            return place.slot == ValuePlace.absent ? [Key(stringValue: "0")].compactMap { $0 } : []
        }
        return session.distinctKeys(of: place.slot).compactMap { Key(stringValue: $0) }
    }

    /// The slot of the value for `key`; nil if there is none.
    @inline(__always)
    private func find(_ key: Key) -> Int? {
        if let table { return table.members[key.stringValue] }
        guard place.slot >= 0 else { return nil }
        return session.document.member(key.stringValue, of: place.slot)
    }

    /// As `find`, with the observer told.
    @inline(__always)
    private func ask(_ key: Key, isOptional: Bool) -> Int? {
        let slot = find(key)
        if let observer = session.observer { session.tell(observer, key, isOptional: isOptional, of: place, slot) }
        return slot
    }

    /// The slot of the value for `key`, or one to make a value up from.
    @inline(__always)
    private func required(_ key: Key) throws -> Int {
        if let slot = ask(key, isOptional: false) { return slot }
        return try session.missingSlot(key, place)
    }

    /// The slot of the value for `key`; nil if there is none, or null.
    @inline(__always)
    private func optional(_ key: Key) -> Int? {
        if let slot = ask(key, isOptional: true), !session.document.isNull(slot) { return slot }
        return session.observer?.makesUpMissing == true && place.slot != DecodingSession.empty ? ValuePlace.absent : nil
    }

    @inline(__always)
    private func child(_ key: Key) -> PathNode { PathNode(place.path, key) }

    func contains(_ key: Key) -> Bool {
        ask(key, isOptional: true) != nil || place.slot < 0 && session.decodesMissing(place.slot)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let slot = ask(key, isOptional: true) else {
            if session.observer != nil { return !session.decodesMissing(place.slot) }
            throw session.missing(key, place)
        }
        return session.document.isNull(slot)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try session.value(type, required(key), child(key))
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let slot = optional(key) else { return nil }
        guard session.observer != nil else { return try session.value(type, slot, child(key)) }
        return try session.optionalValue(type, ValuePlace(slot: slot, path: child(key)))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let nested = try ValuePlace(slot: required(key), path: child(key))
        return try KeyedDecodingContainer(KeyedReader<NestedKey>(session, nested, keepsKeys: false))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try UnkeyedReader(session, ValuePlace(slot: required(key), path: child(key)))
    }

    func superDecoder() throws -> any Decoder {
        guard let key = Key(stringValue: PositionKey.super.stringValue) else {
            let slot =
                table.map { $0.members[PositionKey.super.stringValue] }
                ?? (place.slot >= 0
                    ? session.document.member(PositionKey.super.stringValue, of: place.slot) : nil)
            return decoder(slot, PathNode(place.path, PositionKey.super))
        }
        return decoder(ask(key, isOptional: true), PathNode(place.path, PositionKey.super))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        decoder(ask(key, isOptional: true), child(key))
    }

    private func decoder(_ slot: Int?, _ path: PathNode) -> ValueDecoder {
        ValueDecoder(session: session, place: ValuePlace(slot: slot ?? ValuePlace.absent, path: path))
    }
}

// Each scalar type by itself: a generic method would have to find out again which one it is.

extension KeyedReader {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try session.scalar(type, required(key), child(key))
    }

    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try session.scalar(type, required(key), child(key))
    }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try session.scalar(type, required(key), child(key))
    }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try session.scalar(type, required(key), child(key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try optional(key).map { try session.scalar(type, $0, child(key)) }
    }
}

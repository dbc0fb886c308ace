/// The members of an object by the keys of a model.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: ObjectReader

    private var session: DecodingSession { object.session }
    private var place: ValuePlace { object.place }

    var codingPath: [any CodingKey] { PathNode.keys(place.path) }

    var allKeys: [Key] {
        guard let observer = session.observer else { return object.names.compactMap { Key(stringValue: $0) } }
        // A name that no key of a model has.
        let areData = Key(stringValue: "\u{0}") != nil
        observer.didAskForAllKeys(of: place, areData: areData)
        if !areData, session.decodesMissing(place.slot) {
            let cases = CaseKeys.all(of: Key.self)
            if !cases.isEmpty { return [cases[observer.chooseCase(of: cases.count) % cases.count]] }
        }
        return object.names.compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool {
        object.ask(key, isOptional: true) != nil || session.decodesMissing(place.slot)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let slot = object.ask(key, isOptional: true) else {
            let error = session.missing(key, place)
            guard session.isObserved else { throw object.failed(error) }
            try session.report(error, place)
            return !session.decodesMissing(place.slot)
        }
        guard session.document.isNull(slot) else { return false }
        session.marks?.setRead(slot)
        return true
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try object.value(type, key) }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try object.optionalValue(type, key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try object.attempt {
            try session.container(keyedBy: type, ValuePlace(slot: object.required(key), path: object.child(key)))
        }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try object.attempt {
            try UnkeyedReader(session, ValuePlace(slot: object.required(key), path: object.child(key)))
        }
    }

    func superDecoder() throws -> any Decoder { decoder(PositionKey.super) }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(key) }

    private func decoder(_ key: any CodingKey) -> ValueDecoder {
        let slot = object.ask(key, isOptional: true) ?? ValuePlace.absent
        return ValueDecoder(session: session, place: ValuePlace(slot: slot, path: object.child(key)))
    }
}

// The protocol has default implementations of most of these, which would look for each key three times, refuse 128 bits, or hide
// from an observer what an absent key would hold.

extension KeyedReader {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try object.scalar(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try object.scalar(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try object.scalar(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try object.scalar(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try object.optionalScalar(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try object.optionalScalar(type, key)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try object.optionalScalar(type, key)
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try object.optionalScalar(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try object.optionalScalar(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try object.optionalScalar(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try object.optionalScalar(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try object.optionalScalar(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try object.optionalScalar(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try object.optionalScalar(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try object.optionalScalar(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try object.optionalScalar(type, key)
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try object.optionalScalar(type, key)
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try object.optionalScalar(type, key)
    }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try object.value(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try object.value(type, key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try object.optionalScalar(type, key)
    }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try object.optionalScalar(type, key)
    }
}

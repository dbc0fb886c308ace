/// Reads the members of an object by the keys of a model.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: ObjectReader

    private var session: DecodingSession { object.session }
    private var place: ValuePlace { object.place }

    var codingPath: [any CodingKey] { PathNode.keys(place.path) }

    /// The keys of the object for which the model has a `CodingKey`.
    ///
    /// The decoder that Swift synthesises for an enum with associated values asks for them, to learn which case the
    /// object holds.
    var allKeys: [Key] {
        if let observer = session.observer {
            // The keys of a dictionary are data: its type of keys accepts any text, even one that no key has.
            let keysAreData = Key(stringValue: "\u{0}") != nil
            observer.didAskForAllKeys(of: place, areData: keysAreData)
            if !keysAreData, let key = keyOfMadeUpCase(chosenBy: observer) { return [key] }
        }
        let keys = object.keys.compactMap { Key(stringValue: $0) }
        // An object for an enum with associated values has exactly one key, the name of the case.
        if keys.count != 1 { noteUnknownCase() }
        return keys
    }

    /// Asks the observer which case of an enum to decode, if the enum's object is made up to show its shape.
    ///
    /// - Returns: The key of the case, or nil if the object is not made up to show a shape, or if its keys are not
    ///   cases of an enum.
    private func keyOfMadeUpCase(chosenBy observer: any DecodingObserver) -> Key? {
        guard session.isMadeUpForShape(place.slot) else { return nil }
        let cases = CaseKeys.all(of: Key.self)
        if cases.isEmpty { return nil }
        // An observer may go on counting after the last case: then the first one follows.
        let caseNumber = observer.chooseCase(of: cases.count)
        return cases[caseNumber % cases.count]
    }

    /// Keeps the names of an enum's cases for the error message, if the keys are those of an enum with associated
    /// values.
    private func noteUnknownCase() {
        let caseNames = CaseKeys.all(of: Key.self).map(\.stringValue)
        let isEnum = !caseNames.isEmpty
        if isEnum, place.isInDocument { session.unknownCase = UnknownCase(place: place, names: caseNames) }
    }

    /// Returns whether the object has a member with a key. An object that is made up to show the shape of a model has
    /// every key.
    func contains(_ key: Key) -> Bool {
        object.requestMember(key, isOptional: true) != nil || session.isMadeUpForShape(place.slot)
    }

    /// Returns whether the member with a key is null. A null is marked as read.
    ///
    /// If decoding continues after errors, a missing key is reported and counts as null. In an object that is made up
    /// to show the shape of a model, it counts as a value, so that the model goes on to decode it.
    ///
    /// - Throws: An error if there is no such key, unless decoding continues after errors.
    func decodeNil(forKey key: Key) throws -> Bool {
        if let slot = object.requestMember(key, isOptional: true) {
            let isNull = session.document.isNull(slot)
            if isNull { session.marks?.setRead(slot) }
            return isNull
        }
        let error = session.missingKeyError(key, in: place)
        guard let recovery = session.recovery else {
            // The model may catch the error and decode the object as another type. Then the marks of this type are
            // removed.
            object.noteFailure()
            throw error
        }
        try recovery.report(error, at: place)
        let hasEveryKey = session.isMadeUpForShape(place.slot)
        return !hasEveryKey
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try object.decodeValue(type, forKey: key) }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try object.decodeOptionalValue(type, forKey: key)
    }

    /// Returns a container for the members of an object in this object.
    ///
    /// - Parameters:
    ///   - type: The type of the keys of the inner object.
    ///   - key: The key of the inner object.
    /// - Throws: An error if the value is missing or not an object, unless decoding continues after errors.
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try object.notingFailure { try session.container(keyedBy: type, at: requestRequiredPlace(key)) }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try object.notingFailure { try UnkeyedReader(session, at: requestRequiredPlace(key)) }
    }

    /// Looks for the member with a key, and returns the place of its value, or of a made-up value if the key is
    /// missing.
    ///
    /// - Throws: An error if there is no such key, unless decoding continues after errors.
    private func requestRequiredPlace(_ key: Key) throws -> ValuePlace {
        ValuePlace(slot: try object.requestRequiredMember(key), path: object.path(key))
    }

    func superDecoder() throws -> any Decoder { decoder(forMember: PositionKey.super) }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(forMember: key) }

    /// Looks for the member with a key, and returns a decoder of its value. If there is no such member, the decoder
    /// decodes null.
    private func decoder(forMember key: any CodingKey) -> ValueDecoder {
        let slot = object.requestMember(key, isOptional: true) ?? ValuePlace.absent
        return ValueDecoder(session: session, place: ValuePlace(slot: slot, path: object.path(key)))
    }
}

// The protocol has default implementations of most of these. They would look for each key three times, refuse 128 bits,
// or hide from an observer which type an absent key has.

extension KeyedReader {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try object.decodeScalar(type, forKey: key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try object.decodeScalar(type, forKey: key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    @available(iOS 18, macOS 15, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try object.decodeScalar(type, forKey: key) }
    @available(iOS 18, macOS 15, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try object.decodeScalar(type, forKey: key) }
    @available(iOS 18, macOS 15, *)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
    @available(iOS 18, macOS 15, *)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try object.decodeOptionalScalar(type, forKey: key)
    }
}

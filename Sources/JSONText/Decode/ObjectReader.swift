/// Reads the members of one JSON object for a model, whatever type the model has for its keys.
///
/// This is a class, because the standard library copies a keyed container at each of its calls: a copy then counts one
/// reference. One thread uses it, and each access to a property is a single read or write, so the properties need no
/// check of exclusivity.
final class ObjectReader {
    /// Up to this many members, looking at each key in turn takes no longer than making a table of all keys.
    private static let maxSearchedMembers = 100

    let session: DecodingSession
    private let document: JSONDocument
    /// The object, or the place of a placeholder if the value is not an object.
    @exclusivity(unchecked) private(set) var place: ValuePlace
    /// The slots of the values by the model's keys, or nil if the keys of the text are searched.
    @exclusivity(unchecked) private var slotsByKey: [String: Int]?
    /// Whether the keys of the text are converted into those of the model.
    @exclusivity(unchecked) private var convertsKeys = false
    /// Whether the object had not been read before by another form of the model.
    @exclusivity(unchecked) private var isFirstReading = false

    /// Opens the object at `place`.
    ///
    /// - Parameter keepsKeys: Whether keys are left as they are, even if the coding converts keys.
    /// - Throws: An error if the value is not an object and the decoding does not continue after that, or if a key is
    ///   not valid Unicode.
    init(_ session: DecodingSession, at place: ValuePlace, keepsKeys: Bool) throws {
        self.session = session
        document = session.document
        self.place = place
        try open(place, keepsKeys: keepsKeys)
    }

    /// Goes on to another object, so that one reader serves many objects.
    ///
    /// - Parameters:
    ///   - place: The place of the object. If the value there is not an object and decoding continues after errors, the
    ///     reader stands for an object that is made up.
    ///   - keepsKeys: Whether keys are left as they are, even if the coding converts keys.
    /// - Precondition: No model reads the object before it any more.
    /// - Throws: An error if the value is not an object, unless decoding continues after errors, or if a key is not
    ///   valid Unicode.
    func open(_ place: ValuePlace, keepsKeys: Bool) throws {
        try session.requireStack(for: place)
        self.place = place
        slotsByKey = nil
        isFirstReading = false
        convertsKeys = session.convertsKeys && !keepsKeys
        guard place.isInDocument, document.kind(of: place.slot) == .object else {
            self.place = try session.placeholderContainer([String: Any].self, at: place)
            return
        }
        if document.hasSurrogateEscapes { try session.checkKeys(of: place) }
        let hasManyMembers = document.count(of: place.slot) > Self.maxSearchedMembers
        if convertsKeys || hasManyMembers { slotsByKey = tableOfSlots() }
        // A type that tries several forms opens its object again for each form, and the marks of the failed form go.
        // If a model still holds the container of the failed form, that form goes on.
        isFirstReading = session.marks?.open(place.slot, isContinued: session.isFailedObjectHeld) ?? false
    }

    /// Returns the slots of the object's values by the model's keys. Of several members with the same key, the first
    /// one counts.
    private func tableOfSlots() -> [String: Int] {
        var slots = [String: Int](minimumCapacity: document.count(of: place.slot))
        session.forEachMember(of: place, convertsKeys: convertsKeys) { key, value in
            if slots[key] == nil { slots[key] = value }
        }
        return slots
    }

    // MARK: Members

    /// Returns the slot of the member's value for a key of the model, or nil if there is none.
    @inline(__always)
    private func find(_ key: String) -> Int? {
        if let slotsByKey { return slotsByKey[key] }
        guard place.isInDocument else { return nil }
        return document.member(key, of: place.slot)
    }

    /// Looks for the member with a key, notes in the marks that a model has asked for it, and notifies the observer.
    ///
    /// - Parameters:
    ///   - key: The model's key.
    ///   - isOptional: Whether the model can do without the member.
    /// - Returns: The slot of the member's value, or nil if there is none.
    func ask(_ key: any CodingKey, isOptional: Bool) -> Int? {
        let slot = find(key.stringValue)
        if let slot { session.marks?.setAsked(slot) }
        if let observer = session.observer, session.isObserved || slot == nil {
            observer.didAsk(for: key, isOptional: isOptional, of: place, member: slot)
        }
        return slot
    }

    /// Returns the slot of the member's value for a key, or that of a made-up value if the key is missing.
    ///
    /// - Throws: An error if there is no such key, unless decoding continues after errors.
    func requiredSlot(_ key: any CodingKey) throws -> Int {
        if let slot = ask(key, isOptional: false) { return slot }
        return try session.missingSlot(key, in: place)
    }

    /// Returns the slot of the value of an optional member.
    ///
    /// - Parameter key: The key of the member.
    /// - Returns: The slot, or nil if the key is missing or its value is null. To show the shape of a model, both lead
    ///   to a made-up value instead, unless the object itself is made up as empty.
    private func optionalSlot(_ key: any CodingKey) -> Int? {
        if let slot = ask(key, isOptional: true) {
            if !document.isNull(slot) { return slot }
            session.marks?.setRead(slot)
        }
        let isObjectEmpty = place.slot == ValuePlace.empty
        return session.synthesizesMissing && !isObjectEmpty ? ValuePlace.absent : nil
    }

    /// The distinct keys of the object, in the order of the text.
    ///
    /// An object that is made up to show the shape of a model has one key, and one that is made up as empty has none.
    var keys: [String] {
        guard place.isInDocument else { return place.slot == ValuePlace.absent ? ["0"] : [] }
        var keys: [String] = []
        session.forEachMember(of: place, convertsKeys: convertsKeys) { key, value in
            let isRepeated: Bool
            if let slotsByKey {
                // The table has the first member of each key.
                isRepeated = slotsByKey[key] != value
            } else {
                isRepeated = keys.contains(key)
            }
            if !isRepeated { keys.append(key) }
        }
        return keys
    }

    /// Returns the way to the value for `key`.
    func path(_ key: any CodingKey) -> PathNode { PathNode(place.path, key) }

    // MARK: Values

    /// Decodes the member with a key as a scalar.
    ///
    /// A scalar that fits is read here, which is the usual case. Everything else is left to ``value(_:forKey:)``.
    @inline(__always)
    func scalar<S: JSONScalar>(_ type: S.Type, forKey key: some CodingKey) throws -> S {
        if !session.isObserved, let slot = find(key.stringValue), let value = S.read(session, slot) {
            session.marks?.setRead(slot)
            return value
        }
        return try value(type, forKey: key)
    }

    /// Decodes the member with a key as a scalar, if the object has it.
    ///
    /// A scalar that fits is read here, which is the usual case. One that does not fit is left to
    /// ``optionalValue(_:forKey:)``.
    ///
    /// - Returns: The scalar, or nil if the member is missing or null.
    @inline(__always)
    func optionalScalar<S: JSONScalar>(_ type: S.Type, forKey key: some CodingKey) throws -> S? {
        if session.isObserved { return try optionalValue(type, forKey: key) }
        guard let slot = find(key.stringValue) else {
            session.observer?.didAsk(for: key, isOptional: true, of: place, member: nil)
            return nil
        }
        let value = S.read(session, slot)
        guard value != nil || document.isNull(slot) else { return try optionalValue(type, forKey: key) }
        session.marks?.setRead(slot)
        return value
    }

    /// Decodes the member with a key.
    ///
    /// - Throws: An error if there is no such member, or if its value does not fit the type.
    func value<T: Decodable>(_ type: T.Type, forKey key: any CodingKey) throws -> T {
        try notingFailure { try session.value(type, requiredSlot(key), path(key)) }
    }

    /// Decodes the member with a key, if the object has it.
    ///
    /// - Returns: The value, or nil if the member is missing or null.
    /// - Throws: An error if the value does not fit the type.
    func optionalValue<T: Decodable>(_ type: T.Type, forKey key: any CodingKey) throws -> T? {
        guard let slot = optionalSlot(key) else { return nil }
        return try notingFailure {
            if session.isObserved, let recovery = session.recovery {
                return try recovery.optionalValue(type, at: ValuePlace(slot: slot, path: path(key)))
            }
            return try session.value(type, slot, path(key))
        }
    }

    /// Decodes a part of this object, and notes it in the marks if that fails.
    ///
    /// A type that tries several forms may catch the error and decode the same object again. Then the marks that the
    /// failed form has left are removed.
    @inline(__always)
    func notingFailure<Result>(_ decode: () throws -> Result) throws -> Result {
        do {
            return try decode()
        } catch {
            if isFirstReading {
                session.marks?.setFailed(place.slot)
                session.failedObject = self
            }
            throw error
        }
    }
}

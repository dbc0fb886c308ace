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
        try openObject(at: place, keepsKeys: keepsKeys)
    }

    /// Makes this reader read another object instead of its earlier one, so that one reader serves many objects. The
    /// new object is marked as opened.
    ///
    /// - Parameters:
    ///   - place: The slot of the object, and the path to it. If the value there is not an object, but decoding
    ///     continues after errors, the reader reads a made-up object.
    ///   - keepsKeys: Whether keys are left as they are, even if the coding converts keys.
    /// - Precondition: No model reads the earlier object any more.
    /// - Throws: An error if the value is not an object, unless decoding continues after errors. Also an error if a key
    ///   is not valid Unicode, or if the thread's stack is too small for the nesting.
    func openObject(at place: ValuePlace, keepsKeys: Bool) throws {
        // A model that holds itself opens one object inside another, as deep as the text is nested.
        try session.requireStack(for: place)
        self.place = place
        convertsKeys = session.convertsKeys && !keepsKeys
        slotsByKey = nil
        // `markAsOpened` sets this if there are marks.
        isFirstReading = false
        let isObject = place.isInDocument && document.kind(of: place.slot) == .object
        if isObject {
            try prepareKeys()
            markAsOpened()
        } else {
            // If decoding continues, this is the place of the made-up object.
            self.place = try session.reportMismatchedContainer([String: Any].self, at: place)
        }
    }

    /// Checks the object's keys, and makes the table of them if they can't be searched in the text, or not fast enough.
    ///
    /// - Throws: An error if a key is not valid Unicode.
    @inline(__always)
    private func prepareKeys() throws {
        // Only the escape of a surrogate can make a key that is not valid Unicode.
        if document.hasSurrogateEscapes { try session.validateKeys(of: place) }
        let hasManyMembers = document.count(of: place.slot) > Self.maxSearchedMembers
        if convertsKeys || hasManyMembers { slotsByKey = tableOfSlots() }
    }

    /// Marks the object as opened, and sets ``isFirstReading``.
    ///
    /// A model's `init(from:)` may try several forms: if decoding the object as `A` fails, it decodes the same object
    /// as `B`. Opening the object for `B` removes the marks that `A` has left. They stay if the model still holds the
    /// container of `A`, because it may go on reading from it.
    @inline(__always)
    private func markAsOpened() {
        guard let marks = session.marks else { return }
        isFirstReading = marks.markOpened(place.slot, isFailedFormInUse: session.isFailedObjectHeld)
    }

    /// Returns the slots of the object's values by the model's keys. Of several members with the same key, the first
    /// one counts.
    private func tableOfSlots() -> [String: Int] {
        var slotsByKey = [String: Int](minimumCapacity: document.count(of: place.slot))
        session.forEachMember(of: place, convertsKeys: convertsKeys) { key, valueSlot in
            if slotsByKey[key] == nil { slotsByKey[key] = valueSlot }
        }
        return slotsByKey
    }

    // MARK: Members

    /// Returns the slot of the value of the member with a key of the model, or nil if the object has no such member.
    @inline(__always)
    private func slotOfMember(_ key: String) -> Int? {
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
    func requestMember(_ key: any CodingKey, isOptional: Bool) -> Int? {
        let slot = slotOfMember(key.stringValue)
        if let slot { session.marks?.setAsked(slot) }
        // Every observer is notified of a missing member, but not every one of each member.
        if let observer = session.observer, session.isObserved || slot == nil {
            observer.didAsk(for: key, isOptional: isOptional, of: place, member: slot)
        }
        return slot
    }

    /// Looks for the member with a key that a model requires, as ``requestMember(_:isOptional:)`` does. A missing key
    /// is reported.
    ///
    /// - Returns: The slot of the member's value. If the key is missing and decoding continues, it stands for a made-up
    ///   value.
    /// - Throws: An error if there is no such key, unless decoding continues after errors.
    func requestRequiredMember(_ key: any CodingKey) throws -> Int {
        if let slot = requestMember(key, isOptional: false) { return slot }
        return try session.reportMissingKey(key, in: place)
    }

    /// Looks for an optional member, as ``requestMember(_:isOptional:)`` does, and marks its value as read if it is
    /// null.
    ///
    /// - Parameter key: The key of the member.
    /// - Returns: The slot of the member's value, or nil if the key is missing or the value is null. To show the shape
    ///   of a model, it is ``ValuePlace/absent`` instead of nil, which is decoded as if the member were there.
    private func requestOptionalMember(_ key: any CodingKey) -> Int? {
        if let slot = requestMember(key, isOptional: true) {
            if !document.isNull(slot) { return slot }
            session.marks?.setRead(slot)
        }
        return session.makesUpMembers(of: place) ? ValuePlace.absent : nil
    }

    /// The distinct keys of the object, in the order of the text.
    ///
    /// An object that is made up to show the shape of a model has one key, and one that is made up as empty has none.
    var keys: [String] {
        guard place.isInDocument else { return place.slot == ValuePlace.absent ? ["0"] : [] }
        var keys: [String] = []
        session.forEachMember(of: place, convertsKeys: convertsKeys) { key, valueSlot in
            let isRepeated: Bool
            if let slotsByKey {
                // The table has the first member of each key.
                isRepeated = slotsByKey[key] != valueSlot
            } else {
                isRepeated = keys.contains(key)
            }
            if !isRepeated { keys.append(key) }
        }
        return keys
    }

    /// Returns the path from the root to the member with a key of the model.
    func path(_ key: any CodingKey) -> PathNode { PathNode(place.path, key) }

    // MARK: Values

    /// Decodes the member with a key as a scalar.
    ///
    /// A scalar that fits is read here, which is the usual case. Everything else is left to ``decodeValue(_:forKey:)``.
    @inline(__always)
    func decodeScalar<S: JSONScalar>(_ type: S.Type, forKey key: some CodingKey) throws -> S {
        if !session.isObserved, let slot = slotOfMember(key.stringValue), let value = S.read(from: session, at: slot) {
            session.marks?.setRead(slot)
            return value
        }
        return try decodeValue(type, forKey: key)
    }

    /// Decodes the member with a key as a scalar, if the object has it.
    ///
    /// A scalar that fits, a null and a missing member are handled here, and the member is marked as read.
    /// ``decodeOptionalValue(_:forKey:)`` decodes a scalar that does not fit, and every scalar if an observer is
    /// notified of each value.
    ///
    /// - Returns: The scalar, or nil if the member is missing or null.
    @inline(__always)
    func decodeOptionalScalar<S: JSONScalar>(_ type: S.Type, forKey key: some CodingKey) throws -> S? {
        if session.isObserved { return try decodeOptionalValue(type, forKey: key) }
        guard let slot = slotOfMember(key.stringValue) else {
            // An observer that is not notified of each value may still ask for missing members.
            session.observer?.didAsk(for: key, isOptional: true, of: place, member: nil)
            return nil
        }
        let value = S.read(from: session, at: slot)
        let fitsOrIsNull = value != nil || document.isNull(slot)
        guard fitsOrIsNull else { return try decodeOptionalValue(type, forKey: key) }
        session.marks?.setRead(slot)
        return value
    }

    /// Decodes the member with a key.
    ///
    /// - Throws: An error if there is no such member, or if its value does not fit the type.
    func decodeValue<T: Decodable>(_ type: T.Type, forKey key: any CodingKey) throws -> T {
        try notingFailure { try session.decodeValue(type, slot: requestRequiredMember(key), path: path(key)) }
    }

    /// Decodes the member with a key, if the object has it.
    ///
    /// - Returns: The value, or nil if the member is missing or null.
    /// - Throws: An error if the value does not fit the type.
    func decodeOptionalValue<T: Decodable>(_ type: T.Type, forKey key: any CodingKey) throws -> T? {
        guard let slot = requestOptionalMember(key) else { return nil }
        return try notingFailure {
            if session.isObserved, let recovery = session.recovery {
                return try recovery.decodeOptionalValue(type, at: ValuePlace(slot: slot, path: path(key)))
            }
            return try session.decodeValue(type, slot: slot, path: path(key))
        }
    }

    /// Runs `decode`, which decodes a part of this object. If it throws, the failure is noted.
    @inline(__always)
    func notingFailure<Result>(_ decode: () throws -> Result) throws -> Result {
        do {
            return try decode()
        } catch {
            noteFailure()
            throw error
        }
    }

    /// Notes in the marks and in the session that decoding a part of this object has failed.
    ///
    /// A type that tries several forms may catch the error and open the same object again as another form. Then the
    /// marks that the failed form has left are removed. That must not happen to an object that had been read before,
    /// because its marks are not only those of the failed form.
    func noteFailure() {
        guard isFirstReading else { return }
        session.marks?.setFailed(place.slot)
        session.failedObject = self
    }
}

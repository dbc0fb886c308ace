/// The members of an object, whatever type the model has for its keys. A class, because the standard library copies containers often.
final class ObjectReader {
    let session: DecodingSession
    /// The standard library's part of the container.
    @exclusivity(unchecked) var box: AnyObject?
    @exclusivity(unchecked) private(set) var place: ValuePlace
    private let document: Unmanaged<JSONDocument>
    /// Up to here looking at each key in turn takes no longer than making a table.
    private static let fewMembers = 100

    /// The slots of values by the model's keys, if there are many or the keys of the text are converted; else nil.
    @exclusivity(unchecked) private var members: [String: Int]?
    /// Whether the keys of the text are converted into those of the model.
    @exclusivity(unchecked) private var converts = false
    /// Whether the object had not been read before.
    @exclusivity(unchecked) private var isFirst = false
    /// The key after the one found last, which is often the one asked for next.
    @exclusivity(unchecked) private var cursor = 0
    /// A bit for each key that may stand before ``cursor``, by its length and first byte.
    @exclusivity(unchecked) private var passed: UInt64 = 0
    /// A bit for each key that the object may have; all ones until every key has been seen.
    @exclusivity(unchecked) private var all = UInt64.max

    init(_ session: DecodingSession, _ place: ValuePlace, keepsKeys: Bool) throws {
        (self.session, self.place) = (session, place)
        document = Unmanaged.passUnretained(session.document)
        try open(place, keepsKeys: keepsKeys)
    }

    /// Goes to an object; no other is being read.
    func open(_ place: ValuePlace, keepsKeys: Bool) throws {
        try session.requireStack(place)
        (self.place, members, isFirst) = (place, nil, false)
        (passed, all) = (0, .max)
        converts = session.convertsKeys && !keepsKeys
        let count = document._withUnsafeGuaranteedRef { document in
            place.slot >= 0 && document.kind(of: place.slot) == .object ? document.count(of: place.slot) : nil
        }
        guard let count else {
            self.place = try session.placeholderContainer([String: Any].self, place)
            return
        }
        if session.document.hasSurrogateEscapes { try session.checkKeys(place) }
        cursor = session.document.first(in: place.slot)
        if converts || count > Self.fewMembers {
            var members = [String: Int](minimumCapacity: count)
            session.forEachKey(of: place, converts) { name, value in
                // Of several members with the same key the first counts.
                if members[name] == nil { members[name] = value }
            }
            self.members = members
        }
        isFirst = session.marks?.open(place.slot, goesOn: session.failedObject?.isHeld(beside: self) == true) ?? false
    }

    // MARK: Members

    /// The slot of the value for `key`; nil if there is none.
    @inline(__always)
    private func find(_ key: String) -> Int? {
        if let members { return members[key] }
        guard place.slot >= 0 else { return nil }
        // Without counting references: the session, which this object holds, holds the document.
        return document._withUnsafeGuaranteedRef { search(key, $0) }
    }

    /// Looks at the keys from the cursor to the end, and then at those before it. Keys are compared as Swift compares strings.
    private func search(_ key: consuming String, _ document: JSONDocument) -> Int? {
        key.withUTF8 { search($0, document) }
    }

    @inline(__always)
    private func search(_ wanted: UnsafeBufferPointer<UInt8>, _ document: JSONDocument) -> Int? {
        let extent = JSONSlot.scalarExtent(length: wanted.count &+ 2, isPlain: true)
        let bit = Self.bit(extent, wanted.first ?? UInt8(ascii: "\""))
        if all & bit == 0 { return nil }
        let (start, end) = (cursor, document.slots[place.slot].value)
        var seen = passed
        let found = document.member(wanted, extent, start..<end) { slot in
            let key = document.slots[slot]
            seen |= key.isPlain ? Self.bit(key.extent, document.byte(at: Int(key.start) &+ 1)) : .max
        }
        if found == nil { all = seen }
        // Of several members with the same key the first counts.
        if found == nil || passed & bit != 0,
            let earlier = document.member(wanted, extent, document.first(in: place.slot)..<start, step: { _ in })
        {
            return earlier
        }
        if let found { (passed, cursor) = (seen, document.next(after: found)) }
        return found
    }

    @inline(__always)
    private static func bit(_ extent: UInt32, _ first: UInt8) -> UInt64 {
        1 << (UInt64(extent &+ UInt32(first) &* 5) & 63)
    }

    /// The distinct keys in the order of the text.
    var names: [String] {
        guard place.slot >= 0 else { return place.slot == ValuePlace.absent ? ["0"] : [] }
        var keys: [String] = []
        session.forEachKey(of: place, converts) { name, value in
            if members.map({ $0[name] == value }) ?? !keys.contains(name) { keys.append(name) }
        }
        return keys
    }

    // MARK: Values

    /// The scalar for `key`.
    @inline(__always)
    func scalar<S: JSONScalar>(_ type: S.Type, _ key: some CodingKey) throws -> S {
        if !session.isObserved, let slot = find(key.stringValue), let value = S.read(session, slot) {
            session.marks?.setRead(slot)
            return value
        }
        return try value(type, key)
    }

    /// The scalar for `key`; nil if it is missing or null.
    @inline(__always)
    func optionalScalar<S: JSONScalar>(_ type: S.Type, _ key: some CodingKey) throws -> S? {
        if !session.isObserved {
            if let slot = find(key.stringValue) {
                let value = S.read(session, slot)
                if value != nil || session.document.isNull(slot) {
                    session.marks?.setRead(slot)
                    return value
                }
            } else {
                session.observer?.didAsk(for: key, isOptional: true, of: place, member: nil)
                return nil
            }
        }
        return try optionalValue(type, key)
    }

    func value<T: Decodable>(_ type: T.Type, _ key: any CodingKey) throws -> T {
        do { return try session.value(type, required(key), child(key)) } catch { throw failed(error) }
    }

    func optionalValue<T: Decodable>(_ type: T.Type, _ key: any CodingKey) throws -> T? {
        guard let slot = optional(key) else { return nil }
        do {
            if session.isObserved { return try session.optionalValue(type, ValuePlace(slot: slot, path: child(key))) }
            return try session.value(type, slot, child(key))
        } catch {
            throw failed(error)
        }
    }

    /// What a question gives; notes that it has failed if it throws.
    @inline(__always)
    func attempt<Result>(_ question: () throws -> Result) throws -> Result {
        do { return try question() } catch { throw failed(error) }
    }

    func failed(_ error: any Error) -> any Error {
        if isFirst {
            session.marks?.setFailed(place.slot)
            session.failedObject = self
        }
        return error
    }

    /// Whether a model still has the container, and so has decoded something else than what failed.
    private func isHeld(beside other: ObjectReader) -> Bool {
        self !== other && box != nil && !isKnownUniquelyReferenced(&box)
    }

    /// The slot of the value for `key`; nil if there is none. Notifies the observer.
    func ask(_ key: any CodingKey, isOptional: Bool) -> Int? {
        let slot = find(key.stringValue)
        if let slot { session.marks?.setAsked(slot) }
        if let observer = session.observer, session.isObserved || slot == nil {
            observer.didAsk(for: key, isOptional: isOptional, of: place, member: slot)
        }
        return slot
    }

    /// The slot of the value for `key`, or one to make a placeholder from.
    func required(_ key: any CodingKey) throws -> Int {
        if let slot = ask(key, isOptional: false) { return slot }
        return try session.missingSlot(key, place)
    }

    /// The slot of the value for `key`; nil if there is none, or null, and there is no placeholder.
    private func optional(_ key: any CodingKey) -> Int? {
        if let slot = ask(key, isOptional: true) {
            if !session.document.isNull(slot) { return slot }
            session.marks?.setRead(slot)
        }
        return session.synthesizesMissing && place.slot != ValuePlace.empty ? ValuePlace.absent : nil
    }

    func child(_ key: any CodingKey) -> PathNode { PathNode(place.path, key) }
}

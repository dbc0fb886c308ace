/// The members of an object, whatever type the model has for its keys. A class, because the standard library copies containers often.
final class ObjectReader {
    let session: DecodingSession
    let place: ValuePlace
    private let document: Unmanaged<JSONDocument>
    /// Nil if each key is looked at in turn.
    private let table: KeyTable?
    /// With a table: the key after the one found last, which is often the one asked for next.
    private var cursor = 0

    init(_ session: DecodingSession, _ place: ValuePlace, keepsKeys: Bool) throws {
        self.session = session
        document = Unmanaged.passUnretained(session.document)
        let count = document._withUnsafeGuaranteedRef { document in
            place.slot >= 0 && document.kind(of: place.slot) == .object ? document.count(of: place.slot) : nil
        }
        guard let count else {
            self.place = try session.madeUpContainer([String: Any].self, place)
            table = nil
            return
        }
        self.place = place
        if session.document.hasSurrogateEscapes { try session.checkKeys(place) }
        let converts = session.convertsKeys && !keepsKeys
        cursor = session.document.first(in: place.slot)
        table =
            converts || count > KeyTable.fewMembers
            ? KeyTable(session, place.slot, place.path, converts: converts) : nil
    }

    /// The slot of the value for `key`; nil if there is none.
    @inline(__always)
    func find(_ key: String) -> Int? {
        if table != nil { return findInTable(key) }
        guard place.slot >= 0 else { return nil }
        // Without counting references: the session, which this object holds, holds the document.
        return document._withUnsafeGuaranteedRef { $0.member(key, of: place.slot) }
    }

    @inline(never)
    private func findInTable(_ key: String) -> Int? {
        guard let table else { return nil }
        let document = session.document
        if table.keysAreDistinct, cursor < document.next(after: place.slot), document.string(at: cursor) == key {
            let value = cursor &+ 1
            cursor = document.next(after: value)
            return value
        }
        guard let value = table.member(key) else { return nil }
        cursor = document.next(after: value)
        return value
    }

    /// The distinct keys in the order of the text.
    var keys: [String] {
        guard place.slot >= 0 else { return place.slot == ValuePlace.absent ? ["0"] : [] }
        let document = session.document
        var keys: [String] = []
        keys.reserveCapacity(document.count(of: place.slot))
        var slot = document.first(in: place.slot)
        for _ in 0..<document.count(of: place.slot) {
            if let table {
                if let name = table.name(ofKeyAt: slot, session, place.path) { keys.append(name) }
            } else if let name = document.string(at: slot), !keys.contains(name) {
                keys.append(name)
            }
            slot = document.next(after: slot &+ 1)
        }
        return keys
    }

    /// The value for `key` if it is a scalar that fits; nil if there is more to say. Never one with an observer.
    @inline(__always)
    func scalar<S: JSONScalar>(_ type: S.Type, _ key: String) -> S? {
        guard session.observer == nil, let slot = find(key) else { return nil }
        return S.read(session, slot)
    }

    /// As ``scalar(_:_:)``; a value of nil is a key that is missing or null.
    @inline(__always)
    func optionalScalar<S: JSONScalar>(_ type: S.Type, _ key: String) -> S?? {
        guard session.observer == nil else { return nil }
        guard let slot = find(key) else { return .some(nil) }
        if let value = S.read(session, slot) { return value }
        return session.document.isNull(slot) ? .some(nil) : nil
    }

    /// A scalar that does not fit, or has an observer.
    @inline(never)
    func slow<S: JSONScalar>(_ type: S.Type, _ key: any CodingKey) throws -> S {
        try session.scalar(type, required(key), child(key))
    }

    @inline(never)
    func slowOptional<S: JSONScalar>(_ type: S.Type, _ key: any CodingKey) throws -> S? {
        guard let slot = optional(key) else { return nil }
        return try session.scalar(type, slot, child(key))
    }

    /// The slot of the value for `key`; nil if there is none. Notifies the observer.
    func ask(_ key: any CodingKey, isOptional: Bool) -> Int? {
        let slot = find(key.stringValue)
        if let observer = session.observer {
            observer.didAsk(for: key, isOptional: isOptional, of: ObservedPlace(place), member: slot)
        }
        return slot
    }

    /// The slot of the value for `key`, or one to make a value up from.
    func required(_ key: any CodingKey) throws -> Int {
        if let slot = ask(key, isOptional: false) { return slot }
        return try session.missingSlot(key, place)
    }

    /// The slot of the value for `key`; nil if there is none, or null, and nothing is made up.
    func optional(_ key: any CodingKey) -> Int? {
        if let slot = ask(key, isOptional: true), !session.document.isNull(slot) { return slot }
        return session.observer?.makesUpMissing == true && place.slot != DecodingSession.empty ? ValuePlace.absent : nil
    }

    func child(_ key: any CodingKey) -> PathNode { PathNode(place.path, key) }

    /// The slot of the value for `key` if it is there and not null.
    func present(_ key: String) -> Int? {
        guard let slot = find(key), !document._withUnsafeGuaranteedRef({ $0.isNull(slot) }) else { return nil }
        return slot
    }
}

/// The members of an object, whatever type the model has for its keys. A class, because the standard library copies containers often.
final class ObjectReader {
    let session: DecodingSession
    let place: ValuePlace
    private let document: Unmanaged<JSONDocument>
    /// Nil if each key is looked at in turn.
    private let table: KeyTable?
    /// Whether the object had not been read before.
    private let isFirst: Bool
    /// The key after the one found last, which is often the one asked for next.
    @exclusivity(unchecked) private var cursor = 0
    /// A bit for each key that may stand before ``cursor``, by its length and first byte.
    @exclusivity(unchecked) private var passed: UInt64 = 0

    init(_ session: DecodingSession, _ place: ValuePlace, keepsKeys: Bool) throws {
        try session.requireStack(place)
        self.session = session
        document = Unmanaged.passUnretained(session.document)
        let count = document._withUnsafeGuaranteedRef { document in
            place.slot >= 0 && document.kind(of: place.slot) == .object ? document.count(of: place.slot) : nil
        }
        guard let count else {
            self.place = try session.placeholderContainer([String: Any].self, place)
            table = nil
            isFirst = false
            return
        }
        self.place = place
        if session.document.hasSurrogateEscapes { try session.checkKeys(place) }
        let converts = session.convertsKeys && !keepsKeys
        cursor = session.document.first(in: place.slot)
        table =
            converts || count > KeyTable.fewMembers
            ? KeyTable(session, place.slot, place.path, converts: converts) : nil
        isFirst = session.marks?.open(place.slot) == true
    }

    // MARK: Members

    /// The slot of the value for `key`; nil if there is none.
    @inline(__always)
    private func find(_ key: String) -> Int? {
        if table != nil { return findInTable(key) }
        guard place.slot >= 0 else { return nil }
        // Without counting references: the session, which this object holds, holds the document.
        return document._withUnsafeGuaranteedRef { search(key, $0) }
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

    /// Looks at the keys from the cursor to the end, and then at those before it. Keys are compared as Swift compares strings.
    private func search(_ key: String, _ document: JSONDocument) -> Int? {
        var key = key
        return key.withUTF8 { wanted in
            let extent = JSONSlot.scalarExtent(length: wanted.count &+ 2, isPlain: true)
            let bit = Self.bit(extent, wanted.first ?? UInt8(ascii: "\""))
            let start = cursor
            let end = document.slots[place.slot].value
            var seen = passed
            var slot = start
            while slot < end {
                if document.isKey(slot, wanted, extent) {
                    // Of several members with the same key the first counts.
                    if passed & bit != 0, let earlier = search(wanted, extent, before: start, document) {
                        return earlier
                    }
                    passed = seen | bit
                    cursor = document.next(after: slot &+ 1)
                    return slot &+ 1
                }
                let other = document.slots[slot]
                seen |= other.isPlain ? Self.bit(other.extent, document.byte(at: Int(other.start) &+ 1)) : .max
                slot = document.next(after: slot &+ 1)
            }
            return search(wanted, extent, before: start, document)
        }
    }

    private func search(
        _ wanted: UnsafeBufferPointer<UInt8>, _ extent: UInt32, before end: Int, _ document: JSONDocument
    ) -> Int? {
        var slot = document.first(in: place.slot)
        while slot < end {
            if document.isKey(slot, wanted, extent) { return slot &+ 1 }
            slot = document.next(after: slot &+ 1)
        }
        return nil
    }

    @inline(__always)
    private static func bit(_ extent: UInt32, _ first: UInt8) -> UInt64 {
        1 << (UInt64(extent &+ UInt32(first) &* 5) & 63)
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

    // MARK: Values

    /// The value for `key` if it is a scalar that fits; nil if there is more to say.
    @inline(__always)
    func scalar<T>(_ type: T.Type, _ key: String) -> T? {
        if type == String.self { return plain(String.self, key, type) }
        if type == Int.self { return plain(Int.self, key, type) }
        if type == Double.self { return plain(Double.self, key, type) }
        if type == Bool.self { return plain(Bool.self, key, type) }
        return nil
    }

    @inline(__always)
    private func plain<S: JSONScalar, T>(_ scalar: S.Type, _ key: String, _ type: T.Type) -> T? {
        guard !session.isObserved, let slot = find(key), let value = S.read(session, slot) else { return nil }
        session.marks?.setRead(slot)
        // Callers have compared the two types: they are the same.
        return unsafeBitCast(value, to: T.self)
    }

    /// As ``scalar(_:_:)``; a value of nil is a key that is missing or null.
    @inline(__always)
    func optionalScalar<T>(_ type: T.Type, _ key: String) -> T?? {
        if type == String.self { return optionalPlain(String.self, key, type) }
        if type == Int.self { return optionalPlain(Int.self, key, type) }
        if type == Double.self { return optionalPlain(Double.self, key, type) }
        if type == Bool.self { return optionalPlain(Bool.self, key, type) }
        return nil
    }

    @inline(__always)
    private func optionalPlain<S: JSONScalar, T>(_ scalar: S.Type, _ key: String, _ type: T.Type) -> T?? {
        guard !session.isObserved else { return nil }
        guard let slot = find(key) else { return session.observer == nil ? .some(nil) : nil }
        let value = S.read(session, slot)
        if value == nil, !session.document.isNull(slot) { return nil }
        session.marks?.setRead(slot)
        // Callers have compared the two types: they are the same.
        return .some(value.map { unsafeBitCast($0, to: T.self) })
    }

    @inline(__always)
    func value<T: Decodable>(_ type: T.Type, _ key: any CodingKey) throws -> T {
        try attempt { try session.value(type, required(key), child(key)) }
    }

    @inline(__always)
    func optionalValue<T: Decodable>(_ type: T.Type, _ key: any CodingKey) throws -> T? {
        try attempt {
            guard let slot = optional(key) else { return nil }
            guard session.isObserved else { return try session.value(type, slot, child(key)) }
            return try session.optionalValue(type, ValuePlace(slot: slot, path: child(key)))
        }
    }

    /// What a question gives; notes that it has failed if it throws.
    @inline(__always)
    func attempt<Result>(_ question: () throws -> Result) throws -> Result {
        do { return try question() } catch { throw failed(error) }
    }

    func failed(_ error: any Error) -> any Error {
        if isFirst { session.marks?.setFailed(place.slot) }
        return error
    }

    /// The slot of the value for `key`; nil if there is none. Notifies the observer.
    func ask(_ key: any CodingKey, isOptional: Bool) -> Int? {
        let slot = find(key.stringValue)
        if let slot { session.marks?.setAsked(slot) }
        if let observer = session.observer, session.isObserved || slot == nil {
            observer.didAsk(for: key, isOptional: isOptional, of: ObservedPlace(place), member: slot)
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

extension JSONDocument {
    /// Whether the key at a slot is `wanted`, which has that extent if it is written without escapes.
    @inline(__always)
    fileprivate func isKey(_ slot: Int, _ wanted: UnsafeBufferPointer<UInt8>, _ extent: UInt32) -> Bool {
        let key = slots[slot]
        if key.extent == extent { return equals(wanted, at: Int(key.start) &+ 1) }
        return !key.isPlain && string(at: slot) == String(decoding: wanted, as: UTF8.self)
    }
}

/// Finds the members of one object by key in a hash table: made if there are many, or if keys are converted.
final class KeyTable {
    /// Up to here looking at each key in turn takes no longer than making a table.
    static let fewMembers = 100

    private let document: JSONDocument
    /// The slots of keys, 0 if there is none: no key has the slot of the root. At least half of them are free.
    private var buckets: [UInt32]
    /// The keys as they are for the model, by bucket; empty if they are not converted.
    private var names: [String] = []

    /// Whether the keys are those of the text, and all different.
    private(set) var keysAreDistinct = false

    init(_ session: DecodingSession, _ object: Int, _ path: PathNode?, converts: Bool) {
        document = session.document
        let count = document.count(of: object)
        var capacity = 4
        while capacity < count * 2 { capacity *= 2 }
        buckets = Array(repeating: 0, count: capacity)
        if converts { names = Array(repeating: "", count: capacity) }
        var distinct = 0
        var slot = document.first(in: object)
        for _ in 0..<count {
            // The object's keys have been checked for half surrogate pairs.
            let text = document.string(at: slot) ?? ""
            let name = converts ? session.converted(text, path: path) : text
            let bucket = bucket(of: name)
            // Of several members with the same key the first counts.
            if buckets[bucket] == 0 {
                buckets[bucket] = UInt32(truncatingIfNeeded: slot)
                if converts { names[bucket] = name }
                distinct += 1
            }
            slot = document.next(after: slot &+ 1)
        }
        keysAreDistinct = !converts && distinct == count
    }

    /// The slot of the value for that key of the model; nil if there is none.
    func member(_ name: String) -> Int? {
        let key = Int(buckets[bucket(of: name)])
        return key == 0 ? nil : key &+ 1
    }

    /// The model's key for the key at a slot of the same object; nil if an earlier member has the same.
    func name(ofKeyAt slot: Int, _ session: DecodingSession, _ path: PathNode?) -> String? {
        let text = document.string(at: slot) ?? ""
        if keysAreDistinct { return text }
        let name = names.isEmpty ? text : session.converted(text, path: path)
        return Int(buckets[bucket(of: name)]) == slot ? name : nil
    }

    /// The bucket that has `name`, or the free one where it belongs. The hash is seeded, so no text can be made to collide.
    private func bucket(of name: String) -> Int {
        var bucket = name.hashValue & (buckets.count &- 1)
        while true {
            let slot = Int(buckets[bucket])
            if slot == 0 { return bucket }
            if (names.isEmpty ? document.string(at: slot) == name : names[bucket] == name) { return bucket }
            bucket = (bucket &+ 1) & (buckets.count &- 1)
        }
    }
}

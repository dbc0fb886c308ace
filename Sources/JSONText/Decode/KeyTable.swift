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

/// The names of an object's members, to find out whether one comes again: a hash table that is used for one object after the other.
struct NameTable {
    private struct Slot {
        var generation: UInt32 = 0
        var member: UInt32 = 0
        var hash: UInt64 = 0
    }

    /// The frame of the object; slots of earlier generations count as empty.
    private(set) var owner = -1
    private var generation: UInt32 = 0
    private var count = 0
    private var slots = [Slot](repeating: Slot(), count: 64)

    mutating func restart(owner: Int) {
        self.owner = owner
        count = 0
        if generation == .max { self = NameTable(owner: owner, size: slots.count) }
        generation += 1
    }

    init() {}

    private init(owner: Int, size: Int) {
        self.owner = owner
        slots = [Slot](repeating: Slot(), count: size)
    }

    /// Adds a member, unless there is one with the same hash, which is returned then.
    @inline(__always)
    mutating func insert(_ hash: UInt64, member: Int) -> Int? {
        if count &* 2 >= slots.count { grow() }
        let mask = slots.count &- 1
        var index = Int(truncatingIfNeeded: hash) & mask
        while slots[index].generation == generation {
            if slots[index].hash == hash { return Int(slots[index].member) }
            index = (index &+ 1) & mask
        }
        slots[index] = Slot(generation: generation, member: UInt32(truncatingIfNeeded: member), hash: hash)
        count &+= 1
        return nil
    }

    @inline(never)
    private mutating func grow() {
        let old = slots.filter { $0.generation == generation }
        self = NameTable(owner: owner, size: slots.count * 2)
        generation = 1
        for slot in old { _ = insert(slot.hash, member: Int(slot.member)) }
    }

    /// - Parameter seed: Random, as keys may be data that were chosen to collide.
    @inline(__always)
    static func hash(_ name: String, seed: UInt64) -> UInt64 {
        var name = name
        return name.withUTF8 { text in
            var hash = seed ^ UInt64(truncatingIfNeeded: text.count)
            let bytes = UnsafeRawBufferPointer(text)
            var index = 0
            while index &+ 8 <= bytes.count {
                hash = mixed(hash, bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                index &+= 8
            }
            return mixed(hash, bytes.shortWord(from: index))
        }
    }

    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}

extension UnsafeRawBufferPointer {
    /// A word that tells apart the ends of two texts of the same length, fewer than eight bytes from `start` on, without a loop.
    @inline(__always)
    fileprivate func shortWord(from start: Int) -> UInt64 {
        let rest = count &- start
        if rest >= 4 {
            return UInt64(loadUnaligned(fromByteOffset: start, as: UInt32.self))
                | UInt64(loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)) << 32
        }
        guard rest > 0 else { return 0 }
        return UInt64(self[start]) | UInt64(self[start &+ (rest >> 1)]) << 8 | UInt64(self[count &- 1]) << 16
    }
}

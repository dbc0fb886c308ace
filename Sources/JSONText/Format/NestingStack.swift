/// The open arrays and objects, one bit each, so that a million levels take 125 kB.
///
///     [{[      depth 3, current 0b010: the innermost is the lowest bit; 1 is an object
struct NestingStack {
    private(set) var depth = 0
    /// The innermost 1 to 64 levels.
    private var current: UInt64 = 0
    /// Outer levels, 64 to a word.
    private var outer: [UInt64] = []

    /// Whether the innermost open container is an object. False if none is open.
    var isInObject: Bool { current & 1 == 1 }

    @inline(__always)
    mutating func push(isObject: Bool) {
        if depth & 63 == 0, depth > 0 { setAside() }
        current = current << 1 | (isObject ? 1 : 0)
        depth &+= 1
    }

    /// Closes the innermost container; there must be one.
    @inline(__always)
    mutating func pop() {
        depth &-= 1
        current >>= 1
        if depth & 63 == 0 { takeBack() }
    }

    @inline(never)
    private mutating func setAside() {
        outer.append(current)
        current = 0
    }

    @inline(never)
    private mutating func takeBack() {
        if let last = outer.popLast() { current = last }
    }
}

/// A stack of the open arrays and objects, as one bit each, so that a million levels take 125 kB.
///
///     [{[      depth 3, current 0b010: the innermost container is the lowest bit, and 1 is an object
///
/// The word `current` holds up to 64 levels. When a 65th one is opened, the word moves to `outer`, and `current` starts
/// anew. When that level is closed, the word comes back.
struct NestingStack: Sendable {
    private(set) var depth = 0
    /// The innermost 1 to 64 levels.
    private var current: UInt64 = 0
    /// The levels around them, 64 in a word.
    private var outer: [UInt64] = []

    /// Whether the innermost open container is an object. It is false if no container is open.
    var isInObject: Bool { current & 1 == 1 }

    /// Opens a container inside the innermost one.
    ///
    /// - Parameter isObject: Whether it is an object and not an array.
    @inline(__always)
    mutating func push(isObject: Bool) {
        let isFull = depth & 63 == 0 && depth > 0
        if isFull { pushWord() }
        current = current << 1 | (isObject ? 1 : 0)
        depth &+= 1
    }

    /// Closes the innermost container.
    ///
    /// - Precondition: A container is open.
    @inline(__always)
    mutating func pop() {
        depth &-= 1
        current >>= 1
        let isEmpty = depth & 63 == 0
        if isEmpty { popWord() }
    }

    /// Moves the 64 levels of the full word `current` to `outer`.
    @inline(never)
    private mutating func pushWord() {
        outer.append(current)
        current = 0
    }

    /// Gets the 64 levels around the one that was closed last back from `outer`.
    @inline(never)
    private mutating func popWord() {
        // At depth 0 there is no outer word, and `current` is 0 already.
        if let word = outer.popLast() { current = word }
    }
}

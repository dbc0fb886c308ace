import CSystem

/// Tells when the stack of the thread is nearly used up: models that hold themselves need some of it for each level of
/// a text.
///
/// The stack grows towards lower addresses on every platform of the package.
struct StackGuard {
    /// The bytes at the end of the stack that are left to code that does not ask, such as a model's own `init(from:)`:
    /// many times what one level of a synthesised model takes.
    private static let reserve: UInt = 96 << 10
    /// The bytes that may be used before the end of the stack is looked up, which takes some microseconds.
    private static let allowance: UInt = 48 << 10

    /// The address below which there is not enough left. Until the end of the stack is known, the address below which
    /// it has to be looked up.
    private var floor: UInt
    private var isFloorKnown = false
    /// Whether the stack was once too small. From then on everything is refused, so that a type that tries several
    /// forms comes to an end.
    private(set) var isExceeded = false

    init() { floor = Self.pointer - Self.allowance }

    /// Returns whether the stack has room for another level.
    @inline(__always)
    mutating func hasRoom() -> Bool { Self.pointer >= floor || findRoom() }

    /// Returns whether a stack that has grown below ``floor`` still has room for another level.
    ///
    /// The initializer only estimates the floor. So the first call looks up where the stack ends, and sets the floor to
    /// an address that leaves the ``reserve``. If the stack has grown below that too, the floor becomes the greatest
    /// address, so that every later level is refused.
    @inline(never)
    private mutating func findRoom() -> Bool {
        if !isFloorKnown {
            isFloorKnown = true
            let end = UInt(cstack_end())
            // 0 means unknown: then nothing is refused.
            floor = end == 0 ? 0 : end + Self.reserve
        }
        if Self.pointer >= floor { return true }
        isExceeded = true
        floor = .max
        return false
    }

    /// The address of a local variable, which shows how much of the stack is used.
    @inline(__always)
    private static var pointer: UInt {
        var local: UInt8 = 0
        return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }
}

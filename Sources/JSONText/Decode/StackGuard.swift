import CSystem

/// Tells when the stack of the thread is nearly used up: models that hold themselves need some of it for each level of a text.
struct StackGuard {
    /// What is left to code that does not ask.
    private static let reserve: UInt = 96 << 10
    /// What may be used before the end of the stack is looked up, which takes some microseconds.
    private static let allowance: UInt = 48 << 10

    /// Below this address there is not enough left, or that has to be looked up.
    private var floor: UInt
    private var isFloorKnown = false
    /// Whether the stack was once too small; everything is then refused, so that no type tries another form.
    private(set) var isExceeded = false

    init() { floor = Self.pointer - Self.allowance }

    /// Whether another level fits.
    @inline(__always)
    mutating func hasRoom() -> Bool { Self.pointer >= floor || findRoom() }

    @inline(never)
    private mutating func findRoom() -> Bool {
        if !isFloorKnown {
            isFloorKnown = true
            let end = UInt(cstack_end())
            floor = end == 0 ? 0 : end + Self.reserve
        }
        if Self.pointer >= floor { return true }
        isExceeded = true
        floor = .max
        return false
    }

    /// An address in the caller's part of the stack, near enough.
    @inline(__always)
    private static var pointer: UInt {
        var local: UInt8 = 0
        return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }
}

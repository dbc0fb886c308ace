#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

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
            floor = Self.end.map { $0 + Self.reserve } ?? 0
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

    /// The lowest address of the thread's stack; nil if the system does not tell.
    private static var end: UInt? {
        #if canImport(Darwin)
        let thread = pthread_self()
        return UInt(bitPattern: pthread_get_stackaddr_np(thread)) - UInt(pthread_get_stacksize_np(thread))
        #elseif canImport(Glibc) || canImport(Musl)
        var attributes = pthread_attr_t()
        guard attributesOfThread(pthread_self(), &attributes) == 0 else { return nil }
        defer { pthread_attr_destroy(&attributes) }
        var start: UnsafeMutableRawPointer?
        var size = 0
        guard pthread_attr_getstack(&attributes, &start, &size) == 0 else { return nil }
        return start.map { UInt(bitPattern: $0) }
        #else
        return nil
        #endif
    }
}

#if !canImport(Darwin) && (canImport(Glibc) || canImport(Musl))
/// `pthread_getattr_np`, which the headers declare for programs in C only if they ask for GNU's extensions.
@_silgen_name("pthread_getattr_np")
private func attributesOfThread(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> Int32
#endif

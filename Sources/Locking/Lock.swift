#if canImport(Darwin)
import os
#else
import Synchronization
#endif

/// A value that one thread at a time reads or changes.
///
/// The standard library's `Mutex` does the same, but needs iOS 18. This type has its interface, for the modules that
/// apps link. It uses an unfair lock on Apple's systems, and `Mutex` on all others.
///
/// The value must be `Sendable`, so that nothing which a caller takes out of it can be shared by accident.
package struct Lock<Value: Sendable>: ~Copyable, Sendable {
    #if canImport(Darwin)
    @usableFromInline
    let storage: OSAllocatedUnfairLock<Value>
    #else
    @usableFromInline
    let storage: Mutex<Value>
    #endif

    /// Creates a lock with its value.
    @inlinable
    package init(_ value: Value) {
        #if canImport(Darwin)
        storage = OSAllocatedUnfairLock(initialState: value)
        #else
        storage = Mutex(value)
        #endif
    }

    /// Calls `body` with the value while no other thread has it, and returns the result.
    ///
    /// `body` must not use the same lock.
    @inlinable
    package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The closures of both locks have other types than `body`, so the outcome is passed by a variable.
        var outcome: Swift.Result<Result, Failure>?
        #if canImport(Darwin)
        storage.withLockUnchecked { value in
            do throws(Failure) { outcome = .success(try body(&value)) } catch { outcome = .failure(error) }
        }
        #else
        storage.withLock { value in
            do throws(Failure) { outcome = .success(try body(&value)) } catch { outcome = .failure(error) }
        }
        #endif
        guard let outcome else { preconditionFailure("the lock has not called its closure") }
        return try outcome.get()
    }
}

import CSystem

/// The limits of the system for a process, as far as it can't work at all below them.
package struct ProcessLimits {
    /// The most files that may be open (`ulimit -n`).
    package var files: UInt64
    /// The most bytes that a stack may have (`ulimit -s`).
    package var stack: UInt64

    /// The limits of this process.
    package static var current: ProcessLimits { ProcessLimits(files: cdescriptor_limit(), stack: cstack_limit()) }

    package init(files: UInt64, stack: UInt64) {
        self.files = files
        self.stack = stack
    }

    /// The open files that a process needs: its three streams, and those of Swift's runtime for events and timers. The
    /// runtime ends the process if it can't open them.
    private static let leastFiles: UInt64 = 16
    /// The bytes of stack that a process needs. With less, even a short call would overflow it.
    private static let leastStack: UInt64 = 512 * 1024

    /// A message about a limit that is too low, such as `the stack is too small: 64 kB; …`. It is nil if none is.
    package var problem: String? {
        if files < Self.leastFiles {
            return "too few files may be open: \(files); set 'ulimit -n' to \(Self.leastFiles) or more"
        }
        if stack < Self.leastStack {
            return "the stack is too small: \(stack / 1024) kB; set 'ulimit -s' to \(Self.leastStack / 1024) or more"
        }
        return nil
    }
}

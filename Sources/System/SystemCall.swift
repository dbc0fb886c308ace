import CArguments

// The C library, for every module that depends on this one: no other file of the project's sources imports it.
#if canImport(Darwin)
@_exported import Darwin
#else
@_exported import Glibc
#endif

/// System calls whose declarations differ between Linux and macOS, or whose names collide with those of Swift methods.
package enum SystemCall {
    #if canImport(Darwin)
    package static let streamSocket = SOCK_STREAM
    static let spawnInNewSession = POSIX_SPAWN_SETSID
    #else
    package static let streamSocket = Int32(SOCK_STREAM.rawValue)
    /// POSIX_SPAWN_SETSID, which Swift's Glibc module leaves out.
    static let spawnInNewSession: Int32 = 0x80
    #endif

    /// The arguments of this process but for the program's name, as bytes.
    package static func arguments() -> [[UInt8]] {
        UnsafeBufferPointer(start: carguments_vector(), count: Int(carguments_count())).dropFirst()
            .map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }

    /// How many processors there are, at least 1.
    package static var processorCount: Int { max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1) }

    @discardableResult
    package static func close(_ descriptor: Int32) -> Int32 { SystemCalls.close(descriptor) }

    /// Ends the process at once, after writing what the C library still buffers.
    ///
    /// Libraries don't clean up: another thread may be inside them.
    package static func endProcess(_ code: Int32) -> Never {
        fflush(nil)
        _exit(code)
    }

    /// Keeps freed memory for reuse, in one arena for the program and one for the thread that transfers.
    ///
    /// By default glibc returns the chunks of a large body to the system one by one: a third of the time that printing 149 MB takes.
    package static func keepFreedMemory() {
        #if canImport(Glibc)
        guard let found = dlsym(nil, "mallopt") else { return }
        // malloc.h: int mallopt(int parameter, int value). Swift's Glibc module leaves it out.
        let mallopt = unsafeBitCast(found, to: (@convention(c) (CInt, CInt) -> CInt).self)
        let (trimThreshold, mmapThreshold, arenaMax): (CInt, CInt, CInt) = (-1, -3, -8)
        _ = mallopt(trimThreshold, 64 << 20)
        _ = mallopt(mmapThreshold, 32 << 20)
        _ = mallopt(arenaMax, 2)
        #endif
    }
}

/// Why the system refused a call.
package struct SystemError: Error, Sendable, Equatable {
    /// The system's text, such as `Connection refused`.
    package let reason: String

    package init(reason: String) { self.reason = reason }

    /// The error of that number (`errno`).
    package init(number: Int32) { reason = strerror(number).map { String(cString: $0) } ?? "error \(number)" }

    /// The error of the last call that failed on this thread.
    package static var last: SystemError { SystemError(number: errno) }

    /// The reason in the middle of a sentence: `connection refused`, but `RPC …` as it is.
    package var inSentence: String {
        guard let second = reason.dropFirst().first, second.isLowercase || second == " " else { return reason }
        return reason.prefix(1).lowercased() + reason.dropFirst()
    }
}

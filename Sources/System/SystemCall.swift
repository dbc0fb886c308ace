// The C library, for every module that depends on this one: no other file of the project's sources imports it.
#if canImport(Darwin)
@_exported import Darwin
#else
@_exported import Glibc
#endif

/// System calls whose declarations differ between Linux and macOS, or whose names collide with Swift methods.
///
/// All differences between the two systems are in this file.
package enum SystemCall {
    #if canImport(Darwin)
    package static let streamSocket = SOCK_STREAM
    #else
    package static let streamSocket = Int32(SOCK_STREAM.rawValue)
    #endif

    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    package static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Darwin)
        Darwin.read(descriptor, bytes.baseAddress, bytes.count)
        #else
        Glibc.read(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// How many processors there are, at least 1.
    package static var processorCount: Int { max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1) }

    /// `path` ends with a zero byte.
    package static func open(_ path: [CChar], _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
        #if canImport(Darwin)
        Darwin.open(path, flags, mode)
        #else
        Glibc.open(path, flags, mode)
        #endif
    }

    @discardableResult
    package static func close(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        Darwin.close(descriptor)
        #else
        Glibc.close(descriptor)
        #endif
    }

    /// Both paths end with a zero byte.
    package static func rename(_ old: [CChar], to new: [CChar]) -> Int32 {
        #if canImport(Darwin)
        Darwin.rename(old, new)
        #else
        Glibc.rename(old, new)
        #endif
    }

    package static func listen(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        Darwin.listen(descriptor, SOMAXCONN)
        #else
        Glibc.listen(descriptor, SOMAXCONN)
        #endif
    }

    package static func accept(_ listener: Int32) -> Int32 {
        #if canImport(Darwin)
        Darwin.accept(listener, nil, nil)
        #else
        Glibc.accept(listener, nil, nil)
        #endif
    }

    /// Sends over a socket set up by ``withoutSIGPIPE(_:)`` and never raises SIGPIPE.
    package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #else
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
    }

    /// Linux suppresses the signal in each `send`, macOS once for the socket.
    package static func withoutSIGPIPE(_ descriptor: Int32) {
        #if canImport(Darwin)
        var enabled: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &enabled, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Starts a thread with `body`. Throws ``SystemError``.
    package static func makeThread(_ body: ThreadBody) throws(SystemError) -> pthread_t {
        let box = Unmanaged.passRetained(body)
        #if canImport(Darwin)
        var thread: pthread_t?
        let failure = pthread_create(&thread, nil, { ThreadBody.run($0) }, box.toOpaque())
        #else
        var handle = pthread_t()
        let failure = pthread_create(&handle, nil, { $0.flatMap { ThreadBody.run($0) } }, box.toOpaque())
        let thread: pthread_t? = handle
        #endif
        guard failure == 0, let thread else {
            box.release()
            throw SystemError(number: failure)
        }
        return thread
    }

    /// When a file was last modified, in seconds since 1970.
    package static func modificationTime(_ status: stat) -> Int {
        #if canImport(Darwin)
        status.st_mtimespec.tv_sec
        #else
        status.st_mtim.tv_sec
        #endif
    }

    /// When a file was last modified, in nanoseconds since 1970.
    package static func modificationNanoseconds(_ status: stat) -> Int {
        #if canImport(Darwin)
        status.st_mtimespec.tv_sec * 1_000_000_000 + status.st_mtimespec.tv_nsec
        #else
        status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        #endif
    }

    /// Whether a signal's handler is "ignore".
    package static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #else
        let handler = action.__sigaction_handler.sa_handler
        #endif
        // SIG_IGN is the address 1, not a function.
        return unsafeBitCast(handler, to: Int.self) == 1
    }

    /// Ends the process at once, after writing what the C library still buffers.
    ///
    /// Libraries don't clean up: another thread may be inside them.
    package static func endProcess(_ code: Int32) -> Never {
        fflush(nil)
        _exit(code)
    }

    /// Keeps freed memory for reuse, in one arena for the program and one for the thread that transfers.
    ///
    /// By default glibc returns the chunks of a large body to the system one by one, each from the thread that received it, and
    /// faults the next ones in again: a third of the time that printing 149 MB takes.
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

// The C library, for every module that depends on this one: no other file of the project's sources imports it.
#if canImport(Darwin)
@_exported import Darwin
#elseif canImport(Musl)
@_exported import Musl
#else
@_exported import Glibc
#endif

/// System calls whose declarations differ between systems, or whose names collide with those of Swift methods.
package enum SystemCall {
    #if canImport(Darwin)
    package static let streamSocket = SOCK_STREAM
    #elseif canImport(Musl)
    package static let streamSocket = Int32(SOCK_STREAM)
    #else
    package static let streamSocket = Int32(SOCK_STREAM.rawValue)
    #endif

    /// The names under which libcurl is looked up, in order: the first library that is found is used.
    #if canImport(Darwin)
    package static let curlLibraries = ["libcurl.4.dylib"]
    #else
    // Debian's build with GnuTLS has a name of its own and the same interface.
    package static let curlLibraries = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    #endif

    /// Returns the arguments of this process without the program's name, as bytes that need not be UTF-8.
    package static func arguments() -> [[UInt8]] {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return arguments.dropFirst().compactMap { argument in
            argument.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }

    /// The number of processors, at least 1.
    package static var processorCount: Int { max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1) }

    /// Closes a descriptor. An error is ignored, because the descriptor is gone in any case.
    package static func close(_ descriptor: Int32) { _ = SystemCalls.close(descriptor) }

    /// Ends the process at once, after writing what the C library still buffers.
    ///
    /// Libraries are not cleaned up, because another thread may be running in them.
    package static func endProcess(_ code: Int32) -> Never {
        fflush(nil)
        _exit(code)
    }

    /// Ends the process by a signal, as if it had not handled the signal. So a shell knows that it should end a loop
    /// after Ctrl-C.
    ///
    /// - Parameter number: The number of a signal whose default action ends a process.
    package static func endProcess(bySignal number: Int32) -> Never {
        fflush(nil)
        _ = signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        // A signal that is not blocked acts on this thread before `raise` returns.
        raise(number)
        // If the process is still alive, it ends with the code that a shell gives for this signal.
        _exit(128 + number)
    }

    /// Calls a function of the C library with a path, and reads `errno` before anything else can change it.
    ///
    /// - Parameters:
    ///   - path: The bytes of the path, without a zero byte.
    ///   - call: The call. It must not keep the pointer.
    /// - Returns: What the call returned, and `errno`, which has a meaning only if the call failed.
    package static func withPath<Value>(
        _ path: [UInt8], _ call: (UnsafePointer<CChar>) -> Value
    ) -> (value: Value, errorNumber: Int32) {
        let text = (path + [0]).map { CChar(bitPattern: $0) }
        // The text lives until `errno` has been read, because freeing it could change `errno`.
        return withExtendedLifetime(text) {
            let value = call(text)
            return (value, errno)
        }
    }

    /// Opens a file that programs which this one starts do not inherit.
    ///
    /// - Parameters:
    ///   - path: The bytes of the path, without a zero byte.
    ///   - flags: Flags such as `O_RDONLY`; `O_CLOEXEC` is added.
    ///   - mode: The mode of a file that is created, which the process's umask restricts.
    /// - Returns: The descriptor, which the caller closes.
    /// - Throws: ``SystemError``.
    package static func open(_ path: [UInt8], _ flags: Int32, mode: mode_t = 0) throws(SystemError) -> Int32 {
        let openResult = withPath(path) { SystemCalls.open($0, flags | O_CLOEXEC, mode) }
        guard openResult.value >= 0 else { throw SystemError(number: openResult.errorNumber) }
        return openResult.value
    }
}

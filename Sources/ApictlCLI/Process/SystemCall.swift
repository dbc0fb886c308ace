#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// System calls whose Swift names differ between platforms or collide with methods.
enum SystemCall {
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.read(descriptor, bytes.baseAddress, bytes.count)
        #else
        Darwin.read(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    static func open(_ path: [CChar], _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
        #if canImport(Glibc)
        Glibc.open(path, flags, mode)
        #else
        Darwin.open(path, flags, mode)
        #endif
    }

    static func rename(_ old: [CChar], to new: [CChar]) -> Int32 {
        #if canImport(Glibc)
        Glibc.rename(old, new)
        #else
        Darwin.rename(old, new)
        #endif
    }

    /// Opens /dev/null for each of stdin, stdout and stderr that is closed, so that no file opened later takes its number.
    static func fillStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open(Array("/dev/null".utf8CString), O_RDWR)
        }
    }

    /// When a file was written last, in seconds since 1970.
    static func modificationTime(_ status: stat) -> Int {
        #if canImport(Glibc)
        status.st_mtim.tv_sec
        #else
        status.st_mtimespec.tv_sec
        #endif
    }

    /// Lets freed memory wait for its next use, in one place for the program and one for the thread that transfers.
    ///
    /// By default glibc gives the pieces of a large body back to the system one by one, each from the thread that received it, and
    /// the next ones are faulted in again: a third of the time that printing 149 MB takes. Other C libraries have no `mallopt`.
    static func keepFreedMemory() {
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

    /// Ends the process at once, with what the C library still buffers written.
    ///
    /// Libraries don't clean up: another thread may be within them.
    static func endProcess(_ code: Int32) -> Never {
        fflush(nil)
        _exit(code)
    }

    /// The system's words for an error number.
    static func errorText(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

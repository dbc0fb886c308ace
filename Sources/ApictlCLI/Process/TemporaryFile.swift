import Synchronization
import SystemCalls

/// A file beside the one it will replace.
struct TemporaryFile: FileReplacement {
    private let place: FilePlace
    private let path: String
    private let output: DescriptorOutput
    private let names: TemporaryNames
    var isTerminal: Bool { false }

    init(_ place: FilePlace, name: String, names: TemporaryNames) throws(FileError) {
        var generator = SystemRandomNumberGenerator()
        self.place = place
        self.names = names
        try place.requireReplaceable(name: name)
        Leftovers.remove(from: place.directory)
        // A suffix to the file's own name could exceed NAME_MAX.
        path = place.directory + Leftovers.prefix + String(generator.next() as UInt64 | 1 << 63, radix: 36)
        names.insert(path)
        // Nobody else's until it is whole.
        let descriptor = SystemCall.open(path.exactCString, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = SystemError.last.reason
            names.remove(path)
            throw FileError(.write, name, reason: reason)
        }
        flock(descriptor, LOCK_EX | LOCK_NB)
        output = DescriptorOutput(descriptor, name: name)
    }

    func write(_ bytes: [UInt8]) throws { try output.write(bytes) }

    func restart() throws -> Bool {
        guard ftruncate(output.descriptor, 0) == 0, lseek(output.descriptor, 0, SEEK_SET) == 0 else {
            throw FileError(.write, output.name, reason: SystemError.last.reason)
        }
        return true
    }

    func commit() throws {
        try place.take(path, output.descriptor, name: output.name)
        close(output.descriptor)
        names.remove(path)
    }

    func discard() {
        close(output.descriptor)
        unlink(path.exactCString)
        names.remove(path)
    }
}

/// A device or pipe that is written to as it is.
final class DirectFile: FileReplacement {
    private let output: DescriptorOutput
    /// Whether it was open before this run: then its reader may leave, as that of stdout may.
    private let isInherited: Bool
    private let isOpen = Mutex(true)
    var isTerminal: Bool { output.isTerminal }
    var columns: Int? { output.columns }

    init(output: DescriptorOutput, isInherited: Bool) {
        self.output = output
        self.isInherited = isInherited
    }

    func write(_ bytes: [UInt8]) throws {
        do {
            try output.write(bytes)
        } catch is OutputClosed where !isInherited {
            throw FileError(.write, output.name, reason: SystemError(number: EPIPE).reason)
        }
    }

    func commit() throws {
        // Some file systems tell only now that the bytes did not get there.
        if let code = closeOnce() { throw FileError(.write, output.name, reason: SystemError(number: code).reason) }
    }

    func discard() { _ = closeOnce() }

    /// The error number; nil where it went well or was done before: the number may be another file's by then.
    private func closeOnce() -> Int32? {
        isOpen.withLock { isOpen in
            guard isOpen else { return nil }
            isOpen = false
            // Interrupted, it is closed all the same.
            return close(output.descriptor) == 0 || errno == EINTR ? nil : errno
        }
    }
}

/// The names of files that must not outlive the run, for the case that it can't tidy up by itself.
final class TemporaryNames: Sendable {
    private let paths = Mutex<Set<String>>([])

    func insert(_ path: String) { paths.withLock { _ = $0.insert(path) } }
    func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

    /// Removes the files from the disk.
    func unlinkAll() {
        paths.withLock { paths in
            for path in paths { unlink(path.exactCString) }
            paths = []
        }
    }
}

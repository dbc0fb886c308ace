import EndpointKit
import Synchronization
import SystemCalls

/// A download that grows over several runs: `FILE.part` beside FILE, with a note in `FILE.part.entity`.
///
/// If only FILE itself exists, because another tool started the download, the rest is appended to it; it is never shortened.
final class DiskPartialFile: PartialFile {
    /// A note has a few lines; a longer file was not written by this tool.
    private static let noteLimit = 65_536

    let isTerminal = false
    let modified: Int
    /// What messages call the file.
    private let name: String
    private let place: FilePlace
    private let state: Mutex<State>

    private struct State {
        /// Negative before anything is written and after the end.
        var descriptor: Int32
        /// Whether the bytes are in FILE itself.
        var isInPlace: Bool
        var length: Int
        var note: String?
    }

    /// Throws ``FileError`` if nothing could be written, so that no request is sent in vain.
    init(_ place: FilePlace, name: String) throws(FileError) {
        self.place = place
        self.name = name
        let part = place.path + ".part"
        if let file = try Self.open(part, shown: name + ".part") {
            let note: String?
            do throws(FileError) {
                try place.requireReplaceable(name: name)
                note = try Self.readNote(part + ".entity", shown: name + ".part.entity")
            } catch {
                close(file.descriptor)
                throw error
            }
            state = Mutex(
                State(descriptor: file.descriptor, isInPlace: false, length: file.length, note: note))
            modified = file.modified
        } else if place.replaced != nil, let file = try Self.open(place.path, shown: name) {
            state = Mutex(State(descriptor: file.descriptor, isInPlace: true, length: file.length))
            modified = file.modified
        } else {
            try place.requireReplaceable(name: name)
            state = Mutex(State(descriptor: -1, isInPlace: false, length: 0))
            modified = 0
        }
    }

    deinit { discard() }

    var path: String { state.withLock { $0.isInPlace ? name : name + ".part" } }
    var length: Int { state.withLock { $0.length } }
    var note: String? { state.withLock { $0.note } }

    func begin(note: String) throws {
        try state.withLock { state in
            if state.isInPlace || state.descriptor < 0 {
                guard let part = try Self.open(place.path + ".part", shown: name + ".part", creates: true) else {
                    throw failure()
                }
                if state.descriptor >= 0 { close(state.descriptor) }
                state = State(descriptor: part.descriptor, isInPlace: false, length: part.length)
            }
            let file = try openNote()
            defer { close(file) }
            // The bytes first: a note must never be beside bytes of another version.
            guard ftruncate(state.descriptor, 0) == 0 else { throw failure() }
            state.length = 0
            state.note = note
            try write(note: note, file)
        }
    }

    func keep(note: String) throws {
        try state.withLock { state in
            guard note != state.note ?? "" else { return }
            // FILE resumed in place has no .entity file; the note is kept in memory.
            if !state.isInPlace {
                let file = try openNote()
                defer { close(file) }
                try write(note: note, file)
            }
            state.note = note
        }
    }

    func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            do {
                try DescriptorOutput(state.descriptor, name: name).write(bytes)
                state.length += bytes.count
            } catch {
                // If the disk is full, some of them may have been written.
                var status = stat()
                if fstat(state.descriptor, &status) == 0 { state.length = Int(status.st_size) }
                throw error
            }
        }
    }

    /// True: the next attempt resumes after what was written.
    func restart() throws -> Bool { true }

    func commit() throws {
        try state.withLock { state in
            if state.isInPlace {
                guard fsync(state.descriptor) == 0 else { throw failure() }
            } else {
                try place.take(place.path + ".part", state.descriptor, name: name)
                unlink((place.path + ".part.entity").exactCString)
            }
            close(state.descriptor)
            state.descriptor = -1
        }
    }

    func discard() {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            if state.length == 0, !state.isInPlace {
                // Without a note of this run, a file of that name is not its own.
                if state.note != nil { unlink((place.path + ".part.entity").exactCString) }
                unlink((place.path + ".part").exactCString)
            }
            close(state.descriptor)
            state.descriptor = -1
        }
    }

    private func failure() -> FileError { FileError(.write, name, reason: SystemError.last.reason) }

    /// The note's file, opened to be replaced.
    private func openNote() throws(FileError) -> Int32 {
        let (path, shown) = (place.path + ".part.entity", name + ".part.entity")
        let descriptor = SystemCall.open(path.exactCString, Self.safeFlags | O_WRONLY | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw Self.refusal(.write, shown) }
        try Self.requireRegular(descriptor, .write, shown)
        return descriptor
    }

    private func write(note: String, _ descriptor: Int32) throws {
        guard ftruncate(descriptor, 0) == 0 else { throw failure() }
        try DescriptorOutput(descriptor, name: name + ".part.entity").write(note)
    }

    /// The note in the file at `path`; nil if there is none.
    private static func readNote(_ path: String, shown: String) throws(FileError) -> String? {
        let descriptor = SystemCall.open(path.exactCString, safeFlags | O_RDONLY)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw refusal(.read, shown)
        }
        try requireRegular(descriptor, .read, shown)
        let input = DescriptorInput(descriptor, name: shown, closes: true)
        return (try? input.readAll(name: shown, limit: noteLimit)).map { String(exactBytes: $0) }
    }

    /// In a directory that others can write to, a symbolic link could lead anywhere, and opening a pipe could wait forever.
    private static let safeFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    /// Throws if the file is not a regular one, after closing it.
    private static func requireRegular(
        _ descriptor: Int32, _ operation: FileError.Operation, _ shown: String
    ) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG else { return }
        close(descriptor)
        throw FileError(operation, shown, reason: irregular)
    }

    /// Why the last attempt to open a file failed.
    private static func refusal(_ operation: FileError.Operation, _ shown: String) -> FileError {
        // ENXIO: a pipe without a reader, or a socket.
        FileError(operation, shown, reason: errno == ENXIO ? irregular : SystemError.last.reason)
    }

    private static let irregular = "it is not a regular file"

    private typealias OpenFile = (descriptor: Int32, length: Int, modified: Int)

    /// The file at `path`, opened for appending and locked against other runs; nil if there is none and `creates` is false.
    private static func open(_ path: String, shown: String, creates: Bool = false) throws(FileError) -> OpenFile? {
        while true {
            let flags = safeFlags | O_WRONLY | O_APPEND | (creates ? O_CREAT : 0)
            let descriptor = SystemCall.open(path.exactCString, flags, 0o600)
            guard descriptor >= 0 else {
                if errno == ENOENT, !creates { return nil }
                throw refusal(.write, shown)
            }
            var reason: String?
            var status = stat()
            if fstat(descriptor, &status) != 0 {
                reason = SystemError.last.reason
            } else if status.st_mode & S_IFMT != S_IFREG {
                reason = irregular
            } else if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                reason = "another run is writing it"
            }
            if let reason {
                close(descriptor)
                throw FileError(.write, shown, reason: reason)
            }
            var named = stat()
            if stat(path.exactCString, &named) == 0, named.st_ino == status.st_ino, named.st_dev == status.st_dev {
                // Read again: another run may have written until it released the lock.
                fstat(descriptor, &status)
                return (descriptor, Int(status.st_size), SystemCall.modificationTime(status))
            }
            // It was renamed or removed before it was locked.
            close(descriptor)
        }
    }
}

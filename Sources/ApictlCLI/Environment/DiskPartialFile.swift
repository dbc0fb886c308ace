import EndpointKit
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A download that grows over several runs, as `FILE.part` beside FILE with a note in `FILE.part.entity`.
///
/// Where there is no such file but FILE itself, begun by another tool, that is appended to: whatever happens, it only gets longer.
final class DiskPartialFile: PartialFile {
    /// A note is a few lines; what is longer is somebody else's file.
    private static let noteLimit = 65_536

    let isTerminal = false
    let modified: Int
    /// What messages call the file.
    private let name: String
    private let place: FilePlace
    private let state: Mutex<State>

    private struct State {
        /// Negative where nothing is there yet, and in the end.
        var descriptor: Int32
        /// Whether the bytes are in FILE itself.
        var isInPlace: Bool
        var length: Int
        var note: String?
    }

    /// Throws ``FileError`` where nothing could be written, before anything is asked of a server.
    init(_ place: FilePlace, name: String) throws(FileError) {
        self.place = place
        self.name = name
        let part = place.path + ".part"
        if let file = try Self.open(part, shown: name + ".part") {
            state = Mutex(
                State(
                    descriptor: file.descriptor, isInPlace: false, length: file.length,
                    note: Self.read(part + ".entity")))
            modified = file.modified
        } else if place.mode != nil, let file = try Self.open(place.path, shown: name) {
            state = Mutex(State(descriptor: file.descriptor, isInPlace: true, length: file.length))
            modified = file.modified
        } else {
            guard access((place.folder.isEmpty ? "." : place.folder).exactCString, W_OK | X_OK) == 0 else {
                throw FileError(.write, name, reason: SystemCall.errorText(errno))
            }
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
            if state.isInPlace, state.descriptor >= 0 {
                close(state.descriptor)
                state.descriptor = -1
            }
            state.isInPlace = false
            if state.descriptor < 0 {
                state.descriptor =
                    try Self.open(place.path + ".part", shown: name + ".part", creates: true)?.descriptor ?? -1
            }
            if let mode = place.mode { fchmod(state.descriptor, mode) }
            state.length = 0
            // First the bytes, then the note: the two never stand beside each other where they do not belong together.
            guard ftruncate(state.descriptor, 0) == 0 else { throw failure() }
            try write(note: note)
            state.note = note
        }
    }

    func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            try DescriptorOutput(state.descriptor, name: name).write(bytes)
            state.length += bytes.count
        }
    }

    /// Nothing has to be taken back: the next attempt goes on behind it.
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
                unlink((place.path + ".part.entity").exactCString)
                unlink((place.path + ".part").exactCString)
            }
            close(state.descriptor)
            state.descriptor = -1
        }
    }

    private func failure() -> FileError { FileError(.write, name, reason: SystemCall.errorText(errno)) }

    private func write(note: String) throws {
        let path = place.path + ".part.entity"
        let descriptor = SystemCall.open(
            path.exactCString, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        try DescriptorOutput(descriptor, name: name + ".part.entity").write(note)
    }

    private static func read(_ path: String) -> String? {
        let descriptor = SystemCall.open(path.exactCString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let input = DescriptorInput(descriptor, name: path, closes: true)
        return (try? input.readAll(name: path, limit: noteLimit)).map { String(exactBytes: $0) }
    }

    private typealias OpenFile = (descriptor: Int32, length: Int, modified: Int)

    /// The file at `path`, at its end and locked against other runs; nil where there is none and `creates` is false.
    /// Links are not followed: in a folder that others can write to, one could lead anywhere.
    private static func open(_ path: String, shown: String, creates: Bool = false) throws(FileError) -> OpenFile? {
        while true {
            let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creates ? O_CREAT : 0)
            let descriptor = SystemCall.open(path.exactCString, flags, 0o666)
            guard descriptor >= 0 else {
                if errno == ENOENT, !creates { return nil }
                throw FileError(.write, shown, reason: SystemCall.errorText(errno))
            }
            var reason: String?
            var status = stat()
            if fstat(descriptor, &status) != 0 {
                reason = SystemCall.errorText(errno)
            } else if status.st_mode & S_IFMT != S_IFREG {
                reason = "it is not a regular file"
            } else if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                reason = "another run is writing it"
            }
            if let reason {
                close(descriptor)
                throw FileError(.write, shown, reason: reason)
            }
            var named = stat()
            if stat(path.exactCString, &named) == 0, named.st_ino == status.st_ino, named.st_dev == status.st_dev {
                // The size as of now: whoever held the lock before may have written since.
                fstat(descriptor, &status)
                return (descriptor, Int(status.st_size), SystemCall.modificationTime(status))
            }
            // It was renamed or removed before it was locked.
            close(descriptor)
        }
    }
}

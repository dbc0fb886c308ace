import EndpointKit
import Synchronization
import SystemCalls

/// A download that grows over several attempts and runs: `FILE.part` beside FILE, with its validator in `FILE.part.entity`.
///
/// ``discard()`` keeps what was received, if the server identifies the version of it.
final class PartialFile: FileReplacement {
    /// The name of `FILE.part` in messages.
    let path: String
    let isTerminal = false
    private let place: FilePlace
    private let part: DescriptorStream
    private let entity: DescriptorStream
    private let version = Mutex<String?>(nil)
    /// Whether the files are of a download that can be continued, or of this run; what else has their names is left alone until it is replaced.
    private let isOwn = Mutex(true)
    private var partPath: String { place.path + ".part" }
    private var entityPath: String { partPath + ".entity" }

    /// Throws ``FileError`` if nothing could be written, or another run is writing, so that no request is sent in vain.
    init(_ place: FilePlace, name: String) throws(FileError) {
        path = name + ".part"
        self.place = place
        entity = try Self.open(place.path + ".part.entity", O_RDWR, mode: 0o600, name: path + ".entity")
        let mode = place.creationMode(isPrivate: false)
        part = try Self.open(place.path + ".part", O_WRONLY | O_APPEND, mode: mode, name: path)
        guard flock(part.descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw FileError(.write, path, reason: "another run is writing it")
        }
        let line = String(line: (try? entity.readAll(name: path, limit: 65_536)) ?? [])
        version.withLock { $0 = line.isStrongTag ? line : nil }
        isOwn.withLock { $0 = line.isStrongTag || line.isEmpty && length == 0 }
    }

    /// The number of bytes received.
    var length: Int { Int(lseek(part.descriptor, 0, SEEK_END)) }

    /// What identifies the version of the bytes, for `If-Range`; nil if the download must start over.
    var validator: String? { length > 0 ? version.withLock { $0 } : nil }

    /// Starts over with an empty file for bytes that `validator` identifies. Throws ``FileError``.
    func begin(validator: String?) throws {
        version.withLock { $0 = validator }
        isOwn.withLock { $0 = true }
        // The bytes first: a validator must never be beside bytes of another version.
        for output in [part, entity] { try output.truncate() }
        try entity.write(validator.map { $0 + "\n" } ?? "")
    }

    func write(_ bytes: [UInt8]) throws { try part.write(bytes) }

    /// True: the next attempt resumes after what was written.
    func restart() throws -> Bool { true }

    func commit() throws {
        try place.take(partPath, part.descriptor, name: part.name)
        unlink(entityPath.exactCString)
    }

    func discard() {
        if validator != nil { return }
        if isOwn.withLock({ $0 }) { unlink(partPath.exactCString) }
        if isOwn.withLock({ $0 }) || lseek(entity.descriptor, 0, SEEK_END) == 0 { unlink(entityPath.exactCString) }
    }

    /// Opens a regular file, and makes it if there is none.
    ///
    /// In a directory that others can write to, a symbolic link could lead anywhere, and opening a pipe could wait forever.
    private static func open(
        _ path: String, _ flags: Int32, mode: mode_t, name: String
    ) throws(FileError) -> DescriptorStream {
        let notRegular = FileError(.write, name, reason: "it is not a regular file")
        let descriptor: Int32
        do {
            descriptor = try SystemCall.open(path.exactBytes, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: mode)
        } catch {
            // ENXIO: a pipe without a reader, or a socket.
            throw error.number == ENXIO ? notRegular : FileError(.write, name, error)
        }
        let output = DescriptorStream(descriptor, name: name)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw notRegular }
        return output
    }
}

extension String {
    /// Whether this is a strong entity tag, which can be sent as a header and saved as a line.
    var isStrongTag: Bool {
        utf8.count >= 2 && hasPrefix("\"") && hasSuffix("\"") && !utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}

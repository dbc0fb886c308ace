import EndpointKit
import Synchronization
import SystemCalls

/// A download that grows over several attempts and runs.
///
/// | File | Content |
/// |---|---|
/// | `FILE.part` | the bytes that have been received |
/// | `FILE.part.entity` | the validator, an entity tag that identifies the version of the bytes |
/// | `FILE` | the complete download, after ``commit()`` |
///
/// Only bytes with a validator can be continued. ``discard()`` keeps them and removes others.
final class PartialFile: FileReplacement {
    /// The name of `FILE.part` in messages.
    let path: String
    let isTerminal = false
    private let place: FilePlace
    private let part: DescriptorStream
    private let entity: DescriptorStream
    private let state = Mutex(State())

    private struct State {
        /// The validator of the bytes; nil if there is none.
        var validator: String?
        /// Whether the files belong to a download that can be continued, or to this run.
        ///
        /// Other files with such names are left alone until they are replaced.
        var isOwn = true
    }

    private var partPath: String { place.path + ".part" }
    private var entityPath: String { partPath + ".entity" }

    /// Opens the files of an earlier run, or creates them.
    ///
    /// It is called before any request is sent, so that no request is sent in vain.
    ///
    /// - Parameters:
    ///   - place: The place of FILE.
    ///   - name: The name of FILE in messages.
    /// - Throws: ``FileError`` if nothing can be written there, or if another run is writing the same download.
    init(_ place: FilePlace, name: String) throws(FileError) {
        path = name + ".part"
        self.place = place
        entity = try Self.open(place.path + ".part.entity", O_RDWR, mode: 0o600, name: path + ".entity")
        let mode = place.creationMode(isPrivate: false)
        part = try Self.open(place.path + ".part", O_WRONLY | O_APPEND, mode: mode, name: path)
        // The lock ends with the process. A file system without locks is used without one.
        guard flock(part.descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            throw FileError(.write, path, reason: "another run is writing it")
        }
        // A validator that can't be read is as good as none: the download starts over.
        let line = String(line: (try? entity.readAll(name: path, limit: Self.maxValidatorLength)) ?? [])
        let areNew = line.isEmpty && length == 0
        state.withLock { state in
            state.validator = line.isStrongTag ? line : nil
            state.isOwn = line.isStrongTag || areNew
        }
    }

    /// The longest validator that is read, in bytes. Servers accept no longer headers.
    private static let maxValidatorLength = 65_536

    /// The number of bytes that have been received.
    var length: Int { Int(lseek(part.descriptor, 0, SEEK_END)) }

    /// The validator of the bytes for `If-Range` (RFC 9110, section 13.1.5); nil if the download must start over.
    var validator: String? { length > 0 ? state.withLock(\.validator) : nil }

    /// Starts over with an empty file.
    ///
    /// - Parameter validator: The validator of the bytes that will be written; nil if the server has sent none.
    /// - Throws: ``FileError``.
    func begin(validator: String?) throws {
        state.withLock { state in
            state.validator = validator
            state.isOwn = true
        }
        // The bytes are emptied first. A validator must never stand beside bytes of another version.
        try part.truncate()
        try entity.truncate()
        try entity.write(validator.map { $0 + "\n" } ?? "")
    }

    func write(_ bytes: [UInt8]) throws { try part.write(bytes) }

    /// Returns true without removing anything, because the next attempt resumes after what was written.
    func restart() throws -> Bool { true }

    /// Gives the complete download its name, and removes the validator.
    func commit() throws {
        try place.take(partPath, part.descriptor, name: part.name)
        unlink(entityPath.exactCString)
    }

    /// Ends the download. If it can be continued, its files stay. Otherwise they are removed, unless they were there
    /// before this run and are no download.
    func discard() {
        if validator != nil { return }
        let isOwn = state.withLock(\.isOwn)
        let hasEntity = lseek(entity.descriptor, 0, SEEK_END) > 0
        if isOwn { unlink(partPath.exactCString) }
        if isOwn || !hasEntity { unlink(entityPath.exactCString) }
    }

    /// Opens a regular file, or creates it if there is none.
    ///
    /// Symbolic links and pipes are refused. In a directory that others can write to, a link could lead anywhere, and
    /// opening a pipe could wait forever.
    ///
    /// - Throws: ``FileError``.
    private static func open(
        _ path: String, _ flags: Int32, mode: mode_t, name: String
    ) throws(FileError) -> DescriptorStream {
        let notRegular = FileError(.write, name, reason: "it is not a regular file")
        let descriptor: Int32
        do {
            descriptor = try SystemCall.open(path.exactBytes, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: mode)
        } catch {
            // A pipe without a reader and a socket have this number.
            throw error.number == ENXIO ? notRegular : FileError(.write, name, error)
        }
        let output = DescriptorStream(descriptor, name: name)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw notRegular }
        return output
    }
}

extension String {
    /// Whether this is a strong entity tag (RFC 9110, section 8.8.3), which can be saved as a line: `"abc"`.
    var isStrongTag: Bool {
        let isQuoted = utf8.count >= 2 && hasPrefix("\"") && hasSuffix("\"")
        let hasControlCharacter = utf8.contains { $0 < 0x20 || $0 == 0x7F }
        return isQuoted && !hasControlCharacter
    }
}

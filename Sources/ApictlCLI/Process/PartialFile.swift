import EndpointKit
import Synchronization
import SystemCalls

/// A download that grows over several attempts and runs.
///
/// | File | Content |
/// |---|---|
/// | `FILE.part` | the bytes that have been received |
/// | `FILE.part.entity` | a line with the validator, an entity tag that identifies the version of the bytes, and a line with the length that the server has announced; each may be empty |
/// | `FILE` | the complete download, after ``commit()`` |
///
/// Only bytes with a validator can be continued. ``discard()`` keeps them and removes others. A `FILE.part` without a
/// readable `FILE.part.entity` may be somebody else's, and is never overwritten.
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
        /// The length of the whole download that the server has announced; nil if it has not.
        var announcedLength: Int?
        /// Whether the length of an existing FILE says something about the download.
        var considersExisting = true
        /// Whether FILE was found to be complete.
        var isCompleteAlready = false
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
    /// - Throws: ``FileError`` if nothing can be written there, if another run is writing the same download, or if a
    ///   file with the name `FILE.part` is no download.
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
        let text = (try? entity.readAll(name: path, limit: Self.maxEntityLength)) ?? []
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(exactBytes: line)
        }
        // Without a line break, the text is none that this type has written.
        let isEntity = lines.count > 1 && (lines[0].isEmpty || lines[0].isStrongTag)
        guard isEntity || text.isEmpty && length == 0 else {
            // An empty file holds nothing, and was probably made by this call.
            if text.isEmpty { unlink(entityPath.exactCString) }
            throw FileError(.write, path, reason: "it is no download of this tool; move it away to download anew")
        }
        if isEntity {
            state.withLock { state in
                state.validator = lines[0].isEmpty ? nil : lines[0]
                state.announcedLength = Int(lines[1])
            }
        }
    }

    /// The longest text with validator and length that is read, in bytes. Servers accept no longer headers.
    private static let maxEntityLength = 65_536

    /// The number of bytes that have been received.
    var length: Int { Int(lseek(part.descriptor, 0, SEEK_END)) }

    /// The length of an existing FILE, which may be complete. Nil if there is none or an empty one, or if a part of the
    /// download has been kept.
    var existingLength: Int? {
        guard length == 0, let existing = place.length, existing > 0 else { return nil }
        return state.withLock(\.considersExisting) ? existing : nil
    }

    /// Whether FILE was complete before, so that nothing must be put in its place.
    var isCompleteAlready: Bool { state.withLock(\.isCompleteAlready) }

    /// Makes the download start anew, whatever FILE is.
    func forgetExisting() { state.withLock { $0.considersExisting = false } }

    /// Notes that FILE is complete.
    func keepExisting() { state.withLock { $0.isCompleteAlready = true } }

    /// The validator of the bytes for `If-Range` (RFC 9110, section 13.1.5); nil if the download must start over.
    var validator: String? { length > 0 ? state.withLock(\.validator) : nil }

    /// The length of the whole download that the server has announced with the kept bytes; nil if it has not.
    var announcedLength: Int? { length > 0 ? state.withLock(\.announcedLength) : nil }

    /// Starts over with an empty file.
    ///
    /// - Parameters:
    ///   - validator: The validator of the bytes that will be written; nil if the server has sent none.
    ///   - announcedLength: The length of the whole download; nil if the server has not announced it.
    /// - Throws: ``FileError``.
    func begin(validator: String?, announcedLength: Int? = nil) throws {
        state.withLock { state in
            state.validator = validator
            state.announcedLength = announcedLength
        }
        // The bytes are emptied first. A validator must never stand beside bytes of another version.
        try part.truncate()
        try entity.truncate()
        try entity.write("\(validator ?? "")\n\(announcedLength.map(String.init) ?? "")\n")
    }

    func write(_ bytes: [UInt8]) throws { try part.write(bytes) }

    /// Returns true without removing anything, because the next attempt resumes after what was written.
    func restart() throws -> Bool { true }

    /// Gives the complete download its name, and removes the validator.
    func commit() throws {
        try place.take(partPath, part.descriptor, name: part.name)
        unlink(entityPath.exactCString)
    }

    /// Ends the download. If it can be continued, its files stay. Otherwise they are removed.
    func discard() {
        if validator != nil { return }
        unlink(partPath.exactCString)
        unlink(entityPath.exactCString)
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

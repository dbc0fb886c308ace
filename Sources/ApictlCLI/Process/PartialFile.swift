import EndpointKit
import Synchronization
import SystemCalls

/// A download that grows over several attempts and runs.
///
/// | File | Content |
/// |---|---|
/// | `FILE.part` | the bytes that have been received |
/// | `FILE.part.entity` | what is known about the download: its validator and its length |
/// | `FILE` | the complete download, after ``commit()`` |
///
/// The validator is an entity tag, by which the server recognizes the version of the bytes. It stands on the first line
/// of `FILE.part.entity`, and the length that the server has announced stands on the second one. Each line may be
/// empty.
///
/// Only bytes with a validator can be continued. ``discard()`` keeps them and removes others. A `FILE.part` without a
/// readable `FILE.part.entity` may be somebody else's, and is never overwritten.
final class PartialFile: FileReplacement {
    /// The name of `FILE.part` in messages.
    let path: String
    let isTerminal = false
    private let place: FilePlace
    /// The path of `FILE.part`.
    private let partPath: String
    /// The path of `FILE.part.entity`.
    private let entityPath: String
    private let partFile: DescriptorStream
    private let entityFile: DescriptorStream
    private let state: Mutex<State>

    private struct State {
        /// The validator of the bytes; nil if there is none.
        var validator: String?
        /// The length of the whole download that the server has announced; nil if it has not.
        var announcedLength: Int?
        /// Whether an existing FILE may be the complete download, so that its length counts.
        var considersExisting = true
        /// Whether FILE was found to be complete, so that it stays.
        var keepsExistingFile = false
    }

    /// Opens the files of an earlier run, or creates them: `FILE.part` with the received bytes, and `FILE.part.entity`
    /// with the entity tag and the length of the download.
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
        partPath = place.path + ".part"
        entityPath = partPath + ".entity"
        entityFile = try Self.openRegularFile(entityPath, flags: O_RDWR, mode: 0o600, name: path + ".entity")
        let mode = place.creationMode(isPrivate: false)
        partFile = try Self.openRegularFile(partPath, flags: O_WRONLY | O_APPEND, mode: mode, name: path)
        try Self.lock(partFile)
        let entityText = (try? entityFile.readAll(name: path, limit: Self.maxEntityLength)) ?? []
        let isNew = entityText.isEmpty && Self.length(of: partFile) == 0
        if isNew {
            state = Mutex(State())
        } else if let earlierState = Self.state(fromEntityText: entityText) {
            state = Mutex(earlierState)
        } else {
            // Without text, the entity file was probably made by this call, and must not stay beside a file of somebody
            // else.
            if entityText.isEmpty { unlink(entityPath.exactCString) }
            throw FileError(.write, path, reason: "it is no download of this tool; move it away to download anew")
        }
    }

    /// Locks `FILE.part` until this process ends. On a file system without locks, the file is used without one.
    ///
    /// - Throws: ``FileError`` if another run has the lock, because it is writing the same download.
    private static func lock(_ partFile: DescriptorStream) throws(FileError) {
        let isLockedByOther = flock(partFile.descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
        if isLockedByOther { throw FileError(.write, partFile.name, reason: "another run is writing it") }
    }

    /// The longest text with validator and length that is read, in bytes. Servers accept no longer headers.
    private static let maxEntityLength = 65_536

    /// Returns the validator and the length in the text of `FILE.part.entity`; nil if this type has not written the
    /// text.
    private static func state(fromEntityText text: [UInt8]) -> State? {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(exactBytes: line)
        }
        guard lines.count > 1 else { return nil }
        let validator = lines[0]
        guard validator.isEmpty || validator.isStrongTag else { return nil }
        return State(validator: validator.isEmpty ? nil : validator, announcedLength: Int(lines[1]))
    }

    /// The number of bytes that have been received.
    var length: Int { Self.length(of: partFile) }

    /// Returns the length of an open file in bytes.
    private static func length(of file: DescriptorStream) -> Int { Int(lseek(file.descriptor, 0, SEEK_END)) }

    /// The length of an existing FILE, which may be the complete download.
    ///
    /// It is nil if there is no FILE or an empty one, and if a part of the download has been kept.
    var existingLength: Int? {
        guard length == 0, let existing = place.length, existing > 0 else { return nil }
        return state.withLock(\.considersExisting) ? existing : nil
    }

    /// Whether FILE was complete before this download, so that it stays and nothing replaces it.
    var keepsExistingFile: Bool { state.withLock(\.keepsExistingFile) }

    /// Makes the download start anew, even if there is a FILE that may be complete.
    func forgetExisting() { state.withLock { $0.considersExisting = false } }

    /// Sets that FILE is the complete download, so that it stays as it is.
    func keepExisting() { state.withLock { $0.keepsExistingFile = true } }

    /// The entity tag of the kept bytes, for the header `If-Range` (RFC 9110, section 13.1.5).
    ///
    /// It is nil if there are no bytes, or none that can be continued, so that the download must start over.
    var validator: String? { length > 0 ? state.withLock(\.validator) : nil }

    /// The length of the whole download that the server has announced with the kept bytes; nil if it has not.
    var announcedLength: Int? { length > 0 ? state.withLock(\.announcedLength) : nil }

    /// Starts over with an empty `FILE.part`, and writes what is known about the download into `FILE.part.entity`.
    ///
    /// - Parameters:
    ///   - validator: The entity tag of the version that will be written; nil if the server has sent none.
    ///   - announcedLength: The length of the whole download; nil if the server has not announced it.
    /// - Throws: ``FileError``.
    func begin(validator: String?, announcedLength: Int? = nil) throws {
        state.withLock { state in
            state.validator = validator
            state.announcedLength = announcedLength
        }
        // The bytes are removed first, so that a validator never stands beside bytes of another version, even if the
        // process is killed meanwhile.
        try partFile.truncate()
        try entityFile.truncate()
        let lengthText = announcedLength.map(String.init) ?? ""
        try entityFile.write("\(validator ?? "")\n\(lengthText)\n")
    }

    func write(_ bytes: [UInt8]) throws { try partFile.write(bytes) }

    /// Returns true without removing anything, because the next attempt resumes after what was written.
    func restart() throws -> Bool { true }

    /// Gives the complete download the name FILE, and removes `FILE.part.entity`.
    ///
    /// - Throws: ``FileError``.
    func commit() throws {
        try place.install(partPath, descriptor: partFile.descriptor, name: partFile.name)
        unlink(entityPath.exactCString)
    }

    /// Ends the download before it is complete. If it can be continued, its files stay. Otherwise they are removed.
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
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - flags: The flags of `open(2)`, to which those are added that create a file and refuse links and pipes.
    ///   - mode: The mode of a file that is created.
    ///   - name: The name of the file in messages.
    /// - Throws: ``FileError``.
    private static func openRegularFile(
        _ path: String, flags: Int32, mode: mode_t, name: String
    ) throws(FileError) -> DescriptorStream {
        let notRegular = FileError(.write, name, reason: "it is not a regular file")
        let descriptor: Int32
        do {
            descriptor = try SystemCall.open(path.exactBytes, flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: mode)
        } catch {
            // Opening a pipe that no program reads fails with ENXIO, and so does opening a socket.
            throw error.number == ENXIO ? notRegular : FileError(.write, name, error)
        }
        // The stream closes the descriptor, also if the file is refused.
        let stream = DescriptorStream(descriptor, name: name)
        var status = stat()
        let isRegularFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        guard isRegularFile else { throw notRegular }
        return stream
    }
}

extension String {
    /// Whether this is a strong entity tag (RFC 9110, section 8.8.3) such as `"abc"`, which can be saved on a line.
    var isStrongTag: Bool {
        let isQuoted = utf8.count >= 2 && hasPrefix("\"") && hasSuffix("\"")
        let hasControlCharacter = utf8.contains { $0 < 0x20 || $0 == 0x7F }
        return isQuoted && !hasControlCharacter
    }
}

import EndpointKit
import Synchronization
import SystemCalls

/// The files of the machine.
struct DiskFileSystem: FileSystem {
    func open(_ path: String) throws -> any ByteInput {
        // A pipe's writer is waited for when it is read.
        try DescriptorStream(path, .read, O_RDONLY | O_NONBLOCK, name: path)
    }

    func isStream(_ path: String) -> Bool {
        var status = stat()
        guard stat(path.exactCString, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    func realPath(_ path: String) -> String {
        if let number = OpenDescriptor.number(path) { return "/dev/fd/\(number)" }
        let directory = FilePlace.directory(of: path)
        let name = path.unicodeScalars.dropFirst(directory.unicodeScalars.count)
        return Self.resolved(path)
            ?? Self.resolved(directory.isEmpty ? "." : directory).map { "\($0)/\(String(name))" } ?? path
    }

    /// The path to what there is at `path`, without links; nil if there is nothing.
    fileprivate static func resolved(_ path: String) -> String? {
        let real = realpath(path.exactCString, nil)
        defer { free(real) }
        return real.map { String(exactCString: $0) }
    }

    func replace(_ path: String, isPrivate: Bool) throws -> any FileReplacement {
        if let number = OpenDescriptor.number(path) {
            return DirectFile(try OpenDescriptor.copy(number, name: path), name: path)
        }
        if let place = try FilePlace(path) { return try DiskFileReplacement(place, name: path, isPrivate: isPrivate) }
        // A device or a pipe is not replaced; a directory fails here with its own reason.
        return DirectFile(try DescriptorStream(path, .write, O_WRONLY, name: path), name: path)
    }

    func resume(_ path: String) throws -> PartialFile {
        // The file of an open descriptor is not this run's to rename.
        guard OpenDescriptor.number(path) == nil, let place = try FilePlace(path) else {
            throw FileError(.write, path, reason: "only a regular file can be continued")
        }
        return try PartialFile(place, name: path)
    }

    func list(_ directory: String, directories: Bool) throws -> [String] {
        let entries: [Directory.Entry]
        do {
            entries = try Directory.entries(of: directory.exactBytes)
        } catch {
            throw FileError(.read, directory, error)
        }
        let names = entries.filter { $0.isDirectory == directories }.map { String(exactBytes: $0.name) }
        return names.filter { !directories || !$0.hasPrefix(".") }.sorted()
    }

    func makeDirectory(_ path: String) throws {
        let made = SystemCall.withPath(path.exactBytes) { mkdir($0, 0o777) }
        guard made.value != 0 else { return }
        guard made.errorNumber == EEXIST else { throw FileError(.write, path, number: made.errorNumber) }
        // A path with a slash at the end is that of a directory.
        let usable = SystemCall.withPath("\(path)/".exactBytes) { access($0, W_OK | X_OK) }
        guard usable.value == 0 else { throw FileError(.write, path, number: usable.errorNumber) }
    }

    func remove(_ path: String) throws {
        let removed = SystemCall.withPath(path.exactBytes) { unlink($0) }
        guard removed.value == 0 else { throw FileError(.write, path, number: removed.errorNumber) }
    }
}

/// A device, a pipe, an open descriptor or stdout in place of a file: written as it is, but on a terminal only as safe
/// text.
final class DirectFile: FileReplacement {
    private let output: any ByteOutput
    private let name: String
    private let filter = Mutex(TerminalFilter())
    var isTerminal: Bool { output.isTerminal }

    init(_ output: any ByteOutput, name: String) { (self.output, self.name) = (output, name) }

    func write(_ bytes: [UInt8]) throws {
        guard isTerminal else { return try output.write(bytes) }
        guard let text = filter.withLock({ $0.feed(bytes) }) else {
            let advice = "-o FILE writes it to a file, | cat shows it"
            throw FileError(.write, name, reason: "binary data would garble the terminal (\(advice))")
        }
        try output.write(text)
    }

    func restart() -> Bool { false }

    func commit() throws { if isTerminal { try output.write(filter.withLock { $0.finish() }) } }

    func discard() {}
}

/// A file that is written beside the one that it replaces, and renamed once it is complete.
final class DiskFileReplacement: FileReplacement {
    let isTerminal = false
    private let place: FilePlace
    private let temporary: String
    private let output: DescriptorStream
    private let isPrivate: Bool

    init(_ place: FilePlace, name: String, isPrivate: Bool) throws(FileError) {
        (self.place, self.isPrivate) = (place, isPrivate)
        // A suffix to the file's own name could exceed NAME_MAX.
        temporary =
            FilePlace.directory(of: place.path) + ".part-" + String(UInt64.random(in: 1 << 63 ... .max), radix: 36)
        let mode = place.creationMode(isPrivate: isPrivate)
        output = try DescriptorStream(temporary, .write, O_WRONLY | O_CREAT | O_EXCL, mode: mode, name: name)
    }

    func write(_ bytes: [UInt8]) throws { try output.write(bytes) }

    func restart() throws -> Bool {
        try output.truncate()
        return true
    }

    func commit() throws { try place.take(temporary, output.descriptor, name: output.name, isPrivate: isPrivate) }

    /// After ``commit()`` there is no file of that name any more.
    func discard() { unlink(temporary.exactCString) }
}

/// Where a regular file is put: at the end of links to one, so that the file is replaced and not a link.
struct FilePlace: Sendable {
    let path: String
    private let replaced: stat?

    /// Nil for what can't be replaced: a device, a pipe, a directory.
    ///
    /// Throws ``FileError`` for a file that its owner has made read-only, because renaming would quietly replace it,
    /// and for links that lead in a circle.
    init?(_ path: String) throws(FileError) {
        var status = stat()
        let found = SystemCall.withPath(path.exactBytes) { stat($0, &status) }
        if found.value == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            if access(path.exactCString, W_OK) != 0 || status.st_mode & 0o222 == 0 {
                throw FileError(.write, path, number: EACCES)
            }
            replaced = status
        } else {
            // A link that leads nowhere is left alone.
            guard found.errorNumber == ENOENT, lstat(path.exactCString, &status) != 0 else {
                throw FileError(.write, path, number: found.errorNumber)
            }
            replaced = nil
        }
        self.path = DiskFileSystem.resolved(path) ?? path
    }

    /// The directory with its slash; empty for the current one.
    static func directory(of path: String) -> String {
        path.unicodeScalars.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Returns the mode with which to create a file that is then put here.
    ///
    /// A new file has its mode from the start, which the process's umask restricts. A file that takes the place of
    /// another one is readable by its owner alone until it gets the other's mode.
    func creationMode(isPrivate: Bool) -> mode_t { isPrivate || replaced != nil ? 0o600 : 0o666 }

    /// Puts a finished file here, with the owner, group and mode of the file that it replaces.
    ///
    /// - Parameters:
    ///   - temporary: The path of the file, which was created with ``creationMode(isPrivate:)``.
    ///   - descriptor: The open file.
    ///   - name: The file's name in errors.
    ///   - isPrivate: Whether the file has mode 0600, whatever it replaces.
    /// - Throws: ``FileError``.
    func take(_ temporary: String, _ descriptor: Int32, name: String, isPrivate: Bool = false) throws(FileError) {
        if let replaced {
            // Only root may give files away; a group that one is in may be given.
            if fchown(descriptor, replaced.st_uid, replaced.st_gid) != 0 {
                _ = fchown(descriptor, uid_t.max, replaced.st_gid)
            }
            fchmod(descriptor, isPrivate ? 0o600 : replaced.st_mode & 0o777)
        }
        // Without fsync a crash soon after the rename could leave an empty file where a whole one stood.
        guard fsync(descriptor) == 0 else { throw FileError(.write, name, number: errno) }
        let target = path.exactCString
        let renamed = SystemCall.withPath(temporary.exactBytes) { SystemCalls.rename($0, target) }
        guard renamed.value == 0 else { throw FileError(.write, name, number: renamed.errorNumber) }
    }
}

extension String {
    /// The exact bytes of the text with a terminator, for a C function.
    var exactCString: [CChar] { (exactBytes + [0]).map { CChar(bitPattern: $0) } }

    /// The text of a C string whose bytes need not be UTF-8.
    init(exactCString pointer: UnsafePointer<CChar>) {
        self.init(exactBytes: UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
    }
}

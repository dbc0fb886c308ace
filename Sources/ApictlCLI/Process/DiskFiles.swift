import EndpointKit
import Synchronization
import SystemCalls

/// The files of the machine.
final class DiskFileSystem: FileSystem {
    /// The files that are written and not at their places yet: they must not outlive the run.
    fileprivate let temporaries = Mutex<Set<String>>([])

    func open(_ path: String) throws -> any ByteInput {
        // A pipe's writer is waited for when it is read.
        let descriptor = SystemCalls.open(path.exactCString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError(.read, path, number: errno) }
        return DescriptorInput(descriptor, name: path, closes: true)
    }

    func isStream(_ path: String) -> Bool {
        var status = stat()
        guard stat(path.exactCString, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    func replace(_ path: String) throws -> any FileReplacement {
        if let number = OpenDescriptor.number(path) {
            return ReplacedFile(direct: try OpenDescriptor.copy(number, name: path), name: path, isInherited: true)
        }
        if let place = try FilePlace(path) { return try ReplacedFile(place, name: path, self) }
        // A device or a pipe is not replaced; a directory fails here with its own reason.
        let descriptor = SystemCalls.open(path.exactCString, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(.write, path, number: errno) }
        return ReplacedFile(direct: descriptor, name: path, isInherited: false)
    }

    func resume(_ path: String) throws -> PartialFile {
        // The file of an open descriptor is not this run's to rename.
        guard OpenDescriptor.number(path) == nil, let place = try FilePlace(path) else {
            throw FileError(.write, path, reason: "only a regular file can be continued")
        }
        return try PartialFile(place, name: path)
    }

    func list(_ directory: String) throws -> [String] {
        guard let listing = opendir(directory.exactCString) else { throw FileError(.read, directory, number: errno) }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            if entry.pointee.d_type == UInt8(DT_DIR) { continue }
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { bytes in String(exactBytes: bytes.prefix { $0 != 0 }) })
        }
        return names.sorted()
    }

    func makeDirectory(_ path: String) throws {
        guard mkdir(path.exactCString, 0o777) != 0, errno != EEXIST else { return }
        throw FileError(.write, path, number: errno)
    }

    /// Removes the files that are not at their places, in case the run can't.
    func unlinkTemporaries() {
        temporaries.withLock { paths in
            for path in paths { unlink(path.exactCString) }
            paths = []
        }
    }
}

/// A file that is written: beside the one it replaces, or as it is if that is a device, a pipe or an open descriptor.
final class ReplacedFile: FileReplacement {
    /// The file at `temporary` is renamed once it is complete.
    private struct Destination {
        let place: FilePlace
        let temporary: String
        let files: DiskFileSystem
    }

    /// Nil for what is not replaced.
    private let destination: Destination?
    /// Whether it was open before this run: then its reader may leave, as that of stdout may.
    private let isInherited: Bool
    private let output: DescriptorOutput
    private let isOpen = Mutex(true)
    var isTerminal: Bool { output.isTerminal }
    var columns: Int? { output.columns }

    init(direct descriptor: Int32, name: String, isInherited: Bool) {
        destination = nil
        self.isInherited = isInherited
        output = DescriptorOutput(descriptor, name: name)
    }

    init(_ place: FilePlace, name: String, _ files: DiskFileSystem) throws(FileError) {
        // A suffix to the file's own name could exceed NAME_MAX.
        let path = place.directory + ".part-" + String(UInt64.random(in: 1 << 63 ... .max), radix: 36)
        _ = files.temporaries.withLock { $0.insert(path) }
        // Mode 0600 until complete.
        let descriptor = SystemCalls.open(path.exactCString, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let number = errno
            _ = files.temporaries.withLock { $0.remove(path) }
            throw FileError(.write, name, number: number)
        }
        destination = Destination(place: place, temporary: path, files: files)
        isInherited = false
        output = DescriptorOutput(descriptor, name: name)
    }

    func write(_ bytes: [UInt8]) throws {
        do {
            try output.write(bytes)
        } catch is OutputClosed where !isInherited {
            throw FileError(.write, output.name, number: EPIPE)
        }
    }

    func restart() throws -> Bool {
        if destination != nil { try output.truncate() }
        return destination != nil
    }

    func commit() throws {
        if let destination {
            try destination.place.take(destination.temporary, output.descriptor, name: output.name)
            _ = destination.files.temporaries.withLock { $0.remove(destination.temporary) }
        }
        // Some file systems report a failed write only on closing.
        if let number = closeOnce() { throw FileError(.write, output.name, number: number) }
    }

    func discard() {
        _ = closeOnce()
        guard let destination else { return }
        let isUnfinished = destination.files.temporaries.withLock { $0.remove(destination.temporary) } != nil
        if isUnfinished { unlink(destination.temporary.exactCString) }
    }

    /// The error number; nil if it was closed without error or before: the descriptor may be another file's by then.
    private func closeOnce() -> Int32? {
        isOpen.withLock { isOpen in
            guard isOpen else { return nil }
            isOpen = false
            // Interrupted, it is closed all the same.
            return close(output.descriptor) == 0 || errno == EINTR ? nil : errno
        }
    }
}

/// Where a regular file is put: at the end of all links, so that the file is replaced and not the link.
struct FilePlace: Sendable {
    let path: String
    private let replaced: stat?

    /// Nil for what can't be replaced: a device, a pipe, a directory.
    ///
    /// Throws ``FileError`` for a file that its owner has made read-only, because renaming would quietly replace it, and for links that lead
    /// in a circle.
    init?(_ path: String) throws(FileError) {
        var status = stat()
        if stat(path.exactCString, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            if access(path.exactCString, W_OK) != 0 || status.st_mode & 0o222 == 0 {
                throw FileError(.write, path, number: EACCES)
            }
            replaced = status
        } else {
            guard errno == ENOENT else { throw FileError(.write, path, number: errno) }
            replaced = nil
        }
        self.path = Self.endOfLinks(path)
    }

    /// The path that the links at `path` lead to, even if there is nothing yet.
    private static func endOfLinks(_ path: String) -> String {
        var path = path
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        // The system has found that the links end; another process may have changed them since.
        for _ in 0..<100 {
            let count = readlink(path.exactCString, &buffer, buffer.count)
            guard count > 0 else { break }
            let target = String(exactBytes: buffer.prefix(count).map { UInt8(bitPattern: $0) })
            path = target.hasPrefix("/") ? target : directory(of: path) + target
        }
        return path
    }

    var directory: String { Self.directory(of: path) }

    private static func directory(of path: String) -> String {
        path.unicodeScalars.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Puts the finished file at `temporary`, open as `descriptor`, here, with the owner, group and mode of the file that it replaces. Throws
    /// ``FileError``, which calls the file `name`.
    func take(_ temporary: String, _ descriptor: Int32, name: String) throws(FileError) {
        if let replaced {
            // Only root may give files away; a group that one is in may be given.
            if fchown(descriptor, replaced.st_uid, replaced.st_gid) != 0 {
                _ = fchown(descriptor, uid_t.max, replaced.st_gid)
            }
            fchmod(descriptor, replaced.st_mode & 0o777)
        } else {
            let mask = umask(0o077)
            umask(mask)
            fchmod(descriptor, 0o666 & ~mask)
        }
        // Without fsync a crash soon after the rename could leave an empty file where a whole one stood.
        guard fsync(descriptor) == 0, SystemCalls.rename(temporary.exactCString, path.exactCString) == 0 else {
            throw FileError(.write, name, number: errno)
        }
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

import EndpointKit
import SystemCalls

/// The files of the machine.
struct DiskFileSystem: FileSystem {
    /// The files that are written and not at their places yet.
    let temporaries = TemporaryNames()
    /// When the writer of a pipe must have ended it; nil is no limit.
    private var deadline: ContinuousClock.Instant?

    func limited(until deadline: ContinuousClock.Instant) -> any FileSystem {
        var copy = self
        copy.deadline = deadline
        return copy
    }

    var workingDirectory: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(exactCString: path)
    }

    func open(_ path: String) throws -> any ByteInput {
        // A pipe's writer is waited for when it is read.
        let descriptor = SystemCalls.open(path.exactCString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError(.read, path, number: errno) }
        return DescriptorInput(descriptor, name: path, closes: true, deadline: deadline)
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
        if let place = try FilePlace(path) { return try ReplacedFile(place, name: path, names: temporaries) }
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

    func list(_ directory: String) throws -> [FileEntry] {
        guard let listing = opendir(directory.exactCString) else { throw FileError(.read, directory, number: errno) }
        defer { closedir(listing) }
        var entries: [FileEntry] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(exactBytes: bytes.prefix { $0 != 0 })
            }
            var status = stat()
            // A file may be gone by now.
            guard fstatat(dirfd(listing), name.exactCString, &status, 0) == 0, status.st_mode & S_IFMT == S_IFREG
            else { continue }
            entries.append(
                FileEntry(
                    name: name, size: Int(status.st_size), modified: SystemCall.modificationNanoseconds(status),
                    number: UInt64(status.st_ino)))
        }
        return entries.sorted { $0.name < $1.name }
    }

    func makeDirectory(_ path: String) throws {
        guard mkdir(path.exactCString, 0o777) != 0, errno != EEXIST else { return }
        throw FileError(.write, path, number: errno)
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

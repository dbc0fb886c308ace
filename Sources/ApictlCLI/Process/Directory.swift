import EndpointKit
import SystemCalls

/// A regular file in a directory, with what changes when the file does.
public struct FileEntry: Sendable, Equatable {
    /// Without its directory.
    public let name: String
    /// In bytes.
    public let size: Int
    /// When it was last changed, in nanoseconds since 1970.
    public let modified: Int
    /// Which file it is: one that replaces it has another number.
    public let number: UInt64

    /// An entry; nothing about it is checked.
    public init(name: String, size: Int, modified: Int, number: UInt64) {
        self.name = name
        self.size = size
        self.modified = modified
        self.number = number
    }
}

extension DiskFileSystem {
    func list(_ directory: String) throws -> [FileEntry] {
        guard let listing = opendir(directory.exactCString) else {
            throw FileError(.read, directory, reason: SystemError.last.reason)
        }
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
        throw FileError(.write, path, reason: SystemError.last.reason)
    }
}

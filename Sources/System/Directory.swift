/// Directories of the file system.
package enum Directory {
    /// An entry of a directory.
    package struct Entry: Sendable, Equatable {
        /// The bytes of the entry's name, which need not be UTF-8.
        package let name: [UInt8]
        /// Whether the entry is a directory. It is false for a link to a directory.
        package let isDirectory: Bool
    }

    /// Returns the entries of a directory in the system's order, with `.` and `..`.
    ///
    /// - Parameter path: The bytes of the path, without a zero byte.
    /// - Throws: ``SystemError`` if the directory can't be read.
    package static func entries(of path: [UInt8]) throws(SystemError) -> [Entry] {
        let openResult = SystemCall.withPath(path) { opendir($0) }
        guard let listing = openResult.value else { throw SystemError(number: openResult.errorNumber) }
        defer { closedir(listing) }
        var entries: [Entry] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            let isDirectory = isDirectory(name, kind: Int32(entry.pointee.d_type), in: dirfd(listing))
            entries.append(Entry(name: name, isDirectory: isDirectory))
        }
        return entries
    }

    /// Whether an entry of a directory is a directory itself, and not a link to one.
    ///
    /// - Parameters:
    ///   - name: The bytes of the entry's name.
    ///   - kind: The entry's kind as listed (`DT_…`). Some file systems leave it out, and have to be asked.
    ///   - directory: The descriptor of the directory that holds the entry.
    private static func isDirectory(_ name: [UInt8], kind: Int32, in directory: Int32) -> Bool {
        guard kind == Int32(DT_UNKNOWN) else { return kind == Int32(DT_DIR) }
        var status = stat()
        let result = SystemCall.withPath(name) { fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) }
        return result.value == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

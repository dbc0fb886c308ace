import EndpointKit

/// The files that a run reads and writes.
protocol FileSystem: Sendable {
    /// Opens a file for reading.
    ///
    /// - Throws: ``FileError``, also if there is no file.
    func open(_ path: String) throws -> any ByteInput

    /// Checks that a library, which opens files by itself, can read one to its end.
    ///
    /// - Throws: ``FileError``, also for a directory, a named pipe and a device.
    func requireReadable(_ path: String) throws

    /// Returns whether there is a pipe or a device at a path, whose bytes can be read only once.
    func isStream(_ path: String) -> Bool

    /// Returns the path to a file without links and `..`, by which two spellings of the same file are recognized.
    ///
    /// The file need not exist. If not even its directory exists, the path stays as it is.
    func realPath(_ path: String) -> String

    /// Starts to write a file that replaces another one once it is complete, or opens a device or pipe.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which need not exist.
    ///   - isPrivate: Whether only the owner can read the file.
    /// - Throws: ``FileError``.
    func beginReplacing(_ path: String, isPrivate: Bool) throws -> any FileReplacement

    /// Opens the partial download of an earlier run to a path, or starts an empty one.
    ///
    /// - Throws: ``FileError``.
    func resume(_ path: String) throws -> PartialFile

    /// Returns the sorted names of the files in a directory, or those of its directories.
    ///
    /// - Parameters:
    ///   - directory: The path of the directory.
    ///   - directories: Whether the names are those of directories, without hidden ones, instead of files.
    /// - Throws: ``FileError``.
    func list(_ directory: String, directories: Bool) throws -> [String]

    /// Makes a directory to write files into, unless there is one.
    ///
    /// - Throws: ``FileError``, also for an existing directory into which this process can't write.
    func makeDirectory(_ path: String) throws

    /// Removes a file.
    ///
    /// - Throws: ``FileError``.
    func remove(_ path: String) throws
}

extension FileSystem {
    /// Whether there is a file at a path that can be opened for reading.
    func exists(_ path: String) -> Bool { (try? open(path)) != nil }

    /// Reads the bytes of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The greatest number of bytes to read. By default it is the limit for the body of a response.
    /// - Throws: ``FileError``, also for more than `limit` bytes.
    func readAll(_ path: String, limit: Int = Client.defaultMaxBodySize) throws -> [UInt8] {
        try open(path).readAll(name: path, limit: limit)
    }

    /// Starts to write a file that others may read, as far as the process's umask allows it. It replaces an existing
    /// file once it is complete.
    ///
    /// - Throws: ``FileError``.
    func beginReplacing(_ path: String) throws -> any FileReplacement {
        try beginReplacing(path, isPrivate: false)
    }

    /// Returns the sorted names of the files in a directory.
    ///
    /// - Throws: ``FileError``.
    func list(_ directory: String) throws -> [String] { try list(directory, directories: false) }

    /// Replaces a file as a whole. If there is an error, the file stays as it was.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which need not exist.
    ///   - isPrivate: Whether only the owner can read the file.
    ///   - write: Writes the content of the new file.
    /// - Throws: ``FileError``, and the errors of `write`.
    func replace(
        _ path: String, isPrivate: Bool = false, with write: (any FileReplacement) throws -> Void
    ) throws {
        let file = try beginReplacing(path, isPrivate: isPrivate)
        do {
            try write(file)
            try file.commit()
        } catch {
            file.discard()
            throw error
        }
    }

    /// Replaces a file as a whole by one with these bytes.
    ///
    /// - Throws: ``FileError``. Then the file stays as it was.
    func replace(_ path: String, with bytes: [UInt8]) throws { try replace(path) { try $0.write(bytes) } }
}

/// A new file that replaces the existing one on ``commit()``.
protocol FileReplacement: ByteOutput {
    /// Removes what was written, so that another attempt can start from the beginning.
    ///
    /// - Returns: Whether that is possible. A pipe, for example, can't take anything back.
    /// - Throws: ``FileError``.
    func restart() throws -> Bool

    /// Puts the new file in place of the existing one.
    ///
    /// - Throws: ``FileError``.
    func commit() throws

    /// Removes the new file, and leaves the existing one as it was.
    func discard()
}

import EndpointKit
import SystemCalls

/// The files of the machine.
struct DiskFileSystem: FileSystem {
    /// How long a named pipe waits until a program opens its other end: long enough for one that is started at the
    /// same time.
    var pipeLimit = Duration.seconds(5)

    /// Opens a file for reading. It does not wait for the writer of a pipe; reading does.
    ///
    /// - Throws: ``FileError``.
    func open(_ path: String) throws -> any ByteInput {
        // `O_NONBLOCK`, because opening a pipe would otherwise wait until a writer opens it too.
        try DescriptorStream(path, .read, O_RDONLY | O_NONBLOCK, name: path, writerLimit: pipeLimit)
    }

    /// Checks that a library can read a file, by the rule of the transport.
    ///
    /// - Throws: ``FileError``.
    func requireReadable(_ path: String) throws {
        if let problem = RegularFile.problem(path.exactBytes) { throw FileError(.read, path, problem) }
    }

    /// Whether a path is that of a pipe or a device, whose bytes can be read only once.
    func isStream(_ path: String) -> Bool {
        var status = stat()
        guard stat(path.exactCString, &status) == 0 else { return false }
        // Regular files and directories are no streams. Pipes, sockets and devices are.
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Returns the path to a file without links and `..`. If there is no file, only its directory is resolved. If
    /// there is no directory either, the path stays as it is.
    ///
    ///     ./x          →   /home/ada/x
    ///     /dev/stdout  →   /dev/fd/1
    func realPath(_ path: String) -> String {
        if let number = OpenDescriptor.number(path) { return "/dev/fd/\(number)" }
        if let resolved = Self.resolved(path) { return resolved }
        let path = Self.linkTarget(path)
        // There may only be the directory.
        let directory = FilePlace.directory(of: path)
        guard let resolved = Self.resolved(directory.isEmpty ? "." : directory) else { return path }
        let name = path.unicodeScalars.dropFirst(directory.unicodeScalars.count)
        return "\(resolved)/\(String(name))"
    }

    /// Returns the path to which a link leads, at which no file need exist. A path that is no link is returned
    /// unchanged.
    static func linkTarget(_ path: String) -> String {
        var path = path
        // As many links as Linux follows (path_resolution(7)).
        for _ in 0..<40 {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let count = readlink(path.exactCString, &buffer, Int(PATH_MAX))
            guard count > 0 else { return path }
            let target = String(exactBytes: buffer.prefix(count).map { UInt8(bitPattern: $0) })
            path = target.hasPrefix("/") ? target : FilePlace.directory(of: path) + target
        }
        return path
    }

    /// Returns the path without links and `..`; nil if nothing exists at the path.
    static func resolved(_ path: String) -> String? {
        let resolved = realpath(path.exactCString, nil)
        defer { free(resolved) }
        return resolved.map { String(exactCString: $0) }
    }

    /// Starts to write a file that replaces another one once it is complete. A device, a pipe and an open descriptor
    /// are written directly.
    ///
    /// - Parameter isPrivate: Whether only the owner can read the file.
    /// - Throws: ``FileError``.
    func replace(_ path: String, isPrivate: Bool) throws -> any FileReplacement {
        if let number = OpenDescriptor.number(path) {
            return DirectFile(try OpenDescriptor.copy(number, name: path), name: path)
        }
        if let place = try FilePlace(path) { return try DiskFileReplacement(place, name: path, isPrivate: isPrivate) }
        // A device or a pipe is written itself. A directory fails here with its own reason.
        return DirectFile(try deviceOrPipe(path), name: path)
    }

    /// Opens a device or a named pipe for writing.
    ///
    /// - Throws: ``FileError``, also if no program reads the pipe in time, and `CancellationError`.
    private func deviceOrPipe(_ path: String) throws -> DescriptorStream {
        let deadline = ContinuousClock.now + pipeLimit
        while true {
            do throws(SystemError) {
                // Without `O_NONBLOCK`, opening a pipe would wait for its reader without end.
                return DescriptorStream(try SystemCall.open(path.exactBytes, O_WRONLY | O_NONBLOCK), name: path)
            } catch {
                // A pipe without a reader has this error (pipe(7)), but so has a socket.
                guard error.number == ENXIO, isPipe(path) else { throw FileError(.write, path, error) }
            }
            if Task.isCancelled { throw CancellationError() }
            if .now >= deadline {
                throw FileError(.write, path, reason: "it is a pipe that no program reads")
            }
            // Ten milliseconds.
            usleep(10_000)
        }
    }

    /// Whether a path is that of a named pipe.
    private func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path.exactCString, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Opens the partial download of an earlier run to a path, or starts an empty one.
    ///
    /// - Throws: ``FileError``, also for a path that is not that of a regular file.
    func resume(_ path: String) throws -> PartialFile {
        // The file of an open descriptor belongs to another program, so it must not be renamed.
        guard OpenDescriptor.number(path) == nil, let place = try FilePlace(path) else {
            throw FileError(.write, path, reason: "only a regular file can be continued")
        }
        return try PartialFile(place, name: path)
    }

    /// Returns the sorted names in a directory.
    ///
    /// - Parameter directories: Whether the names are those of directories, except for hidden ones, or those of
    ///   files.
    /// - Throws: ``FileError``.
    func list(_ directory: String, directories: Bool) throws -> [String] {
        let entries: [Directory.Entry]
        do {
            entries = try Directory.entries(of: directory.exactBytes)
        } catch {
            throw FileError(.read, directory, error)
        }
        let names = entries.filter { $0.isDirectory == directories }.map { String(exactBytes: $0.name) }
        let shownNames = directories ? names.filter { !$0.hasPrefix(".") } : names
        return shownNames.sorted()
    }

    /// Makes a directory to write files into. It may exist already, if files can be written into it.
    ///
    /// - Throws: ``FileError``.
    func makeDirectory(_ path: String) throws {
        let made = SystemCall.withPath(path.exactBytes) { mkdir($0, 0o777) }
        guard made.value != 0 else { return }
        guard made.errorNumber == EEXIST else { throw FileError(.write, path, number: made.errorNumber) }
        // With a slash at its end, the path of a file fails.
        let check = SystemCall.withPath("\(path)/".exactBytes) { access($0, W_OK | X_OK) }
        guard check.value == 0 else { throw FileError(.write, path, number: check.errorNumber) }
    }

    /// Removes a file.
    ///
    /// - Throws: ``FileError``.
    func remove(_ path: String) throws {
        let removed = SystemCall.withPath(path.exactBytes) { unlink($0) }
        guard removed.value == 0 else { throw FileError(.write, path, number: removed.errorNumber) }
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

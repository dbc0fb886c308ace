import EndpointKit
import SystemCalls

/// The files of the machine.
struct DiskFileSystem: FileSystem {
    /// How long a named pipe waits until a program opens its other end: long enough for one that is started at the
    /// same time.
    var pipeLimit = Duration.seconds(5)

    /// Opens a file for reading. A named pipe is opened at once, and only reading it waits for a program that writes
    /// it.
    ///
    /// - Throws: ``FileError``.
    func open(_ path: String) throws -> any ByteInput {
        // `O_NONBLOCK`, because opening a pipe would otherwise wait until a writer opens it too.
        try DescriptorStream(
            opening: path, for: .read, flags: O_RDONLY | O_NONBLOCK, name: path, writerLimit: pipeLimit)
    }

    /// Checks that a library, which opens files by itself, can read one to its end.
    ///
    /// - Throws: ``FileError``, also for a directory, a named pipe and a device.
    func requireReadable(_ path: String) throws {
        if let problem = RegularFile.readProblem(at: path.exactBytes) { throw FileError(.read, path, problem) }
    }

    /// Whether a path is that of a pipe or a device, whose bytes can be read only once.
    func isStream(_ path: String) -> Bool {
        var status = stat()
        guard stat(path.exactCString, &status) == 0 else { return false }
        // Whatever is neither a regular file nor a directory is a pipe, a socket or a device.
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Returns the path to a file without links and `..`, by which two spellings of the same file are recognized.
    ///
    ///     ./x          →   /home/ada/x
    ///     /dev/stdout  →   /dev/fd/1
    ///
    /// If the file does not exist, only its directory is resolved. If that does not exist either, the path stays as it
    /// is.
    func realPath(_ path: String) -> String {
        if let number = OpenDescriptor.number(inPath: path) { return "/dev/fd/\(number)" }
        if let resolvedPath = Self.resolved(path) { return resolvedPath }
        let target = Self.linkTarget(path)
        let directory = FilePlace.directory(of: target)
        guard let resolvedDirectory = Self.resolved(directory.isEmpty ? "." : directory) else { return target }
        let name = target.unicodeScalars.dropFirst(directory.unicodeScalars.count)
        return "\(resolvedDirectory)/\(String(name))"
    }

    /// Follows a symbolic link, and further links to which it leads, to a path at which no file need exist.
    ///
    /// - Returns: The path to which the last link leads. A path that is no link is returned unchanged.
    static func linkTarget(_ path: String) -> String {
        // Linux follows at most 40 links (path_resolution(7)). More of them are a circle.
        let maxLinks = 40
        var target = path
        for _ in 0..<maxLinks {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let count = readlink(target.exactCString, &buffer, Int(PATH_MAX))
            let isLink = count > 0
            guard isLink else { return target }
            let linkText = String(exactBytes: buffer.prefix(count).map { UInt8(bitPattern: $0) })
            target = linkText.hasPrefix("/") ? linkText : FilePlace.directory(of: target) + linkText
        }
        return target
    }

    /// Returns the path without links and `..` (`realpath(3)`); nil if nothing exists at the path.
    static func resolved(_ path: String) -> String? {
        let resolvedPath = realpath(path.exactCString, nil)
        defer { free(resolvedPath) }
        return resolvedPath.map { String(exactCString: $0) }
    }

    /// Starts to write a file that replaces another one once it is complete. A device, a pipe and an open descriptor
    /// are written directly.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which need not exist.
    ///   - isPrivate: Whether only the owner can read the file.
    /// - Throws: ``FileError``.
    func beginReplacing(_ path: String, isPrivate: Bool) throws -> any FileReplacement {
        if let number = OpenDescriptor.number(inPath: path) {
            return DirectFile(try OpenDescriptor.copy(number, name: path), name: path)
        }
        if let place = try FilePlace(path) { return try DiskFileReplacement(place, name: path, isPrivate: isPrivate) }
        // A device or a pipe is written itself. Opening a directory fails with a message that says so.
        return DirectFile(try openDeviceOrPipe(path), name: path)
    }

    /// Opens a device or a named pipe for writing. Waits for a program that reads the pipe.
    ///
    /// - Throws: ``FileError``, also if no program opens the pipe for reading in time, and `CancellationError`.
    private func openDeviceOrPipe(_ path: String) throws -> DescriptorStream {
        let deadline = ContinuousClock.now + pipeLimit
        while true {
            if let stream = try openUnlessReaderIsMissing(path) { return stream }
            if Task.isCancelled { throw CancellationError() }
            if .now >= deadline {
                throw FileError(.write, path, reason: "it is a pipe that no program reads")
            }
            let microsecondsBetweenAttempts: useconds_t = 10_000
            usleep(microsecondsBetweenAttempts)
        }
    }

    /// Opens a device or a named pipe for writing, without waiting.
    ///
    /// - Returns: The opened stream; nil for a named pipe that no program has opened for reading yet.
    /// - Throws: ``FileError``.
    private func openUnlessReaderIsMissing(_ path: String) throws(FileError) -> DescriptorStream? {
        do throws(SystemError) {
            // Without `O_NONBLOCK`, opening a pipe would wait for its reader without end.
            return DescriptorStream(try SystemCall.open(path.exactBytes, O_WRONLY | O_NONBLOCK), name: path)
        } catch {
            // A named pipe without a reader fails with ENXIO (fifo(7)). So does a socket, which never succeeds.
            if error.number == ENXIO, isPipe(path) { return nil }
            throw FileError(.write, path, error)
        }
    }

    /// Returns whether there is a named pipe at a path.
    private func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path.exactCString, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Opens the partial download of an earlier run to a path, or starts an empty one.
    ///
    /// - Throws: ``FileError``, also for a path that is not that of a regular file.
    func resume(_ path: String) throws -> PartialFile {
        // The file of an open descriptor belongs to another program, so it must not be renamed.
        guard OpenDescriptor.number(inPath: path) == nil, let place = try FilePlace(path) else {
            throw FileError(.write, path, reason: "only a regular file can be continued")
        }
        return try PartialFile(place, name: path)
    }

    /// Returns the sorted names of the files in a directory, or those of its directories.
    ///
    /// - Parameters:
    ///   - directory: The path of the directory.
    ///   - directories: Whether the names are those of directories, without hidden ones, instead of files.
    /// - Throws: ``FileError``.
    func list(_ directory: String, directories: Bool) throws -> [String] {
        let entries: [Directory.Entry]
        do {
            entries = try Directory.entries(of: directory.exactBytes)
        } catch {
            throw FileError(.read, directory, error)
        }
        var names = entries.filter { $0.isDirectory == directories }.map { String(exactBytes: $0.name) }
        if directories { names.removeAll { $0.hasPrefix(".") } }
        return names.sorted()
    }

    /// Makes a directory to write files into. It may exist already, if files can be written into it.
    ///
    /// - Throws: ``FileError``, also for an existing directory into which this process can't write.
    func makeDirectory(_ path: String) throws {
        let creation = SystemCall.withPath(path.exactBytes) { mkdir($0, 0o777) }
        if creation.value == 0 { return }
        guard creation.errorNumber == EEXIST else { throw FileError(.write, path, number: creation.errorNumber) }
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

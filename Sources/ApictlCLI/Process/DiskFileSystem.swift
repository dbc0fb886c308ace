import SystemCalls

/// The files of the machine.
struct DiskFileSystem: FileSystem {
    /// The files that are written and not at their places yet.
    let temporaries = TemporaryNames()
    /// When the other end of a pipe must have read or written it; nil is no limit.
    private var deadline: ContinuousClock.Instant?

    func limited(until deadline: ContinuousClock.Instant) -> any FileSystem {
        var copy = self
        copy.deadline = deadline
        return copy
    }

    var workingDirectory: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(exactBytes: UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }

    func open(_ path: String) throws -> any ByteInput {
        // A pipe's writer is waited for when it is read.
        let waiting = deadline == nil ? 0 : O_NONBLOCK
        let descriptor = SystemCall.open(path.exactCString, O_RDONLY | O_CLOEXEC | waiting)
        guard descriptor >= 0 else {
            let number = errno
            throw FileError(.read, path, reason: SystemError(number: number).reason, isMissing: number == ENOENT)
        }
        let input = DescriptorInput(descriptor, name: path, closes: true)
        return deadline.map(input.limited) ?? input
    }

    func isStream(_ path: String) -> Bool {
        var status = stat()
        guard stat(path.exactCString, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    func replace(_ path: String) throws -> any FileReplacement {
        if let number = OpenDescriptor.number(path) {
            return direct(try OpenDescriptor.copy(number, name: path), path, isInherited: true)
        }
        guard let place = try FilePlace(path) else {
            // A device or a pipe is not replaced; a directory fails here with its own reason.
            return direct(try openDirectly(path), path, isInherited: false)
        }
        return try TemporaryFile(place, name: path, names: temporaries)
    }

    private func direct(_ descriptor: Int32, _ path: String, isInherited: Bool) -> DirectFile {
        DirectFile(output: DescriptorOutput(descriptor, name: path, deadline: deadline), isInherited: isInherited)
    }

    /// Opens a device or a pipe, and waits for a pipe's reader.
    private func openDirectly(_ path: String) throws(FileError) -> Int32 {
        while true {
            let descriptor = SystemCall.open(path.exactCString, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
            if descriptor >= 0 { return descriptor }
            let number = errno
            // A pipe without a reader.
            guard number == ENXIO else { throw FileError(.write, path, reason: SystemError(number: number).reason) }
            if let deadline, .now >= deadline {
                throw FileError(.write, path, reason: "nobody reads the pipe", isTimeout: true)
            }
            usleep(10_000)
        }
    }

    func resume(_ path: String) throws -> any PartialFile {
        // The file behind an open descriptor is not this run's to rename.
        guard OpenDescriptor.number(path) == nil, let place = try FilePlace(path) else {
            var status = stat()
            let isDirectory = stat(path.exactCString, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            throw FileError(
                .write, path,
                reason: isDirectory ? SystemError(number: EISDIR).reason : "only a regular file can be continued")
        }
        return try DiskPartialFile(place, name: path)
    }
}

import SystemCalls

/// The files of the machine.
struct DiskFileSystem: FileSystem {
    /// The files that are written and not at their places yet.
    let temporaries = TemporaryNames()

    var workingDirectory: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(exactBytes: UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }

    func open(_ path: String) throws -> any ByteInput {
        let descriptor = SystemCall.open(path.exactCString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let number = errno
            throw FileError(.read, path, reason: SystemError(number: number).reason, isMissing: number == ENOENT)
        }
        return DescriptorInput(descriptor, name: path, closes: true)
    }

    func replace(_ path: String, within limit: Duration?) throws -> any FileReplacement {
        if let number = OpenDescriptor.number(path) {
            return DirectFile(output: DescriptorOutput(try OpenDescriptor.copy(number, name: path), name: path))
        }
        guard let place = try FilePlace(path) else {
            // A device or a pipe is not replaced; a directory fails here with its own reason.
            return DirectFile(output: DescriptorOutput(try openDirectly(path, within: limit), name: path))
        }
        return try TemporaryFile(place, name: path, names: temporaries)
    }

    /// Opens a device or a pipe, and waits for a pipe's reader no longer than `limit`; nil is no limit.
    private func openDirectly(_ path: String, within limit: Duration?) throws(FileError) -> Int32 {
        let deadline = limit.map { ContinuousClock.now + $0 }
        while true {
            let descriptor = SystemCall.open(path.exactCString, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
            if descriptor >= 0 { return descriptor }
            let number = errno
            // A pipe without a reader.
            guard number == ENXIO else { throw FileError(.write, path, reason: SystemError(number: number).reason) }
            if let deadline, .now >= deadline { throw FileError(.write, path, reason: "nobody reads the pipe") }
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

import SystemCalls

/// The files of the machine.
struct DiskFileSystem: FileSystem {
    /// The files that are written and not at their places yet.
    let temporaries = TemporaryNames()

    func open(_ path: String) throws -> any ByteInput {
        let descriptor = SystemCall.open(path.exactCString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(.read, path, reason: SystemError.last.reason) }
        return DescriptorInput(descriptor, name: path, closes: true)
    }

    func replace(_ path: String) throws -> any FileReplacement {
        if let number = OpenDescriptor.number(path) {
            return DirectFile(output: DescriptorOutput(try OpenDescriptor.copy(number, name: path), name: path))
        }
        guard let place = try FilePlace(path) else {
            // A device or a pipe has no place to be renamed to, a link that leads nowhere none to be put beside; a directory
            // fails here with its own reason.
            let descriptor = SystemCall.open(path.exactCString, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw FileError(.write, path, reason: SystemError.last.reason) }
            return DirectFile(output: DescriptorOutput(descriptor, name: path))
        }
        return try TemporaryFile(place, name: path, names: temporaries)
    }

    func resume(_ path: String) throws -> any PartialFile {
        // The file behind an open descriptor is not this run's to rename.
        guard OpenDescriptor.number(path) == nil, let place = try FilePlace(path) else {
            var status = stat()
            let isFolder = stat(path.exactCString, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            throw FileError(
                .write, path,
                reason: isFolder ? SystemError(number: EISDIR).reason : "only a regular file can be continued")
        }
        return try DiskPartialFile(place, name: path)
    }
}

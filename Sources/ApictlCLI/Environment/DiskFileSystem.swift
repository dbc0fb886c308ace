import EndpointKit

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The files of the machine.
struct DiskFileSystem: FileSystem {
    func open(_ path: String) throws -> any ByteInput {
        let descriptor = SystemCall.open(path.exactCString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(.read, path, reason: SystemCall.errorText(errno)) }
        return DescriptorInput(descriptor, name: path, closes: true)
    }

    func replace(_ path: String) throws -> any FileReplacement {
        var status = stat()
        let exists = stat(path.exactCString, &status) == 0
        var link = stat()
        let isLink = lstat(path.exactCString, &link) == 0 && link.st_mode & S_IFMT == S_IFLNK
        if exists ? status.st_mode & S_IFMT != S_IFREG : isLink {
            // A device or a pipe has no place to be renamed to, a link that leads nowhere none to be put beside; a directory
            // fails here with its own reason.
            let descriptor = SystemCall.open(path.exactCString, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw FileError(.write, path, reason: SystemCall.errorText(errno)) }
            return DirectFile(output: DescriptorOutput(descriptor, name: path))
        }
        // Renaming would quietly replace a file that its owner has made read-only.
        if exists, access(path.exactCString, W_OK) != 0 || status.st_mode & 0o222 == 0 {
            throw FileError(.write, path, reason: SystemCall.errorText(EACCES))
        }
        let place = exists ? resolvingLinks(path) : path
        return try TemporaryFile(path: place, mode: exists ? status.st_mode & 0o777 : nil)
    }

    /// The file that a symbolic link leads to, so that the file is replaced and not the link.
    private func resolvingLinks(_ path: String) -> String {
        guard let resolved = realpath(path.exactCString, nil) else { return path }
        defer { free(resolved) }
        return String(exactBytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }
}

/// A device or pipe that is written to as it is.
private struct DirectFile: FileReplacement {
    let output: DescriptorOutput
    var isTerminal: Bool { output.isTerminal }

    func write(_ bytes: [UInt8]) throws { try output.write(bytes) }
    func commit() throws { close(output.descriptor) }
    func discard() { close(output.descriptor) }
}

/// A file beside the one it will replace.
private struct TemporaryFile: FileReplacement {
    let path: String
    let temporaryPath: String
    let output: DescriptorOutput
    var isTerminal: Bool { false }

    init(path: String, mode: mode_t?) throws {
        var generator = SystemRandomNumberGenerator()
        self.path = path
        // Not the name with something behind it: that could be longer than a name may be.
        let folder = path.unicodeScalars.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        temporaryPath = folder + ".part-" + String(generator.next() as UInt64, radix: 36)
        let descriptor = SystemCall.open(temporaryPath.exactCString, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError(.write, path, reason: SystemCall.errorText(errno)) }
        if let mode { fchmod(descriptor, mode) }
        output = DescriptorOutput(descriptor, name: path)
    }

    func write(_ bytes: [UInt8]) throws { try output.write(bytes) }

    func commit() throws {
        // Without fsync a crash soon after the rename could leave an empty file where a whole one stood.
        guard fsync(output.descriptor) == 0,
            SystemCall.rename(temporaryPath.exactCString, to: path.exactCString) == 0
        else {
            throw FileError(.write, path, reason: SystemCall.errorText(errno))
        }
        close(output.descriptor)
    }

    func discard() {
        close(output.descriptor)
        unlink(temporaryPath.exactCString)
    }
}

extension String {
    /// The exact bytes of the text with a terminator, for a C function.
    fileprivate var exactCString: [CChar] { (exactBytes + [0]).map { CChar(bitPattern: $0) } }
}

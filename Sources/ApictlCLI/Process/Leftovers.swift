import EndpointKit
import SystemCalls

/// Removes temporary files of killed runs; those of active runs are locked.
enum Leftovers {
    /// The prefix of a temporary file's name, which is followed by a number in base 36.
    static let prefix = ".part-"

    /// The minimum age of a file to remove, in seconds: a newer one may not be locked yet.
    private static let shortestAge = 60

    /// Removes them from `directory`, whose path ends with a slash or is empty. Failures are ignored.
    static func remove(from directory: String) {
        guard let listing = opendir((directory.isEmpty ? "." : directory).exactCString) else { return }
        defer { closedir(listing) }
        let now = time(nil)
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(exactBytes: bytes.prefix { $0 != 0 })
            }
            if isTemporary(name) { removeUnlessLocked(directory + name, now) }
        }
    }

    /// Whether a file of that name is one of ours: the prefix and 10 to 13 digits in base 36.
    static func isTemporary(_ name: String) -> Bool {
        let number = name.utf8.dropFirst(prefix.utf8.count)
        return name.hasPrefix(prefix) && (10...13).contains(number.count)
            && number.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }

    private static func removeUnlessLocked(_ path: String, _ now: Int) {
        let descriptor = SystemCall.open(path.exactCString, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            now - SystemCall.modificationTime(status) >= shortestAge, flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        unlink(path.exactCString)
    }
}

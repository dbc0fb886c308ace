import EndpointKit
import SystemCalls

/// A new file that takes the place of another one once it is complete.
///
/// Until then it has a temporary name in the same directory. So a reader sees either the old file or the whole new
/// one, also after an error.
final class DiskFileReplacement: FileReplacement {
    let isTerminal = false
    private let place: FilePlace
    /// The path of the new file until it is complete.
    private let temporaryPath: String
    private let output: DescriptorStream
    /// Whether only the owner can read the file.
    private let isPrivate: Bool

    /// Creates a new file.
    ///
    /// - Parameter name: The name of the file in messages.
    /// - Throws: ``FileError``.
    init(_ place: FilePlace, name: String, isPrivate: Bool) throws(FileError) {
        self.place = place
        self.isPrivate = isPrivate
        // The name does not contain the file's own name, which a suffix could make longer than NAME_MAX.
        let suffix = String(UInt64.random(in: 1 << 63 ... .max), radix: 36)
        temporaryPath = FilePlace.directory(of: place.path) + ".part-" + suffix
        let mode = place.creationMode(isPrivate: isPrivate)
        output = try DescriptorStream(temporaryPath, .write, O_WRONLY | O_CREAT | O_EXCL, mode: mode, name: name)
    }

    func write(_ bytes: [UInt8]) throws { try output.write(bytes) }

    /// Empties the new file.
    func restart() throws -> Bool {
        try output.truncate()
        return true
    }

    /// Puts the new file in place of the old one.
    func commit() throws {
        try place.take(temporaryPath, output.descriptor, name: output.name, isPrivate: isPrivate)
    }

    /// Removes the new file. After ``commit()``, there is none under the temporary name.
    func discard() { unlink(temporaryPath.exactCString) }
}

import EndpointKit
import SystemCalls

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Everything outside the program that a run uses: streams, environment variables, files, the network.
public struct ProcessEnvironment: Sendable {
    /// The output for results.
    public var stdout: any ByteOutput
    /// The output for messages.
    public var stderr: any ByteOutput
    /// The input; read only if an argument says so.
    public var stdin: any ByteInput
    /// The value of an environment variable.
    public var variable: @Sendable (String) -> String?
    /// The files that arguments name.
    public var files: any FileSystem
    /// The transport that sends requests.
    public var transport: any Transport
    /// Called before a transfer: from then on, a signal cancels the run instead of killing the process.
    ///
    /// Its argument is how long the cancelled run may take to clean up before the process ends; a second signal ends it at once.
    public var watchSignals: @Sendable (Duration) -> Void = { _ in }
    /// What a program prints, given its words and how long it may take. Throws ``CommandOutput/Failure``.
    var commandOutput: @Sendable ([String], Duration) throws -> [UInt8] = { _, _ in
        throw CommandOutput.Failure.notStarted(SystemError(reason: "programs can't be run here"))
    }
    /// What shows long texts on a terminal; nil if there is no such program, or stdout is not a terminal.
    var makePager: @Sendable () -> Pager? = { nil }
    /// The clock for the progress line.
    public var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// The clock for dates, in seconds since 1970.
    public var secondsSince1970: @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }

    /// An environment with the system's clock.
    public init(
        stdout: any ByteOutput, stderr: any ByteOutput, stdin: any ByteInput,
        variable: @escaping @Sendable (String) -> String?, files: any FileSystem, transport: any Transport
    ) {
        self.stdout = stdout
        self.stderr = stderr
        self.stdin = stdin
        self.variable = variable
        self.files = files
        self.transport = transport
    }
}

extension ProcessEnvironment {
    /// The value of an environment variable; nil if it is not set or empty.
    func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether the environment variable has a value; an empty one counts as not set.
    func isSet(_ name: String) -> Bool { value(name) != nil }

    /// The same, in which stdin and files are read and written no longer than until `deadline`; nil is no limit.
    func limited(until deadline: ContinuousClock.Instant?) -> ProcessEnvironment {
        guard let deadline else { return self }
        var copy = self
        copy.stdin = stdin.limited(until: deadline)
        copy.files = files.limited(until: deadline)
        return copy
    }
}

/// The files a run reads and writes.
public protocol FileSystem: Sendable {
    /// The absolute path that relative ones start from; nil if there is none.
    var workingDirectory: String? { get }
    /// Opens the file at `path` for reading. Throws ``FileError``.
    func open(_ path: String) throws -> any ByteInput
    /// Whether `path` is a pipe or a device: what is read from it comes only once.
    func isStream(_ path: String) -> Bool
    /// Starts a file that replaces `path` once it is complete. Throws ``FileError``.
    ///
    /// If `path` is a pipe, waits for its reader.
    func replace(_ path: String) throws -> any FileReplacement
    /// The same files, except that ``FileError`` is thrown if `deadline` passes while the other end of a pipe is waited for.
    func limited(until deadline: ContinuousClock.Instant) -> any FileSystem
    /// The partial download of an earlier run to `path`, or an empty one. Throws ``FileError``.
    func resume(_ path: String) throws -> any PartialFile
    /// The regular files in a directory, by name. Throws ``FileError``.
    func list(_ directory: String) throws -> [FileEntry]
    /// Makes a directory, unless it is there. Throws ``FileError``.
    func makeDirectory(_ path: String) throws
}

extension FileSystem {
    /// Nil, as for files that are not on a disk.
    public var workingDirectory: String? { nil }
    /// False, as for files that are not on a disk.
    public func isStream(_ path: String) -> Bool { false }
    /// The files themselves: none of them is a pipe.
    public func limited(until deadline: ContinuousClock.Instant) -> any FileSystem { self }
    /// Throws ``FileError``: downloads can't be resumed.
    public func resume(_ path: String) throws -> any PartialFile {
        throw FileError(.write, path, reason: "it can't be resumed here")
    }
    /// Throws ``FileError``: there are no directories.
    public func list(_ directory: String) throws -> [FileEntry] {
        throw FileError(.read, directory, reason: "there are no directories here")
    }
    /// Throws ``FileError``: there are no directories.
    public func makeDirectory(_ path: String) throws {
        throw FileError(.write, path, reason: "there are no directories here")
    }
}

/// A new file that replaces the existing one on ``commit()``.
public protocol FileReplacement: ByteOutput {
    /// Discards what was written so that another attempt can start; false if that is impossible. Throws ``FileError``.
    func restart() throws -> Bool
    /// Replaces the existing file. Throws ``FileError``.
    func commit() throws
    /// Removes what was written.
    func discard()
}

extension FileReplacement {
    /// False, as for a device or a pipe.
    public func restart() throws -> Bool { false }
}

/// A download that is completed over several runs: ``FileReplacement/discard()`` keeps what was received, for the next run to resume.
public protocol PartialFile: FileReplacement {
    /// The file with the partial download: `FILE.part`, or FILE itself if another tool started it there.
    var path: String { get }
    /// How many bytes have been received.
    var length: Int { get }
    /// The last note given to ``begin(note:)`` or ``keep(note:)``; nil if another tool started the download.
    var note: String? { get }
    /// When it was last written, in seconds since 1970.
    var modified: Int { get }
    /// Starts over with an empty file and saves `note` with it. Throws ``FileError``.
    func begin(note: String) throws
    /// Replaces the note of the received bytes with `note`. Throws ``FileError``.
    func keep(note: String) throws
}

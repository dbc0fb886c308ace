import EndpointKit

/// Everything a run can see and touch of the world outside: streams, variables, files, the network.
public struct ProcessEnvironment: Sendable {
    /// Where answers go.
    public var stdout: any ByteOutput
    /// Where messages go.
    public var stderr: any ByteOutput
    /// Where input comes from. Read only where an argument asks for it.
    public var stdin: any ByteInput
    /// The value of an environment variable.
    public var variable: @Sendable (String) -> String?
    /// The files that arguments name.
    public var files: any FileSystem
    /// What carries the requests.
    public var transport: any Transport
    /// Called before a transfer: from then on a signal ends the run in good order instead of killing the process.
    public var watchSignals: @Sendable () -> Void = {}
    /// The clock that a transfer's progress goes by.
    public var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// The surroundings of a run, with the machine's clock.
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

/// The files a run reads and writes.
public protocol FileSystem: Sendable {
    /// The file at `path`, to be read. Throws ``FileError``.
    func open(_ path: String) throws -> any ByteInput
    /// A file that takes the place of `path` once it is complete. Throws ``FileError``.
    ///
    /// If it is a pipe, its reader is waited for no longer than `limit`; nil is no limit.
    func replace(_ path: String, within limit: Duration?) throws -> any FileReplacement
    /// What an earlier run left of the download to `path`, or the start of one. Throws ``FileError``.
    func resume(_ path: String) throws -> any PartialFile
}

extension FileSystem {
    /// Files that can't be continued.
    public func resume(_ path: String) throws -> any PartialFile {
        throw FileError(.write, path, reason: "it can't be resumed here")
    }
}

/// A new file that is not at its place yet: what stood there stays whole until ``commit()``.
public protocol FileReplacement: ByteOutput {
    /// Takes back what was written, so that another attempt can begin; false where it can't be taken back. Throws ``FileError``.
    func restart() throws -> Bool
    /// Puts the file at its place. Throws ``FileError``.
    func commit() throws
    /// Removes what was written.
    func discard()
}

extension FileReplacement {
    /// What went to a device or a pipe is gone.
    public func restart() throws -> Bool { false }
}

/// A file that grows over several runs: ``FileReplacement/discard()`` keeps what came, for the next run to go on with.
public protocol PartialFile: FileReplacement {
    /// The file that holds it meanwhile, `FILE.part`; FILE itself where another tool began it there.
    var path: String { get }
    /// How many bytes of it are there.
    var length: Int { get }
    /// What ``begin(note:)`` or ``keep(note:)`` was given; nil where another tool wrote it and nothing is known yet.
    var note: String? { get }
    /// When it was written last, in seconds since 1970.
    var modified: Int { get }
    /// Starts over from nothing, and keeps `note` beside it. Throws ``FileError``.
    func begin(note: String) throws
    /// Keeps `note` in place of what was known of the bytes that are there. Throws ``FileError``.
    func keep(note: String) throws
}

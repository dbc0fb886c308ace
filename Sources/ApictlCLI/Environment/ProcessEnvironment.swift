import EndpointKit

/// Everything a run can see and touch of the world outside: streams, variables, files, the network.
public struct ProcessEnvironment: Sendable {
    public var stdout: any ByteOutput
    public var stderr: any ByteOutput
    /// Read only where an argument asks for it.
    public var stdin: any ByteInput
    /// The value of an environment variable.
    public var variable: @Sendable (String) -> String?
    public var files: any FileSystem
    public var transport: any Transport

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
    func replace(_ path: String) throws -> any FileReplacement
}

/// A new file that is not at its place yet: what stood there stays whole until ``commit()``.
public protocol FileReplacement: ByteOutput {
    /// Puts the file at its place. Throws ``FileError``.
    func commit() throws
    /// Removes what was written.
    func discard()
}

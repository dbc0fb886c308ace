import EndpointKit
import SystemCalls

/// Everything outside the program that a run uses: streams, environment variables, files, the network.
struct ProcessEnvironment: Sendable {
    var stdout: any ByteOutput
    var stderr: any ByteOutput
    /// The input; read only if an argument says so.
    var stdin: any ByteInput
    var variable: @Sendable (String) -> String?
    var files: any FileSystem
    var transport: any Transport
    /// When the writers of stdin and pipes that arguments name must have ended them; nil is no limit.
    var deadline: ContinuousClock.Instant?
    var signals = SignalHandling()
    /// Runs a program and returns the text that it prints, given its words and how long it may take.
    ///
    /// No thread of Swift's own waits for the program. Throws ``CommandOutput/Failure``.
    var commandOutput: @Sendable ([String], Duration) async throws -> [UInt8] = { _, _ in
        throw CommandOutput.Failure.notStarted(SystemError(reason: "programs can't be run here"))
    }
    /// Gives stdout to a protocol: whatever else writes to it writes to stderr from then on. Throws ``FileError``; nil if only the output here
    /// is stdout.
    var takeStdout: (@Sendable () throws -> any ByteOutput)?
    /// Makes the pager, given the program that the configuration names.
    ///
    /// Nil if there is no such program, or if stdout is not a terminal.
    var makePager: @Sendable (_ configured: String?) -> Pager? = { _ in nil }
    /// When output is coloured unless `--color` says otherwise.
    var color = ColorChoice.auto
    var secondsSince1970: @Sendable () -> Int = { time(nil) }
}

/// What signals do to a run.
struct SignalHandling: Sendable {
    /// Called before a transfer: from then on, a signal cancels the run, which may take that long to clean up. A second
    /// signal ends it at once.
    var watch: @Sendable (Duration) -> Void = { _ in }
    /// Returns the exit code of a run that a signal has ended; nil if none has.
    var exitCode: @Sendable () -> Int32? = { nil }
    /// Ends the run as a signal does.
    var interrupt: @Sendable () -> Void = {}
}

extension ProcessEnvironment {
    /// The value of an environment variable; nil if it is not set or empty.
    func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// The bytes of the file of an option, and its name in messages; `-` is stdin. Throws ``FileError``.
    func file(_ path: String, limit: Int = Client.defaultMaxBodySize) throws -> (bytes: [UInt8], name: String) {
        let name = path == "-" ? "stdin" : path
        let input = path == "-" ? stdin : try files.open(path)
        return (try input.readAll(name: name, limit: limit, until: deadline), name)
    }

    /// Whether the environment variable has a value; an empty one counts as not set.
    func isSet(_ name: String) -> Bool { value(name) != nil }

    /// `text` with marks in ASCII if the locale names another encoding than UTF-8.
    func marked(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(value).first?.lowercased() ?? "utf-8"
        let encoding = locale.split(separator: ".").last?.prefix { $0 != "@" } ?? ""
        if encoding == "utf-8" || encoding == "utf8" { return text }
        let marks = [("✓", "+"), ("✗", "x"), ("–", "-"), ("…", "...")]
        return marks.reduce(text) { $0.replacingBytes(of: $1.0, with: $1.1) }
    }

    /// The passwords in the variables that name proxies, because proxies and libraries may repeat them.
    var proxySecrets: [SensitiveText] {
        ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap { name in
            variable(name).map(Self.secrets(ofProxy:)) ?? []
        }
    }

    /// The secrets of `[SCHEME://][USER[:PASSWORD]@]HOST`: the password, or else the user, which may be a token.
    private static func secrets(ofProxy text: String) -> [SensitiveText] {
        let start = text.utf8.firstRange(of: "://".utf8)?.upperBound ?? text.startIndex
        // The last @, because a password that is not percent-encoded may contain one.
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")), start < at else { return [] }
        let colon = UInt8(ascii: ":")
        let parts = text[start..<at].utf8.split(separator: colon, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        let decoded = (parts + [""]).map { Secret(PercentEncoding.decode($0)) }
        return [
            SensitiveText([.secret(Secret(parts[parts.count - 1]))]),
            SensitiveText([.basic(user: decoded[0], password: decoded[1])]),
        ]
    }
}

/// The files a run reads and writes.
protocol FileSystem: Sendable {
    func open(_ path: String) throws -> any ByteInput
    /// Whether `path` is a pipe or a device: what is read from it comes only once.
    func isStream(_ path: String) -> Bool
    /// The path to a file without links and `..`, whether there is the file or only its directory.
    func realPath(_ path: String) -> String
    /// Starts a file that replaces `path` once it is complete, only for its owner if it `isPrivate`; or opens a pipe and waits for its reader.
    /// Throws ``FileError``.
    func replace(_ path: String, isPrivate: Bool) throws -> any FileReplacement
    /// The partial download of an earlier run to `path`, or an empty one. Throws ``FileError``.
    func resume(_ path: String) throws -> PartialFile
    /// The names of the files in a directory, or of the directories in it but for hidden ones, sorted. Throws ``FileError``.
    func list(_ directory: String, directories: Bool) throws -> [String]
    /// Makes a directory, if there is none, to write files into. Throws ``FileError``.
    func makeDirectory(_ path: String) throws
    /// Removes a file. Throws ``FileError``.
    func remove(_ path: String) throws
}

extension FileSystem {
    /// The bytes of a file. Throws ``FileError``, also if there are more than `limit`.
    func readAll(_ path: String, limit: Int = Client.defaultMaxBodySize) throws -> [UInt8] {
        try open(path).readAll(name: path, limit: limit)
    }

    func replace(_ path: String) throws -> any FileReplacement { try replace(path, isPrivate: false) }

    func list(_ directory: String) throws -> [String] { try list(directory, directories: false) }

    /// Replaces the file at `path` by what `write` writes; an error leaves it as it was. Throws ``FileError``, and what `write` throws.
    func replace(_ path: String, with write: (any FileReplacement) throws -> Void) throws {
        let file = try replace(path)
        do {
            try write(file)
            try file.commit()
        } catch {
            file.discard()
            throw error
        }
    }

    func replace(_ path: String, with bytes: [UInt8]) throws { try replace(path) { try $0.write(bytes) } }
}

/// A new file that replaces the existing one on ``commit()``.
protocol FileReplacement: ByteOutput {
    /// Discards what was written so that another attempt can start; false if that is impossible. Throws ``FileError``.
    func restart() throws -> Bool
    func commit() throws
    func discard()
}

/// A file can't be read or written.
struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An operation on a file.
    enum Operation: String, Sendable { case read, write }

    let operation: Operation
    /// The file's name in messages: its path, or the name of a stream.
    let path: String
    let reason: String
    let isMissing: Bool
    /// Whether the other end of a pipe took longer than the time limit.
    let isTimeout: Bool

    var description: String { "can't \(operation.rawValue) \(path.isEmpty ? "''" : path): \(reason)" }

    init(
        _ operation: Operation, _ path: String, reason: String, isMissing: Bool = false, isTimeout: Bool = false
    ) {
        self.operation = operation
        self.path = path
        self.reason = reason
        self.isMissing = isMissing
        self.isTimeout = isTimeout
    }

    /// The error with the system's number `number`, an `errno`.
    init(_ operation: Operation, _ path: String, number: Int32) {
        self.init(operation, path, SystemError(number: number))
    }

    /// The system's `error`.
    init(_ operation: Operation, _ path: String, _ error: SystemError) {
        let isMissing = operation == .read && error.number == ENOENT
        self.init(operation, path, reason: error.reason, isMissing: isMissing)
    }
}

import EndpointKit
import SystemCalls

/// Everything outside the program that a run uses: streams, environment variables, files, the network.
struct ProcessEnvironment: Sendable {
    var stdout: any ByteOutput
    var stderr: any ByteOutput
    /// The input. It is read only if an argument names it.
    var stdin: any ByteInput
    /// Returns the value of an environment variable, which may be empty; nil if the variable is not set.
    var variable: @Sendable (String) -> String?
    var files: any FileSystem
    var transport: any Transport
    /// The time by which stdin and the pipes that arguments name must have ended; nil is no limit.
    var deadline: ContinuousClock.Instant?
    var signals = SignalHandling()
    /// Runs a program and returns the text that it prints. None of Swift's own threads waits for the program.
    ///
    /// It receives the program's name with its arguments, and the time that the program may take. It throws
    /// ``CommandOutput/Failure``.
    var commandOutput: @Sendable (_ words: [String], _ limit: Duration) async throws -> [UInt8] = { _, _ in
        throw CommandOutput.Failure.notStarted(SystemError(reason: "programs can't be run here"))
    }
    /// Takes stdout for a protocol such as MCP, and returns it. From then on, everything else that writes to stdout
    /// writes to stderr, so that it can't disturb the protocol.
    ///
    /// It throws ``FileError``. It is nil if nothing but ``stdout`` writes to the process's stdout, as in tests.
    var takeStdout: (@Sendable () throws -> any ByteOutput)?
    /// Returns the pager for stdout, given the program that the configuration names.
    ///
    /// It returns nil if there is no such program, or if stdout is not a terminal.
    var makePager: @Sendable (_ configured: String?) -> Pager? = { _ in nil }
    /// Makes everything that is written to stdout appear at once, and not in a pager. It is for a text that comes bit
    /// by bit.
    var bypassPager: @Sendable () throws -> Void = {}
    /// When output is coloured unless `--color` says otherwise.
    var color = ColorChoice.auto
    var secondsSince1970: @Sendable () -> Int = { time(nil) }
    /// Keeps the results of logins.
    var logins: any LoginStore = NoLoginStore()
    /// Keeps the cookies of sessions; nil if there is no place for them.
    var sessions: SessionStore?
    /// Waits for a time. Tests replace it, so that they need not wait.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// The time after which a line on a terminal shows what a call waits for, and the time between two drawings of it.
    var activityInterval = Duration.seconds(1)
    /// Opens a page in the person's browser, if there is one. It does not wait for the browser.
    var openPage: @Sendable (_ address: String) -> Void = { _ in }
}

/// The ways in which a run reacts to signals. By default, signals are ignored, as in tests.
struct SignalHandling: Sendable {
    /// Begins to handle signals: the first one cancels the run, and ends it after `cleanUpTime`. A second one ends it
    /// at once.
    ///
    /// A run that sends requests calls it before the first one.
    var startHandling: @Sendable (_ cleanUpTime: Duration) -> Void = { _ in }
    /// Returns the exit code of a run that a signal has ended; nil if none has.
    var exitCode: @Sendable () -> Int32? = { nil }
    /// Ends the run as if it had received a signal.
    var interrupt: @Sendable () -> Void = {}
}

extension ProcessEnvironment {
    // MARK: Variables

    /// Returns the value of an environment variable; nil if it is not set or is empty.
    func value(_ name: String) -> String? {
        guard let value = variable(name), !value.isEmpty else { return nil }
        return value
    }

    /// Whether an environment variable has a value. An empty one counts as not set.
    func isSet(_ name: String) -> Bool { value(name) != nil }

    // MARK: Input

    /// Reads all bytes of the file that an option names. Reading must end by ``deadline``.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `-` is stdin.
    ///   - limit: The greatest number of bytes to read. By default it is the limit for the body of a response.
    /// - Returns: The bytes, and the name of the file in messages.
    /// - Throws: ``FileError``, also for more than `limit` bytes.
    func readFile(_ path: String, limit: Int = Client.defaultMaxBodySize) throws -> (bytes: [UInt8], name: String) {
        let isStdin = path == "-"
        let name = isStdin ? "stdin" : path
        let input = isStdin ? stdin : try files.open(path)
        return (try input.readAll(name: name, limit: limit, until: deadline), name)
    }

    // MARK: Texts

    /// Returns a text with marks that the locale can show: in a locale without UTF-8, `✓` becomes `+`. With UTF-8, the
    /// text stays as it is.
    func marked(_ text: String) -> String {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        if isASCII || usesUTF8 { return text }
        var asciiText = text
        for (mark, replacement) in [("✓", "+"), ("✗", "x"), ("–", "-"), ("…", "...")] {
            asciiText = asciiText.replacingBytes(of: mark, with: replacement)
        }
        return asciiText
    }

    /// Whether the locale's encoding is UTF-8. If no locale is set, the answer is yes.
    ///
    ///     LANG=de_DE.UTF-8@euro     yes
    ///     LANG=C                    no
    private var usesUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(value).first
        guard let locale = locale?.lowercased() else { return true }
        let encoding = locale.split(separator: ".").last?.prefix { $0 != "@" } ?? ""
        return encoding == "utf-8" || encoding == "utf8"
    }

    // MARK: Secrets

    /// The passwords in the variables that name proxies, which proxies and libraries may repeat in their messages.
    var proxySecrets: [SensitiveText] {
        let names = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
        return names.compactMap(variable).flatMap(Self.secrets(ofProxy:))
    }

    /// Returns the secrets of a proxy's URL, `[SCHEME://][USER[:PASSWORD]@]HOST`.
    ///
    /// - Returns: The password, or the user if there is no password, because it may be a token. The second secret is
    ///   the value of the `Basic` header that is made of user and password. Empty if the URL has no user.
    private static func secrets(ofProxy url: String) -> [SensitiveText] {
        let endOfScheme = url.utf8.firstRange(of: "://".utf8)?.upperBound ?? url.startIndex
        // A password that is not percent-encoded may contain an @, so the last one counts.
        guard let at = url.utf8.lastIndex(of: UInt8(ascii: "@")), endOfScheme < at else { return [] }
        // Bytes are compared, because a colon before a combining character is no character of its own.
        let userAndPassword = url[endOfScheme..<at].utf8.split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let user = String(Substring(userAndPassword[0]))
        let password = userAndPassword.count == 2 ? String(Substring(userAndPassword[1])) : nil
        let secretAsTyped = SensitiveText([.secret(Secret(password ?? user))])
        let decodedUser = Secret(PercentEncoding.decode(user))
        let decodedPassword = Secret(PercentEncoding.decode(password ?? ""))
        let headerValue = SensitiveText([.basic(user: decodedUser, password: decodedPassword)])
        return [secretAsTyped, headerValue]
    }
}

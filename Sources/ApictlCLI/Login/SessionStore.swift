import EndpointKit

/// The name of a session (`--session NAME`), which is also the start of a file's name.
struct SessionName: Sendable, Equatable {
    let text: String

    /// The longest name. With the ending of its lock, it stays below NAME_MAX (255 bytes).
    private static let maxLength = 64

    /// Makes a name of letters, digits, `.`, `_` and `-`, which begins with a letter or digit.
    ///
    /// - Returns: Nil for any other text, such as a path.
    init?(_ text: String) {
        guard let first = text.utf8.first, first.isLetterOrDigit, text.utf8.count <= Self.maxLength else { return nil }
        guard text.utf8.allSatisfy({ $0.isLetterOrDigit || "._-".utf8.contains($0) }) else { return nil }
        self.text = text
    }
}

extension OptionValueType where Value == SessionName {
    static let session = parsed(
        "NAME", expected: "a name of letters, digits, '.', '_' and '-', at most 64, with a letter or digit first",
        completion: .sessions
    ) { SessionName($0) }
}

/// Keeps the cookies of sessions, each in a file that only its owner can read.
///
/// The files are cookie files in Netscape's format, which curl reads too. They also have the cookies without an expiry,
/// which a browser would forget when it is closed.
struct SessionStore: Sendable {
    /// The most cookies of one host: libcurl sends no more than these in a request.
    static let maxCookiesOfHost = 150
    /// The most cookies of a session: as many as RFC 6265, section 6.1, asks for.
    static let maxCookies = 3000
    /// The longest file. libcurl's cookies have at most 4 KiB each, and as much for path and domain.
    private static let maxLength = maxCookies * 8 * 1024
    /// How long to wait for another process that stores cookies, which takes milliseconds.
    private static let lockLimit = Duration.seconds(5)
    private static let fileExtension = ".cookies"
    /// The first line, by which programs recognise such a file.
    private static let header = "# Netscape HTTP Cookie File\n"

    private let files: PrivateDirectory

    /// Makes the store of a directory, whose path has no slash at its end.
    init(directory: String) { files = PrivateDirectory(path: directory) }

    /// Finds the directory `sessions` of the tool's state, beside that of the logins.
    ///
    /// - Returns: The store; nil if neither XDG_STATE_HOME nor HOME is set.
    static func ofProcess(tool: String, _ environment: ProcessEnvironment) -> SessionStore? {
        PrivateDirectory.path("sessions", tool: tool, environment).map(SessionStore.init(directory:))
    }

    private func fileName(_ name: SessionName) -> String { name.text + Self.fileExtension }

    /// Returns the path of a session's file.
    func path(_ name: SessionName) -> String { files.path(fileName(name)) }

    /// Returns the names of all sessions, sorted.
    ///
    /// - Throws: ``FileError``.
    func names() throws -> [SessionName] {
        let found = try files.names().filter { $0.hasSuffix(Self.fileExtension) }
        return found.compactMap { SessionName(String($0.dropLast(Self.fileExtension.count))) }
    }

    /// Reads the cookies of a session, without those that have expired. A new session has none.
    ///
    /// - Parameter time: The time in seconds since 1970.
    /// - Throws: ``FileError``, also for a file that is no cookie file.
    func cookies(of name: SessionName, at time: Int) throws -> [StoredCookie] {
        guard let bytes = try files.read(fileName(name), limit: Self.maxLength) else { return [] }
        var cookies: [StoredCookie] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let isComment = line.first == UInt8(ascii: "#") && !line.starts(with: StoredCookie.httpOnlyMark.utf8)
            if line.isEmpty || isComment { continue }
            guard let cookie = StoredCookie(line: line) else { throw corrupt(name, line: index + 1) }
            if !cookie.isExpired(at: time) { cookies.append(cookie) }
        }
        return Self.limited(cookies)
    }

    /// Returns the error that a line of a session's file is no cookie.
    private func corrupt(_ name: SessionName, line: Int) -> FileError {
        FileError(
            .read, path(name), reason: "line \(line) is no cookie; to start again: logout --session \(name.text)")
    }

    /// Changes the cookies of a session. Other processes that change them wait meanwhile, so that nothing is lost.
    ///
    /// - Parameters:
    ///   - time: The time in seconds since 1970.
    ///   - change: Gets the cookies that are stored now.
    /// - Throws: ``FileError`` and `CancellationError`.
    func update(_ name: SessionName, at time: Int, _ change: (inout [StoredCookie]) -> Void) async throws {
        let lock = try await files.lock(fileName(name), until: .now + Self.lockLimit)
        defer { withExtendedLifetime(lock) {} }
        let stored = try cookies(of: name, at: time)
        var cookies = stored
        change(&cookies)
        cookies = Self.limited(cookies)
        if cookies == stored { return }
        let lines = cookies.map { $0.line + "\n" }
        try files.write((Self.header + lines.joined()).exactBytes, to: fileName(name))
    }

    /// Removes a session. It is no error if there is none.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``FileError`` and `CancellationError`.
    func remove(_ name: SessionName) async throws -> Bool {
        let lock = try await files.lock(fileName(name), until: .now + Self.lockLimit)
        defer { withExtendedLifetime(lock) {} }
        return try files.remove(fileName(name))
    }

    /// Returns the newest cookies: no more than ``maxCookies``, and of each host no more than ``maxCookiesOfHost``. Without
    /// these limits, a server could make all later calls slow.
    private static func limited(_ cookies: [StoredCookie]) -> [StoredCookie] {
        var counts: [String: Int] = [:]
        var kept: [StoredCookie] = []
        // The newest cookies are the last ones.
        for cookie in cookies.reversed() where kept.count < maxCookies {
            counts[cookie.id.domain, default: 0] += 1
            if counts[cookie.id.domain, default: 0] <= maxCookiesOfHost { kept.append(cookie) }
        }
        return kept.reversed()
    }
}

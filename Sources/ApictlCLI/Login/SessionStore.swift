import EndpointKit

/// Keeps the cookies of sessions, each in a file that only its owner can read.
///
/// The files are cookie files in Netscape's format, which curl reads too. They also have the cookies without an expiry,
/// which a browser would forget when it is closed.
struct SessionStore: Sendable {
    /// The most cookies of one host: libcurl sends no more than these in a request.
    static let maxCookiesOfHost = 150
    /// The most cookies of a session: as many as RFC 6265, section 6.1, asks for.
    static let maxCookies = 3000
    /// The longest file, in bytes. libcurl's cookies have at most 4 KiB each, and as much for path and domain.
    private static let maxFileLength = maxCookies * 8 * 1024
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
        PrivateDirectory.statePath("sessions", tool: tool, environment).map(SessionStore.init(directory:))
    }

    private func fileName(_ name: SessionName) -> String { name.text + Self.fileExtension }

    /// Returns the path of a session's file.
    func path(_ name: SessionName) -> String { files.filePath(fileName(name)) }

    /// Returns the names of all sessions, sorted.
    ///
    /// - Throws: ``FileError``.
    func names() throws -> [SessionName] {
        let fileNames = try files.names().filter { $0.hasSuffix(Self.fileExtension) }
        return fileNames.compactMap { SessionName(String($0.dropLast(Self.fileExtension.count))) }
    }

    /// Reads the cookies of a session, without those that have expired. A new session has none.
    ///
    /// Each line of the file is a cookie, except for empty lines and comments. A line that begins with `#HttpOnly_` is
    /// no comment but a cookie that scripts may not read.
    ///
    /// - Parameters:
    ///   - name: The name of the session.
    ///   - time: The time in seconds since 1970.
    /// - Throws: ``FileError``, also for a line that is no cookie.
    func cookies(of name: SessionName, at time: Int) throws -> [StoredCookie] {
        guard let bytes = try files.read(fileName(name), limit: Self.maxFileLength) else { return [] }
        var cookies: [StoredCookie] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let isComment = line.first == UInt8(ascii: "#") && !line.starts(with: StoredCookie.httpOnlyMark.utf8)
            if line.isEmpty || isComment { continue }
            guard let cookie = StoredCookie(line: line) else { throw noCookieError(in: name, line: index + 1) }
            if !cookie.isExpired(at: time) { cookies.append(cookie) }
        }
        return Self.newestCookies(of: cookies)
    }

    /// Returns the error that a line of a session's file is no cookie. Lines count from 1.
    private func noCookieError(in name: SessionName, line: Int) -> FileError {
        FileError(
            .read, path(name), reason: "line \(line) is no cookie; to start again: logout --session \(name.text)")
    }

    /// Reads the cookies of a session, changes them, and writes them if they differ from those that were read. Other
    /// processes that change them wait meanwhile, so that nothing is lost.
    ///
    /// - Parameters:
    ///   - name: The name of the session.
    ///   - time: The time in seconds since 1970.
    ///   - change: Changes the cookies. They are sorted by age, with the newest ones last.
    /// - Throws: ``FileError`` and `CancellationError`.
    func update(_ name: SessionName, at time: Int, _ change: (inout [StoredCookie]) -> Void) async throws {
        let lock = try await files.lock(fileName(name), until: .now + Self.lockLimit)
        // A lock is released with the last reference to it. This keeps it until the function ends.
        defer { withExtendedLifetime(lock) {} }
        let stored = try cookies(of: name, at: time)
        var cookies = stored
        change(&cookies)
        cookies = Self.newestCookies(of: cookies)
        if cookies == stored { return }
        let lines = cookies.map { $0.line + "\n" }
        try files.write((Self.header + lines.joined()).exactBytes, to: fileName(name))
    }

    /// Removes a session with its cookies.
    ///
    /// - Returns: Whether there was one. It is no error if there was none.
    /// - Throws: ``FileError`` and `CancellationError`.
    func remove(_ name: SessionName) async throws -> Bool {
        let lock = try await files.lock(fileName(name), until: .now + Self.lockLimit)
        // A lock is released with the last reference to it. This keeps it until the function ends.
        defer { withExtendedLifetime(lock) {} }
        return try files.remove(fileName(name))
    }

    /// Returns the newest cookies in their order: no more than ``maxCookies``, and of each host no more than
    /// ``maxCookiesOfHost``. Without these limits, a server could make all later calls slow.
    ///
    /// - Parameter cookies: The cookies, with the newest ones last.
    private static func newestCookies(of cookies: [StoredCookie]) -> [StoredCookie] {
        var countOfHost: [String: Int] = [:]
        var newestFirst: [StoredCookie] = []
        for cookie in cookies.reversed() {
            if newestFirst.count == maxCookies { break }
            let host = cookie.id.domain
            let count = countOfHost[host, default: 0]
            if count == maxCookiesOfHost { continue }
            countOfHost[host] = count + 1
            newestFirst.append(cookie)
        }
        return newestFirst.reversed()
    }
}

import EndpointKit
import JSONText

/// A request that was typed as a curl command or recorded by a browser.
///
/// It has its secrets. Nothing of it is written before ``ImportSecrets`` has removed them.
package struct ImportedRequest: Sendable {
    /// The body of a request.
    package enum Content: Sendable, Equatable {
        case none
        case bytes([UInt8])
        case parts([Part])
        /// A file that is sent as it is.
        case file(String)

        /// The path of the file.
        var path: String? { if case .file(let path) = self { path } else { nil } }
    }

    /// The way in which a request authenticates, other than by a header.
    package enum Authentication: Sendable, Equatable {
        case none
        /// The Basic scheme (RFC 7617).
        case basic(user: String, password: String)
        /// A scheme that credentials don't have, such as Digest, with the option of curl that chooses it.
        case other(option: String, user: String, password: String)
    }

    /// A name with its value. The value of a query item without `=` is nil.
    package typealias NameValue = (name: String, value: String?)

    package var method = ""
    /// Scheme, host and port.
    package var origin = ""
    /// The path, percent-encoded, with its leading slash.
    package var path = "/"
    /// The path as it was typed, with its leading slash.
    package var typedPath = "/"
    /// The query as it was typed; nil if there is none.
    package var typedQuery: String?
    /// The items of the query, decoded.
    package var query: [NameValue] = []
    package var headers: [NameValue] = []
    package var content = Content.none
    /// Whether no header says the type of the content, so that curl sends its default, that of a form.
    package var hasImpliedType = false
    package var authentication = Authentication.none
    /// The response, as an example of those of the endpoint; nil if none was seen.
    package var response: Response?
    /// Remarks about parts of the command or recording that are not part of an endpoint.
    package var notes: [String] = []
    /// The options of curl that are about something else than a request, such as `--limit-rate` and `--output`.
    ///
    /// Options that say what `call` does by itself, such as `--silent`, are left out.
    package var otherOptions: [String] = []
    /// The options of `call` that say how to connect.
    package var connection: [ConnectionOption] = []

    /// An option of `call` that says how to connect: `--cacert FILE`.
    package struct ConnectionOption: Sendable {
        /// The long name without dashes.
        package let name: String
        /// The value; nil for a switch.
        package let value: String?

        /// The option as words of a command line.
        package var words: [String] { ["--" + name] + (value.map { [$0] } ?? []) }
    }

    package init() {}

    /// Returns the value of the first header of that name.
    package func header(_ name: String) -> String? { headers.first { $0.name.isSameName(as: name) }?.value }

    /// Returns the names of the shell's variables in a text, and the texts around them.
    ///
    /// `a-$ID-b` → `a-`, the variable `ID`, `-b`. In the text, each name is between two marks of ``ShellReader``.
    package static func pieces(_ text: String) -> [(text: String, isVariable: Bool)] {
        let parts = text.unicodeScalars.split(separator: ShellReader.mark, omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            let isBetweenMarks = index % 2 == 1
            return (String(part), isBetweenMarks)
        }
    }

    /// Returns the names of the shell's variables in a text.
    package static func variables(in text: String) -> [String] { pieces(text).filter(\.isVariable).map(\.text) }

    /// Returns a text with the values of the shell's variables in it, without marks.
    ///
    /// - Parameters:
    ///   - text: The text, in which each name of a variable is between two marks.
    ///   - value: Returns the value of a variable. If it is nil, the text gets `$NAME`.
    package static func filling(_ text: String, _ value: (String) -> String? = { _ in nil }) -> String {
        let filledTexts = pieces(text).map { textOrName, isVariable in
            guard isVariable else { return textOrName }
            return value(textOrName) ?? "$" + textOrName
        }
        return filledTexts.joined()
    }

    /// Returns the request with the values of the shell's variables in the place of their names.
    ///
    /// Variables in the user, the password, the path, the query, the values of headers and the bytes of the content are
    /// replaced.
    ///
    /// - Parameter value: Returns the value of a variable; nil if it is not set, so that `$NAME` stays.
    package func filled(_ value: (String) -> String?) -> ImportedRequest {
        func fill(_ text: String) -> String { Self.filling(text, value) }
        var filledRequest = self
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let text = PercentEncoding.decode(segment)
            // A segment without variables stays encoded as it was.
            return Self.variables(in: text).isEmpty ? String(segment) : PercentEncoding.encode(fill(text))
        }
        filledRequest.path = segments.joined(separator: "/")
        filledRequest.query = query.map { (name: fill($0.name), value: $0.value.map(fill)) }
        filledRequest.headers = headers.map { (name: $0.name, value: $0.value.map(fill)) }
        if case .basic(let user, let password) = authentication {
            // The variable in `--user $LOGIN` may hold user and password, so its value is divided again.
            let login = fill(password.isEmpty ? user : "\(user):\(password)")
            let (filledUser, filledPassword) = CurlArguments.split(login, at: ":")
            filledRequest.authentication = .basic(user: filledUser, password: filledPassword)
        }
        if case .bytes(let bytes) = content {
            filledRequest.content = .bytes(fill(String(exactBytes: bytes)).exactBytes)
        }
        return filledRequest
    }

    /// The URL as it is sent.
    package var url: String {
        let items = query.map { name, value in
            let encodedName = PercentEncoding.encode(name)
            guard let value else { return encodedName }
            return encodedName + "=" + PercentEncoding.encode(value)
        }
        return origin + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    /// Returns the URL as curl sends it: the typed text, and the items that options add to its query. Variables of the
    /// shell have their values.
    ///
    /// - Parameter value: Returns the value of a variable; nil if it is not set.
    package func typedURL(_ value: (String) -> String?) -> String {
        Self.filling(origin + typedPath + (typedQuery.map { "?" + $0 } ?? ""), value)
    }

    /// The URL without secrets, for messages.
    package var shownURL: String {
        var copy = self
        copy.query.removeAll { ImportSecrets.isCredential($0.name, value: $0.value ?? "") }
        return SecretRules.redacted(copy.url)
    }
}

extension ImportedRequest {
    /// Sets origin, path, query, user and password from a URL.
    ///
    /// - Parameters:
    ///   - text: The URL. Without a scheme, it is `http`.
    ///   - keepsDots: Whether segments `.` and `..` stay, as with curl's `--path-as-is`.
    /// - Throws: ``ImportError``, which does not repeat the URL, because it may hold a secret.
    package mutating func setURL(_ text: String, keepsDots: Bool = false) throws(ImportError) {
        let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
        guard scheme == nil || scheme == "http" || scheme == "https" else {
            throw ImportError("only http and https are read, not \(scheme ?? "")")
        }
        // The URL is read as bytes: with a combining mark after it, a `/` would be another character.
        var textAfterScheme = Substring(text).utf8
        if let scheme { textAfterScheme = textAfterScheme.dropFirst(scheme.utf8.count + "://".utf8.count) }
        let authority = Substring(textAfterScheme.prefix { !"/?#".utf8.contains($0) })
        let textAfterAuthority = textAfterScheme.dropFirst(authority.utf8.count)
        try setOriginAndUser(from: authority, scheme: scheme ?? "http")
        // The fragment after `#` is never sent.
        let pathAndQuery = textAfterAuthority.prefix { $0 != UInt8(ascii: "#") }
        setPathAndQuery(from: pathAndQuery, keepsDots: keepsDots)
    }

    /// Sets origin, user and password from the authority of a URL: `user:password@example.com:80`.
    ///
    /// Without an `@`, only the origin is set.
    ///
    /// - Throws: ``ImportError``, which does not repeat the authority, because it may hold a secret.
    private mutating func setOriginAndUser(from authority: Substring, scheme: String) throws(ImportError) {
        var server = authority
        if let atSign = authority.lastIndex(of: "@") {
            let (user, password) = CurlArguments.split(String(authority[..<atSign]), at: ":")
            authentication = .basic(user: PercentEncoding.decode(user), password: PercentEncoding.decode(password))
            server = authority[atSign...].dropFirst()
        }
        // A token in the wrong place of a command would be taken for the host: `curl -H x token=ghp_…`.
        if SecretRules.findsSecret(in: String(server)) {
            throw ImportError("the URL's server can't be used: its host has a secret in it")
        }
        do {
            origin = try BaseURL("\(scheme)://\(server)").text
        } catch {
            throw ImportError("the URL's server can't be used: it needs a host in ASCII, and a port up to 65535")
        }
    }

    /// Sets path and query from the end of a URL, both as they are sent and as they were typed.
    ///
    /// - Parameters:
    ///   - target: The end of the URL, such as `/pets?page=2`.
    ///   - keepsDots: Whether segments `.` and `..` stay. Otherwise they are resolved, as curl does.
    private mutating func setPathAndQuery(from target: Substring.UTF8View, keepsDots: Bool) {
        let pathBytes = target.prefix { $0 != UInt8(ascii: "?") }
        let encodedPath = String(Substring(pathBytes))
        typedPath = encodedPath.isEmpty ? "/" : encodedPath
        let segments = ImportedPath.segments(of: Self.pathText(encodedPath))
        let sentSegments = keepsDots ? segments : Self.withoutDots(segments)
        path = "/" + sentSegments.joined(separator: "/")
        typedQuery = nil
        let hasQuery = pathBytes.endIndex < target.endIndex
        if hasQuery {
            let encodedQuery = String(Substring(target[pathBytes.endIndex...].dropFirst()))
            typedQuery = encodedQuery
            query += Self.items(encodedQuery)
        }
    }

    /// Returns the items of a query or form, decoded: `a=x+y&b` → `a` with `x y`, `b` with nil.
    package static func items(_ text: String) -> [NameValue] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { FormText.item(Substring($0)) }
    }

    /// Percent-encodes the characters of a path that a path can't have (RFC 3986, section 3.3).
    ///
    /// `/a b/%20` → `/a%20b/%20`
    static func pathText(_ text: String) -> String {
        text.utf8.map { byte in
            let isAllowed = byte.isLetterOrDigit || "-._~!$&'()*+,;=:@/%".utf8.contains(byte)
            return isAllowed ? String(Unicode.Scalar(byte)) : PercentEncoding.encode(bytes: [byte])
        }.joined()
    }

    /// Resolves `.` and `..` in the segments of a path, as curl does before it sends the path (RFC 3986, section
    /// 5.2.4).
    ///
    /// `a`, `.`, `b`, `..`, `c` → `a`, `c`
    package static func withoutDots(_ segments: [String]) -> [String] {
        var resolvedSegments: [String] = []
        for (index, segment) in segments.enumerated() {
            let isDotSegment = segment == "." || segment == ".."
            if !isDotSegment {
                resolvedSegments.append(segment)
                continue
            }
            if segment == ".." { _ = resolvedSegments.popLast() }
            // A path that ends with a dot segment ends with a slash, after which the last segment is empty.
            let isLast = index == segments.count - 1
            if isLast { resolvedSegments.append("") }
        }
        return resolvedSegments
    }
}

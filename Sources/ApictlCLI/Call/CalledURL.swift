import APIImport
import EndpointKit
import EndpointTools

/// A URL that is called without an API.
struct CalledURL: Sendable, Equatable {
    let base: BaseURL
    /// The path as it is sent: as typed, but without `.` and `..`, and with what a URL can't hold percent-encoded.
    let path: String
    /// The query as it is sent; nil if there is none.
    let query: String?
    /// The scheme that was added, because the URL was typed without one; nil if it was typed.
    let addedScheme: String?

    /// Whether a text starts like a URL that can be called: with `http://` or `https://`, in upper or lower case.
    static func begins(_ text: String) -> Bool {
        // The longer of the two beginnings, `https://`, has eight characters.
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start == "https://"
    }

    /// Whether a word of the command line is meant as a URL, with or without a scheme, and not as the name of an
    /// endpoint.
    ///
    /// A URL has a slash (`example.com/a`) or a port at its end (`:8080`), or is `localhost`. Names of endpoints have
    /// neither slashes nor ports.
    static func isURL(_ text: String) -> Bool {
        if text == "localhost" || text.utf8.contains(UInt8(ascii: "/")) { return true }
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return false }
        let port = text.utf8[colon...].dropFirst()
        return !port.isEmpty && port.allSatisfy(\.isDigit)
    }

    /// Splits a URL into its base, path and query.
    ///
    ///     http://localhost:8080/a/../b?q=ü   →   base http://localhost:8080, path /b, query q=%C3%BC
    ///     :8080/b                            →   base http://localhost:8080, path /b
    ///     example.com/b                      →   base https://example.com, path /b
    ///
    /// - Throws: ``UsageError`` for a text that is not a URL. It does not repeat the text, which may hold a password.
    init(_ word: SourcedText) throws(UsageError) {
        if let problem = Self.problemOfBeginning(word.text) {
            throw .unusableValue(option: "the URL", problem: problem, source: word.source)
        }
        let completed = CompletedURL(word.text)
        addedScheme = completed.addedScheme
        // The fragment is not sent. It is for whoever shows the response (RFC 9110, section 4.2.5).
        let bytes = completed.text.exactBytes.prefix { $0 != UInt8(ascii: "#") }
        // The authority, which is host and port, stands between `//` and the next slash or question mark.
        let authorityStart = bytes.firstRange(of: Array("//".utf8))?.upperBound ?? bytes.endIndex
        let authority = bytes[authorityStart...].prefix { !"/?".utf8.contains($0) }
        do {
            base = try BaseURL(String(exactBytes: bytes[..<authority.endIndex]))
        } catch {
            let problem = Self.message(about: error, authority: authority)
            throw .unusableValue(option: "the URL", problem: problem, source: word.source)
        }
        let pathBytes = bytes[authority.endIndex...].prefix { $0 != UInt8(ascii: "?") }
        path = Self.encodedPath(pathBytes)
        let questionMarkAndQuery = bytes[pathBytes.endIndex...]
        query = questionMarkAndQuery.isEmpty ? nil : Self.encoded(questionMarkAndQuery.dropFirst())
    }

    /// Returns what is wrong with the beginning of a URL; nil if nothing is wrong.
    ///
    /// - A scheme without slashes, as in `http:example.com`, would be taken for the name of a host.
    /// - A text such as `./pet.json` is the path of a file.
    private static func problemOfBeginning(_ text: String) -> String? {
        for scheme in ["http", "https"] {
            let start = text.prefix(scheme.count + 3).lowercased()
            let lacksSlashes = start.hasPrefix(scheme + ":") && start != scheme + "://"
            if lacksSlashes { return "expected '//' after '\(scheme):'" }
        }
        let isFilePath = ["./", "../", "/", "~/"].contains(where: text.hasPrefix)
        return isFilePath ? "it is the path of a file, not a host; -d @FILE and --json @FILE send a file" : nil
    }

    /// Returns the message about a wrong base of a URL.
    ///
    /// - Parameter authority: The host and port of the URL, with a user and password if it has them.
    private static func message(about problem: BaseURL.Problem, authority: ArraySlice<UInt8>) -> String {
        switch problem {
        case .credentials:
            "it holds a user or a password, which would show in process lists; -n takes them from ~/.netrc"
        case .internationalHost:
            "its host has letters outside ASCII; in the DNS, its name is "
                + InternationalHost.ascii(ofAuthority: authority)
        case .notAURL, .port, .address, .noHost, .scheme, .query, .fragment: "it \(problem.sentence(""))"
        }
    }

    /// Returns the path of a URL without the segments `.` and `..`. Percent-encodes everything that a URL can't hold.
    ///
    ///     /a/../b c   →   /b%20c
    private static func encodedPath(_ typedPath: ArraySlice<UInt8>) -> String {
        let segments = typedPath.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // The first segment is the empty text before the first slash.
        let encodedSegments = segments.dropFirst().map(encoded)
        return "/" + ImportedRequest.withoutDots(encodedSegments).joined(separator: "/")
    }

    /// Percent-encodes spaces, control characters and bytes that are not ASCII. Everything else stays as it was
    /// typed.
    private static func encoded(_ bytes: ArraySlice<UInt8>) -> String {
        // The visible characters of ASCII, from `!` to `~`.
        let visible = UInt8(ascii: "!")...UInt8(ascii: "~")
        return bytes.map { byte in
            visible.contains(byte) ? String(Unicode.Scalar(byte)) : PercentEncoding.encode(bytes: [byte])
        }.joined()
    }

    /// Makes a URL from its parts.
    private init(base: BaseURL, path: String, query: String?, addedScheme: String?) {
        self.base = base
        self.path = path
        self.query = query
        self.addedScheme = addedScheme
    }

    /// The URL without its query, for messages. It may repeat a secret.
    var shown: String { base.text + path }

    /// Returns this URL with more text at the end of its query, as `--get` adds data.
    func withQuery(adding data: [UInt8]) -> CalledURL {
        let addition = Self.encoded(data[...])
        let queries = [query ?? "", addition].filter { !$0.isEmpty }
        return CalledURL(base: base, path: path, query: queries.joined(separator: "&"), addedScheme: addedScheme)
    }

    /// The items of the query, in which secrets are found by their names. They are not sent: ``setTarget(of:)`` sends
    /// the query as it was typed.
    var items: [QueryItem] {
        let typedItems = query?.split(separator: "&", omittingEmptySubsequences: false) ?? []
        return typedItems.map(FormText.item).map { QueryItem($0.name, $0.value ?? "") }
    }

    /// Gives a request the path and the query of this URL, as they were typed. Items that options have added to the
    /// request's query follow the typed query: `?q=a` and `--query page=2` make `?q=a&page=2`.
    ///
    /// - Parameter request: The request. Its query must begin with ``items``, and end with the added items.
    /// - Throws: `MissingCredential` for an added item whose secret has no value.
    func setTarget(of request: inout Request) throws {
        request.path = path
        let addedItems = request.query.dropFirst(items.count)
        if query == nil, addedItems.isEmpty { return }
        var queryTexts: [String] = []
        if let query, !query.isEmpty { queryTexts.append(query) }
        for item in addedItems { queryTexts.append(try item.revealed()) }
        request.verbatimQuery = queryTexts.joined(separator: "&")
    }
}

/// A URL as people type it, completed by a scheme and a host if it has none.
private struct CompletedURL {
    /// The URL with a scheme and a host.
    let text: String
    /// The scheme that was added; nil if the URL was typed with one.
    let addedScheme: String?

    /// Completes a URL that a person has typed.
    ///
    /// Without a host, `:8080/a` is on this machine. Without a scheme, the URL is `https`, but `http` if its host is a
    /// loopback or private address, because servers there rarely have certificates.
    init(_ typed: String) {
        if typed.contains("://") {
            text = typed
            addedScheme = nil
            return
        }
        let lacksHost = typed.utf8.first == UInt8(ascii: ":")
        let urlWithHost = lacksHost ? "localhost" + typed : typed
        // The authority is the host with its port.
        let authority = Substring(urlWithHost.utf8.prefix { !"/?#".utf8.contains($0) })
        let scheme = LocalHost.isLocal(authority: authority) ? "http" : "https"
        text = scheme + "://" + urlWithHost
        addedScheme = scheme
    }
}

/// Hosts on this machine and in private networks.
private enum LocalHost {
    /// Whether the host of an authority, such as `10.0.0.7:8080`, is a loopback, link-local or private address.
    static func isLocal(authority: Substring) -> Bool {
        let isIPv6 = authority.first == "["
        if isIPv6 { return isLocalIPv6(authority.dropFirst().prefix { $0 != "]" }.lowercased()) }
        let host = authority.prefix { $0 != ":" }.lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || isLocalIPv4(host)
    }

    /// Whether a host is an IPv4 address for this machine or a private network. False for a name.
    private static func isLocalIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let octets = parts.compactMap { UInt8($0) }
        guard parts.count == 4, octets.count == 4 else { return false }
        switch (octets[0], octets[1]) {
        // This host, RFC 1122: 0.0.0.0/8 and 127.0.0.0/8.
        case (0, _), (127, _): return true
        // Link-local, RFC 3927: 169.254.0.0/16.
        case (169, 254): return true
        // Private networks, RFC 1918: 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16.
        case (10, _), (172, 16...31), (192, 168): return true
        default: return false
        }
    }

    /// Whether an IPv6 address is the loopback address, link-local (`fe80::/10`) or private (`fc00::/7`, RFC 4193).
    ///
    /// - Parameter address: The address without brackets, in lower case.
    private static func isLocalIPv6(_ address: String) -> Bool {
        if address == "::1" { return true }
        let groups = address.split(separator: ":", omittingEmptySubsequences: false)
        guard let firstGroup = groups.first, let prefix = UInt16(firstGroup, radix: 16) else { return false }
        let isLinkLocal = prefix & 0xFFC0 == 0xFE80
        let isPrivate = prefix & 0xFE00 == 0xFC00
        return isLinkLocal || isPrivate
    }
}

/// A stand-in for the API of a URL that is called without one. Its only endpoint accepts any response.
enum CalledURLAPI: API {
    case url

    static let api = APIInfo(name: "URL", servers: [])
    static let examples: [CalledURLAPI] = [.url]

    var endpoint: Endpoint { .get("/", returns: RawResponse.self, summary: "") }
}

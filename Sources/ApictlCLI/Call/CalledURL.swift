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

    /// Whether a text starts like a URL that can be called: with `http://` or `https://`, in any case.
    static func begins(_ text: String) -> Bool {
        // The longer of the two beginnings, `https://`, has eight characters.
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start == "https://"
    }

    /// Whether a word is meant as a URL, with or without a scheme: one with a slash or with a port at its end, and
    /// `localhost`. Names of endpoints have neither.
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
        if let scheme = Self.schemeWithoutSlashes(word.text) {
            let problem = "expected '//' after '\(scheme):'"
            throw .unusableValue(option: "the URL", problem: problem, source: word.source)
        }
        if ["./", "../", "/", "~/"].contains(where: word.text.hasPrefix) {
            let problem = "it is the path of a file, not a host; -d @FILE and --json @FILE send a file"
            throw .unusableValue(option: "the URL", problem: problem, source: word.source)
        }
        let typed = TypedURL(word.text)
        addedScheme = typed.addedScheme
        // The fragment is not sent. It is for whoever shows the response (RFC 9110, section 4.2.5).
        let bytes = typed.text.exactBytes.prefix { $0 != UInt8(ascii: "#") }
        // Host and port end at the first slash or question mark after the `//`.
        let slashes = bytes.firstRange(of: Array("//".utf8))?.upperBound ?? bytes.endIndex
        let end = bytes[slashes...].firstIndex { "/?".utf8.contains($0) } ?? bytes.endIndex
        do {
            base = try BaseURL(String(exactBytes: bytes[..<end]))
        } catch {
            let problem =
                switch error {
                case .credentials:
                    "it holds a user or a password, which would show in process lists; -n takes them from ~/.netrc"
                case .internationalHost:
                    "its host has letters outside ASCII; in the DNS, its name is "
                        + InternationalHost.ascii(ofAuthority: bytes[slashes..<end])
                default: "it \(error.sentence(""))"
                }
            throw .unusableValue(option: "the URL", problem: problem, source: word.source)
        }
        let question = bytes[end...].firstIndex(of: UInt8(ascii: "?"))
        let segments = bytes[end..<(question ?? bytes.endIndex)].split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // The first segment is the empty text before the first slash.
        path = "/" + ImportedRequest.withoutDots(segments.dropFirst().map(Self.encoded)).joined(separator: "/")
        query = question.map { Self.encoded(bytes[$0...].dropFirst()) }
    }

    /// Percent-encodes spaces, control characters and bytes that are not ASCII. Everything else stays as it was
    /// typed.
    private static func encoded(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { (0x21...0x7E).contains($0) ? String(Unicode.Scalar($0)) : PercentEncoding.encode(bytes: [$0]) }
            .joined()
    }

    /// Returns `http` or `https` if a text starts with it and a colon, but lacks the slashes after them. It would
    /// otherwise be taken for the name of a host.
    private static func schemeWithoutSlashes(_ text: String) -> String? {
        ["http", "https"].first { scheme in
            let start = text.prefix(scheme.count + 3).lowercased()
            return start.hasPrefix(scheme + ":") && start != scheme + "://"
        }
    }

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
        let pieces = [query, Self.encoded(data[...])].compactMap(\.self).filter { !$0.isEmpty }
        return CalledURL(base: base, path: path, query: pieces.joined(separator: "&"), addedScheme: addedScheme)
    }

    /// The parts of the query between `&`, as they were typed.
    private var pieces: [Substring] { query?.split(separator: "&", omittingEmptySubsequences: false) ?? [] }

    /// The items of the query. They are sent as they were typed; the items are needed to find secrets by their names.
    var items: [QueryItem] {
        pieces.map(FormText.item).map { QueryItem($0.name, $0.value ?? "") }
    }

    /// Gives a request the path and the query of this URL, as they were typed.
    ///
    /// The first items of the request's query are ``items``. Those after them were added by options, and follow the
    /// typed query.
    ///
    /// - Throws: `MissingCredential` for an added item whose secret has no value.
    func address(_ request: inout Request) throws {
        request.path = path
        let added = request.query.dropFirst(pieces.count)
        if query == nil, added.isEmpty { return }
        let typed = [query ?? ""].filter { !$0.isEmpty }
        request.verbatimQuery = (typed + (try added.map { try $0.revealed() })).joined(separator: "&")
    }
}

/// A URL as people type it, completed by a scheme and a host if it has none.
private struct TypedURL {
    /// The URL with a scheme and a host.
    let text: String
    /// The scheme that was added; nil if the URL was typed with one.
    let addedScheme: String?

    /// Completes a URL.
    ///
    /// Without a host, `:8080/a` is on this machine. Without a scheme, the URL is `https`, but `http` if its host is a
    /// loopback or private address, because servers there rarely have certificates.
    init(_ typed: String) {
        if typed.contains("://") {
            text = typed
            addedScheme = nil
            return
        }
        let isPortAlone = typed.utf8.first == UInt8(ascii: ":")
        let complete = isPortAlone ? "localhost" + typed : typed
        let authority = Substring(complete.utf8.prefix { !"/?#".utf8.contains($0) })
        let scheme = LocalHost.isLocal(authority: authority) ? "http" : "https"
        text = scheme + "://" + complete
        addedScheme = scheme
    }
}

/// Hosts on this machine and in private networks.
private enum LocalHost {
    /// Whether the host of an authority, such as `10.0.0.7:8080`, is a loopback, link-local or private address.
    static func isLocal(authority: Substring) -> Bool {
        if authority.first == "[" { return isLocalIPv6(authority.dropFirst().prefix { $0 != "]" }.lowercased()) }
        let host = authority.prefix { $0 != ":" }.lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || isLocalIPv4(host)
    }

    /// Whether an IPv4 address is in `0.0.0.0/8` or `127.0.0.0/8` (this host), `169.254.0.0/16` (link-local), or one of
    /// the private networks of RFC 1918.
    private static func isLocalIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 4, let first = parts[0], let second = parts[1], !parts.contains(nil) else { return false }
        switch first {
        case 0, 10, 127: return true
        case 169: return second == 254
        case 172: return (16...31).contains(second)
        case 192: return second == 168
        default: return false
        }
    }

    /// Whether an IPv6 address is the loopback address, link-local (`fe80::/10`) or private (`fc00::/7`, RFC 4193).
    private static func isLocalIPv6(_ address: String) -> Bool {
        if address == "::1" { return true }
        guard let first = address.split(separator: ":", omittingEmptySubsequences: false).first,
            let group = UInt16(first, radix: 16)
        else { return false }
        return group & 0xFFC0 == 0xFE80 || group & 0xFE00 == 0xFC00
    }
}

/// A stand-in for the API of a URL that is called without one. Its only endpoint accepts any response.
enum CalledURLAPI: API {
    case url

    static let api = APIInfo(name: "URL", servers: [])
    static let examples: [CalledURLAPI] = [.url]

    var endpoint: Endpoint { .get("/", returns: RawResponse.self, summary: "") }
}

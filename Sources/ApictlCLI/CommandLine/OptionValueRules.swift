import EndpointKit
import SystemCalls

/// Checks of the values of connection options and settings.
///
/// Each check returns what is wrong with a value, or nil for a valid one. The messages do not repeat the value, because
/// it may hold a password.
enum OptionValueRules {
    /// Checks the URL of a proxy: `[SCHEME://]HOST[:PORT]`, as in curl. An empty text means no proxy.
    ///
    /// - Returns: What is wrong with the text, without repeating it; nil for a valid one.
    static func problem(proxy text: String) -> String? {
        if text.isEmpty { return nil }
        // A user or a password stands before an `@`.
        if text.utf8.contains(UInt8(ascii: "@")) {
            return """
                the proxy URL holds credentials; they would show in process lists: set http_proxy or https_proxy instead
                """
        }
        // As in curl, a proxy without a scheme is an HTTP proxy.
        var scheme = "http"
        var address = text[...]
        if let separator = text.firstRange(of: "://") {
            scheme = text[..<separator.lowerBound].lowercased()
            address = text[separator.upperBound...]
        }
        if proxySchemes.contains(scheme), isHost(address) { return nil }
        return """
            expected a proxy such as http://HOST:PORT, with the scheme http, https, socks4, socks4a, socks5 or socks5h
            """
    }

    private static let proxySchemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Whether an address is a host, perhaps with a port, and nothing else: `localhost:8080`.
    private static func isHost(_ address: Substring) -> Bool {
        do throws(BaseURL.Problem) {
            let baseURL = try BaseURL("http://" + address)
            return baseURL.path.isEmpty
        } catch {
            // `BaseURL` refuses a host with non-ASCII letters, but libcurl can convert one.
            return error == .internationalHost
        }
    }

    /// Checks the origin of web pages, as browsers send it in the header `Origin` (RFC 6454, section 6.2).
    ///
    /// Files have the origin `null` or `file://`. The text `*` stands for any origin.
    ///
    /// - Returns: What is wrong with the text; nil for a valid one.
    static func problem(origin text: String) -> String? {
        if ["*", "null", "file://"].contains(text) || isOrigin(text) { return nil }
        return """
            expected an origin as browsers send it, such as http://localhost:3000 (scheme, host and port, in lower \
            case, no path, no default port), '*' or null
            """
    }

    /// Whether a text is a scheme, a host and possibly a port, spelled as browsers do: `http://localhost:3000`.
    ///
    /// Browsers use lower case and leave out the default port. The scheme may be one of a browser's extensions.
    private static func isOrigin(_ text: String) -> Bool {
        guard let separator = text.firstRange(of: "://"), text == text.lowercased() else { return false }
        let scheme = String(text[..<separator.lowerBound])
        let isScheme =
            scheme.first?.isLetter == true
            && scheme.utf8.allSatisfy { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
        guard isScheme else { return false }

        // Whatever the scheme is, host and port follow the rules of http. `BaseURL` writes them as browsers do.
        let httpURL = "http" + text[separator.lowerBound...]
        guard let baseURL = try? BaseURL(httpURL) else { return false }
        let isSpelledAsInBrowsers = baseURL.text == httpURL && baseURL.path.isEmpty
        guard isSpelledAsInBrowsers else { return false }
        guard let port = baseURL.port else { return true }
        let defaultPorts = ["http": 80, "https": 443]
        let isDefaultPort = port == defaultPorts[scheme]
        return !isDefaultPort
    }

    /// Checks that the path of a Unix domain socket is not longer than the system allows.
    ///
    /// - Returns: What is wrong with the path; nil for a valid one.
    static func problem(unixSocket path: String) -> String? {
        let maxLength = Socket.maxUnixPath
        let length = path.utf8.count
        guard length > maxLength else { return nil }
        return "a socket path can have at most \(maxLength) bytes; this one has \(length)"
    }
}

/// A header of a request or a response: a name and a value (RFC 9110, section 5).
///
/// The value of a request's header may hold secrets, such as a token. They are not part of the text that it shows.
public struct HTTPField: Sendable, Hashable, CustomStringConvertible {
    /// The name as it is sent or received. Names are case-insensitive (RFC 9110, section 5.1).
    public var name: String
    /// The value without surrounding spaces. Its secrets are kept apart from its text.
    package var content: SensitiveText

    /// Creates a header. Its name and value are not checked before it is sent.
    package init(_ name: String, _ content: SensitiveText) {
        self.name = name
        self.content = content
    }

    /// Creates a header whose value holds no secret. Its name and value are not checked before it is sent.
    public init(_ name: String, _ value: String) {
        self.init(name, SensitiveText(value))
    }

    /// The value without surrounding spaces, with `(redacted)` in place of secrets.
    ///
    /// The headers of a response hold no secrets in this sense: their values are as received.
    public var value: String {
        get { content.description }
        set { content = SensitiveText(newValue) }
    }

    /// The header with `(redacted)` in place of secrets.
    ///
    /// If the value of `Authorization` or `Cookie` is plain text, all of it is redacted.
    public var description: String { "\(name): \(isConfidential ? "(redacted)" : value)" }

    /// Returns the value as it is sent, with the values of its secrets.
    ///
    /// - Throws: ``MissingCredential`` if a secret has no value.
    public func revealedValue() throws(MissingCredential) -> String { try content.reveal() }

    /// Returns whether the header's name is `otherName`, ignoring case (RFC 9110, section 5.1).
    package func isNamed(_ otherName: String) -> Bool { name.isSameName(as: otherName) }
}

/// Headers in the order in which they are declared. A header whose value is nil is omitted.
///
///     headers: ["Accept-Language": language, "X-Client": "apictl"]
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
    /// The headers. A name may occur more than once.
    package var fields: [HTTPField]

    /// Creates headers in order.
    package init(_ fields: [HTTPField] = []) { self.fields = fields }

    /// Creates the headers of a literal `[name: value]`, without those whose value is nil.
    public init(dictionaryLiteral elements: (String, String?)...) {
        fields = []
        for case (let name, let value?) in elements { fields.append(HTTPField(name, value)) }
    }
}

extension HTTPField {
    /// Returns this header if it can be sent.
    ///
    /// The name must be a token (RFC 9110, section 5.6.2). The value may have bytes above 0x7F, but no control
    /// character except the tab (RFC 9110, section 5.5), because a line break could start another header.
    ///
    /// - Throws: ``RequestError`` if the name or the value is invalid.
    package func checked() throws(RequestError) -> HTTPField {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else { throw .invalidHeaderName(name) }
        for case .text(let text) in content.pieces where !Self.isFieldContent(text) {
            throw .invalidHeaderValue(name: name)
        }
        for secret in content.secrets {
            guard let text = secret.reveal(), !Self.isFieldContent(text) else { continue }
            throw .invalidHeaderValue(name: name, variable: secret.variable)
        }
        return self
    }

    /// Returns whether `text` has no control characters except tabs (RFC 9110, section 5.5).
    private static func isFieldContent(_ text: String) -> Bool {
        text.exactBytes.allSatisfy { byte in
            let isControl = byte < 0x20 || byte == 0x7F
            return !isControl || byte == UInt8(ascii: "\t")
        }
    }

    /// The names of headers about content negotiation, conditions and caches, which never hold a credential.
    private static let namesSafeForOtherOrigins: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-encoding",
        "content-language", "content-type", "if-match", "if-modified-since", "if-none-match", "if-range",
        "if-unmodified-since", "pragma", "prefer", "range", "te", "user-agent",
    ]

    /// Returns whether a header with this name may be sent to another origin after a redirect.
    ///
    /// Only a few names are known to be safe, because an API may use any other name for a credential.
    static func isSafeForOtherOrigins(_ name: String) -> Bool { namesSafeForOtherOrigins.contains(name.lowercased()) }

    /// The names of headers that are about one connection or the length of one message (RFC 9110, sections 7.6.1 and
    /// 8.6).
    package static let ofConnection: Set<String> = [
        "connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    /// Returns whether headers with this name hold credentials (RFC 9110, section 11; RFC 6265).
    package static func isConfidential(_ name: String) -> Bool {
        ["authorization", "proxy-authorization", "cookie"].contains(name.lowercased())
    }

    /// Whether this is a credential header given as plain text, not as a ``Secret``.
    package var isConfidential: Bool {
        Self.isConfidential(name) && !content.holdsSecrets
    }
}

extension HTTPField {
    /// Reads the parameters of a header's value, as far as the next comma of a list (RFC 9110, section 5.6.6).
    ///
    ///     ; rel="next"; title=x, <…>    →    rel: next, title: x
    ///
    /// - Parameters:
    ///   - unreadText: The text from the first parameter on. The parameters are removed from it, and the comma too.
    ///   - isList: Whether the header is a list, whose elements a comma divides. The headers of a form's parts are no
    ///     lists. In them, a backslash stands for itself, because quotes are percent-encoded (WHATWG HTML, multipart
    ///     form data).
    /// - Returns: The parameters in order, without names that have no value.
    package static func readParameters(
        _ unreadText: inout Substring.UnicodeScalarView, isList: Bool = true
    ) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        while let scalar = unreadText.popFirst() {
            if scalar == ",", isList { break }
            if scalar == ";", let parameter = readParameter(&unreadText, isList: isList) {
                parameters.append(parameter)
            }
        }
        return parameters
    }

    /// Reads one parameter of a header's value, `name=value` or `name="value"` (RFC 9110, section 5.6.6).
    ///
    /// - Parameters:
    ///   - unreadText: The text from the parameter on. The parameter is removed from it.
    ///   - isList: Whether the header is a comma-separated list. Then a comma ends the parameter, and a backslash in a
    ///     quoted value escapes the character after it.
    /// - Returns: The parameter; nil for a name without a value.
    private static func readParameter(
        _ unreadText: inout Substring.UnicodeScalarView, isList: Bool
    ) -> (name: String, value: String)? {
        func endsParameter(_ scalar: Unicode.Scalar) -> Bool {
            if scalar == "," { return isList }
            return scalar == ";" || scalar == " "
        }
        unreadText = unreadText.drop { $0 == " " || $0 == "\t" }
        let name = unreadText.prefix { $0 != "=" && !endsParameter($0) }
        unreadText = unreadText[name.endIndex...].drop { $0 == " " }
        guard unreadText.first == "=" else { return nil }
        unreadText = unreadText.dropFirst().drop { $0 == " " }
        if unreadText.first == "\"" {
            return (String(name), readQuotedString(&unreadText, hasEscapes: isList))
        }
        let value = unreadText.prefix { !endsParameter($0) }
        unreadText = unreadText[value.endIndex...]
        return (String(name), String(value))
    }

    /// Reads a quoted string, such as `"next"` (RFC 9110, section 5.6.4).
    ///
    /// Without a closing quote, the string ends with the text.
    ///
    /// - Parameters:
    ///   - unreadText: The text from the opening quote on. The string is removed from it.
    ///   - hasEscapes: Whether a backslash escapes the character after it, such as a quote.
    /// - Returns: The string without its quotes and escapes.
    private static func readQuotedString(
        _ unreadText: inout Substring.UnicodeScalarView, hasEscapes: Bool
    ) -> String {
        unreadText = unreadText.dropFirst()
        var value = String.UnicodeScalarView()
        while let scalar = unreadText.popFirst(), scalar != "\"" {
            if scalar == "\\", hasEscapes, let escapedScalar = unreadText.popFirst() {
                value.append(escapedScalar)
            } else {
                value.append(scalar)
            }
        }
        return String(value)
    }
}

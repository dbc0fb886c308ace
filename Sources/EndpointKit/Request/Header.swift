/// A header of a request, whose value may hold secrets (RFC 9110, section 5).
public struct Header: Sendable, Hashable, CustomStringConvertible {
    /// The name as it is sent; it is case-insensitive.
    public var name: String
    /// The value without surrounding spaces.
    package var value: SensitiveText

    /// A header of that name and value; neither is checked before the header is sent.
    package init(_ name: String, _ value: SensitiveText) {
        self.name = name
        self.value = value
    }

    /// A header whose value holds no secret; neither is checked before the header is sent.
    public init(_ name: String, _ value: String) {
        self.init(name, SensitiveText(value))
    }

    /// The header with `(redacted)` in place of secrets, and of the whole value of `Authorization` or `Cookie` that is given as text.
    public var description: String { "\(name): \(isConfidential ? "(redacted)" : value.description)" }

    /// The value as it is sent. Throws ``MissingCredential`` if a secret has no value.
    public func revealedValue() throws(MissingCredential) -> String { try value.reveal() }

    /// Whether the header's name is `other`, ignoring case (RFC 9110, section 5.1).
    package func isNamed(_ other: String) -> Bool { name.isSameName(as: other) }
}

/// Headers in the order they are declared; a header whose value is nil is omitted.
///
///     headers: ["Accept-Language": language, "X-Client": "apictl"]
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
    /// The headers; a name may occur more than once.
    package var fields: [Header]

    package init(_ fields: [Header] = []) { self.fields = fields }

    /// The headers of a literal `[name: value]`, without those whose value is nil.
    public init(dictionaryLiteral elements: (String, String?)...) {
        fields = elements.compactMap { name, value in value.map { Header(name, $0) } }
    }
}

extension Header {
    /// This header. Throws ``RequestProblem`` if the name is not a token or the value could end the header section.
    ///
    /// Bytes above 0x7F are allowed (`obs-text` of RFC 9110, section 5.5); of the control characters, only tab is.
    package func checked() throws(RequestProblem) -> Header {
        guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else { throw .headerName(name) }
        for case .text(let text) in value.pieces where !Self.isFieldContent(text) {
            throw .headerValue(name: name)
        }
        for secret in value.secrets {
            if let value = secret.reveal(), !Self.isFieldContent(value) {
                throw .headerValue(name: name, variable: secret.variable)
            }
        }
        return self
    }

    private static func isFieldContent(_ text: String) -> Bool {
        text.exactBytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    /// Whether a header of that name may be sent to another origin after a redirect.
    ///
    /// Only headers about content negotiation and conditions may: any other name could be a credential's.
    static func isSafeForOtherOrigins(_ name: String) -> Bool {
        [
            "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-encoding",
            "content-language", "content-type", "if-match", "if-modified-since", "if-none-match", "if-range",
            "if-unmodified-since", "pragma", "prefer", "range", "te", "user-agent",
        ].contains(name.lowercased())
    }

    /// Names of headers that are about one connection or the length of one message (RFC 9110, sections 7.6.1 and 8.6).
    package static let ofConnection: Set<String> = [
        "connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    /// Whether headers of that name hold credentials (RFC 9110, section 11; RFC 6265).
    package static func isConfidential(_ name: String) -> Bool {
        ["authorization", "proxy-authorization", "cookie"].contains(name.lowercased())
    }

    /// Whether this is a credential header given as plain text, not as a ``Secret``.
    package var isConfidential: Bool {
        Self.isConfidential(name) && !value.holdsSecrets
    }
}

extension Header {
    /// The parameters `; name=value; name="value"` (RFC 9110, section 5.6.6), in a list up to the next comma.
    ///
    /// In the headers of a form's parts, which are no list, a backslash stands for itself: quotes are percent-encoded there (WHATWG).
    package static func parameters(
        _ rest: inout Substring.UnicodeScalarView, isList: Bool = true
    ) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        while let next = rest.popFirst(), next != "," || !isList {
            if next == ";", let parameter = parameter(&rest, isList) { parameters.append(parameter) }
        }
        return parameters
    }

    /// `name=value` or `name="value"` at the start of `rest`; nil for a name alone.
    private static func parameter(
        _ rest: inout Substring.UnicodeScalarView, _ isList: Bool
    ) -> (name: String, value: String)? {
        func ends(_ scalar: Unicode.Scalar) -> Bool { scalar == ";" || scalar == " " || scalar == "," && isList }
        rest = rest.drop { $0 == " " || $0 == "\t" }
        let name = rest.prefix { $0 != "=" && !ends($0) }
        rest = rest[name.endIndex...].drop { $0 == " " }
        guard rest.first == "=" else { return nil }
        rest = rest.dropFirst().drop { $0 == " " }
        guard rest.first == "\"" else {
            let value = rest.prefix { !ends($0) }
            rest = rest[value.endIndex...]
            return (String(name), String(value))
        }
        rest = rest.dropFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            value.append(scalar == "\\" && isList ? rest.popFirst() ?? "\\" : scalar)
        }
        return (String(name), String(value))
    }
}

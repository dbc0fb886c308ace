/// A header field of a request; its value may hold secrets (RFC 9110, section 5).
public struct Header: Sendable, Hashable, CustomStringConvertible {
    /// The name as it is sent; case does not matter to the receiver.
    public var name: String
    /// The value without blanks around it.
    public var value: SensitiveText

    /// A header field of that name and value; nothing is checked before ``checked()``.
    public init(_ name: String, _ value: SensitiveText) {
        self.name = name
        self.value = value
    }

    /// A header field whose value holds no secret; nothing is checked before ``checked()``.
    public init(_ name: String, _ value: String) {
        self.init(name, SensitiveText(value))
    }

    public var description: String { "\(name): \(value)" }

    /// Whether both names are the same; case does not matter (RFC 9110, section 5.1).
    public func isNamed(_ other: String) -> Bool { name.isSameName(as: other) }
}

/// Header fields in the order they are declared; a nil value leaves the field out.
///
///     headers: ["Accept-Language": language, "X-Client": "apictl"]
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
    /// The fields that have a value; a name may stand more than once.
    public var fields: [Header]

    /// The fields in that order, unchecked.
    public init(_ fields: [Header] = []) { self.fields = fields }

    /// The fields of a literal `[name: value]` in its order, without those whose value is nil.
    public init(dictionaryLiteral elements: (String, String?)...) {
        fields = elements.compactMap { name, value in value.map { Header(name, $0) } }
    }
}

/// Why a header field can't be sent.
public struct InvalidHeader: Error, Sendable, Equatable {
    /// Which half of the field is wrong.
    public enum Reason: Sendable, Equatable {
        /// The name is not a token (RFC 9110, section 5.6.2).
        case name
        /// The value holds a line break or another control character (RFC 9110, section 5.5).
        case value
    }

    /// The name of the field, as it was given.
    public let name: String
    /// What is wrong with it.
    public let reason: Reason
    /// The variable that the value comes from, where it is a secret.
    public let variable: String?

    /// The error for the field `name`; `variable` is for a value that is a secret.
    public init(name: String, reason: Reason, variable: String? = nil) {
        self.name = name
        self.reason = reason
        self.variable = variable
    }
}

extension Header {
    /// Throws ``InvalidHeader`` where the name is no token or the value could end the header section.
    ///
    /// Bytes above 0x7F are allowed (`obs-text` of RFC 9110, section 5.5); of the control characters only the tab is.
    public func checked() throws(InvalidHeader) -> Header {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
            throw InvalidHeader(name: name, reason: .name)
        }
        for case .text(let text) in value.pieces where !Self.isFieldContent(text) {
            throw InvalidHeader(name: name, reason: .value)
        }
        for secret in value.secrets {
            if let value = secret.reveal(), !Self.isFieldContent(value) {
                throw InvalidHeader(name: name, reason: .value, variable: secret.variable)
            }
        }
        return self
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func isFieldContent(_ text: String) -> Bool {
        text.exactBytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}

extension Header {
    /// Whether a field of that name may go to another origin than the one it was meant for: those that tell what is sent and what can be
    /// read, and no others, because the names of credentials are not known.
    static func maySeeOtherOrigins(_ name: String) -> Bool {
        [
            "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-encoding",
            "content-language", "content-type", "if-match", "if-modified-since", "if-none-match", "if-range",
            "if-unmodified-since", "pragma", "prefer", "range", "te", "user-agent",
        ].contains(name.lowercased())
    }

    /// Whether fields of that name hold credentials (RFC 9110, section 11; RFC 6265).
    public static func isConfidential(_ name: String) -> Bool {
        ["authorization", "proxy-authorization", "cookie"].contains(name.lowercased())
    }

    /// Whether the value is one that nobody should see although it was typed, and so is no ``Secret``.
    public var isConfidential: Bool {
        Self.isConfidential(name) && !value.holdsSecrets
    }
}

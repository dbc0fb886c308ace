#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Text in which some parts are secrets, such as `Bearer (redacted)`.
///
/// Its description never shows a secret. The pieces are kept apart, so that each reader can write a secret its own way:
/// its value on the wire, `(redacted)` on a screen, `$VARIABLE` in a shell command.
public struct SensitiveText: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// One piece of the text.
    public enum Piece: Sendable, Hashable {
        /// Text that may be shown.
        case text(String)
        /// A date, whose text depends on the API's ``Coding``.
        case date(Date)
        /// A secret, whole.
        case secret(Secret)
        /// The `user:password` of RFC 7617, which is sent in base 64.
        case basic(user: Secret, password: Secret)

        var isSecret: Bool {
            switch self {
            case .text, .date: false
            case .secret, .basic: true
            }
        }
    }

    /// The pieces in order, with nothing between them.
    public var pieces: [Piece]

    /// The text that those pieces make up.
    public init(_ pieces: [Piece]) { self.pieces = pieces }
    /// Text without secrets: it is shown as it is.
    public init(_ text: String) { pieces = [.text(text)] }
    /// Text without secrets, from a literal.
    public init(stringLiteral text: String) { self.init(text) }

    /// The text with `(redacted)` where a secret stands; once for a user and password.
    public var description: String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .date(let date): Coding().text(of: date)
            case .secret(let secret): secret.description
            case .basic(let user, let password): (user.isSet ? password : user).description
            }
        }.joined()
    }

    /// The secrets in this text.
    public var secrets: [Secret] {
        pieces.flatMap { piece in
            switch piece {
            case .text, .date: [] as [Secret]
            case .secret(let secret): [secret]
            case .basic(let user, let password): [user, password]
            }
        }
    }

    /// Whether any piece is a secret, one without a value included.
    public var holdsSecrets: Bool { !secrets.isEmpty }

    /// The text as one secret, where none of it is one yet.
    var asSecret: SensitiveText {
        if holdsSecrets || pieces.isEmpty { return self }
        return SensitiveText([.secret(Secret(description))])
    }

    /// The text as it goes over the wire. Throws ``MissingCredential`` where a secret has no value.
    public func reveal() throws(MissingCredential) -> String {
        var result = ""
        for piece in pieces {
            switch piece {
            case .text(let text):
                result += text
            case .date(let date):
                result += Coding().text(of: date)
            case .secret(let secret):
                result += try secret.revealed()
            case .basic(let user, let password):
                let pair = try user.revealed().exactBytes + [UInt8(ascii: ":")] + password.revealed().exactBytes
                result += Data(pair).base64EncodedString()
            }
        }
        return result
    }
}

extension Secret {
    /// The value. Throws ``MissingCredential``, which names the variable, where there is none.
    package func revealed() throws(MissingCredential) -> String {
        guard let value = reveal() else { throw MissingCredential(alternatives: [[variable ?? "(unnamed)"]]) }
        return value
    }
}

/// A request needs a credential that is not there.
public struct MissingCredential: Error, Sendable, Equatable {
    /// The variables that would do: any one of these sets, each of them whole.
    public let alternatives: [[String]]

    /// The error that asks for any one of those sets of variables.
    public init(alternatives: [[String]]) { self.alternatives = alternatives }
}

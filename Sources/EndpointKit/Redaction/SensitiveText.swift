import JSONText

/// Text in which some pieces are secrets, such as `Bearer (redacted)`.
///
/// The description of such a text never shows a secret. The pieces are kept apart, because a secret is written in
/// several ways: its value on the wire, `(redacted)` on a screen, `$VARIABLE` in a shell command.
package struct SensitiveText: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// A piece of the text, which is either secret as a whole or not at all.
    package enum Piece: Sendable, Hashable {
        /// Text that may be shown.
        case text(String)
        /// A secret.
        case secret(Secret)
        /// The `user:password` of the Basic scheme, sent in Base64 (RFC 7617).
        case basic(user: Secret, password: Secret)

        /// Whether the piece must not be shown.
        var isSecret: Bool {
            if case .text = self { false } else { true }
        }
    }

    /// The pieces in order; they are joined without a separator.
    package var pieces: [Piece]

    /// Creates a text of pieces.
    package init(_ pieces: [Piece]) { self.pieces = pieces }
    /// Creates a text without secrets.
    package init(_ text: String) { pieces = [.text(text)] }
    /// Creates a text without secrets from a literal.
    package init(stringLiteral text: String) { self.init(text) }

    /// The text with `(redacted)` in place of each secret, and once in place of a user and password.
    ///
    /// In place of a secret without a value, it has `(not set: VARIABLE)`.
    package var description: String {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let plainText):
                text += plainText
            case .secret(let secret):
                text += secret.description
            case .basic(let user, let password):
                // If one of the two is not set, its description says so.
                text += user.isSet ? password.description : user.description
            }
        }
        return text
    }

    /// The secrets of all pieces, in order.
    package var secrets: [Secret] {
        var secrets: [Secret] = []
        for piece in pieces {
            switch piece {
            case .text: break
            case .secret(let secret): secrets.append(secret)
            case .basic(let user, let password): secrets += [user, password]
            }
        }
        return secrets
    }

    /// Whether any piece is a secret. The secret may have no value.
    package var holdsSecrets: Bool { !secrets.isEmpty }

    /// The whole text as one secret. A text that already holds secrets, and an empty text, stay as they are.
    var asSecret: SensitiveText {
        if holdsSecrets || pieces.isEmpty { return self }
        return SensitiveText([.secret(Secret(description))])
    }

    /// Returns the text as it is sent, with the values of its secrets: `Bearer abc` in place of `Bearer (redacted)`.
    ///
    /// A user and password become the Base64 of `user:password` (RFC 7617, section 2).
    ///
    /// - Throws: ``MissingCredential`` if a secret has no value.
    package func reveal() throws(MissingCredential) -> String {
        var revealedText = ""
        for piece in pieces {
            switch piece {
            case .text(let text):
                revealedText += text
            case .secret(let secret):
                revealedText += try secret.revealed()
            case .basic(let user, let password):
                var userAndPassword = try user.revealed().exactBytes
                userAndPassword.append(UInt8(ascii: ":"))
                userAndPassword += try password.revealed().exactBytes
                revealedText += Data(userAndPassword).base64EncodedString()
            }
        }
        return revealedText
    }
}

extension Secret {
    /// Returns the value of the secret.
    ///
    /// - Throws: ``MissingCredential`` if the secret has no value. The error names the variable to set.
    package func revealed() throws(MissingCredential) -> String {
        guard let value = reveal() else { throw MissingCredential(alternatives: [[variable ?? "(unnamed)"]]) }
        return value
    }
}

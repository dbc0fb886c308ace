import EndpointKit
import JSONText

extension String {
    /// The text with invisible characters escaped as in JSON, and also those that change how other characters are
    /// shown.
    ///
    /// A model may obey instructions in characters that the person beside it does not see. A zero-width space becomes
    /// `\u200B`.
    var safeForModels: String {
        if utf8.allSatisfy(Self.isVisibleASCII) { return self }
        return unicodeScalars.map { scalar in
            guard scalar.isHidden else { return String(scalar) }
            return String(decoding: Hexadecimal.escape(scalar.value), as: UTF8.self)
        }.joined()
    }

    /// Whether a byte is a visible ASCII character, a space, a tab or a line feed.
    private static func isVisibleASCII(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
    }

    /// Returns the text, or its beginning with an ellipsis if it is longer than `maxBytes`.
    func cut(to maxBytes: Int) -> String {
        guard utf8.count > maxBytes else { return self }
        // The ellipsis takes three bytes. If the cut is inside a character, its bytes become the replacement character,
        // which takes three bytes too.
        let beginning = utf8.prefix(max(maxBytes - 6, 0))
        return String(decoding: beginning, as: UTF8.self) + "…"
    }
}

extension Unicode.Scalar {
    /// Whether the character is not shown, or changes how others are shown. Tabs and line feeds are not hidden.
    fileprivate var isHidden: Bool {
        if self == "\t" || self == "\n" { return false }
        if properties.isDefaultIgnorableCodePoint { return true }
        switch properties.generalCategory {
        // Format characters include the controls of the writing direction, and tags.
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}

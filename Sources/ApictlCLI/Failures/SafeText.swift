import EndpointKit
import JSONText

extension String {
    /// This text on one line, with nothing in it that a terminal obeys and with bytes that are not UTF-8 as `\\xFF`.
    var safeToShow: String { TerminalText.escaped(escapingRawBytes) }

    /// This text with `other` in place of every `text`, compared by bytes.
    ///
    /// `replacing(_:with:)` compares characters, so it finds no quote where a combining mark follows.
    func replacingBytes(of text: String, with other: String) -> String {
        String(decoding: Array(utf8).replacing(Array(text.utf8), with: Array(other.utf8)), as: UTF8.self)
    }
}

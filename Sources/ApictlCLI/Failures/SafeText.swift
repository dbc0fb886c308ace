import EndpointKit
import JSONText

extension String {
    /// This text on one line, with nothing in it that a terminal obeys and with bytes that are not UTF-8 as `\\xFF`.
    var safeToShow: String { TerminalText.escaped(escapingRawBytes) }
}

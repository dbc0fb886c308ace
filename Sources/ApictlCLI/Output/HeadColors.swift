import EndpointKit

/// The colours of request lines, status lines and header names, if there are any.
struct HeadColors: Sendable {
    let isOn: Bool

    init(isOn: Bool) { self.isOn = isOn }

    /// The colours for `output`, by the rules of ``ProcessEnvironment/palette(_:for:)``.
    init(_ choice: ColorChoice, for output: any ByteOutput, _ environment: ProcessEnvironment) {
        isOn = environment.palette(choice, for: output) != nil
    }

    /// A line of a request's or response's head, safe to show, in colours.
    func line(_ text: String) -> String {
        guard isOn else { return text }
        if text.hasPrefix("HTTP/"), let space = text.firstIndex(of: " ") {
            return text[...space] + colored(text[space...].dropFirst(), Self.status(text[space...].dropFirst()))
        }
        let name = text.prefix { $0 != ":" && $0 != " " }
        if name.endIndex < text.endIndex, text[name.endIndex] == ":" {
            return colored(name, "1;34") + text[name.endIndex...]
        }
        return method(name) + text[name.endIndex...]
    }

    /// The name of a method.
    func method(_ name: some StringProtocol) -> String { colored(name, "1") }

    private func colored(_ text: some StringProtocol, _ parameters: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(parameters)m\(text)\u{1B}[0m" : String(text)
    }

    /// Green for a success, yellow for a redirect, red for a failure.
    private static func status(_ text: Substring) -> String {
        switch text.first {
        case "2": "32"
        case "1", "3": "33"
        default: "31"
        }
    }
}

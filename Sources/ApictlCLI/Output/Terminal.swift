import EndpointKit
import JSONText

/// When output is coloured: the values of `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

extension ProcessEnvironment {
    /// The palette for `output`: `--color`, then NO_COLOR, then CLICOLOR_FORCE, then whether it is a terminal.
    func palette(_ choice: ColorChoice, for output: any ByteOutput) -> JSONPalette? {
        let isForced = isSet("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE") != "0"
        let isAble = output.isTerminal && variable("TERM") != "dumb"
        let isColored = choice == .always || choice == .auto && !isSet("NO_COLOR") && (isForced || isAble)
        return isColored ? .standard : nil
    }
}

/// The colours of request lines, status lines and header names, if there are any.
struct HeadColors: Sendable {
    let isOn: Bool

    init(isOn: Bool) { self.isOn = isOn }

    /// The colours for `output`, by the rules of ``ProcessEnvironment/palette(_:for:)``.
    init(_ choice: ColorChoice, for output: any ByteOutput, _ environment: ProcessEnvironment) {
        self.init(isOn: environment.palette(choice, for: output) != nil)
    }

    /// A line of a request's or response's head, safe to show, in colours.
    func line(_ text: String) -> String {
        guard isOn else { return text }
        if text.hasPrefix("HTTP/"), let space = text.firstIndex(of: " ") {
            let status = text[space...].dropFirst()
            return text[...space] + colored(status, Self.color(ofStatus: status))
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
    private static func color(ofStatus text: Substring) -> String {
        switch text.first {
        case "2": "32"
        case "1", "3": "33"
        default: "31"
        }
    }
}

/// Makes streamed text safe for a terminal: control characters except tab and line break, C1 controls, and bytes
/// that are not UTF-8 are shown as escapes.
struct TerminalFilter {
    /// The start of a character whose remaining bytes have not arrived yet.
    private var pending: [UInt8] = []
    private var isFirst = true

    /// The safe text of `bytes`, or nil if they are binary: a NUL byte in the first chunk.
    mutating func feed(_ bytes: [UInt8]) -> [UInt8]? {
        if isFirst, bytes.prefix(8192).contains(0) { return nil }
        isFirst = false
        let all = pending + bytes
        // The start of the last character, whose first byte starts with as many ones as it has bytes.
        let start = all.suffix(3).lastIndex { $0 >= 0b1100_0000 } ?? all.endIndex
        let isCut = start < all.endIndex && (~all[start]).leadingZeroBitCount > all.endIndex - start
        pending = isCut ? Array(all[start...]) : []
        return Self.escaped(isCut ? all[..<start] : all[...])
    }

    /// The safe text of an incomplete character at the end.
    mutating func finish() -> [UInt8] {
        defer { pending = [] }
        return Self.escaped(pending[...])
    }

    /// What is written of `bytes`, which are all there are: on a terminal their safe text, nil if they are binary.
    static func shown(_ bytes: [UInt8], on output: any ByteOutput) -> [UInt8]? {
        if !output.isTerminal { return bytes }
        return bytes.prefix(8192).contains(0) ? nil : escaped(bytes[...])
    }

    /// The safe text of `bytes`, which are all there are.
    static func escaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        let isPlain = text.unicodeScalars.allSatisfy {
            "\t\n".unicodeScalars.contains($0) || !TerminalText.isHazard($0.value)
        }
        if isPlain { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            switch scalar {
            case "\t", "\n": [UInt8(scalar.value)]
            case "\r": [] as [UInt8]
            default: Array(TerminalText.escaped(String(scalar)).utf8)
            }
        }
    }
}

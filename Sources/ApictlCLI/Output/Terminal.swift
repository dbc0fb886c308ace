import EndpointKit
import JSONText

/// When output is coloured: the values of `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

extension ProcessEnvironment {
    /// Whether `output` is coloured: `--color` or the configuration, then NO_COLOR, then CLICOLOR_FORCE, then whether it is a terminal.
    ///
    /// - Parameter choice: The value of `--color`; nil if it is not given.
    func isColored(_ choice: ColorChoice?, _ output: any ByteOutput) -> Bool {
        let choice = choice ?? color
        let isForced = isSet("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE") != "0"
        let isAble = output.isTerminal && variable("TERM") != "dumb"
        return choice == .always || choice == .auto && !isSet("NO_COLOR") && (isForced || isAble)
    }
}

extension String {
    /// The text without the line breaks at its end.
    var trimmingLineBreaks: String { lastIndex { !$0.isNewline }.map { String(self[...$0]) } ?? "" }
}

/// A progress line on a terminal, which is redrawn while bytes are received and erased at the end.
struct Progress {
    let output: any ByteOutput
    /// The bytes that have been received, and those of the whole.
    private(set) var done: Int
    let total: Int?
    /// When the line is drawn next: shorter transfers show none.
    private(set) var next = ContinuousClock.now + .milliseconds(500)
    private(set) var isDrawn = false

    mutating func advance(by count: Int) {
        done += count
        guard .now >= next else { return }
        next = .now + .milliseconds(100)
        isDrawn = true
        // A line that can't be drawn must not stop the transfer.
        try? output.write("\r  \(Self.text(done, of: total))\u{1B}[K")
    }

    func erase() { if isDrawn { try? output.write("\r\u{1B}[K") } }

    /// `42%  63.1 MB of 149.0 MB`; without `total`, only the size.
    static func text(_ done: Int, of total: Int?) -> String {
        let size = ByteCountText.shown(done)
        guard let total, total > 0 else { return size }
        // Never 100 % before the end.
        let percent = done >= total ? 100 : Int(Double(done) / Double(total) * 100)
        return "\(percent)%  \(size) of \(ByteCountText.shown(total))"
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
        let isPlain = text.unicodeScalars.allSatisfy { !TerminalText.isHazard($0.value) || $0 == "\t" || $0 == "\n" }
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

// Hostile words for a shell.
//
// The printed word reads back as the same bytes, by the rules of POSIX and by those of fish. It has nothing that a
// terminal obeys.

@testable import ApictlCLI
@testable import EndpointKit

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = [UInt8](start, count).filter { $0 != 0 }
    let halves = [Array(input.prefix(input.count / 2)), Array(input.dropFirst(input.count / 2))]
    let words: [(pieces: [SensitiveText.Piece], value: [UInt8])] = [
        ([.text(String(exactBytes: input))], input),
        (
            [
                .text(String(exactBytes: halves[0])), .secret(Secret(variable: "V", value: nil)),
                .text(String(exactBytes: halves[1])),
            ],
            halves[0] + marker + halves[1]
        ),
    ]
    for word in words {
        let text = ShellText.word(SensitiveText(word.pieces))
        require(isSafeForTerminal(text), "a terminal obeys nothing")
        for isFish in [false, true] {
            var reader = ShellReader(text.exactBytes, isFish: isFish)
            require(reader.word() == word.value, "the word reads back: \(text)")
        }
    }
    return 0
}

/// The value of the variable `V`.
let marker = Array("<value>".utf8)

/// Reads one word of a shell with quotes, `$V`, and `$(printf '…')` with octal escapes.
struct ShellReader {
    private var rest: ArraySlice<UInt8>
    private let isFish: Bool

    init(_ text: [UInt8], isFish: Bool) {
        rest = text[...]
        self.isFish = isFish
    }

    /// Reads the word; nil if it has anything else that a shell would act on.
    mutating func word() -> [UInt8]? {
        var word: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "'"):
                guard let text = singleQuoted() else { return nil }
                word += text
            case UInt8(ascii: "\""):
                guard let text = doubleQuoted() else { return nil }
                word += text
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst(), next == UInt8(ascii: "'") else { return nil }
                word.append(next)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                word.append(byte)
            case _ where Array("_-./:@%+=,".utf8).contains(byte): word.append(byte)
            default: return nil
            }
        }
        return word
    }

    private mutating func singleQuoted() -> [UInt8]? {
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "'") { return text }
            if isFish, byte == UInt8(ascii: "\\"), let next = rest.first, next == byte || next == UInt8(ascii: "'") {
                rest.removeFirst()
                text.append(next)
            } else {
                text.append(byte)
            }
        }
        return nil
    }

    private mutating func doubleQuoted() -> [UInt8]? {
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return text
            case UInt8(ascii: "\\"):
                guard rest.popFirst() == byte else { return nil }
                text.append(byte)
            case UInt8(ascii: "`"), UInt8(ascii: "!"): return nil
            case UInt8(ascii: "$"):
                if rest.first == UInt8(ascii: "V") {
                    rest.removeFirst()
                    // More of a name, an index of fish or zsh, a modifier of zsh.
                    if let next = rest.first, next == UInt8(ascii: "_") || next == UInt8(ascii: "[") || isLetter(next) {
                        return nil
                    }
                    text += marker
                } else {
                    guard let printed = printed() else { return nil }
                    text += printed
                }
            default: text.append(byte)
            }
        }
        return nil
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// `(printf 'a\ooo…')`
    private mutating func printed() -> [UInt8]? {
        let start = Array("(printf '".utf8)
        guard rest.starts(with: start) else { return nil }
        rest = rest.dropFirst(start.count)
        var text: [UInt8] = []
        while let first = rest.first, first != UInt8(ascii: "'") {
            if isLetter(first) || first == UInt8(ascii: "_") || first == UInt8(ascii: " ") {
                text.append(first)
                rest.removeFirst()
                continue
            }
            if rest.starts(with: "%%".utf8) {
                text.append(first)
                rest.removeFirst(2)
                continue
            }
            guard first == UInt8(ascii: "\\") else { return nil }
            let digits = String(decoding: rest.dropFirst().prefix(3), as: UTF8.self)
            guard digits.utf8.count == 3, let byte = UInt8(digits, radix: 8) else { return nil }
            text.append(byte)
            rest = rest.dropFirst(4)
        }
        guard rest.starts(with: Array("')".utf8)) else { return nil }
        rest = rest.dropFirst(2)
        return text
    }
}

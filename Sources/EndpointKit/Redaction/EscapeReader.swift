import JSONText

/// What each place of a text may stand for, in the escapes that servers and libraries write: percent-encoding, JSON and HTML, one within another.
///
///     text       %  2  5  2  6  a  m  p  ;
///     at 0       '%' (1 byte), '%' (3 bytes), '&' (5 bytes: %25 is the % of %26), '&' (9 bytes: that is the & of &amp;)
///
/// An escape is made of what follows it, so the places of a block are read from its end to its start. Longer escapes than ``reach`` are not
/// recognised.
struct EscapeReader {
    /// A scalar, or a byte beyond ASCII, and how many bytes spell it.
    struct Reading: Equatable {
        var code: UInt32
        var length: Int
    }

    /// How many bytes one scalar may take at most, plus one.
    static let reach = 64
    /// Set in the code of a byte that is not a scalar by itself.
    static let rawByte: UInt32 = 0x8000_0000
    private static let blockSize = 1024
    /// How many readings one place may have: only hostile text has more than a few.
    private static let maxReadings = 32

    private let text: [UInt8]
    private var block = 0..<0
    /// The readings of the block's places, and of those after it that they reach; empty for a byte that only means itself.
    private var places: [[Reading]] = []

    init(_ text: [UInt8]) { self.text = text }

    static func code(_ byte: UInt8) -> UInt32 { byte < 0x80 ? UInt32(byte) : rawByte | UInt32(byte) }

    /// The readings of the byte at `index`, the one of itself among them; empty if it only means itself. Places are to be asked for in order.
    mutating func readings(at index: Int) -> [Reading] {
        if !block.contains(index) {
            block = index..<min(index + Self.blockSize, text.count)
            places = Array(repeating: [], count: min(block.upperBound + Self.reach, text.count) - index)
            for place in places.indices.reversed() { places[place] = read(index + place) }
        }
        return places[index - block.lowerBound]
    }

    private func read(_ start: Int) -> [Reading] {
        switch text[start] {
        case UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: "\\"): break
        default: return []
        }
        var found = [Reading(code: Self.code(text[start]), length: 1)]
        // What an escape stands for may be the start of another one.
        var next = 0
        while next < found.count {
            escapes(of: found[next], from: start + found[next].length) { code, end in
                let reading = Reading(code: code, length: end - start)
                let isNew = reading.length < Self.reach && found.count < Self.maxReadings && !found.contains(reading)
                if isNew { found.append(reading) }
            }
            next += 1
        }
        return found
    }

    /// The readings of a place that has been read.
    private func known(_ index: Int) -> [Reading] {
        let place = index - block.lowerBound
        return place < places.count ? places[place] : []
    }

    /// Where `wanted` ends if it is at `index`, however it is spelled.
    private func end(of wanted: Unicode.Scalar, at index: Int) -> Int? {
        guard index < text.count else { return nil }
        if UInt32(text[index]) == wanted.value { return index + 1 }
        return known(index).first { $0.code == wanted.value }.map { index + $0.length }
    }

    /// The number of `count` digits at `index`, and where it ends.
    private func number(_ index: Int, _ count: ClosedRange<Int>, radix: UInt32 = 16) -> (value: UInt32, end: Int)? {
        let digits = text[min(index, text.count)...].prefix(count.upperBound).prefix {
            Hexadecimal.value($0).map { $0 < radix } ?? false
        }
        guard digits.count >= count.lowerBound else { return nil }
        let value = digits.reduce(0) { $0 * radix + UInt32(Hexadecimal.value($1) ?? 0) }
        return (value, digits.endIndex)
    }

    /// Adds the codes that `first`, which ends before `index`, forms with what follows.
    private func escapes(of first: Reading, from index: Int, add: (_ code: UInt32, _ end: Int) -> Void) {
        switch first.code {
        case 0x25:
            // RFC 3986, section 2.1.
            if let byte = number(index, 2...2) { add(Self.code(UInt8(byte.value)), byte.end) }
        case 0x26: entity(index, add)
        case 0x2B: add(0x20, index)
        case 0x5C: backslash(first.length, index, add)
        case 0xD800...0xDBFF:
            for low in known(index) where (0xDC00...0xDFFF).contains(low.code) {
                add(0x10000 + (first.code - 0xD800) << 10 + (low.code - 0xDC00), index + low.length)
            }
        default: break
        }
    }

    private static let entities: [(name: String, code: UInt32)] = [
        ("amp", 0x26), ("lt", 0x3C), ("gt", 0x3E), ("quot", 0x22), ("apos", 0x27),
    ]

    /// `&#43;`, `&#x2B;`, `&amp;`.
    private func entity(_ index: Int, _ add: (UInt32, Int) -> Void) {
        func addClosed(_ code: UInt32, _ end: Int) {
            if let end = self.end(of: ";", at: end) { add(code, end) }
        }
        if let sign = end(of: "#", at: index) {
            if let number = number(sign, 1...7, radix: 10) { addClosed(number.value, number.end) }
            if let letter = end(of: "x", at: sign) ?? end(of: "X", at: sign), let number = number(letter, 1...6) {
                addClosed(number.value, number.end)
            }
        } else if index < text.count {
            for (name, code) in Self.entities where text[index...].starts(with: name.utf8) {
                addClosed(code, index + name.utf8.count)
            }
        }
    }

    /// The escapes of JSON (RFC 8259, section 7), `\x41`, and a backslash before any sign. The backslash itself takes `length` bytes.
    private func backslash(_ length: Int, _ index: Int, _ add: (UInt32, Int) -> Void) {
        guard index < text.count else { return }
        for reading in known(index) where reading.code < 0x80 && (reading.code != 0x5C || reading.length == length) {
            // Of two backslashes that mean one, both are spelled alike.
            if !UInt8(reading.code).isLetterOrDigit { add(reading.code, index + reading.length) }
        }
        switch text[index] {
        case UInt8(ascii: "u"): if let unit = number(index + 1, 4...4) { add(unit.value, unit.end) }
        // C, Python and the logs of servers.
        case UInt8(ascii: "x"):
            if let byte = number(index + 1, 2...2) { add(Self.code(UInt8(byte.value)), byte.end) }
        case let sign where (0x20..<0x7F).contains(sign) && sign != 0x5C && !sign.isLetterOrDigit:
            add(UInt32(sign), index + 1)
        case let other: if let control = Self.controls[other] { add(control, index + 1) }
        }
    }

    private static let controls = Dictionary(
        uniqueKeysWithValues: zip("bfnrt".utf8, [0x08, 0x0C, 0x0A, 0x0D, 0x09] as [UInt32]))
}

import JSONText

/// The bytes that each position of a text may encode, in every encoding that servers and libraries use.
///
///     text       %  2  5  2  6  a  m  p  ;
///     at 0       '%' (1 byte), '%' (3 bytes), '&' (5 bytes: %25 is the % of %26), '&' (9 bytes: that is the & of &amp;)
///
/// Places are added from the end of the text to its start, because an escape is made of what follows it. Only the last ``reach`` places are
/// kept, so memory does not grow with the text; longer spellings are not recognised.
struct Spellings {
    /// One code, and how many bytes may spell it: bit N means N bytes.
    struct Spelling: Equatable {
        var code: UInt32
        var lengths: UInt64
        /// The lengths without those that only a doubled backslash makes.
        var single: UInt64
    }

    /// How many bytes one code may take at most, plus one.
    static let reach = 64

    /// A byte beyond ASCII that is not a scalar by itself.
    static let rawByte: UInt32 = 0x8000_0000

    /// How many codes of one place are read on as the start of another escape.
    private static let mostStarts = 24

    /// In how many lengths one code may be spelled at one place: JSON within JSON within JSON makes 16 backslashes of one.
    private static let mostLengths = 16

    let text: UnsafeBufferPointer<UInt8>
    /// The spellings of the last places; empty if the byte only means itself.
    private var places = [[Spelling]](repeating: [], count: reach)
    /// How many bytes the backslashes at the last place take that double another one.
    private(set) var doubled: UInt64 = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The spellings at `index`; empty if the byte only means itself.
    subscript(index: Int) -> [Spelling] { places[index & (Self.reach - 1)] }

    /// The code of the byte at `index` read as itself.
    func literal(_ index: Int) -> UInt32 { Self.code(text[index]) }

    static func code(_ byte: UInt8) -> UInt32 { byte < 0x80 ? UInt32(byte) : rawByte | UInt32(byte) }

    /// Adds the place before all others.
    mutating func add(_ index: Int) {
        let place = index & (Self.reach - 1)
        if !places[place].isEmpty { places[place].removeAll(keepingCapacity: true) }
        doubled = 0
        switch text[index] {
        case UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "\\"):
            var found = Found(start: index)
            found.add(literal(index), length: 1)
            var next = 0
            while next < min(found.starts.count, Self.mostStarts) {
                let start = found.starts[next]
                escapes(of: start.code, from: index + start.length, into: &found)
                next += 1
            }
            places[place] = found.spellings
            doubled = found.doubled
        default: break
        }
    }

    /// Where the code at `index` ends if it is `wanted`, however it is spelled. UTF-16 has a NUL beside each ASCII character.
    private func step(_ index: Int, _ wanted: Unicode.Scalar) -> Int? {
        var index = index
        while index < text.count, text[index] == 0 { index += 1 }
        guard index < text.count else { return nil }
        if text[index] == UInt8(wanted.value) { return index + 1 }
        return self[index].first { $0.code == wanted.value }.map { index + $0.lengths.trailingZeroBitCount }
    }

    /// The digit at `index` and where it ends.
    private func digit(_ index: Int, radix: UInt32 = 16) -> (value: UInt32, end: Int)? {
        var index = index
        while index < text.count, text[index] == 0 { index += 1 }
        guard index < text.count else { return nil }
        if let value = Hexadecimal.value(text[index]) { return value < radix ? (UInt32(value), index + 1) : nil }
        for spelling in self[index] where spelling.code < 0x80 {
            if let value = Hexadecimal.value(UInt8(spelling.code)), value < radix {
                return (UInt32(value), index + spelling.lengths.trailingZeroBitCount)
            }
        }
        return nil
    }

    /// A number of `count` digits.
    private func number(_ index: Int, _ count: ClosedRange<Int>, radix: UInt32 = 16) -> (value: UInt32, end: Int)? {
        var (value, end, digits) = (UInt32(0), index, 0)
        while digits < count.upperBound, let next = digit(end, radix: radix) {
            (value, end, digits) = (value * radix + next.value, next.end, digits + 1)
        }
        return digits >= count.lowerBound ? (value, end) : nil
    }

    /// Adds the codes that `code`, which ends before `index`, forms with what follows.
    private func escapes(of code: UInt32, from index: Int, into found: inout Found) {
        switch code {
        case 0x25: percent(index, &found)
        case 0x26: entity(index, &found)
        case 0x2B: found.add(0x20, end: index)
        case 0x3D:
            // Quoted-printable (RFC 2045, section 6.7).
            if let byte = number(index, 2...2) { found.add(Self.code(UInt8(byte.value)), end: byte.end) }
        case 0x5C: backslash(index, &found)
        case 0xD800...0xDBFF where index < text.count:
            for low in self[index] where (0xDC00...0xDFFF).contains(low.code) {
                let scalar = 0x10000 + (code - 0xD800) << 10 + (low.code - 0xDC00)
                found.add(scalar, low.lengths, from: index)
            }
        default: break
        }
    }

    /// `%XX` (RFC 3986, section 2.1), and `%uXXXX` of JavaScript's `escape`.
    private func percent(_ index: Int, _ found: inout Found) {
        if let byte = number(index, 2...2) { found.add(Self.code(UInt8(byte.value)), end: byte.end) }
        if let letter = step(index, "u"), let unit = number(letter, 4...4) { found.add(unit.value, end: unit.end) }
    }

    /// `&#43;`, `&#x2B;`, `&plus;`; browsers do without the semicolon too.
    private func entity(_ index: Int, _ found: inout Found) {
        func add(_ code: UInt32, _ end: Int) {
            found.add(code, end: end)
            if let end = step(end, ";") { found.add(code, end: end) }
        }
        if let sign = step(index, "#") {
            if let number = number(sign, 1...7, radix: 10) { add(number.value, number.end) }
            if let letter = step(sign, "x") ?? step(sign, "X"), let number = number(letter, 1...6) {
                add(number.value, number.end)
            }
        } else {
            for entity in HTMLEntity.ofASCII {
                var end: Int? = index
                for letter in entity.name.unicodeScalars {
                    end = end.flatMap { step($0, letter) }
                    if end == nil { break }
                }
                if let end { add(entity.code, end) }
            }
        }
    }

    /// The escapes of JSON (RFC 8259, section 7), and those of C, JavaScript, Python and Swift.
    private func backslash(_ index: Int, _ found: inout Found) {
        guard index < text.count else { return }
        let next = text[index]
        if next == 0x5C || self[index].contains(where: { $0.code == 0x5C }) {
            // JSON within JSON doubles each backslash: two mean the same as one.
            found.addAll(self[index], doubledAt: index)
            return
        }
        for spelling in self[index] where spelling.code < 0x80 && !isLetterOrDigit(spelling.code) {
            found.add(spelling.code, spelling.lengths, from: index)
        }
        switch next {
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            if let unit = number(index + 1, 4...4) { found.add(unit.value, end: unit.end) }
            if let unit = number(index + 1, 8...8) { found.add(unit.value, end: unit.end) }
            braced(index + 1, &found)
        case UInt8(ascii: "x"):
            if let byte = number(index + 1, 2...2) { found.add(Self.code(UInt8(byte.value)), end: byte.end) }
            braced(index + 1, &found)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            if let byte = number(index, 1...3, radix: 8), byte.value < 256 {
                found.add(Self.code(UInt8(byte.value)), end: byte.end)
            }
        case UInt8(ascii: "b"): found.add(0x08, end: index + 1)
        case UInt8(ascii: "f"): found.add(0x0C, end: index + 1)
        case UInt8(ascii: "n"): found.add(0x0A, end: index + 1)
        case UInt8(ascii: "r"): found.add(0x0D, end: index + 1)
        case UInt8(ascii: "t"): found.add(0x09, end: index + 1)
        case 0x20..<0x7F where !isLetterOrDigit(UInt32(next)): found.add(UInt32(next), end: index + 1)
        default: break
        }
    }

    private func braced(_ index: Int, _ found: inout Found) {
        guard let brace = step(index, "{"), let number = number(brace, 1...6), let end = step(number.end, "}") else {
            return
        }
        found.add(number.value, end: end)
    }

    private func isLetterOrDigit(_ code: UInt32) -> Bool { SecretSearch.isWordByte(UInt8(code)) }
}

extension Spellings {
    /// The spellings found for one position so far.
    private struct Found {
        let start: Int
        var spellings: [Spelling] = []
        var doubled: UInt64 = 0
        /// The codes that may be the start of an escape, with their lengths.
        var starts: [(code: UInt32, length: Int)] = []

        init(start: Int) { self.start = start }

        mutating func add(_ code: UInt32, end: Int) { add(code, length: end - start) }

        mutating func add(_ code: UInt32, length: Int) {
            if length < reach { insert(code, 1 << UInt64(length)) }
        }

        /// Adds `code`, spelled at the place `index`, together with what is before that.
        mutating func add(_ code: UInt32, _ lengths: UInt64, from index: Int) {
            if index - start < reach { insert(code, lengths << UInt64(index - start)) }
        }

        /// Adds the spellings of the place `index` with a backslash before them that changes nothing.
        mutating func addAll(_ others: [Spelling], doubledAt index: Int) {
            guard index - start < reach else { return }
            doubled |= 1 << UInt64(index - start)
            for other in others { insert(other.code, other.lengths << UInt64(index - start), isSingle: false) }
        }

        private mutating func insert(_ code: UInt32, _ lengths: UInt64, isSingle: Bool = true) {
            let place = spellings.firstIndex { $0.code == code } ?? spellings.count
            if place == spellings.count { spellings.append(Spelling(code: code, lengths: 0, single: 0)) }
            var new = lengths & ~spellings[place].lengths
            while new != 0, spellings[place].lengths.nonzeroBitCount < mostLengths {
                let length = new.trailingZeroBitCount
                spellings[place].lengths |= 1 << UInt64(length)
                if isSingle { spellings[place].single |= 1 << UInt64(length) }
                new &= new - 1
                switch code {
                case 0x25, 0x26, 0x2B, 0x3D, 0x5C, 0xD800...0xDBFF: if isSingle { starts.append((code, length)) }
                default: break
                }
            }
        }
    }
}

/// The named character references of HTML that stand for ASCII.
enum HTMLEntity {
    static let ofASCII: [(name: String, code: UInt32)] = [
        ("Tab", 0x09), ("NewLine", 0x0A), ("nbsp", 0x20), ("excl", 0x21), ("quot", 0x22), ("QUOT", 0x22), ("num", 0x23),
        ("dollar", 0x24), ("percnt", 0x25), ("amp", 0x26), ("AMP", 0x26), ("apos", 0x27), ("lpar", 0x28),
        ("rpar", 0x29), ("ast", 0x2A), ("midast", 0x2A), ("plus", 0x2B), ("comma", 0x2C), ("period", 0x2E),
        ("sol", 0x2F), ("colon", 0x3A), ("semi", 0x3B), ("lt", 0x3C), ("LT", 0x3C), ("equals", 0x3D), ("gt", 0x3E),
        ("GT", 0x3E), ("quest", 0x3F), ("commat", 0x40), ("lsqb", 0x5B), ("lbrack", 0x5B), ("bsol", 0x5C),
        ("rsqb", 0x5D), ("rbrack", 0x5D), ("Hat", 0x5E), ("lowbar", 0x5F), ("UnderBar", 0x5F), ("grave", 0x60),
        ("DiacriticalGrave", 0x60), ("lcub", 0x7B), ("lbrace", 0x7B), ("verbar", 0x7C), ("vert", 0x7C),
        ("VerticalLine", 0x7C), ("rcub", 0x7D), ("rbrace", 0x7D),
    ]
}

// Reading the value of a slot.

extension JSONDocument {
    /// The kind of value at a slot; the name is JSON's.
    package enum Kind: String {
        case null, boolean, number, string, array, object
    }

    /// The slot of the value of the whole document.
    package static let root = 0

    @inline(__always)
    func byte(at offset: Int) -> UInt8 { bytes.withUnsafeBufferPointer { $0[offset] } }

    package func kind(of slot: Int) -> Kind {
        switch byte(at: Int(slots[slot].start)) {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    @inline(__always)
    func isNull(_ slot: Int) -> Bool { byte(at: Int(slots[slot].start)) == UInt8(ascii: "n") }

    @inline(__always)
    func isString(_ slot: Int) -> Bool { byte(at: Int(slots[slot].start)) == UInt8(ascii: "\"") }

    @inline(__always)
    func isNumber(_ slot: Int) -> Bool {
        let byte = byte(at: Int(slots[slot].start))
        return byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-")
    }

    /// The first slot inside a container.
    @inline(__always)
    package func first(in container: Int) -> Int { container &+ 2 }

    /// The slot after a value and all that it holds.
    @inline(__always)
    package func next(after slot: Int) -> Int {
        slots[slot].isContainer ? slots[slot].value : slot &+ 1
    }

    /// The slots of an array's elements, or of an object's values, each of which comes after its key.
    package func values(in container: Int) -> some Sequence<Int> {
        let gap = kind(of: container) == .object ? 1 : 0
        return sequence(state: first(in: container)) { [self, end = next(after: container)] slot in
            guard slot < end else { return nil }
            defer { slot = next(after: slot &+ gap) }
            return slot &+ gap
        }
    }

    /// How many elements an array or members an object has.
    @inline(__always)
    package func count(of container: Int) -> Int { Int(slots[container &+ 1].start) }

    /// The range of the value in the text.
    package func range(of slot: Int) -> Range<Int> {
        let start = Int(slots[slot].start)
        return start..<(slots[slot].isContainer ? slots[slot &+ 1].value : start &+ slots[slot].value)
    }

    /// The bytes of a scalar as they are written; of a string, the bytes between its quotes.
    @inline(__always)
    func withScalar<Result>(_ slot: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withToken(slot) { token in
            let quotes = token[0] == UInt8(ascii: "\"") ? 1 : 0
            return try body(UnsafeRawBufferPointer(rebasing: token[quotes..<token.count &- quotes]))
        }
    }

    /// The bytes of a scalar as they are written, quotes included.
    @inline(__always)
    func withToken<Result>(_ slot: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let start = Int(slots[slot].start)
        let end = start &+ slots[slot].value
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
    }

    /// The scalar as it is written; of a string, the bytes between its quotes.
    func writtenText(of slot: Int) -> String {
        withScalar(slot) { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Strings

    /// The text of a string or key, escapes resolved; nil if it has a lone surrogate.
    @inline(__always)
    package func string(at slot: Int) -> String? {
        if slots[slot].isPlain {
            return withScalar(slot) { String(decoding: $0.assumingMemoryBound(to: UInt8.self), as: UTF8.self) }
        }
        let (text, isWhole) = unescapedString(at: slot)
        return isWhole ? text : nil
    }

    /// The text of a string or key; a lone surrogate becomes U+FFFD.
    func repairedString(at slot: Int) -> String { unescapedString(at: slot).text }

    /// The text of a string or key, a lone surrogate as U+FFFD, and whether there is none.
    @inline(never)
    private func unescapedString(at slot: Int) -> (text: String, isWhole: Bool) {
        withScalar(slot) { written in
            var bytes = UnescapedText(written)
            // No escape is longer resolved than written.
            let text = String(unsafeUninitializedCapacity: written.count) { output in
                let output = UnsafeMutableRawBufferPointer(output)
                var count = 0
                while true {
                    let plain = bytes.plainPart()
                    UnsafeMutableRawBufferPointer(rebasing: output[count...]).copyMemory(from: plain)
                    count &+= plain.count
                    guard let byte = bytes.next() else { return count }
                    output[count] = byte
                    count &+= 1
                }
            }
            return (text, bytes.isWhole)
        }
    }

    // MARK: Members

    /// The slot of the value of the first member called `name`, or nil.
    ///
    /// Keys are compared as Swift compares strings, or by their bytes if `isExact`. `step` is called for each.
    func member(
        _ name: String, of object: Int, isExact: Bool = false, step: () throws -> Void
    ) rethrows -> Int? {
        var name = name
        return try name.withUTF8 { wanted in
            let extent = JSONSlot.scalarExtent(length: wanted.count &+ 2, isPlain: true)
            return try member(wanted, extent, first(in: object)..<slots[object].value, isExact: isExact) { _ in
                try step()
            }
        }
    }

    /// As ``member(_:of:isExact:step:)``, among the members in a range of slots; `step` is given each key.
    @inline(__always)
    func member(
        _ wanted: UnsafeBufferPointer<UInt8>, _ extent: UInt32, _ range: Range<Int>, isExact: Bool = false,
        step: (Int) throws -> Void
    ) rethrows -> Int? {
        var slot = range.lowerBound
        while slot < range.upperBound {
            try step(slot)
            if isKey(slot, wanted, extent, isExact: isExact) { return slot &+ 1 }
            slot = next(after: slot &+ 1)
        }
        return nil
    }

    /// Whether the key at a slot is `wanted`, which has that extent if it is written without escapes.
    @inline(__always)
    func isKey(_ slot: Int, _ wanted: UnsafeBufferPointer<UInt8>, _ extent: UInt32, isExact: Bool = false) -> Bool {
        let key = slots[slot]
        if key.extent == extent { return equals(UnsafeRawBufferPointer(wanted), at: Int(key.start) &+ 1) }
        if key.isPlain { return false }
        if isExact { return withScalar(slot) { UnescapedText($0).elementsEqual(wanted) } }
        return string(at: slot) == String(decoding: wanted, as: UTF8.self)
    }

    @inline(__always)
    private func equals(_ wanted: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        bytes.withUnsafeBytes { text in
            let count = wanted.count
            guard count >= 8 else {
                for index in 0..<count where text[offset &+ index] != wanted[index] { return false }
                return true
            }
            // Eight bytes at a time; the last eight may have been compared in part already.
            var index = 0
            while index &+ 8 < count {
                if Self.word(text, offset &+ index) != Self.word(wanted, index) { return false }
                index &+= 8
            }
            return Self.word(text, offset &+ count &- 8) == Self.word(wanted, count &- 8)
        }
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// Whether two keys are written alike.
    package func isKey(_ slot: Int, as other: Int) -> Bool {
        let (key, other) = (slots[slot], slots[other])
        return key.extent == other.extent
            && bytes.withUnsafeBytes { text in
                let start = Int(other.start)
                return equals(UnsafeRawBufferPointer(rebasing: text[start..<start &+ other.value]), at: Int(key.start))
            }
    }

    /// The element at a position of an array, or the value of the first member with a key.
    package func child(_ component: JSONPathComponent, of slot: Int) -> Int? {
        switch (component, kind(of: slot)) {
        case (.key(let key), .object): return member(key, of: slot) {}
        case (.index(let index), .array):
            return index < 0 ? nil : values(in: slot).dropFirst(index).first { _ in true }
        default: return nil
        }
    }
}

/// The bytes of a string's text in UTF-8, its escapes resolved as they are asked for; a lone surrogate is U+FFFD.
struct UnescapedText: Sequence, IteratorProtocol {
    private let written: UnsafeRawBufferPointer
    private var index = 0
    /// What is left of a character, the next byte lowest.
    private var rest: UInt32 = 0
    /// Whether there was no lone surrogate so far.
    private(set) var isWhole = true

    /// The text of a string that is valid JSON, given as it is written between its quotes.
    init(_ written: UnsafeRawBufferPointer) { self.written = written }

    @inline(__always)
    mutating func next() -> UInt8? {
        if rest != 0 {
            defer { rest >>= 8 }
            return UInt8(truncatingIfNeeded: rest)
        }
        guard index < written.count else { return nil }
        defer { index &+= 1 }
        return written[index] == UInt8(ascii: "\\") ? escape() : written[index]
    }

    /// Takes what comes before the next escape.
    @inline(__always)
    mutating func plainPart() -> UnsafeRawBufferPointer {
        let start = index
        if rest == 0 { index = Self.backslash(in: written, from: start) }
        return UnsafeRawBufferPointer(rebasing: written[start..<index])
    }

    /// The index of the first backslash from `start` on, or the end.
    static func backslash(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = text.baseAddress else { return start }
        return JSONScanner.skip(JSONChunk(start: base, count: text.count), from: start) { word in
            let others = word ^ 0x5C5C_5C5C_5C5C_5C5C
            return (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
        }
    }

    /// The first byte of what an escape stands for; of a surrogate pair both halves are one. `index` is then at its last byte.
    @inline(never)
    private mutating func escape() -> UInt8 {
        index += 1
        switch written[index] {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"): break
        case let other: return other
        }
        let first = unit(at: index + 1)
        var scalar = Unicode.Scalar(first)
        index += 4
        if scalar == nil, first < 0xDC00, index + 6 < written.count, written[index + 1] == UInt8(ascii: "\\"),
            written[index + 2] == UInt8(ascii: "u"), case let second = unit(at: index + 3), second & 0xFC00 == 0xDC00
        {
            scalar = Unicode.Scalar(0x1_0000 + (first & 0x3FF) << 10 + second & 0x3FF)
            index += 6
        }
        if scalar == nil { isWhole = false }
        let bytes = (scalar ?? "\u{FFFD}").utf8
        rest = bytes.dropFirst().reversed().reduce(0) { $0 << 8 | UInt32($1) }
        return bytes[0]
    }

    private func unit(at start: Int) -> UInt32 {
        (start..<start + 4).reduce(0) { $0 << 4 | UInt32(Hexadecimal.value(written[$1]) ?? 0) }
    }
}

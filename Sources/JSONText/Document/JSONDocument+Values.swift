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
            return withScalar(slot) { written in
                String(unsafeUninitializedCapacity: written.count) { buffer in
                    UnsafeMutableRawBufferPointer(buffer).copyMemory(from: written)
                    return written.count
                }
            }
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
                var count = 0
                while let byte = bytes.next() {
                    output[count] = byte
                    count &+= 1
                }
                return count
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
            return try member(wanted, extent, of: object, before: slots[object].value, isExact: isExact, step: step)
        }
    }

    /// As ``member(_:of:isExact:step:)``, among the members before a slot.
    @inline(__always)
    func member(
        _ wanted: UnsafeBufferPointer<UInt8>, _ extent: UInt32, of object: Int, before end: Int, isExact: Bool = false,
        step: () throws -> Void
    ) rethrows -> Int? {
        var slot = first(in: object)
        while slot < end {
            try step()
            if isKey(slot, wanted, extent, isExact: isExact) { return slot &+ 1 }
            slot = next(after: slot &+ 1)
        }
        return nil
    }

    /// Whether the key at a slot is `wanted`, which has that extent if it is written without escapes.
    @inline(__always)
    func isKey(_ slot: Int, _ wanted: UnsafeBufferPointer<UInt8>, _ extent: UInt32, isExact: Bool = false) -> Bool {
        let key = slots[slot]
        if key.extent == extent { return equals(wanted, at: Int(key.start) &+ 1) }
        if key.isPlain { return false }
        if isExact { return withScalar(slot) { UnescapedText($0).elementsEqual(wanted) } }
        return string(at: slot) == String(decoding: wanted, as: UTF8.self)
    }

    @inline(__always)
    private func equals(_ wanted: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
        bytes.withUnsafeBytes { text in
            let count = wanted.count
            let wanted = UnsafeRawBufferPointer(wanted)
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

    /// Whether the key at a slot is `name`.
    package func isKey(_ slot: Int, _ name: String) -> Bool {
        var name = name
        return name.withUTF8 { isKey(slot, $0, JSONSlot.scalarExtent(length: $0.count &+ 2, isPlain: true)) }
    }

    /// The element at a position of an array, or the value of the first member with a key.
    package func child(_ component: JSONPathComponent, of slot: Int) -> Int? {
        switch (component, kind(of: slot)) {
        case (.key(let key), .object): return member(key, of: slot) {}
        case (.index(let index), .array):
            guard index >= 0, index < count(of: slot) else { return nil }
            var element = first(in: slot)
            for _ in 0..<index { element = next(after: element) }
            return element
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

// Reading the value of a slot.

extension JSONDocument {
    /// The kind of value at a slot.
    package enum Kind {
        case null, boolean, number, string, array, object
    }

    /// The slot of the value of the whole document.
    package static let root = 0

    @inline(__always)
    func byte(at offset: Int) -> UInt8 { text.load(fromByteOffset: offset, as: UInt8.self) }

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
        let start = Int(slots[slot].start)
        let length = slots[slot].value
        if byte(at: start) == UInt8(ascii: "\"") {
            return try body(UnsafeRawBufferPointer(start: text + start + 1, count: length &- 2))
        }
        return try body(UnsafeRawBufferPointer(start: text + start, count: length))
    }

    /// The bytes of a scalar as they are written, quotes included.
    @inline(__always)
    func withToken<Result>(_ slot: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: text + Int(slots[slot].start), count: slots[slot].value))
    }

    /// The scalar as it is written; of a string, the bytes between its quotes.
    func writtenText(of slot: Int) -> String {
        withScalar(slot) { String(decoding: $0, as: UTF8.self) }
    }

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
        return otherString(at: slot)
    }

    @inline(never)
    private func otherString(at slot: Int) -> String? {
        withScalar(slot) { written in
            written.contains(UInt8(ascii: "\\"))
                ? JSONUnquoting.text(written) : String(decoding: written, as: UTF8.self)
        }
    }

    /// The slot of the value of the first member called `name`, or nil. Keys are compared as Swift compares strings.
    func member(_ name: String, of object: Int) -> Int? {
        var name = name
        return name.withUTF8 { wanted in
            let extent = JSONSlot.scalarExtent(length: wanted.count &+ 2, isPlain: true)
            let end = slots[object].value
            var slot = first(in: object)
            while slot < end {
                let key = slots[slot]
                if key.extent == extent {
                    if equals(wanted, at: Int(key.start) &+ 1) { return slot &+ 1 }
                } else if !key.isPlain, string(at: slot) == String(decoding: wanted, as: UTF8.self) {
                    return slot &+ 1
                }
                slot = next(after: slot &+ 1)
            }
            return nil
        }
    }

    @inline(__always)
    func equals(_ wanted: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
        let count = wanted.count
        guard count >= 8, let wanted = UnsafeRawPointer(wanted.baseAddress) else {
            for index in 0..<count where byte(at: offset &+ index) != wanted[index] { return false }
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

    @inline(__always)
    private static func word(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}

extension JSONDocument {
    /// The text of a string or key; a lone surrogate becomes U+FFFD.
    func repairedString(at slot: Int) -> String {
        string(at: slot) ?? withScalar(slot) { JSONUnquoting.repairedText($0) }
    }
}

// Reading the values of a document by their slots: a slot is the number of a value or key in the document's index (see
// ``JSONSlot``). All slots come from the document itself.

extension JSONDocument {
    /// The kind of value at a slot; the name is JSON's.
    package enum Kind: String {
        case null, boolean, number, string, array, object
    }

    /// The slot of the value of the whole document.
    package static let root = 0

    /// Returns the byte of the text at an offset.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 { bytes.withUnsafeBufferPointer { $0[offset] } }

    /// Returns the kind of the value at a slot, which its first byte tells.
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

    /// Whether the value at a slot is null.
    @inline(__always)
    func isNull(_ slot: Int) -> Bool { byte(at: Int(slots[slot].start)) == UInt8(ascii: "n") }

    /// Whether the value at a slot is a string.
    @inline(__always)
    func isString(_ slot: Int) -> Bool { byte(at: Int(slots[slot].start)) == UInt8(ascii: "\"") }

    /// Whether the value at a slot is a number: its first byte is a digit or a minus sign.
    @inline(__always)
    func isNumber(_ slot: Int) -> Bool {
        let byte = byte(at: Int(slots[slot].start))
        return byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-")
    }

    /// Returns the first slot inside a container: that of the first element or key.
    ///
    /// A container takes two slots itself (see ``JSONSlot``). In an empty container, the result equals
    /// ``next(after:)``.
    @inline(__always)
    package func first(in container: Int) -> Int { container &+ 2 }

    /// Returns the slot after a value and all that it holds, without looking at what it holds.
    ///
    /// That is the next element of an array, the key of the next member of an object, or the end of the container. In
    /// `{"a": [1], "b": 2}`, the array at slot 3 is followed by slot 6, the key `"b"` (see ``JSONSlot``).
    @inline(__always)
    package func next(after slot: Int) -> Int {
        slots[slot].isContainer ? slots[slot].nextSlot : slot &+ 1
    }

    /// Returns the slots of an array's elements, or of an object's values, in the order of the text.
    ///
    /// The key of a member is in the slot before its value.
    package func values(in container: Int) -> some Sequence<Int> {
        let slotsPerKey = kind(of: container) == .object ? 1 : 0
        // The state of the sequence is the slot of the next element or key.
        return sequence(state: first(in: container)) { [self, endSlot = next(after: container)] nextSlot in
            guard nextSlot < endSlot else { return nil }
            let valueSlot = nextSlot &+ slotsPerKey
            nextSlot = next(after: valueSlot)
            return valueSlot
        }
    }

    /// Returns the slot of the element at a position of an array, or nil if the array has fewer elements.
    ///
    /// The index does not know where the nth element is, so those before it are passed over one by one.
    func element(at position: Int, of array: Int) -> Int? {
        var elements = values(in: array).dropFirst(position).makeIterator()
        return elements.next()
    }

    /// Returns the number of elements or members of a container.
    @inline(__always)
    package func count(of container: Int) -> Int { Int(slots[container &+ 1].start) }

    /// Returns the range of a value's bytes in the text, brackets and quotes included.
    ///
    /// A container's second slot holds the offset of its end. For a scalar, the length is in its only slot.
    package func range(of slot: Int) -> Range<Int> {
        let start = Int(slots[slot].start)
        let end = slots[slot].isContainer ? slots[slot &+ 1].end : start &+ slots[slot].length
        return start..<end
    }

    /// Calls `body` with the bytes of a scalar or key as they are written. A string comes without its quotes.
    @inline(__always)
    func withScalar<Result>(_ slot: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withToken(slot) { token in
            let quoteLength = token[0] == UInt8(ascii: "\"") ? 1 : 0
            return try body(UnsafeRawBufferPointer(rebasing: token[quoteLength..<token.count &- quoteLength]))
        }
    }

    /// Calls `body` with the bytes of a scalar or key as they are written, with the quotes of a string.
    @inline(__always)
    func withToken<Result>(_ slot: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let start = Int(slots[slot].start)
        let end = start &+ slots[slot].length
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
    }

    /// Returns a scalar or key as it is written; for a string, the text between its quotes.
    func writtenText(of slot: Int) -> String {
        withScalar(slot) { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Strings

    /// Returns the text of a string or key, with its escapes resolved. It is nil if the string has a lone surrogate,
    /// which no Swift string can hold.
    @inline(__always)
    package func string(at slot: Int) -> String? {
        if slots[slot].isPlain {
            return withScalar(slot) { String(decoding: $0.assumingMemoryBound(to: UInt8.self), as: UTF8.self) }
        }
        let (text, hasLoneSurrogate) = unescapedString(at: slot)
        return hasLoneSurrogate ? nil : text
    }

    /// Returns the text of a string or key, with its escapes resolved. A lone surrogate becomes U+FFFD.
    func repairedString(at slot: Int) -> String { unescapedString(at: slot).text }

    /// Returns the text of a string or key, with its escapes resolved.
    ///
    /// - Returns: The text, with U+FFFD for each lone surrogate, and whether it has a lone surrogate.
    @inline(never)
    private func unescapedString(at slot: Int) -> (text: String, hasLoneSurrogate: Bool) {
        withScalar(slot) { written in
            var bytes = UnescapedText(written)
            // A character is never longer than its escape, so the output has room for all.
            let text = String(unsafeUninitializedCapacity: written.count) { output in
                Self.copy(&bytes, to: UnsafeMutableRawBufferPointer(output))
            }
            return (text, bytes.hasLoneSurrogate)
        }
    }

    /// Copies a text to memory: the parts between escapes as a whole, and each escape as the bytes that it stands for.
    ///
    /// - Parameters:
    ///   - text: The text, which is read to its end.
    ///   - output: Memory with room for the whole text.
    /// - Returns: The number of bytes that have been copied.
    @inline(__always)
    private static func copy(_ text: inout UnescapedText, to output: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while true {
            let bytesBeforeEscape = text.readUpToEscape()
            UnsafeMutableRawBufferPointer(rebasing: output[count...]).copyMemory(from: bytesBeforeEscape)
            count &+= bytesBeforeEscape.count
            guard let byteOfEscape = text.next() else { return count }
            output[count] = byteOfEscape
            count &+= 1
        }
    }

    // MARK: Members

    /// Returns the slot of the value of an object's first member with a key, or nil if there is none. Keys are compared
    /// as Swift compares strings.
    func member(_ key: consuming String, of object: Int) -> Int? {
        key.withUTF8 { member($0, of: object, isExact: false, step: {}) }
    }

    /// Finds the first member of an object with a key, and returns the slot of its value, or nil if there is none.
    ///
    /// - Parameters:
    ///   - key: The key, without escapes.
    ///   - object: The slot of the object.
    ///   - isExact: Whether keys are the same only if their Unicode scalars are. If it is false, keys are compared as
    ///     Swift compares strings, so that composed and decomposed characters are the same.
    ///   - step: Called before each key is compared, to count the steps of a search. An error that it throws ends the
    ///     search.
    /// - Throws: The error of `step`.
    func member(
        _ key: String, of object: Int, isExact: Bool = false, step: () throws -> Void
    ) rethrows -> Int? {
        var key = key
        return try key.withUTF8 { try member($0, of: object, isExact: isExact, step: step) }
    }

    /// Finds the first member of an object with a key in UTF-8, and returns the slot of its value, or nil if there is
    /// none.
    ///
    /// The keys are compared one after the other. Each key is followed by its value, which ``next(after:)`` skips.
    @inline(__always)
    private func member(
        _ wantedKey: UnsafeBufferPointer<UInt8>, of object: Int, isExact: Bool, step: () throws -> Void
    ) rethrows -> Int? {
        // The extent (length and flags) that the key has if it is written in ASCII without escapes: its bytes and two
        // quotes.
        let plainExtent = JSONSlot.scalarExtent(length: wantedKey.count &+ 2, isPlain: true)
        let endSlot = slots[object].nextSlot
        var keySlot = first(in: object)
        while keySlot < endSlot {
            try step()
            if isKey(keySlot, equalTo: wantedKey, plainExtent: plainExtent, isExact: isExact) { return keySlot &+ 1 }
            keySlot = next(after: keySlot &+ 1)
        }
        return nil
    }

    /// Whether the key at a slot is a wanted key, with its escapes resolved.
    ///
    /// - Parameters:
    ///   - slot: The slot of the key.
    ///   - wantedKey: The wanted key in UTF-8.
    ///   - plainExtent: The ``JSONSlot/extent`` (length and flags) of the wanted key if it were written in ASCII
    ///     without escapes. Most keys differ in it already.
    ///   - isExact: Whether keys are the same only if their Unicode scalars are. If it is false, keys are compared as
    ///     Swift compares strings.
    @inline(__always)
    private func isKey(
        _ slot: Int, equalTo wantedKey: UnsafeBufferPointer<UInt8>, plainExtent: UInt32, isExact: Bool = false
    ) -> Bool {
        let key = slots[slot]
        let isAsLongAndPlain = key.extent == plainExtent
        if isAsLongAndPlain {
            let startAfterQuote = Int(key.start) &+ 1
            return hasBytes(UnsafeRawBufferPointer(wantedKey), at: startAfterQuote)
        }
        // A plain key is ASCII without escapes. If its extent differs, so does its length, and it is another key.
        if key.isPlain { return false }
        if isExact { return withScalar(slot) { UnescapedText($0).elementsEqual(wantedKey) } }
        return string(at: slot) == String(decoding: wantedKey, as: UTF8.self)
    }

    /// Whether the text has the bytes of `wantedBytes` at an offset.
    @inline(__always)
    private func hasBytes(_ wantedBytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        bytes.withUnsafeBytes { text in
            let count = wantedBytes.count
            guard count >= 8 else {
                for index in 0..<count where text[offset &+ index] != wantedBytes[index] { return false }
                return true
            }
            // Eight bytes at a time. The last eight overlap those before them if the length is not a multiple of eight.
            var index = 0
            while index &+ 8 < count {
                if Self.word(text, at: offset &+ index) != Self.word(wantedBytes, at: index) { return false }
                index &+= 8
            }
            return Self.word(text, at: offset &+ count &- 8) == Self.word(wantedBytes, at: count &- 8)
        }
    }

    /// Returns the eight bytes from an offset on, to compare them at once.
    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// Returns whether the keys at two slots are written with the same bytes.
    package func isKey(_ slot: Int, as other: Int) -> Bool {
        let key = slots[slot]
        guard key.extent == slots[other].extent else { return false }
        return withToken(other) { hasBytes($0, at: Int(key.start)) }
    }

    /// Returns the slot of an array's element at an index, or of the value of an object's first member with a key. It
    /// is nil if there is none.
    package func child(_ component: JSONPathComponent, of slot: Int) -> Int? {
        switch (component, kind(of: slot)) {
        case (.key(let key), .object): member(key, of: slot)
        case (.index(let index), .array): index < 0 ? nil : element(at: index, of: slot)
        default: nil
        }
    }
}

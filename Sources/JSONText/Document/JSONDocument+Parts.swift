// Documents that are parts of others: what a model has read, a value by itself, the first elements of a list. They share the text.

extension JSONDocument {
    /// What a model has read: the members and elements that are marked, in their order.
    package func decoded(_ marks: ReadMarks) -> JSONDocument {
        part(at: Self.root, first: .max, isDecoded: true) { marks.isRead($0) }
    }

    /// Everything but the values at these slots, with their keys.
    package func without(_ slots: Set<Int>) -> JSONDocument {
        part(at: Self.root, first: .max, isDecoded: isDecoded ?? false) { !slots.contains($0) }
    }

    /// A value by itself, if it is a list only with its first elements.
    func part(at slot: Int, first count: Int) -> JSONDocument {
        part(at: slot, first: count, isDecoded: isDecoded ?? false) { _ in true }
    }

    private func part(at root: Int, first limit: Int, isDecoded: Bool, isIn: (Int) -> Bool) -> JSONDocument {
        var open: [(slot: Int, copy: Int, count: Int)] = []
        var copy = JSONIndex(capacity: next(after: root) - root)
        var slot = root
        repeat {
            var value = slot
            if let last = open.last {
                if slot == next(after: last.slot) || open.count == 1 && last.count == limit {
                    slot = next(after: last.slot)
                    copy[last.copy] = JSONSlot(containerAt: slots[last.slot].start, next: copy.count)
                    copy[last.copy + 1] = JSONSlot(count: UInt32(last.count), end: slots[last.slot + 1].value)
                    open.removeLast()
                    continue
                }
                let isObject = kind(of: last.slot) == .object
                value = isObject ? slot + 1 : slot
                guard isIn(value) else {
                    slot = next(after: value)
                    continue
                }
                open[open.count - 1].count += 1
                if isObject { copy.append(slots[slot]) }
            }
            slot = value + 1
            if slots[value].isContainer {
                open.append((value, copy.count, 0))
                slot = first(in: value)
            }
            for entry in value..<slot { copy.append(slots[entry]) }
        } while !open.isEmpty
        return JSONDocument(bytes, copy, hasSurrogateEscapes: hasSurrogateEscapes, isDecoded: isDecoded)
    }
}

// MARK: Text

extension JSONDocument {
    /// How many bytes are passed on at a time.
    private static let chunkSize = 64 * 1024

    /// The text of a value.
    func text(of slot: Int) -> ArraySlice<UInt8> {
        if isDecoded == nil { return bytes[range(of: slot)] }
        var text: [UInt8] = []
        writeText(of: slot) { text += $0 }
        return text[...]
    }

    /// Passes the text of what a model has read to `write`, in chunks: the same as that of ``decoded(_:)``, without a document for it.
    package func writeText(_ marks: ReadMarks, _ write: (ArraySlice<UInt8>) throws -> Void) rethrows {
        try writeText(of: Self.root, marks, isDecoded: true, write)
    }

    /// Passes the text of a value to `write`, in chunks.
    func writeText(of root: Int, _ write: (ArraySlice<UInt8>) throws -> Void) rethrows {
        if isDecoded == nil { return try write(bytes[range(of: root)]) }
        try writeText(of: root, nil, isDecoded: isDecoded == true, write)
    }

    private func writeText(
        of root: Int, _ marks: ReadMarks?, isDecoded: Bool, _ write: (ArraySlice<UInt8>) throws -> Void
    ) rethrows {
        var text = PartText(bytes, capacity: min(range(of: root).count, Self.chunkSize) + 64)
        /// The containers around the innermost one, which is -1 if none is open.
        var outer: [(container: Int, end: Int)] = []
        var container = -1
        var end = 0
        var isInObject = false
        var slot = root
        repeat {
            if container >= 0 {
                if slot == end {
                    text.close(isInObject, at: slots[container &+ 1].value &- 1)
                    (container, end) = outer.removeLast()
                    isInObject = container >= 0 && byte(at: Int(slots[container].start)) == UInt8(ascii: "{")
                    continue
                }
                let value = isInObject ? slot &+ 1 : slot
                if let marks, !marks.isRead(value) {
                    slot = next(after: value)
                    continue
                }
                if isInObject {
                    append(slot, to: &text, isDecoded)
                    text.isValue = true
                    slot = value
                }
            }
            if slots[slot].isContainer {
                text.open(Int(slots[slot].start))
                outer.append((container, end))
                (container, end) = (slot, next(after: slot))
                isInObject = byte(at: Int(slots[slot].start)) == UInt8(ascii: "{")
                slot = first(in: slot)
            } else {
                append(slot, to: &text, isDecoded)
                slot &+= 1
            }
            if text.count >= Self.chunkSize { try write(text.take()[...]) }
        } while container >= 0
        try write(text.take()[...])
    }

    /// Appends a key or scalar; if it `isDecoded`, a string with no more escapes than it needs.
    @inline(__always)
    private func append(_ slot: Int, to text: inout PartText, _ isDecoded: Bool) {
        let entry = slots[slot]
        let start = Int(entry.start)
        if isDecoded, !entry.isPlain, let string = stringWithNeedlessEscapes(slot) {
            text.append(string, endingAt: start &+ entry.value)
        } else {
            text.append(start, start &+ entry.value)
        }
    }

    /// The text of a string that has an escape other than those of two characters, or that of a slash; nil if it cannot do without.
    @inline(never)
    private func stringWithNeedlessEscapes(_ slot: Int) -> String? {
        guard isString(slot), withScalar(slot, Self.hasNeedlessEscape) else { return nil }
        return string(at: slot)
    }

    private static func hasNeedlessEscape(_ text: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < text.count {
            // Eight bytes at a time that are no backslash.
            if index &+ 8 <= text.count {
                let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x5C5C_5C5C_5C5C_5C5C
                if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 == 0 {
                    index &+= 8
                    continue
                }
            }
            if text[index] == UInt8(ascii: "\\") {
                index &+= 1
                if text[index] == UInt8(ascii: "u") || text[index] == UInt8(ascii: "/") { return true }
            }
            index &+= 1
        }
        return false
    }
}

/// The text of a part of a document, copied in runs that are as long as possible.
private struct PartText {
    /// The whole text.
    private let text: [UInt8]
    private var output: [UInt8] = []
    /// What is to be copied next.
    private var runStart = 0
    private var runEnd = 0
    /// Whether what comes next is the first of its container.
    private var isFirst = true
    /// Whether what comes next is the value of the key before it.
    var isValue = false

    init(_ text: [UInt8], capacity: Int) {
        self.text = text
        output.reserveCapacity(capacity)
    }

    var count: Int { output.count &+ runEnd &- runStart }

    mutating func take() -> [UInt8] {
        endRun(at: runEnd)
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    /// Appends a token, with the comma or colon before it.
    @inline(__always)
    mutating func append(_ start: Int, _ end: Int) {
        // Between a key and its value is nothing else. An element that is left out between two others takes three bytes at least, before
        // the first one or after the last two, the only one a single byte.
        if runEnd > 0, isValue || start &- runEnd <= (isFirst ? 1 : 2) {
            isValue = false
        } else {
            endRun(at: start)
            appendSeparator()
        }
        runEnd = end
        isFirst = false
    }

    /// Appends a string in place of the token that ends there.
    mutating func append(_ string: String, endingAt end: Int) {
        endRun(at: end)
        appendSeparator()
        JSONQuoting.append(string, to: &output)
        isFirst = false
    }

    mutating func open(_ start: Int) {
        append(start, start &+ 1)
        isFirst = true
    }

    mutating func close(_ isObject: Bool, at offset: Int) {
        if offset &- runEnd <= (isFirst ? 0 : 1) {
            runEnd = offset &+ 1
        } else {
            endRun(at: offset &+ 1)
            output.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        }
        isFirst = false
    }

    private mutating func appendSeparator() {
        if isValue {
            output.append(UInt8(ascii: ":"))
        } else if !isFirst {
            output.append(UInt8(ascii: ","))
        }
        isValue = false
    }

    /// Copies what is left; the next run starts at `start`.
    private mutating func endRun(at start: Int) {
        if runEnd > runStart { output += text[runStart..<runEnd] }
        runStart = start
        runEnd = start
    }
}

extension JSONValue {
    /// This value by itself as a document, which shares its text; of a list only the first elements.
    package func document(first count: Int = .max) -> JSONDocument { document.part(at: slot, first: count) }

    /// Passes the text of the value to `write`, in chunks.
    package func writeText(_ write: (ArraySlice<UInt8>) throws -> Void) rethrows {
        try document.writeText(of: slot, write)
    }
}

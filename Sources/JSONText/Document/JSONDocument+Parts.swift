// Parts of documents: what a model has read, a value by itself, the first elements of a list.

extension JSONDocument {
    /// What a model has read: the members and elements that are marked, in their order.
    package func decoded(_ marks: ReadMarks) -> JSONDocument {
        var text: [UInt8] = []
        writeText(marks) { text += $0 }
        return JSONDocument(known: text)
    }

    /// Everything but the values at these slots, with their keys.
    package func without(_ slots: Set<Int>) -> JSONDocument {
        let marks = ReadMarks(self)
        marks.setAllRead(Self.root)
        for slot in slots { marks.clear(slot) }
        return decoded(marks)
    }

    /// How many bytes are passed on at a time.
    private static let chunkSize = 64 * 1024

    /// Passes the text of what a model has read to `write`, in chunks: the same as that of ``decoded(_:)``, without a document for it.
    package func writeText(_ marks: ReadMarks, _ write: (ArraySlice<UInt8>) throws -> Void) rethrows {
        var text = PartText(bytes, capacity: min(bytes.count, Self.chunkSize) + 64)
        /// The containers around the innermost one, which is -1 if none is open.
        var outer: [(container: Int, end: Int)] = []
        var container = -1
        var end = 0
        var isInObject = false
        var slot = Self.root
        repeat {
            if container >= 0 {
                if slot == end {
                    text.close(isInObject, at: slots[container &+ 1].value &- 1)
                    (container, end) = outer.removeLast()
                    isInObject = container >= 0 && byte(at: Int(slots[container].start)) == UInt8(ascii: "{")
                    continue
                }
                let value = isInObject ? slot &+ 1 : slot
                if !marks.isRead(value) {
                    slot = next(after: value)
                    continue
                }
                if isInObject {
                    append(slot, to: &text)
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
                append(slot, to: &text)
                slot &+= 1
            }
            if text.count >= Self.chunkSize { try write(text.take()[...]) }
        } while container >= 0
        try write(text.take()[...])
    }

    /// Appends a key or scalar, a string with no more escapes than it needs.
    @inline(__always)
    private func append(_ slot: Int, to text: inout PartText) {
        let entry = slots[slot]
        let start = Int(entry.start)
        if !entry.isPlain, let string = stringWithNeedlessEscapes(slot) {
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
        guard let start = text.baseAddress else { return false }
        var index = 0
        while true {
            index = JSONScanner.skip(JSONChunk(start: start, count: text.count), from: index) { word in
                let others = word ^ 0x5C5C_5C5C_5C5C_5C5C
                return (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
            }
            guard index < text.count else { return false }
            if text[index + 1] == UInt8(ascii: "u") || text[index + 1] == UInt8(ascii: "/") { return true }
            index += 2
        }
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
    /// This value by itself as a document, of a list only with its first elements.
    package func document(first count: Int = .max) -> JSONDocument {
        if kind == .array, count < document.count(of: slot), let elements {
            return JSONValue(elements.prefix(count)).document
        }
        return slot == JSONDocument.root ? document : JSONDocument(known: Array(written))
    }
}

// Documents that are parts of others: what a model has read, a value by itself, the first elements of a list. They share the text.

/// How the values of a document are written.
enum ValueForm {
    /// By their bytes in the text.
    case asSent
    /// As `asSent`, but without the elements that are not in the document.
    case shortened
    /// Without what is not in the document, numbers as sent, strings with no more escapes than JSON needs.
    case decoded
}

extension JSONDocument {
    /// What a model has read: the members and elements that are marked, in their order.
    package func decoded(_ marks: ReadMarks) -> JSONDocument {
        part(at: Self.root, first: .max, .decoded) { marks.isRead($0) }
    }

    /// A value by itself, if it is a list only with its first elements.
    func part(at slot: Int, first count: Int) -> JSONDocument {
        part(at: slot, first: count, form == .decoded ? .decoded : .shortened) { _ in true }
    }

    private func part(at root: Int, first limit: Int, _ form: ValueForm, isIn: (Int) -> Bool) -> JSONDocument {
        var open: [(slot: Int, copy: Int, count: Int)] = []
        let copy = JSONSlotStorage(capacity: next(after: root) - root)
        var slot = root
        while true {
            // What is at `slot` is a value, or the end of the innermost container.
            while let last = open.last, slot == next(after: last.slot) {
                copy.base[last.copy] = JSONSlot(containerAt: Int(slots[last.slot].start), next: copy.count)
                copy.base[last.copy + 1] = JSONSlot(count: last.count, end: slots[last.slot + 1].value)
                open.removeLast()
            }
            guard let last = open.indices.last else {
                if slot > root { break }
                slot = append(root, to: copy, &open)
                continue
            }
            let container = open[last].slot
            let isObject = byte(at: Int(slots[container].start)) == UInt8(ascii: "{")
            let value = isObject ? slot + 1 : slot
            if last == 0, open[last].count == limit {
                slot = next(after: container)
            } else if isIn(value) {
                open[last].count += 1
                if isObject {
                    copy.reserve()
                    copy.append(slots[slot])
                }
                slot = append(value, to: copy, &open)
            } else {
                slot = next(after: value)
            }
        }
        copy.trim()
        return JSONDocument(self, copy, form)
    }

    /// Copies a scalar, or opens a container; returns the slot to go on with.
    private func append(
        _ value: Int, to copy: JSONSlotStorage, _ open: inout [(slot: Int, copy: Int, count: Int)]
    ) -> Int {
        copy.reserve()
        guard slots[value].isContainer else {
            copy.append(slots[value])
            return value + 1
        }
        open.append((value, copy.count, 0))
        copy.append(slots[value])
        copy.append(slots[value + 1])
        return first(in: value)
    }
}

// MARK: Text

extension JSONDocument {
    /// How many bytes are passed on at a time.
    private static let chunkSize = 64 * 1024

    /// The text of a value.
    func text(of slot: Int) -> ArraySlice<UInt8> {
        if form == .asSent { return bytes[range(of: slot)] }
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
        if form == .asSent { return try write(bytes[range(of: root)]) }
        try writeText(of: root, nil, isDecoded: form == .decoded, write)
    }

    private func writeText(
        of root: Int, _ marks: ReadMarks?, isDecoded: Bool, _ write: (ArraySlice<UInt8>) throws -> Void
    ) rethrows {
        var text = PartText(self, isDecoded: isDecoded, capacity: min(range(of: root).count, Self.chunkSize) + 64)
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
                    text.append(slot)
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
                text.append(slot)
                slot &+= 1
            }
            if text.count >= Self.chunkSize { try write(text.take()[...]) }
        } while container >= 0
        try write(text.take()[...])
    }
}

/// The text of a part of a document, copied in runs that are as long as possible.
private struct PartText {
    private let document: JSONDocument
    /// Whether strings have no more escapes than they need.
    private let isDecoded: Bool
    private var output: [UInt8] = []
    /// What is to be copied next.
    private var runStart = 0
    private var runEnd = 0
    /// Whether what comes next is the first of its container.
    private var isFirst = true
    /// Whether what comes next is the value of the key before it.
    var isValue = false

    init(_ document: JSONDocument, isDecoded: Bool, capacity: Int) {
        self.document = document
        self.isDecoded = isDecoded
        output.reserveCapacity(capacity)
    }

    var count: Int { output.count &+ runEnd &- runStart }

    mutating func take() -> [UInt8] {
        endRun(at: runEnd)
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    /// Appends a key or scalar.
    @inline(__always)
    mutating func append(_ slot: Int) {
        let entry = document.slots[slot]
        let start = Int(entry.start)
        if isDecoded, !entry.isPlain, appendWithoutEscapes(slot) { return }
        extend(start, start &+ entry.value)
        isFirst = false
    }

    mutating func open(_ start: Int) {
        extend(start, start &+ 1)
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

    /// Appends a token, with the comma or colon before it.
    @inline(__always)
    private mutating func extend(_ start: Int, _ end: Int) {
        // Between a key and its value is nothing else. An element that is left out between two others takes three bytes at least, before
        // the first one or after the last two, the only one a single byte.
        if runEnd > 0, isValue || start &- runEnd <= (isFirst ? 1 : 2) {
            isValue = false
        } else {
            endRun(at: start)
            appendSeparator()
        }
        runEnd = end
    }

    /// Appends a string that has escapes; false if the token has none, or can't do without.
    @inline(never)
    private mutating func appendWithoutEscapes(_ slot: Int) -> Bool {
        guard document.isString(slot), document.withScalar(slot, { $0.contains(UInt8(ascii: "\\")) }),
            let text = document.string(at: slot)
        else { return false }
        let end = document.range(of: slot).upperBound
        endRun(at: end)
        appendSeparator()
        JSONQuoting.append(text, to: &output)
        isFirst = false
        return true
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
        if runEnd > runStart { output += document.bytes[runStart..<runEnd] }
        (runStart, runEnd) = (start, start)
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

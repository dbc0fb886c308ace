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
        var copy = JSONIndex(capacity: next(after: root) - root)
        var slot = root
        while true {
            // What is at `slot` is a value, or the end of the innermost container.
            while let last = open.last, slot == next(after: last.slot) {
                copy[last.copy] = JSONSlot(containerAt: slots[last.slot].start, next: copy.count)
                copy[last.copy + 1] = JSONSlot(count: UInt32(last.count), end: slots[last.slot + 1].value)
                open.removeLast()
            }
            guard let last = open.indices.last else {
                if slot > root { break }
                slot = append(root, to: &copy, &open)
                continue
            }
            let container = open[last].slot
            let isObject = byte(at: Int(slots[container].start)) == UInt8(ascii: "{")
            let value = isObject ? slot + 1 : slot
            if last == 0, open[last].count == limit {
                slot = next(after: container)
            } else if isIn(value) {
                open[last].count += 1
                if isObject { copy.append(slots[slot]) }
                slot = append(value, to: &copy, &open)
            } else {
                slot = next(after: value)
            }
        }
        return JSONDocument(self, copy, form)
    }

    /// Copies a scalar, or opens a container; returns the slot to go on with.
    private func append(
        _ value: Int, to copy: inout JSONIndex, _ open: inout [(slot: Int, copy: Int, count: Int)]
    ) -> Int {
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

    /// Passes the text of a value to `write`, in chunks.
    func writeText(of root: Int, _ write: (ArraySlice<UInt8>) throws -> Void) rethrows {
        var text = PartText(self, capacity: form == .asSent ? 0 : min(range(of: root).count, Self.chunkSize) + 64)
        if form == .asSent { return try write(bytes[range(of: root)]) }
        var open: [(end: Int, textEnd: Int, isObject: Bool, isEmpty: Bool)] = []
        var slot = root
        repeat {
            if let last = open.indices.last {
                if slot == open[last].end {
                    text.isFirst = open[last].isEmpty
                    text.close(open[last].isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), at: open[last].textEnd - 1)
                    open.removeLast()
                    continue
                }
                text.isFirst = open[last].isEmpty
                open[last].isEmpty = false
                if open[last].isObject {
                    text.append(slot)
                    text.isValue = true
                    slot += 1
                }
            }
            if slots[slot].isContainer {
                let isObject = byte(at: Int(slots[slot].start)) == UInt8(ascii: "{")
                text.append(range(of: slot).lowerBound..<range(of: slot).lowerBound + 1)
                open.append((next(after: slot), range(of: slot).upperBound, isObject, true))
                slot = first(in: slot)
            } else {
                text.append(slot)
                slot += 1
            }
            if text.count >= Self.chunkSize { try write(text.take()[...]) }
        } while !open.isEmpty
        try write(text.take()[...])
    }
}

/// The text of a part of a document, copied in runs that are as long as possible.
private struct PartText {
    private let document: JSONDocument
    private var output: [UInt8] = []
    /// What is to be copied next.
    private var run = 0..<0
    /// Whether what comes next is the first of its container.
    var isFirst = true
    /// Whether what comes next is the value of the key before it.
    var isValue = false

    init(_ document: JSONDocument, capacity: Int) {
        self.document = document
        output.reserveCapacity(capacity)
    }

    var count: Int { output.count + run.count }

    mutating func take() -> [UInt8] {
        endRun()
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    /// Appends a key or scalar.
    mutating func append(_ slot: Int) {
        let range = document.range(of: slot)
        guard document.form == .decoded, !document.slots[slot].isPlain, document.isString(slot),
            document.bytes[range].contains(UInt8(ascii: "\\")), let text = document.string(at: slot)
        else { return append(range) }
        endRun()
        appendSeparator()
        JSONQuoting.append(text, to: &output)
        run = range.upperBound..<range.upperBound
    }

    /// Appends a token, with the comma or colon before it.
    mutating func append(_ token: Range<Int>) {
        // Between a key and its value is nothing else. An element that is left out between two others takes three bytes at least, before
        // the first one or after the last two, the only one a single byte.
        if isValue || token.lowerBound - run.upperBound <= (isFirst ? 1 : 2), run.upperBound > 0 {
            isValue = false
            run = run.lowerBound..<token.upperBound
        } else {
            endRun()
            appendSeparator()
            run = token
        }
    }

    mutating func close(_ bracket: UInt8, at offset: Int) {
        if offset - run.upperBound <= (isFirst ? 0 : 1) {
            run = run.lowerBound..<offset + 1
        } else {
            endRun()
            output.append(bracket)
            run = offset + 1..<offset + 1
        }
    }

    private mutating func appendSeparator() {
        if isValue {
            output.append(UInt8(ascii: ":"))
        } else if !isFirst {
            output.append(UInt8(ascii: ","))
        }
        isValue = false
    }

    private mutating func endRun() {
        if !run.isEmpty { output += document.bytes[run] }
        run = run.upperBound..<run.upperBound
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

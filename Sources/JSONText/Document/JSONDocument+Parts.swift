// Parts of documents: what a model has read, a value by itself, the first elements of a list.

extension JSONDocument {
    /// What a model has read: the members and elements that are marked, in their order.
    package func decoded(_ marks: ReadMarks) -> JSONDocument {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 2)
        JSONFormatter(style: .compact).format(self, marks) { text += $0 }
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

    /// Prints what a model has read, with a line feed at the end, and passes the text to `write` in chunks.
    func print(_ marks: ReadMarks, _ printer: inout JSONPrinter, _ write: ([UInt8]) throws -> Void) rethrows {
        /// The containers around the innermost one, which is -1 if none is open.
        var outer: [(container: Int, end: Int)] = []
        var container = -1
        var end = 0
        var isInObject = false
        var isEmpty = true
        var slot = Self.root
        repeat {
            if container >= 0 {
                if slot == end {
                    let depth = outer.count &- 1
                    printer.close(
                        isObject: isInObject, isEmpty: isEmpty, end: slots[container &+ 1].value, depth: depth)
                    (container, end) = outer.removeLast()
                    isInObject = container >= 0 && byte(at: Int(slots[container].start)) == UInt8(ascii: "{")
                    isEmpty = false
                    continue
                }
                let value = isInObject ? slot &+ 1 : slot
                if !marks.isRead(value) {
                    slot = next(after: value)
                    continue
                }
                if !isEmpty { printer.comma() }
                isEmpty = false
                printer.beginItem(depth: outer.count)
                if isInObject {
                    print(slot, .key, &printer)
                    printer.colon()
                    slot = value
                }
            }
            let start = Int(slots[slot].start)
            if slots[slot].isContainer {
                isInObject = byte(at: start) == UInt8(ascii: "{")
                printer.open(isObject: isInObject, at: start, depth: outer.count)
                outer.append((container, end))
                (container, end) = (slot, next(after: slot))
                isEmpty = true
                slot = first(in: slot)
            } else {
                print(slot, JSONToken(rawValue: byte(at: start)) ?? .number, &printer)
                slot &+= 1
            }
            if printer.out.count >= Self.chunkSize { try printer.out.drain(write) }
        } while container >= 0
        printer.endDocument()
        try printer.out.drain(write)
    }

    /// Prints a key or scalar, a string with no more escapes than it needs.
    @inline(__always)
    private func print(_ slot: Int, _ token: JSONToken, _ printer: inout JSONPrinter) {
        let entry = slots[slot]
        let start = Int(entry.start)
        printer.begin(token, at: start)
        if !entry.isPlain, let string = stringWithNeedlessEscapes(slot) {
            var quoted: [UInt8] = []
            JSONQuoting.append(string, to: &quoted)
            quoted.withUnsafeBytes { printer.write($0, 0..<$0.count, of: token) }
        } else {
            bytes.withUnsafeBytes { printer.write($0, start..<start &+ entry.value, of: token) }
        }
        printer.end(token, at: start &+ entry.value, isPlain: entry.isPlain)
    }

    /// The text of a string that has an escape other than those of two characters, or that of a slash; nil if it cannot do without.
    @inline(never)
    private func stringWithNeedlessEscapes(_ slot: Int) -> String? {
        guard isString(slot) else { return nil }
        let isNeedless = withScalar(slot) { text in
            var index = UnescapedText.backslash(in: text, from: 0)
            while index < text.count, text[index + 1] != UInt8(ascii: "u"), text[index + 1] != UInt8(ascii: "/") {
                index = UnescapedText.backslash(in: text, from: index + 2)
            }
            return index < text.count
        }
        return isNeedless ? string(at: slot) : nil
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

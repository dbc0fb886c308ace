/// Prints the parts of a document that a model has read: the members and elements that are marked, in their order.
private struct ReadPartsPrinter {
    /// An object or array that has been opened.
    private struct Container {
        let slot: Int
        /// The slot after all that it holds.
        let end: Int
        let isObject: Bool
        /// Whether nothing of it has been printed yet.
        var isEmpty = true
    }

    private let document: JSONDocument
    private let marks: ReadMarks
    /// The open containers, the innermost last. Not by recursion, because a server decides how deep they are.
    private var containers: [Container] = []
    /// The next key or value.
    private var slot = JSONDocument.root

    init(_ document: JSONDocument, _ marks: ReadMarks) {
        self.document = document
        self.marks = marks
    }

    /// Prints the next scalar, member, element or bracket. A part that has not been read is skipped.
    ///
    /// Each call does one thing: it prints the whole document's value, closes the innermost container at its end,
    /// passes over a part without marks, or prints a part with the comma and key in front of it. A container is only
    /// opened here, and the next calls print what it holds.
    ///
    /// - Returns: Whether there is more to print.
    @inline(__always)
    mutating func printNext(_ printer: inout JSONPrinter) -> Bool {
        guard let container = containers.last else {
            printValue(&printer)
            return !containers.isEmpty
        }
        if slot == container.end {
            close(container, &printer)
            return !containers.isEmpty
        }
        let value = container.isObject ? slot &+ 1 : slot
        guard marks.isRead(value) else {
            slot = document.next(after: value)
            return true
        }
        if !container.isEmpty { printer.comma() }
        containers[containers.count &- 1].isEmpty = false
        printer.beginItem(depth: containers.count)
        if container.isObject {
            printToken(.key, &printer)
            printer.colon()
            slot = value
        }
        printValue(&printer)
        return true
    }

    /// Prints the scalar at ``slot``, or opens the container there.
    @inline(__always)
    private mutating func printValue(_ printer: inout JSONPrinter) {
        let start = Int(document.slots[slot].start)
        guard document.slots[slot].isContainer else {
            printToken(JSONToken(rawValue: document.byte(at: start)) ?? .number, &printer)
            slot &+= 1
            return
        }
        let isObject = document.byte(at: start) == UInt8(ascii: "{")
        printer.open(isObject: isObject, at: start, depth: containers.count)
        containers.append(Container(slot: slot, end: document.next(after: slot), isObject: isObject))
        slot = document.first(in: slot)
    }

    /// Closes the innermost container.
    private mutating func close(_ container: Container, _ printer: inout JSONPrinter) {
        containers.removeLast()
        let end = document.range(of: container.slot).upperBound
        printer.close(
            isObject: container.isObject, isEmpty: container.isEmpty, end: end, depth: containers.count)
    }

    /// Prints the key or scalar at ``slot``, a string with no more escapes than it needs.
    @inline(__always)
    private func printToken(_ token: JSONToken, _ printer: inout JSONPrinter) {
        let entry = document.slots[slot]
        let start = Int(entry.start)
        let end = start &+ entry.value
        printer.begin(token, at: start)
        if !entry.isPlain, let string = stringWithNeedlessEscapes() {
            var quoted: [UInt8] = []
            JSONQuoting.append(string, to: &quoted)
            quoted.withUnsafeBytes { printer.write($0, 0..<$0.count, of: token) }
        } else {
            document.bytes.withUnsafeBytes { printer.write($0, start..<end, of: token) }
        }
        printer.end(token, at: end, isPlain: entry.isPlain)
    }

    /// Returns the text of the string at ``slot`` if it may have an escape that it does not need: `\/` or a Unicode
    /// escape.
    ///
    /// The search goes from backslash to backslash. It passes over the two characters of any other escape, so that the
    /// second backslash of `\\` does not count as one.
    ///
    /// - Returns: The text; nil for any other string, and for one with a lone surrogate, which only an escape can
    ///   express.
    @inline(never)
    private func stringWithNeedlessEscapes() -> String? {
        guard document.isString(slot) else { return nil }
        let isNeedless = document.withScalar(slot) { text in
            var index = UnescapedText.backslash(in: text, from: 0)
            while index < text.count, text[index + 1] != UInt8(ascii: "u"), text[index + 1] != UInt8(ascii: "/") {
                index = UnescapedText.backslash(in: text, from: index + 2)
            }
            return index < text.count
        }
        return isNeedless ? document.string(at: slot) : nil
    }
}

extension JSONDocument {
    /// The number of bytes that are passed on at a time.
    private static let chunkSize = 64 * 1024

    /// Prints the parts that a model has read, with a line feed at the end, and passes the text to `write` in chunks.
    func print(_ marks: ReadMarks, _ printer: inout JSONPrinter, _ write: ([UInt8]) throws -> Void) rethrows {
        var parts = ReadPartsPrinter(self, marks)
        while parts.printNext(&printer) {
            if printer.out.count >= Self.chunkSize { try printer.out.drain(write) }
        }
        printer.endDocument()
        try printer.out.drain(write)
    }

    /// Returns a document of the parts that a model has read.
    package func decoded(_ marks: ReadMarks) -> JSONDocument {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 2)
        JSONFormatter(style: .compact).format(self, marks) { text += $0 }
        return JSONDocument(known: text)
    }

    /// Returns a document of everything but the values at these slots and their keys.
    package func without(_ slots: Set<Int>) -> JSONDocument {
        let marks = ReadMarks(self)
        marks.setAllRead(Self.root)
        for slot in slots { marks.clear(slot) }
        return decoded(marks)
    }
}

extension JSONValue {
    /// Returns this value as a document of its own.
    ///
    /// - Parameter count: The number of elements after which a list is cut; everything unless given.
    package func document(first count: Int = .max) -> JSONDocument {
        if kind == .array, count < document.count(of: slot), let elements {
            return JSONValue(elements.prefix(count)).document
        }
        return slot == JSONDocument.root ? document : JSONDocument(known: Array(written))
    }
}

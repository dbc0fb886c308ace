/// Prints the parts of a document that a model has read: the members and elements that are marked, in their order.
private struct ReadPartsPrinter {
    /// An object or array that has been opened.
    private struct Container {
        let slot: Int
        /// The slot after all that it holds.
        let endSlot: Int
        let isObject: Bool
        /// Whether nothing of it has been printed yet.
        var isEmpty = true
    }

    private let document: JSONDocument
    private let marks: ReadMarks
    /// The open containers, the innermost last. Not by recursion, because a server decides how deep they are.
    private var containers: [Container] = []
    /// The next key or value.
    private var nextSlot = JSONDocument.root

    /// Starts at the root of a document.
    init(_ document: JSONDocument, marks: ReadMarks) {
        self.document = document
        self.marks = marks
    }

    /// Prints the next part of the document: a scalar, or the bracket that opens or closes a container.
    ///
    /// The first call prints the document's value, or opens it. Each further call closes the innermost container at its
    /// end, or goes on to its next member or element. The caller calls it until nothing is left.
    ///
    /// - Parameter printer: Receives the part.
    /// - Returns: Whether a container is still open, so that there is more to print.
    @inline(__always)
    mutating func printNext(to printer: inout JSONPrinter) -> Bool {
        if let container = containers.last {
            if nextSlot == container.endSlot {
                closeContainer(container, to: &printer)
            } else {
                printItem(of: container, to: &printer)
            }
        } else {
            printValue(to: &printer)
        }
        return !containers.isEmpty
    }

    /// Prints the member or element at ``nextSlot``, with the comma and key in front of it. If the model has not read
    /// it, nothing is printed. In both cases, ``nextSlot`` moves on.
    @inline(__always)
    private mutating func printItem(of container: Container, to printer: inout JSONPrinter) {
        // In an object, the slot is that of the key, and the next one is that of the value.
        let valueSlot = container.isObject ? nextSlot &+ 1 : nextSlot
        guard marks.isRead(valueSlot) else {
            nextSlot = document.next(after: valueSlot)
            return
        }
        if !container.isEmpty { printer.comma() }
        // The next item that is printed gets a comma in front.
        containers[containers.count &- 1].isEmpty = false
        printer.beginItem(depth: containers.count)
        if container.isObject {
            printToken(.key, to: &printer)
            printer.colon()
            nextSlot = valueSlot
        }
        printValue(to: &printer)
    }

    /// Prints the scalar at ``nextSlot``, or the opening bracket of a container, and moves ``nextSlot`` to what follows
    /// it.
    @inline(__always)
    private mutating func printValue(to printer: inout JSONPrinter) {
        let start = Int(document.slots[nextSlot].start)
        let firstByte = document.byte(at: start)
        guard document.slots[nextSlot].isContainer else {
            // The first byte of a value is the raw value of its token, except for numbers, which start with any digit.
            printToken(JSONToken(rawValue: firstByte) ?? .number, to: &printer)
            nextSlot &+= 1
            return
        }
        let isObject = firstByte == UInt8(ascii: "{")
        printer.open(isObject: isObject, at: start, depth: containers.count)
        containers.append(Container(slot: nextSlot, endSlot: document.next(after: nextSlot), isObject: isObject))
        nextSlot = document.first(in: nextSlot)
    }

    /// Prints the closing bracket of the innermost container, and forgets the container.
    private mutating func closeContainer(_ container: Container, to printer: inout JSONPrinter) {
        containers.removeLast()
        let end = document.range(of: container.slot).upperBound
        printer.close(
            isObject: container.isObject, isEmpty: container.isEmpty, end: end, depth: containers.count)
    }

    /// Prints the key or scalar at ``nextSlot`` as it is written, but without escapes that a string does not need, such
    /// as `\u0041`.
    @inline(__always)
    private func printToken(_ token: JSONToken, to printer: inout JSONPrinter) {
        let tokenSlot = document.slots[nextSlot]
        let start = Int(tokenSlot.start)
        let end = start &+ tokenSlot.length
        printer.begin(token, at: start)
        if !tokenSlot.isPlain, let string = stringWithNeedlessEscapes() {
            var quoted: [UInt8] = []
            JSONQuoting.append(string, to: &quoted)
            quoted.withUnsafeBytes { printer.write($0, range: 0..<$0.count, of: token) }
        } else {
            document.bytes.withUnsafeBytes { printer.write($0, range: start..<end, of: token) }
        }
        printer.end(token, at: end, isPlain: tokenSlot.isPlain)
    }

    /// Returns the text of the string at ``nextSlot`` if it may have an escape that it does not need: `\/` or a Unicode
    /// escape.
    ///
    /// - Returns: The text, with its escapes resolved. It is nil for any other string, and for a string with a lone
    ///   surrogate, which only an escape can express.
    @inline(never)
    private func stringWithNeedlessEscapes() -> String? {
        guard document.isString(nextSlot), document.withScalar(nextSlot, Self.hasNeedlessEscape) else { return nil }
        return document.string(at: nextSlot)
    }

    /// Whether a string has an escape that it may not need: `\/`, or a Unicode escape such as `\u0041`.
    ///
    /// The search goes from backslash to backslash. It skips both characters of any other escape, so that the second
    /// backslash of `\\` does not start one.
    ///
    /// - Parameter text: The bytes between the quotes of the string.
    private static func hasNeedlessEscape(_ text: UnsafeRawBufferPointer) -> Bool {
        var backslash = UnescapedText.indexOfBackslash(in: text, from: 0)
        while backslash < text.count {
            let letter = text[backslash + 1]
            if letter == UInt8(ascii: "u") || letter == UInt8(ascii: "/") { return true }
            backslash = UnescapedText.indexOfBackslash(in: text, from: backslash + 2)
        }
        return false
    }
}

extension JSONDocument {
    /// The number of bytes from which on a text is passed on in chunks.
    private static let chunkSize = 64 * 1024

    /// Prints the parts of the document that a model has read, and a line feed at the end.
    ///
    /// - Parameters:
    ///   - marks: The marks of the parts that have been read.
    ///   - printer: The printer, with the layout of the text.
    ///   - write: Called with each chunk of the text.
    func printReadParts(_ marks: ReadMarks, to printer: inout JSONPrinter, _ write: ([UInt8]) throws -> Void) rethrows {
        var partsPrinter = ReadPartsPrinter(self, marks: marks)
        while partsPrinter.printNext(to: &printer) {
            if printer.writer.count >= Self.chunkSize { try printer.writer.drain(write) }
        }
        printer.endDocument()
        try printer.writer.drain(write)
    }

    /// Returns a document of the parts that a model has read.
    package func decoded(_ marks: ReadMarks) -> JSONDocument {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 2)
        JSONFormatter(style: .compact).format(self, marks) { text += $0 }
        return JSONDocument(known: text)
    }

    /// Returns a document of everything except some values.
    ///
    /// - Parameter slots: The slots of the values to leave out. The keys of members are left out too.
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

/// One JSON document: its text and an index of its values.
///
/// Reading it checks the whole text (RFC 8259) once; the text is not searched again. The index takes eight
/// bytes a scalar or key and sixteen a container; lines and columns are counted only when they are asked for.
package final class JSONDocument: Sendable {
    /// The levels of nesting that a document may have, as many as Foundation's `JSONDecoder` reads.
    package static let deepestLevel = 512
    /// The bytes that a text must not exceed: one less than 1 GiB.
    package static let maxTextLength = 1 << 30 - 1
    private static let bytesBetweenChecks = 64 * 1024

    /// The whole text, white space around the document and a byte order mark included.
    package let bytes: [UInt8]
    private let index: JSONIndex
    /// The column of the first byte: 0 if a bracket was put in front of the text.
    let firstColumn: Int
    /// Whether some string may have a lone surrogate, which no Swift string can hold.
    let hasSurrogateEscapes: Bool

    @inline(__always) var slots: UnsafePointer<JSONSlot> { index.slots }

    /// Checks and indexes one document in UTF-8.
    ///
    /// - Parameter check: Called every 64 kB; what it throws stops the reading.
    ///
    /// Throws ``JSONSyntaxError`` if the text is not one JSON document, or is nested too deeply.
    package convenience init(_ bytes: [UInt8], check: (() throws -> Void)? = nil) throws {
        try self.init(bytes, deepestLevel: Self.deepestLevel, check)
    }

    /// The documents of a text that has one or several, as in NDJSON and RFC 7464. Throws as ``init(_:check:)`` does.
    package static func all(in bytes: [UInt8], check: (() throws -> Void)? = nil) throws -> [JSONDocument] {
        do {
            return [try JSONDocument(bytes, check: check)]
        } catch let error as JSONSyntaxError where error.expected == JSONIndex.oneDocument {
            guard let list = JSONValue(try list(of: bytes)).elements, !list.isEmpty else { throw error }
            return list.map { JSONDocument(known: Array($0.written)) }
        }
    }

    /// An array of the documents of a text, which have the lines and columns that they have there. Throws as ``init(_:check:)`` does.
    package static func list(of bytes: [UInt8], check: (() throws -> Void)? = nil) throws -> JSONDocument {
        var scanner = JSONScanner()
        var list = DocumentList(bytes: bytes, end: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        let problem = bytes.withUnsafeBytes { scanner.read($0, &list) } ?? scanner.finish(&list)
        if let problem, list.hasDocument { throw problem }
        let text = list.text + bytes[list.end...] + "]".utf8
        return try JSONDocument(text, deepestLevel: deepestLevel + 1, column: 0, check)
    }

    /// The document of a text made here, which is known to be one. It may be nested as deeply as memory allows.
    convenience init(known bytes: [UInt8]) {
        do {
            try self.init(bytes, deepestLevel: .max, nil)
        } catch {
            preconditionFailure("a JSON value of 1 GiB or more")
        }
    }

    private convenience init(_ bytes: [UInt8], deepestLevel: Int, column: Int = 1, _ check: (() throws -> Void)?) throws
    {
        guard bytes.count <= Self.maxTextLength else {
            let expected = "at most \(Self.maxTextLength) bytes"
            throw JSONSyntaxError(offset: 0, line: 1, column: 1, expected: expected, found: "\(bytes.count)")
        }
        var scanner = JSONScanner()
        var index = JSONIndex(capacity: bytes.count / 8 + 4, deepestLevel: deepestLevel)
        var nothing = NullSink()
        var start = 0
        while start < bytes.count {
            try check?()
            let end = min(start + Self.bytesBetweenChecks, bytes.count)
            let error = bytes[start..<end].withUnsafeBytes { chunk in
                // After something that the index refuses, the rest is only checked.
                index.problem == nil ? scanner.read(chunk, &index) : scanner.read(chunk, &nothing)
            }
            if let error { throw error }
            start = end
        }
        if let error = scanner.finish(&index) { throw error }
        let problem = index.problem
        self.init(bytes, index, hasSurrogateEscapes: scanner.hasSurrogateEscapes, column: column)
        if let (offset, expected, found) = problem { throw error(at: offset, expected: expected, found: found) }
    }

    private init(_ bytes: [UInt8], _ index: consuming JSONIndex, hasSurrogateEscapes: Bool, column: Int = 1) {
        index.trim()
        self.bytes = bytes
        self.index = index
        firstColumn = column
        self.hasSurrogateEscapes = hasSurrogateEscapes
    }

    /// An array, or with keys an object: the texts of the values are joined, and their slots taken over.
    convenience init(_ parts: [(key: String?, value: JSONValue)], isObject: Bool) {
        var bytes = Array((isObject ? "{" : "[").utf8)
        var index = JSONIndex(capacity: 3 * parts.count + 2)
        index.open(isObject: isObject, at: 0, depth: 0)
        for (number, part) in parts.enumerated() {
            if number > 0 {
                bytes.append(UInt8(ascii: ","))
                index.comma()
            }
            if let key = part.key {
                index.begin(.key, at: bytes.count)
                let isPlain = JSONQuoting.append(key, to: &bytes)
                index.end(.key, at: bytes.count, isPlain: isPlain)
                bytes.append(UInt8(ascii: ":"))
            }
            index.append(part.value, at: bytes.count)
            bytes += part.value.written
        }
        bytes.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        precondition(bytes.count <= Self.maxTextLength, "a JSON value of 1 GiB or more")
        index.close(isObject: isObject, isEmpty: parts.isEmpty, end: bytes.count, depth: 0)
        self.init(bytes, index, hasSurrogateEscapes: parts.contains { $0.value.document.hasSurrogateEscapes })
    }
}

/// Puts the documents of a text into an array, with blanks for record separators (RFC 7464).
private struct DocumentList: JSONSink {
    let bytes: [UInt8]
    /// How much of the text is in the array.
    var end: Int
    var text = Array("[".utf8)
    var hasDocument = false

    mutating func beginDocument(at offset: Int, isSeparator: Bool) {
        text += bytes[end..<offset] + (isSeparator ? " " : "").utf8
        end = isSeparator ? offset + 1 : offset
        // In place of the blank in front of the document, or at the end of the line before: columns stay the same.
        if !isSeparator, hasDocument { text += text.removeLast() == UInt8(ascii: "\n") ? ",\n".utf8 : ",".utf8 }
        hasDocument = hasDocument || !isSeparator
    }
}

/// The index entry of a key or scalar, or one of the two entries of a container.
///
///     {"a": [1], "b": 2}      0 {…}  next 8        a container takes two slots: where it starts and the slot after all that it holds;
///                             2 "a"                how many elements or members it has, and where it ends
///                             3 [1]  next 6        a key and its value are neighbours
///                             5 1
///                             6 "b"
///                             7 2
struct JSONSlot {
    private static let containerBit: UInt32 = 1 << 31
    private static let plainBit: UInt32 = 1 << 30
    private static let valueMask: UInt32 = 1 << 30 - 1

    /// Where it starts in the text; in the second slot of a container, how many elements or members it has.
    var start: UInt32
    /// The two highest bits are flags. Of a scalar, the others are its length in bytes; of a container, the slot after all that it holds; in
    /// its second slot, where it ends in the text.
    let extent: UInt32

    init(scalarAt start: Int, length: Int, isPlain: Bool) {
        self.start = UInt32(truncatingIfNeeded: start)
        extent = Self.scalarExtent(length: length, isPlain: isPlain)
    }

    init(containerAt start: UInt32, next: Int) {
        self.start = start
        extent = UInt32(truncatingIfNeeded: next) | Self.containerBit
    }

    init(count: UInt32, end: Int) {
        start = count
        extent = UInt32(truncatingIfNeeded: end)
    }

    /// The ``extent`` of a scalar, to be compared with others.
    @inline(__always)
    static func scalarExtent(length: Int, isPlain: Bool) -> UInt32 {
        UInt32(truncatingIfNeeded: length) | (isPlain ? plainBit : 0)
    }

    @inline(__always) var isContainer: Bool { extent & Self.containerBit != 0 }
    /// For strings: ASCII without escapes. For numbers: no fraction or exponent.
    @inline(__always) var isPlain: Bool { extent & Self.plainBit != 0 }
    @inline(__always) var value: Int { Int(extent & Self.valueMask) }
}

/// The slots of a document, made of what a scanner reads.
struct JSONIndex: JSONSink, ~Copyable, @unchecked Sendable {
    // Sendable although it has a pointer: it owns the memory, and nothing changes once a document holds it.

    private var base: UnsafeMutablePointer<JSONSlot>
    private var capacity: Int
    private(set) var count = 0
    static let oneDocument = "one JSON document"
    private let deepestLevel: Int
    /// The innermost open container, or -1. While it is open, its slots hold the container around it and the number of its commas.
    private var innermost = -1
    /// Where the scalar or key starts that is being read.
    private var start = 0
    private var hasDocument = false
    /// Where and why the text is not one document, although it is JSON so far.
    private(set) var problem: (offset: Int, expected: String, found: String)?

    init(capacity: Int, deepestLevel: Int = .max) {
        self.capacity = capacity
        self.deepestLevel = deepestLevel
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    @inline(__always) var slots: UnsafePointer<JSONSlot> { UnsafePointer(base) }

    mutating func beginDocument(at offset: Int, isSeparator: Bool) {
        if isSeparator || hasDocument {
            problem = problem ?? (offset, Self.oneDocument, isSeparator ? "a record separator" : "a second one")
        }
        hasDocument = true
    }

    @inline(__always)
    mutating func open(isObject: Bool, at offset: Int, depth: Int) {
        // Beyond, the slots of brackets alone would take 16 times the text.
        if depth >= deepestLevel {
            problem = problem ?? (offset, "at most \(JSONDocument.deepestLevel) levels of nesting", "more")
        }
        let slot = count
        append(JSONSlot(containerAt: UInt32(truncatingIfNeeded: offset), next: innermost &+ 1))
        append(JSONSlot(count: 0, end: 0))
        innermost = slot
    }

    @inline(__always)
    mutating func close(isObject: Bool, isEmpty: Bool, end: Int, depth: Int) {
        let slot = base + innermost
        innermost = slot[0].value &- 1
        slot[0] = JSONSlot(containerAt: slot[0].start, next: count)
        slot[1] = JSONSlot(count: isEmpty ? 0 : slot[1].start &+ 1, end: end)
    }

    @inline(__always)
    mutating func comma() { base[innermost &+ 1].start &+= 1 }

    @inline(__always)
    mutating func begin(_ token: JSONToken, at offset: Int) { start = offset }

    @inline(__always)
    mutating func end(_ token: JSONToken, at offset: Int, isPlain: Bool) {
        append(JSONSlot(scalarAt: start, length: offset &- start, isPlain: isPlain))
    }

    @inline(__always)
    mutating func append(_ slot: JSONSlot) {
        if count == capacity { resize(to: capacity * 2) }
        base[count] = slot
        count &+= 1
    }

    /// Appends the slots of a value, whose text comes to be at `start`.
    mutating func append(_ value: JSONValue, at start: Int) {
        let slots = value.document.slots
        let (offset, shift) = (start - Int(slots[value.slot].start), count - value.slot)
        var slot = value.slot
        let end = value.document.next(after: slot)
        while slot < end {
            var entry = slots[slot]
            entry.start = UInt32(truncatingIfNeeded: Int(entry.start) + offset)
            append(entry.isContainer ? JSONSlot(containerAt: entry.start, next: entry.value + shift) : entry)
            slot += 1
            if entry.isContainer {
                append(JSONSlot(count: slots[slot].start, end: slots[slot].value + offset))
                slot += 1
            }
        }
    }

    /// Frees unused memory, if it is much of what is not too much to copy: unused pages of large blocks are not in memory.
    mutating func trim() {
        if capacity <= 1 << 16, capacity - count > max(capacity / 4, 8) { resize(to: max(count, 1)) }
    }

    @inline(never)
    private mutating func resize(to capacity: Int) {
        let other = UnsafeMutablePointer<JSONSlot>.allocate(capacity: capacity)
        other.moveInitialize(from: base, count: count)
        base.deallocate()
        base = other
        self.capacity = capacity
    }
}

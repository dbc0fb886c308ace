/// One JSON document: its text and an index of its values.
///
/// The whole text is checked (RFC 8259) and indexed once, and not searched again. The index takes eight bytes for a
/// scalar or key and sixteen for a container. Lines and columns are counted only when they are asked for.
package final class JSONDocument: Sendable {
    /// The deepest nesting that a document may have: as deep as Foundation's `JSONDecoder` reads.
    package static let deepestLevel = 512
    /// The greatest length of a text in bytes: one less than 1 GiB, because a ``JSONSlot`` has 30 bits for a length.
    package static let maxTextLength = 1 << 30 - 1
    /// The number of bytes that are read between two calls of the check, in less than a millisecond.
    private static let bytesBetweenChecks = 64 * 1024

    /// The whole text, with the white space around the document and a byte order mark.
    package let bytes: [UInt8]
    private let index: JSONIndex
    /// The column of the first byte: 1, or 0 if a bracket was put in front of the text.
    let firstColumn: Int
    /// Whether some string may have a lone surrogate, which no Swift string can hold.
    let hasSurrogateEscapes: Bool

    @inline(__always) var slots: UnsafePointer<JSONSlot> { index.slots }

    /// Checks and indexes one document in UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - check: Called every 64 kB. An error that it throws stops the reading.
    /// - Throws: ``JSONSyntaxError`` if the text is not one JSON document, or is nested too deeply, and the error of
    ///   `check`.
    package convenience init(_ bytes: [UInt8], check: (() throws -> Void)? = nil) throws {
        try self.init(bytes, deepestLevel: Self.deepestLevel, check: check)
    }

    /// Returns the documents of a text that has one or several: NDJSON, or a JSON text sequence (RFC 7464).
    ///
    /// The text is first read as one document, which is the usual case. Only if there is a second document, it is read
    /// again by ``list(of:check:)``, which takes longer.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - check: Called every 64 kB. An error that it throws stops the reading.
    /// - Throws: ``JSONSyntaxError`` if the text is not a sequence of JSON documents, and the error of `check`.
    package static func all(in bytes: [UInt8], check: (() throws -> Void)? = nil) throws -> [JSONDocument] {
        do {
            return [try JSONDocument(bytes, check: check)]
        } catch let error as JSONSyntaxError where error.reason == .severalDocuments {
            // The guard never fails: there is a second document, so the list is an array and has elements.
            guard let list = JSONValue(try list(of: bytes, check: check)).elements, !list.isEmpty else { throw error }
            return list.map { JSONDocument(known: Array($0.written)) }
        }
    }

    /// Returns an array of all documents of a text, such as NDJSON. Each document keeps the line and column that it has
    /// in the text.
    ///
    ///     {"id": 1}        [{"id": 1},
    ///     {"id": 2}   →    {"id": 2}]
    ///
    /// The text is read twice: a scanner finds where each document starts, and then the array is indexed as one
    /// document. The first column of that document is 0, because the `[` in front moves the first line to the right by
    /// one column.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - check: Called every 64 kB of the array. An error that it throws stops the reading.
    /// - Returns: A document whose root is the array. The array is empty if the text has only white space and record
    ///   separators.
    /// - Throws: ``JSONSyntaxError`` if the text is not a sequence of JSON documents, and the error of `check`.
    package static func list(of bytes: [UInt8], check: (() throws -> Void)? = nil) throws -> JSONDocument {
        var scanner = JSONScanner()
        let lengthOfByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var list = DocumentList(bytes: bytes, copiedCount: lengthOfByteOrderMark)
        var error = bytes.withUnsafeBytes { scanner.read($0, sink: &list) }
        if error == nil { error = scanner.finish(sink: &list) }
        // A text without a document is an error for the scanner, but an empty array here.
        if let error, list.hasDocument { throw error }
        let lastDocument = bytes[list.copiedCount...]
        let arrayText = list.arrayText + lastDocument + "]".utf8
        // The array adds one level of nesting.
        return try JSONDocument(arrayText, deepestLevel: deepestLevel + 1, firstColumn: 0, check: check)
    }

    /// Indexes a text that this module has made, and that is known to be JSON. It may be nested as deeply as memory
    /// allows.
    convenience init(known bytes: [UInt8]) {
        do {
            try self.init(bytes, deepestLevel: .max, check: nil)
        } catch {
            preconditionFailure("a JSON value of 1 GiB or more")
        }
    }

    /// Checks and indexes a text, as ``init(_:check:)`` does.
    ///
    /// An error of syntax comes before a refusal of the index (a second document, too deep a nesting), even if it
    /// stands further on in the text.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - deepestLevel: The deepest nesting that is accepted.
    ///   - firstColumn: The column of the first byte: 1, or 0 if a bracket was put in front of the text.
    ///   - check: Called every 64 kB. An error that it throws stops the reading.
    /// - Throws: ``JSONSyntaxError`` if the text is not one JSON document, too long or nested too deeply, and the error
    ///   of `check`.
    private convenience init(
        _ bytes: [UInt8], deepestLevel: Int, firstColumn: Int = 1, check: (() throws -> Void)?
    ) throws {
        guard bytes.count <= Self.maxTextLength else { throw Self.tooLongError(byteCount: bytes.count) }
        // A value takes about eight bytes of text. If it takes fewer, the index grows.
        var index = JSONIndex(capacity: bytes.count / 8 + 4, deepestLevel: deepestLevel)
        let hasSurrogateEscapes = try Self.scan(bytes, into: &index, check: check)
        // The refusal is read first, because the initializer consumes the index.
        let refusal = index.refusal
        self.init(bytes, index: index, hasSurrogateEscapes: hasSurrogateEscapes, firstColumn: firstColumn)
        if let (offset, refusalKind) = refusal {
            var error = error(at: offset, expected: refusalKind.expected, found: refusalKind.found)
            error.reason = refusalKind.reason
            throw error
        }
    }

    /// Checks a text, and fills the index with its values.
    ///
    /// Once the index has refused something, the rest of the text is only checked, because an error of syntax is
    /// reported before the refusal.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - index: The index, which is empty.
    ///   - check: Called every 64 kB. An error that it throws stops the reading.
    /// - Returns: Whether some string may have a lone surrogate.
    /// - Throws: ``JSONSyntaxError`` if the text is not JSON, and the error of `check`.
    private static func scan(
        _ bytes: [UInt8], into index: inout JSONIndex, check: (() throws -> Void)?
    ) throws -> Bool {
        var scanner = JSONScanner()
        var nullSink = NullSink()
        var start = 0
        while start < bytes.count {
            try check?()
            let end = min(start + bytesBetweenChecks, bytes.count)
            let error = bytes[start..<end].withUnsafeBytes { chunk in
                index.refusal == nil ? scanner.read(chunk, sink: &index) : scanner.read(chunk, sink: &nullSink)
            }
            if let error { throw error }
            start = end
        }
        if let error = scanner.finish(sink: &index) { throw error }
        return scanner.hasSurrogateEscapes
    }

    /// Returns the error for a text that has more bytes than a document may have.
    private static func tooLongError(byteCount: Int) -> JSONSyntaxError {
        JSONSyntaxError(
            offset: 0, line: 1, column: 1, expected: "at most \(maxTextLength) bytes", found: "\(byteCount)",
            reason: .limit
        )
    }

    /// Makes a document of a text and its complete index.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - index: The index, whose unused memory is freed.
    ///   - hasSurrogateEscapes: Whether some string may have a lone surrogate.
    ///   - firstColumn: The column of the first byte.
    private init(_ bytes: [UInt8], index: consuming JSONIndex, hasSurrogateEscapes: Bool, firstColumn: Int = 1) {
        index.trim()
        self.bytes = bytes
        self.index = index
        self.firstColumn = firstColumn
        self.hasSurrogateEscapes = hasSurrogateEscapes
    }

    /// Makes an array or an object of values that may come from different documents.
    ///
    /// The texts of the values are joined, and their entries in the indexes of their documents are copied. So nothing
    /// is scanned again: the new index gets the calls that a scanner would make for the joined text.
    ///
    /// - Parameters:
    ///   - parts: The elements of an array, whose keys are nil, or the members of an object with their keys.
    ///   - isObject: Whether it is an object and not an array.
    /// - Precondition: The joined text is shorter than 1 GiB.
    convenience init(joining parts: [(key: String?, value: JSONValue)], isObject: Bool) {
        var bytes = Array((isObject ? "{" : "[").utf8)
        // Two slots for the container, and for each part one for its key and at most two for a value without contents.
        var index = JSONIndex(capacity: 3 * parts.count + 2)
        index.open(isObject: isObject, at: 0, depth: 0)
        for (partNumber, part) in parts.enumerated() {
            if partNumber > 0 {
                bytes.append(UInt8(ascii: ","))
                index.comma()
            }
            if let key = part.key {
                index.begin(.key, at: bytes.count)
                let isPlain = JSONQuoting.append(key, to: &bytes)
                index.end(.key, at: bytes.count, isPlain: isPlain)
                bytes.append(UInt8(ascii: ":"))
            }
            index.appendSlots(of: part.value, textStart: bytes.count)
            bytes += part.value.written
        }
        bytes.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        precondition(bytes.count <= Self.maxTextLength, "a JSON value of 1 GiB or more")
        index.close(isObject: isObject, isEmpty: parts.isEmpty, end: bytes.count, depth: 0)
        self.init(bytes, index: index, hasSurrogateEscapes: parts.contains { $0.value.document.hasSurrogateEscapes })
    }
}

/// A sink that puts the documents of a text into an array, whose text it builds while the text is scanned.
///
/// The documents are separated by commas. Blanks take the place of record separators (RFC 7464). Each document is
/// copied when the next document or separator starts; the caller copies the last one.
private struct DocumentList: JSONSink {
    let bytes: [UInt8]
    /// How many bytes of the scanned text have been copied to the array.
    var copiedCount: Int
    /// The text of the array so far, without its closing bracket.
    var arrayText = Array("[".utf8)
    var hasDocument = false

    /// Copies the text up to a document or record separator, and puts a comma in front of each document but the first.
    ///
    /// - Parameters:
    ///   - offset: The offset of the document's first byte, or of the record separator.
    ///   - isSeparator: Whether a record separator starts here, and not a document.
    mutating func beginDocument(at offset: Int, isSeparator: Bool) {
        arrayText += bytes[copiedCount..<offset]
        copiedCount = offset
        if isSeparator {
            // A blank takes the place of the separator, so that the columns after it stay the same.
            arrayText.append(UInt8(ascii: " "))
            copiedCount += 1
            return
        }
        if hasDocument { appendComma() }
        hasDocument = true
    }

    /// Puts a comma between two documents, without changing the line or column of the second one.
    ///
    /// The scanner has checked that a line feed or a record separator lies between them. So the last byte is white
    /// space or the blank in place of a separator, and the comma can take its place. A line feed must stay: there the
    /// comma goes to the end of the line before it.
    private mutating func appendComma() {
        let lastByte = arrayText.removeLast()
        arrayText.append(UInt8(ascii: ","))
        if lastByte == UInt8(ascii: "\n") { arrayText.append(lastByte) }
    }
}

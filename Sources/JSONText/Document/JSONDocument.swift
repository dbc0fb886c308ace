/// One JSON document: its text and an index of its values.
///
/// Reading it checks the whole text (RFC 8259) once; the text is not searched again. The index takes eight
/// bytes a scalar or key and sixteen a container; lines and columns are counted only when they are asked for.
///
///     {"a": [1], "b": 2}      0 {…}  next 8        a container takes two slots: where it starts and the slot after all that it holds;
///                             2 "a"                how many elements or members it has, and where it ends
///                             3 [1]  next 6        a key and its value are neighbours
///                             5 1
///                             6 "b"
///                             7 2
package final class JSONDocument: @unchecked Sendable {
    // Sendable although it has pointers: nothing changes after `init`, and the memory is freed with the last reference.

    /// The levels of nesting that a document may have, as many as Foundation's `JSONDecoder` reads.
    package static let deepestLevel = 512
    /// The bytes that a text must not exceed: one less than 1 GiB.
    package static let longestText = 1 << 30 - 1

    /// The whole text, white space around the document and a byte order mark included.
    package let bytes: [UInt8]
    /// The elements of ``bytes``, read without counting references: an array of integers is never bridged, and while nothing changes it and
    /// this object holds it, its elements stay where they are.
    let text: UnsafeRawPointer
    let slots: UnsafePointer<JSONSlot>
    private let storage: JSONSlotStorage
    /// Whether some string may have a lone surrogate, which no Swift string can hold.
    let hasSurrogateEscapes: Bool
    /// How a value is written that is taken from this document.
    let form: ValueForm

    /// Checks and indexes one document in UTF-8.
    ///
    /// - Parameter check: Called every 64 kB; what it throws stops the reading.
    ///
    /// Throws ``JSONSyntaxError`` if the text is not JSON, ``JSONDocumentError`` if it is JSON but not one document of moderate depth.
    package init(_ bytes: [UInt8], check: (() throws -> Void)? = nil) throws {
        guard bytes.count <= Self.longestText else { throw JSONDocumentError.tooLong(count: bytes.count) }
        var indexer = JSONIndexer(capacity: bytes.count / 8 + 4, deepestLevel: Self.deepestLevel)
        guard try bytes.withUnsafeBytes({ try indexer.read($0, check) }) else {
            try Self.explain(bytes, indexer, check)
        }
        self.bytes = bytes
        text = Self.elements(of: bytes)
        storage = indexer.storage
        storage.trim()
        slots = UnsafePointer(storage.base)
        hasSurrogateEscapes = indexer.hasSurrogateEscapes
        form = .asSent
    }

    /// The document of a text made here, which is known to be one. It may be nested as deeply as memory allows.
    init(known bytes: [UInt8]) {
        var indexer = JSONIndexer(capacity: bytes.count / 2 + 4, deepestLevel: .max)
        let isDocument = bytes.withUnsafeBytes { text in
            do { return try indexer.read(text, nil) } catch { return false }
        }
        precondition(isDocument && bytes.count <= Self.longestText, "a JSON value of 1 GiB or more")
        self.bytes = bytes
        text = Self.elements(of: bytes)
        storage = indexer.storage
        storage.trim()
        slots = UnsafePointer(storage.base)
        hasSurrogateEscapes = indexer.hasSurrogateEscapes
        form = .asSent
    }

    /// A part of another document, with slots of its own; see ``part(at:first:)``.
    init(_ whole: JSONDocument, _ storage: JSONSlotStorage, _ form: ValueForm) {
        bytes = whole.bytes
        text = whole.text
        self.storage = storage
        slots = UnsafePointer(storage.base)
        hasSurrogateEscapes = whole.hasSurrogateEscapes
        self.form = form
    }

    /// Where the elements are of an array that is not empty, as no document is.
    private static func elements(of bytes: [UInt8]) -> UnsafeRawPointer {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { preconditionFailure("a document without text") }
            return start
        }
    }

    /// Throws what is wrong with a text that is not one document.
    private static func explain(
        _ bytes: [UInt8], _ indexer: JSONIndexer, _ check: (() throws -> Void)?
    ) throws -> Never {
        var formatter = JSONFormatter(style: .none)
        var nothing: [UInt8] = []
        var start = 0
        while start < bytes.count {
            try check?()
            let end = min(start + JSONIndexer.bytesBetweenChecks, bytes.count)
            try formatter.feed(bytes[start..<end], into: &nothing)
            start = end
        }
        try formatter.finish(into: &nothing)
        if let tooDeepOffset = indexer.tooDeepOffset { throw JSONDocumentError.tooDeep(offset: tooDeepOffset) }
        // A text that starts with a record separator has no document that the indexer could read.
        let offset = indexer.offsetAfterDocument ?? bytes.firstIndex(of: 0x1E) ?? 0
        throw JSONDocumentError.severalDocuments(offset: offset)
    }
}

/// Why a text is not one document although all of it is JSON.
public enum JSONDocumentError: Error, Equatable, Sendable {
    /// A second document, or the record separator of RFC 7464, starts at this offset in bytes.
    case severalDocuments(offset: Int)
    /// The text has so many bytes, more than ``JSONDocument/longestText``.
    case tooLong(count: Int)
    /// The container at this offset in bytes is nested deeper than ``JSONDocument/deepestLevel``.
    case tooDeep(offset: Int)
    /// A model that holds itself needs more of the thread's stack for the value at this offset in bytes than there is.
    case tooDeepForStack(offset: Int)
}

/// The index entry of a key or scalar, or one of the two entries of a container.
struct JSONSlot {
    private static let containerBit: UInt32 = 1 << 31
    private static let plainBit: UInt32 = 1 << 30
    private static let valueMask: UInt32 = 1 << 30 - 1

    /// Where it starts in the text; in the second slot of a container, how many elements or members it has.
    var start: UInt32
    /// The two highest bits are flags. Of a scalar, the others are its length in bytes; of a container, the slot after all that it holds; in
    /// its second slot, where it ends in the text.
    fileprivate(set) var extent: UInt32

    init(scalarAt start: Int, length: Int, isPlain: Bool) {
        self.start = UInt32(truncatingIfNeeded: start)
        extent = Self.scalarExtent(length: length, isPlain: isPlain)
    }

    init(containerAt start: Int, next: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        extent = UInt32(truncatingIfNeeded: next) | Self.containerBit
    }

    init(count: Int, end: Int) {
        start = UInt32(truncatingIfNeeded: count)
        extent = UInt32(truncatingIfNeeded: end)
    }

    /// The ``extent`` of a scalar, to be compared with others.
    @inline(__always)
    static func scalarExtent(length: Int, isPlain: Bool) -> UInt32 {
        UInt32(truncatingIfNeeded: length) | (isPlain ? plainBit : 0)
    }

    @inline(__always) var isContainer: Bool { extent & Self.containerBit != 0 }
    /// Of a string, whether it is ASCII without escapes; of a number, whether it has neither fraction nor exponent.
    @inline(__always) var isPlain: Bool { extent & Self.plainBit != 0 }
    @inline(__always) var value: Int { Int(extent & Self.valueMask) }
}

/// Memory for slots, which grows without being copied by hand.
final class JSONSlotStorage {
    private(set) var base: UnsafeMutablePointer<JSONSlot>
    private(set) var capacity: Int
    fileprivate(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    /// Makes room for two more.
    @inline(__always)
    func reserve() {
        if count &+ 2 > capacity { resize(to: capacity * 2) }
    }

    @inline(__always)
    func append(_ slot: JSONSlot) {
        base[count] = slot
        count &+= 1
    }

    /// Frees unused memory, if it is much.
    func trim() {
        if capacity - count > capacity / 4 { resize(to: max(count, 1)) }
    }

    @inline(never)
    private func resize(to capacity: Int) {
        let larger = UnsafeMutablePointer<JSONSlot>.allocate(capacity: capacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        self.capacity = capacity
    }
}

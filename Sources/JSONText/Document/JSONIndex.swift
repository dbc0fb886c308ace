/// The slots of a document, in the order of the text. A scanner fills it.
struct JSONIndex: JSONSink, ~Copyable, @unchecked Sendable {
    // Sendable although it has a pointer: it cannot be copied, so it alone owns the memory, and nothing changes once a
    // document holds it.

    /// The reason why a text that is JSON is refused as one document.
    enum Refusal {
        /// A second document starts.
        case secondDocument
        /// A record separator (RFC 7464) announces that documents follow each other.
        case recordSeparator
        /// Containers are nested too deeply.
        case tooDeep

        /// The rule that the text breaks.
        var reason: JSONSyntaxError.Reason {
            switch self {
            case .secondDocument, .recordSeparator: .severalDocuments
            case .tooDeep: .limit
            }
        }

        /// The words of the error for the syntax that was expected.
        var expected: String {
            switch self {
            case .secondDocument, .recordSeparator: "one JSON document"
            case .tooDeep: "at most \(JSONDocument.deepestLevel) levels of nesting"
            }
        }

        /// The words of the error for the text that was found.
        var found: String {
            switch self {
            case .secondDocument: "a second one"
            case .recordSeparator: "a record separator"
            case .tooDeep: "more"
            }
        }
    }

    /// The slots. A pointer, because the bounds check of an array takes a tenth of the time of decoding. `deinit` frees
    /// it. Slots below ``count`` are initialized, and all callers have slots that a document gave.
    private var storage: UnsafeMutablePointer<JSONSlot>
    private var capacity: Int
    private(set) var count = 0
    private let deepestLevel: Int
    /// The innermost open container, or -1 if none is open. While it is open, its slots hold the container around it
    /// and the number of its commas.
    private var innermostContainer = -1
    /// The offset of the scalar or key that is being read.
    private var tokenStart = 0
    private var hasDocument = false
    /// The first place that is refused although it is JSON.
    private(set) var refusal: (offset: Int, kind: Refusal)?

    /// Makes an empty index.
    ///
    /// - Parameters:
    ///   - capacity: The number of slots to reserve memory for. The index grows if it needs more.
    ///   - deepestLevel: The deepest nesting that is accepted.
    init(capacity: Int, deepestLevel: Int = .max) {
        self.capacity = capacity
        self.deepestLevel = deepestLevel
        storage = .allocate(capacity: capacity)
    }

    deinit { storage.deallocate() }

    @inline(__always) var slots: UnsafePointer<JSONSlot> { UnsafePointer(storage) }

    /// Notes that a document starts. A second document or a record separator is noted as a refusal, because an index
    /// has one document only.
    mutating func beginDocument(at offset: Int, isSeparator: Bool) {
        if isSeparator {
            refuse(.recordSeparator, at: offset)
        } else if hasDocument {
            refuse(.secondDocument, at: offset)
        }
        hasDocument = true
    }

    /// Notes a reason to refuse the text, unless there was one before: only the first one is reported.
    private mutating func refuse(_ kind: Refusal, at offset: Int) {
        if refusal == nil { refusal = (offset, kind) }
    }

    /// Appends the two slots of an array or object that starts at `offset`, and makes it the innermost container.
    ///
    /// The number of elements, the end and the slot after the container are known only at the closing bracket. Until
    /// then, the slots hold other numbers: the first one the slot of the container around this one, and the second one
    /// the number of commas so far.
    @inline(__always)
    mutating func open(isObject: Bool, at offset: Int, depth: Int) {
        // Without this limit, the slots of a text of brackets would take 16 times its memory.
        if depth >= deepestLevel { refuse(.tooDeep, at: offset) }
        let firstSlot = count
        // A slot can't hold the -1 that stands for no container, so the number is stored plus 1.
        let containerAroundPlusOne = innermostContainer &+ 1
        append(JSONSlot(containerAt: UInt32(truncatingIfNeeded: offset), nextSlot: containerAroundPlusOne))
        append(JSONSlot(count: 0, end: 0))
        innermostContainer = firstSlot
    }

    /// Completes the two slots of the innermost array or object, and makes the container around it the innermost one.
    ///
    /// Until now, the first slot has held the slot of the container around this one plus 1, and the second one the
    /// number of commas (see ``open(isObject:at:depth:)``). A container has one element or member more than commas,
    /// unless it is empty.
    @inline(__always)
    mutating func close(isObject: Bool, isEmpty: Bool, end: Int, depth: Int) {
        let containerSlots = storage + innermostContainer
        innermostContainer = containerSlots[0].nextSlot &- 1
        let commaCount = containerSlots[1].start
        containerSlots[0] = JSONSlot(containerAt: containerSlots[0].start, nextSlot: count)
        containerSlots[1] = JSONSlot(count: isEmpty ? 0 : commaCount &+ 1, end: end)
    }

    /// Counts a comma in the second slot of the innermost container.
    @inline(__always)
    mutating func comma() { storage[innermostContainer &+ 1].start &+= 1 }

    @inline(__always)
    mutating func begin(_ token: JSONToken, at offset: Int) { tokenStart = offset }

    @inline(__always)
    mutating func end(_ token: JSONToken, at offset: Int, isPlain: Bool) {
        append(JSONSlot(scalarAt: tokenStart, length: offset &- tokenStart, isPlain: isPlain))
    }

    /// Appends a slot, and makes room for it if there is none.
    @inline(__always)
    mutating func append(_ slot: JSONSlot) {
        if count == capacity { resize(to: capacity * 2) }
        storage[count] = slot
        count &+= 1
    }

    /// Copies the slots of a value, and of all that it holds, from the index of its document, so that its text need not
    /// be scanned again.
    ///
    /// A scalar has one slot, with the offset of its start in the text. An array or object has two slots: the first has
    /// the offset of its start and the number of the slot after all that it holds, the second has the number of its
    /// elements and the offset of its end. The copied offsets are all shifted by one distance, and the copied numbers
    /// of slots by another.
    ///
    /// - Parameters:
    ///   - value: The value, of any document.
    ///   - start: The offset of the value's text in the text of this index.
    mutating func appendSlots(of value: JSONValue, textStart start: Int) {
        let sourceSlots = value.document.slots
        let offsetShift = start - Int(sourceSlots[value.slot].start)
        let slotShift = count - value.slot
        let sourceEnd = value.document.next(after: value.slot)
        var sourceSlot = value.slot
        while sourceSlot < sourceEnd {
            let firstSlot = sourceSlots[sourceSlot]
            // A text is shorter than 1 GiB, so that offsets fit in 32 bits.
            let shiftedStart = UInt32(truncatingIfNeeded: Int(firstSlot.start) + offsetShift)
            if firstSlot.isContainer {
                let secondSlot = sourceSlots[sourceSlot + 1]
                let shiftedNextSlot = firstSlot.nextSlot + slotShift
                let elementCount = secondSlot.start
                let shiftedEnd = secondSlot.end + offsetShift
                append(JSONSlot(containerAt: shiftedStart, nextSlot: shiftedNextSlot))
                append(JSONSlot(count: elementCount, end: shiftedEnd))
                sourceSlot += 2
            } else {
                var scalarSlot = firstSlot
                scalarSlot.start = shiftedStart
                append(scalarSlot)
                sourceSlot += 1
            }
        }
    }

    /// Frees unused memory if more than a quarter of the capacity is unused.
    ///
    /// From 65,536 slots on, nothing is freed: to copy the slots would take long, and the system gives no memory to
    /// pages that are never used.
    mutating func trim() {
        let unusedCount = capacity - count
        // Fewer than eight slots are not worth the copying.
        let isWasteful = unusedCount > max(capacity / 4, 8)
        if capacity <= 1 << 16, isWasteful { resize(to: max(count, 1)) }
    }

    /// Moves the slots to newly allocated memory, and frees the old memory.
    ///
    /// - Parameter capacity: The number of slots for which the new memory has room.
    /// - Precondition: `capacity` is at least ``count``.
    @inline(never)
    private mutating func resize(to capacity: Int) {
        let newStorage = UnsafeMutablePointer<JSONSlot>.allocate(capacity: capacity)
        newStorage.moveInitialize(from: storage, count: count)
        storage.deallocate()
        storage = newStorage
        self.capacity = capacity
    }
}

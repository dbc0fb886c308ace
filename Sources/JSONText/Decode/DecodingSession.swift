/// What all decoders and containers of one `decode` call share.
final class DecodingSession {
    /// Values decoded between two calls of the check.
    private static let valuesBetweenChecks = 2048
    /// The containers that are kept to be used again.
    private static let maxObjects = 32

    let document: JSONDocument
    let coding: Coding
    /// Whether the keys of models differ from those of the text.
    let convertsKeys: Bool
    /// Where to note what has been read.
    let marks: ReadMarks?
    let observer: (any DecodingObserver)?
    /// Whether the observer is notified of every value, and decoding goes on after an error.
    let isObserved: Bool
    let synthesizesMissing: Bool
    private let check: (() throws -> Void)?
    @exclusivity(unchecked) private var untilCheck = valuesBetweenChecks
    @exclusivity(unchecked) private var stack = StackGuard()
    private var keyConversion: KeyConversion
    @exclusivity(unchecked) private var arrays: [ObjectIdentifier: (any DecodableArray.Type)?] = [:]
    /// The containers that are used again.
    @exclusivity(unchecked) private var objects: [(keys: ObjectIdentifier, reader: ObjectReader)] = []
    /// The object of which a question failed last.
    @exclusivity(unchecked) var failedObject: ObjectReader?
    /// Whether the call is over; a model may have kept its decoder.
    private var isEnded = false

    // With an observer:

    /// Whether what does not fit throws, as without an observer.
    var isStrict = false
    /// Where the error comes from that is being thrown while strict: the innermost value.
    var failureOrigin: Int?
    /// The error of the last attempt that failed.
    var attemptError: (any Error)?
    /// The value whose error has been reported; it is not reported again.
    var reportedSlot: Int?
    /// A slot whose value does not fit, so that nothing around it has to be tried strictly.
    var failedSlot: Int?

    init(
        _ document: JSONDocument, _ coding: Coding, check: (() throws -> Void)?, marks: ReadMarks?,
        observer: (any DecodingObserver)?
    ) throws {
        self.document = document
        self.coding = coding
        self.check = check
        self.marks = marks
        self.observer = observer
        let observation = observer?.observation ?? .absentKeys
        isObserved = observation != .absentKeys
        synthesizesMissing = observation == .shape
        keyConversion = KeyConversion(coding.keys)
        convertsKeys = keyConversion.changesKeys
    }

    /// Counts a value, and lets the caller stop the decoding every so often.
    @inline(__always)
    func tick() throws {
        untilCheck &-= 1
        if untilCheck <= 0 { try runCheck() }
    }

    @inline(never)
    private func runCheck() throws {
        untilCheck = Self.valuesBetweenChecks
        try check?()
    }

    /// Throws if there is not enough stack for what is inside `place`.
    @inline(__always)
    func requireStack(_ place: ValuePlace) throws {
        if !stack.hasRoom() { throw tooDeep(place.slot) }
    }

    /// The error if there once was not enough stack.
    var stackError: JSONSyntaxError? { stack.isExceeded ? tooDeep(JSONDocument.root) : nil }

    private func tooDeep(_ slot: Int) -> JSONSyntaxError {
        document.error(
            at: document.range(of: max(slot, 0)).lowerBound,
            expected: "nesting that the thread's stack is large enough for", found: "more")
    }

    /// Throws if a key of the object has a lone surrogate.
    func checkKeys(_ place: ValuePlace) throws {
        for value in document.values(in: place.slot)
        where !document.slots[value - 1].isPlain && document.string(at: value - 1) == nil {
            throw UnfitScalar(decodingError: unfit("object with keys without lone surrogates", place))
        }
    }

    /// Calls `body` with each key of an object, as it is for the model, and the slot of its value.
    func forEachKey(of object: ValuePlace, _ converts: Bool, _ body: (String, Int) -> Void) {
        for value in document.values(in: object.slot) {
            // Keys have been checked for lone surrogates.
            let text = document.string(at: value - 1) ?? ""
            body(converts ? keyConversion.modelKey(text, path: PathNode.keys(object.path)) : text, value)
        }
    }
}

// What is kept for the next value of a type, because the runtime takes longer to find or make it than a small value takes to decode.

extension DecodingSession {
    /// The type if it is an array; nil for any other.
    func array(_ type: Any.Type) -> (any DecodableArray.Type)? {
        if let known = arrays[ObjectIdentifier(type)] { return known }
        let array = type as? any DecodableArray.Type
        arrays[ObjectIdentifier(type)] = .some(array)
        return array
    }

    /// The container of the object at `place`: one that no model holds any more, or a new one.
    func container<Key: CodingKey>(
        keyedBy type: Key.Type, _ place: ValuePlace, keepsKeys: Bool = false
    ) throws -> KeyedDecodingContainer<Key> {
        let keys = ObjectIdentifier(type)
        // By index: a copy of each would count a reference.
        for index in objects.indices
        where objects[index].keys == keys && isKnownUniquelyReferenced(&objects[index].reader.box) {
            try objects[index].reader.open(place, keepsKeys: keepsKeys)
            return unsafeBitCast(objects[index].reader.box, to: KeyedDecodingContainer<Key>.self)
        }
        let object = try ObjectReader(self, place, keepsKeys: keepsKeys)
        let container = KeyedDecodingContainer(KeyedReader<Key>(object: object))
        // Only if the container is a single reference can it be stored as one.
        if !isEnded, objects.count < Self.maxObjects,
            MemoryLayout.size(ofValue: container) == MemoryLayout<AnyObject>.size
        {
            object.box = unsafeBitCast(container, to: AnyObject.self)
            objects.append((keys, object))
        }
        return container
    }

    /// Lets go of the containers, which hold this object.
    func end() {
        for (_, reader) in objects { reader.box = nil }
        (objects, failedObject, isEnded) = ([], nil, true)
    }
}

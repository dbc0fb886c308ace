/// The state that all decoders and containers of one `decode` call share.
///
/// Decoders are not `Sendable`, so one thread at a time uses a session. No property is changed while another access to
/// it lasts: a change is a single write, or a call that never comes back to the session. That makes
/// `@exclusivity(unchecked)` safe. The check that it leaves out would be made for every value.
final class DecodingSession {
    /// The number of values that are decoded between two calls of the check: rarely enough to cost nothing, and often
    /// enough to stop within a millisecond.
    private static let valuesBetweenChecks = 2048

    let document: JSONDocument
    let coding: Coding
    /// Whether the keys of models differ from those of the text.
    let convertsKeys: Bool
    /// Where to note what has been read.
    let marks: ReadMarks?
    /// The observer that is notified of what the model requests.
    let observer: (any DecodingObserver)?
    /// Whether the observer is notified of every value, and decoding continues after an error.
    let isObserved: Bool
    /// Lets decoding continue after an error. Nil unless ``isObserved``.
    private(set) var recovery: DecodingRecovery?
    /// Whether the observer learns the shape of the model: then values that are not in the document are decoded as if
    /// they were.
    let showsShape: Bool
    private let check: (() throws -> Void)?
    @exclusivity(unchecked) private var valuesUntilCheck = valuesBetweenChecks
    @exclusivity(unchecked) private var stack = StackGuard()
    private var keyConversion: KeyConversion
    /// The kinds of the types met so far, because the runtime takes longer to find a conformance than a small array
    /// takes to decode.
    @exclusivity(unchecked) private var arrayKinds: [ObjectIdentifier: ArrayKind] = [:]
    @exclusivity(unchecked) private var containerPool = ContainerPool()
    /// The object that an enum with associated values has not recognised last.
    var unknownCase: UnknownCase?
    /// The object of which decoding a part has failed last.
    weak var failedObject: ObjectReader?

    /// Starts decoding values of a document.
    ///
    /// - Parameters:
    ///   - document: The document that has the values.
    ///   - coding: How keys, dates, data and floating-point numbers are written.
    ///   - check: Called every 2,048 values. An error that it throws stops the decoding.
    ///   - marks: Where to note which values the model has read.
    ///   - observer: Notified of what the model asks for. Its ``DecodingObserver/observation`` says of how much, and
    ///     whether decoding continues after an error.
    init(
        _ document: JSONDocument, coding: Coding, check: (() throws -> Void)?, marks: ReadMarks?,
        observer: (any DecodingObserver)?
    ) {
        self.document = document
        self.coding = coding
        self.check = check
        self.marks = marks
        self.observer = observer
        keyConversion = KeyConversion(coding.keys)
        convertsKeys = keyConversion.changesKeys
        showsShape = observer?.observation == .shape
        switch observer?.observation {
        case .mismatches, .shape: isObserved = true
        // An observer of absent keys is not notified of each value, and decoding does not continue after an error.
        case .absentKeys, nil: isObserved = false
        }
        if isObserved, let observer { recovery = DecodingRecovery(self, observer) }
    }

    /// Counts a value, and runs the caller's check every 2,048 values, so that it can stop the decoding.
    ///
    /// - Throws: The error of the check.
    @inline(__always)
    func countValue() throws {
        valuesUntilCheck &-= 1
        if valuesUntilCheck <= 0 { try runCheck() }
    }

    /// Runs the caller's check, and starts counting values anew.
    @inline(never)
    private func runCheck() throws {
        valuesUntilCheck = Self.valuesBetweenChecks
        try check?()
    }

    // MARK: Stack

    /// Checks that the thread's stack is large enough to decode what is inside `place`.
    ///
    /// - Throws: ``JSONSyntaxError`` if it is not.
    @inline(__always)
    func requireStack(for place: ValuePlace) throws {
        if !stack.hasRoom() { throw tooDeepError(at: place.slot) }
    }

    /// The error of a decoding that once ran out of stack, or nil if it never did.
    var stackError: JSONSyntaxError? { stack.isExceeded ? tooDeepError(at: JSONDocument.root) : nil }

    /// Returns the error for a text that is nested too deeply for the thread's stack.
    ///
    /// - Parameter slot: The slot of the value to which the error points. A negative one, of a made-up value, stands
    ///   for the whole document.
    private func tooDeepError(at slot: Int) -> JSONSyntaxError {
        document.error(
            at: document.range(of: max(slot, 0)).lowerBound,
            expected: "nesting that the thread's stack is large enough for", found: "more")
    }

    // MARK: Types and keys

    /// Returns a container from which a model decodes the members of an object.
    ///
    /// A pooled container of the same type that no model holds any more is opened again for the object, because making
    /// one takes longer than decoding a small object. A new container is added to the pool for later objects.
    ///
    /// - Parameters:
    ///   - type: The type of the model's keys.
    ///   - place: The slot of the object, and the path to it.
    ///   - keepsKeys: Whether keys are left as they are, even if the coding converts keys.
    /// - Throws: An error if the value is not an object, unless decoding continues after errors.
    func container<Key: CodingKey>(
        keyedBy type: Key.Type, at place: ValuePlace, keepsKeys: Bool = false
    ) throws -> KeyedDecodingContainer<Key> {
        let reopenedContainer = try containerPool.reopenContainer(keyedBy: type, at: place, keepsKeys: keepsKeys)
        if let reopenedContainer { return reopenedContainer }
        let reader = try ObjectReader(self, at: place, keepsKeys: keepsKeys)
        let newContainer = KeyedDecodingContainer(KeyedReader<Key>(object: reader))
        containerPool.add(newContainer, reader: reader)
        return newContainer
    }

    /// Whether a model still holds the container of the object of which decoding a part has failed last.
    var isFailedObjectHeld: Bool {
        guard let failedObject else { return false }
        return containerPool.isHeld(failedObject)
    }

    /// Ends the decoding. A model that has kept its decoder can go on using it.
    func end() { containerPool.close() }

    /// Returns how an array is decoded into a model's type, and remembers it for the next array.
    func arrayKind(of type: Any.Type) -> ArrayKind {
        if let knownKind = arrayKinds[ObjectIdentifier(type)] { return knownKind }
        let kind = ArrayKind(type)
        arrayKinds[ObjectIdentifier(type)] = kind
        return kind
    }

    /// Checks that the keys of the object at `place` are text that a Swift string can hold.
    ///
    /// - Throws: ``UnfitScalar`` if a key has a lone surrogate.
    func validateKeys(of place: ValuePlace) throws {
        for valueSlot in document.values(in: place.slot) {
            // The slot of a key comes before that of its value.
            let keySlot = valueSlot - 1
            // A key without escapes has no surrogates.
            if !document.slots[keySlot].isPlain, document.string(at: keySlot) == nil {
                throw UnfitScalar(
                    decodingError: unfitError(expected: "object with keys without lone surrogates", at: place))
            }
        }
    }

    /// Calls `body` for each member of an object, in the order of the text.
    ///
    /// - Parameters:
    ///   - object: The object. Its keys have no lone surrogates.
    ///   - convertsKeys: Whether keys are converted into those of the model.
    ///   - body: Receives the key and the slot of the value.
    func forEachMember(of object: ValuePlace, convertsKeys: Bool, _ body: (String, Int) -> Void) {
        for valueSlot in document.values(in: object.slot) {
            // The slot of a key comes before that of its value. The empty text is never used: only a key with a lone
            // surrogate is not a Swift string, and this object has none.
            let writtenKey = document.string(at: valueSlot - 1) ?? ""
            if convertsKeys {
                body(keyConversion.modelKey(writtenKey, path: PathNode.keys(object.path)), valueSlot)
            } else {
                body(writtenKey, valueSlot)
            }
        }
    }
}

/// Reads the elements of a JSON array, one after the other.
struct UnkeyedReader: UnkeyedDecodingContainer {
    /// The most elements of an array that is not in the document. A type that is written as an array reads on without
    /// asking whether there is more, and its type alone may not end it.
    private static let maxPlaceholders = 64

    private let session: DecodingSession
    private let path: PathNode?
    /// The slot of the array, or ``ValuePlace/absent`` or ``ValuePlace/empty`` for an array that is made up.
    private let arraySlot: Int
    /// The slot after the last element.
    private let endSlot: Int
    /// Whether the array had not been read before by another form of the model.
    private let isFirstReading: Bool
    /// The slot of the next element.
    private var nextSlot: Int
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { PathNode.keys(path) }
    var count: Int? { arraySlot >= 0 ? session.document.count(of: arraySlot) : endSlot - arraySlot }
    var isAtEnd: Bool { nextSlot == endSlot }

    /// Opens an array, notifies the observer, and marks the array as opened.
    ///
    /// - Parameters:
    ///   - session: The state that all decoders of one document share.
    ///   - place: The slot of the array, and the path to it. If the value there is not an array and decoding continues
    ///     after errors, the reader stands for an array that is made up. It is empty, or has one element to show the
    ///     shape of the model.
    /// - Throws: An error if the value is not an array, unless decoding continues after errors.
    init(_ session: DecodingSession, at place: ValuePlace) throws {
        try session.requireStack(for: place)
        self.session = session
        path = place.path
        let isArray = place.isInDocument && session.document.kind(of: place.slot) == .array
        if isArray {
            arraySlot = place.slot
            nextSlot = session.document.first(in: arraySlot)
            endSlot = session.document.next(after: arraySlot)
        } else {
            arraySlot = try session.reportMismatchedContainer([Any].self, at: place).slot
            let elementCount = session.isMadeUpForShape(arraySlot) ? 1 : 0
            nextSlot = arraySlot
            // There are no such slots in the document: only the distance to the end counts.
            endSlot = arraySlot + elementCount
        }
        if session.isObserved, arraySlot != ValuePlace.empty { session.observer?.didOpenArray(place) }
        // The property only decides whether marks are removed after a failure, so it is false if there are no marks.
        isFirstReading = isArray && (session.marks?.markOpened(arraySlot) ?? false)
    }

    // MARK: Elements

    /// Returns whether the next element is null. A null is marked as read, and the reader goes on to the element after
    /// it. At any other element the reader stays, so that the caller can decode it.
    ///
    /// - Throws: An error if there is no next element.
    mutating func decodeNil() throws -> Bool {
        // As in Foundation's decoder, the error for a missing element names `Never` as the type of a null.
        let slot = try nextElementSlot(Never.self)
        let isInDocument = slot >= 0
        // A made-up element counts as a value, so that the model goes on to decode it.
        guard isInDocument, session.document.isNull(slot) else { return false }
        session.marks?.setRead(slot)
        advance()
        return true
    }

    @inline(__always)
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try decodeElement(type) }

    // The protocol has default implementations of these, which refuse 128 bits.

    @available(iOS 18, macOS 15, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeElement(type) }
    @available(iOS 18, macOS 15, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeElement(type) }

    /// Decodes the next element of the array, and goes on to the element after it.
    ///
    /// After an error, the reader stays at the same element, so that a model can try another type. The marks note that
    /// decoding the array has failed.
    @inline(__always)
    private mutating func decodeElement<T: Decodable>(_ type: T.Type) throws -> T {
        do {
            let value = try session.decodeValue(
                type, slot: nextElementSlot(type), path: PathNode(path, index: currentIndex))
            advance()
            return value
        } catch {
            if isFirstReading { session.marks?.setFailed(arraySlot) }
            throw error
        }
    }

    /// Decodes the next element of the array as a scalar, and goes on to the element after it. After an error, the
    /// reader stays, so that a model can try another type.
    ///
    /// An error is noted in the marks. If a model opens the array again to try another form, the marks of this form are
    /// removed.
    ///
    /// The compiler makes this function anew for each scalar type, so that the type need not be found at run time.
    @inline(__always)
    mutating func decodeScalar<S: JSONScalar>(_ type: S.Type) throws -> S {
        do {
            try session.countValue()
            let value = try session.decodeScalar(
                type, slot: nextElementSlot(type), path: PathNode(path, index: currentIndex))
            advance()
            return value
        } catch {
            if isFirstReading { session.marks?.setFailed(arraySlot) }
            throw error
        }
    }

    /// Returns the slot of the next element, or that of a made-up element.
    ///
    /// An array that is made up to show the shape of a model has one element. A type that asks for more without
    /// checking ``isAtEnd`` gets up to ``maxPlaceholders`` elements.
    ///
    /// - Parameter type: The type of the element, for the error.
    /// - Throws: An error if there is no next element.
    @inline(__always)
    private func nextElementSlot(_ type: Any.Type) throws -> Int {
        if nextSlot != endSlot { return nextSlot }
        if currentIndex < Self.maxPlaceholders, session.isMadeUpForShape(arraySlot) { return ValuePlace.absent }
        throw session.missingElementError(type, index: currentIndex, ofArrayAt: ValuePlace(slot: arraySlot, path: path))
    }

    /// Goes on to the next element. A made-up array ends after its first element.
    @inline(__always)
    private mutating func advance() {
        nextSlot = arraySlot >= 0 ? session.document.next(after: nextSlot) : endSlot
        currentIndex &+= 1
    }

    // MARK: Containers

    /// Returns a container for the members of the next element, which is an object, and goes on to the element after
    /// it.
    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let place = try nextElementPlace(KeyedDecodingContainer<NestedKey>.self)
        let container = try session.container(keyedBy: type, at: place)
        advance()
        return container
    }

    /// Returns a reader of the next element, which is an array, and goes on to the element after it.
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try UnkeyedReader(session, at: nextElementPlace((any UnkeyedDecodingContainer).self))
        advance()
        return container
    }

    /// Returns a decoder of the next element, and goes on to the element after it.
    mutating func superDecoder() throws -> any Decoder {
        let decoder = ValueDecoder(session: session, place: try nextElementPlace((any Decoder).self))
        advance()
        return decoder
    }

    /// Returns the place of the next element, or of a made-up element.
    ///
    /// - Parameter type: The type of the element, for the error.
    /// - Throws: An error if there is no next element.
    private func nextElementPlace(_ type: Any.Type) throws -> ValuePlace {
        ValuePlace(slot: try nextElementSlot(type), path: PathNode(path, index: currentIndex))
    }
}

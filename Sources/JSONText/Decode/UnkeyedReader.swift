/// The elements of an array, one after the other.
struct UnkeyedReader: UnkeyedDecodingContainer {
    private let session: DecodingSession
    private let path: PathNode?
    private let array: Int
    private let end: Int
    /// The slot of the next element.
    private var next: Int
    private(set) var currentIndex = 0

    init(_ session: DecodingSession, _ place: ValuePlace) throws {
        self.session = session
        path = place.path
        if place.slot >= 0, session.document.kind(of: place.slot) == .array {
            array = place.slot
            next = session.document.first(in: array)
            end = session.document.next(after: array)
        } else {
            // One element if the shape is asked for, else none.
            array = try session.madeUpContainer([Any].self, place).slot
            next = array
            end = session.decodesMissing(array) ? 0 : array
        }
        if array != DecodingSession.empty { session.observer?.didOpenArray(ObservedPlace(place)) }
    }

    private var place: ValuePlace { ValuePlace(slot: array, path: path) }
    var codingPath: [any CodingKey] { PathNode.keys(path) }
    var count: Int? { array >= 0 ? session.document.count(of: array) : end - array }
    var isAtEnd: Bool { next == end }

    @inline(__always)
    private var child: PathNode { PathNode(path, index: currentIndex) }

    @inline(__always)
    private func peek(_ type: Any.Type) throws -> Int {
        if next != end { return next }
        // A type that is an array in the text reads on without asking whether there is more.
        if currentIndex < Self.mostMadeUp, session.decodesMissing(array) { return ValuePlace.absent }
        throw session.atEnd(type, place, index: currentIndex)
    }

    /// How many elements an array has at most that is made up.
    private static var mostMadeUp: Int { 64 }

    @inline(__always)
    private mutating func advance() {
        next = array >= 0 ? session.document.next(after: next) : end
        currentIndex &+= 1
    }

    @inline(__always)
    private mutating func scalar<S: JSONScalar>(_ type: S.Type) throws -> S {
        try session.tick()
        let value = try session.scalar(type, peek(type), child)
        advance()
        return value
    }

    @inline(__always)
    private mutating func optionalScalar<S: JSONScalar>(_ type: S.Type) throws -> S? {
        if try isNilNext() { return nil }
        return try scalar(type)
    }

    /// Whether there is no next element, or it is null, which is then skipped.
    private mutating func isNilNext() throws -> Bool {
        guard next != end else { return true }
        return try decodeNil()
    }

    mutating func decodeNil() throws -> Bool {
        let slot = try peek(Never.self)
        guard slot >= 0, session.document.isNull(slot) else { return false }
        advance()
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try session.value(type, peek(type), child)
        advance()
        return value
    }

    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
        if try isNilNext() { return nil }
        return try decode(type)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let nested = try ValuePlace(slot: peek(KeyedDecodingContainer<NestedKey>.self), path: child)
        let container = try KeyedDecodingContainer(KeyedReader<NestedKey>(session, nested, keepsKeys: false))
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let nested = try ValuePlace(slot: peek((any UnkeyedDecodingContainer).self), path: child)
        let container = try UnkeyedReader(session, nested)
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let nested = try ValuePlace(slot: peek((any Decoder).self), path: child)
        advance()
        return ValueDecoder(session: session, place: nested)
    }
}

// Each scalar type by itself: a generic method would have to find out again which one it is.

extension UnkeyedReader {
    mutating func decode(_ type: Bool.Type) throws -> Bool { try scalar(type) }
    mutating func decode(_ type: String.Type) throws -> String { try scalar(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try scalar(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try scalar(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try scalar(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try scalar(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try scalar(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try scalar(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try scalar(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try scalar(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar(type) }
    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try scalar(type) }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar(type) }

    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try optionalScalar(type) }
    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try optionalScalar(type) }
    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? { try optionalScalar(type) }

    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? { try optionalScalar(type) }
}

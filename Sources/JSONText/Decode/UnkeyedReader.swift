/// The elements of an array, one after the other.
struct UnkeyedReader: UnkeyedDecodingContainer {
    private let session: DecodingSession
    private let path: PathNode?
    private let array: Int
    private let end: Int
    /// Whether the array had not been read before.
    private let isFirst: Bool
    /// The slot of the next element.
    private var next: Int
    private(set) var currentIndex = 0

    init(_ session: DecodingSession, _ place: ValuePlace) throws {
        try session.requireStack(place)
        self.session = session
        path = place.path
        if place.slot >= 0, session.document.kind(of: place.slot) == .array {
            array = place.slot
            next = session.document.first(in: array)
            end = session.document.next(after: array)
            isFirst = session.marks?.open(array) ?? false
        } else {
            // One element if the shape is asked for, else none.
            array = try session.placeholderContainer([Any].self, place).slot
            next = array
            end = session.decodesMissing(array) ? 0 : array
            isFirst = false
        }
        if session.isObserved, array != ValuePlace.empty { session.observer?.didOpenArray(place) }
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
        if currentIndex < Self.maxPlaceholders, session.decodesMissing(array) { return ValuePlace.absent }
        throw session.atEnd(type, place, index: currentIndex)
    }

    /// The most elements of an array that is not in the text.
    private static var maxPlaceholders: Int { 64 }

    @inline(__always)
    private mutating func advance() {
        next = array >= 0 ? session.document.next(after: next) : end
        currentIndex &+= 1
    }

    mutating func decodeNil() throws -> Bool {
        let slot = try peek(Never.self)
        guard slot >= 0, session.document.isNull(slot) else { return false }
        session.marks?.setRead(slot)
        advance()
        return true
    }

    @inline(__always)
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try element(type) }

    @inline(__always)
    private mutating func element<T: Decodable>(_ type: T.Type) throws -> T {
        do {
            let value = try session.value(type, peek(type), child)
            advance()
            return value
        } catch {
            if isFirst { session.marks?.setFailed(array) }
            throw error
        }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nested(KeyedDecodingContainer<NestedKey>.self) {
            KeyedDecodingContainer(try KeyedReader<NestedKey>($0, $1, keepsKeys: false))
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try nested((any UnkeyedDecodingContainer).self) { try UnkeyedReader($0, $1) }
    }

    mutating func superDecoder() throws -> any Decoder {
        try nested((any Decoder).self) { ValueDecoder(session: $0, place: $1) }
    }

    private mutating func nested<Container>(
        _ type: Any.Type, _ container: (DecodingSession, ValuePlace) throws -> Container
    ) throws -> Container {
        let container = try container(session, ValuePlace(slot: peek(type), path: child))
        advance()
        return container
    }

    // The protocol has default implementations of these, which refuse 128 bits.

    mutating func decode(_ type: Int128.Type) throws -> Int128 { try element(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try element(type) }
}

/// An array that is decoded with room for all its elements if there are many: growing would take twice the memory.
protocol PreallocatedArray {
    /// The elements at `place`, an array of the text.
    static func read(_ session: DecodingSession, _ place: ValuePlace) throws -> Self
}

extension Array: PreallocatedArray where Element: Decodable {
    static func read(_ session: DecodingSession, _ place: ValuePlace) throws -> [Element] {
        var elements = try UnkeyedReader(session, place)
        var list: [Element] = []
        // Elements that do not fit are no reason to ask for much more memory than the text has.
        let most = 4 * session.document.range(of: place.slot).count / Swift.max(MemoryLayout<Element>.stride, 1)
        list.reserveCapacity(Swift.min(session.document.count(of: place.slot), most))
        while !elements.isAtEnd { list.append(try elements.decode(Element.self)) }
        return list
    }
}

extension DecodingSession {
    /// The type if it is an array with so many elements that growing costs; nil for any other value.
    func longArray(_ type: Any.Type, _ place: ValuePlace) -> (any PreallocatedArray.Type)? {
        guard place.slot >= 0, document.kind(of: place.slot) == .array,
            document.count(of: place.slot) >= 1000
        else { return nil }
        return type as? any PreallocatedArray.Type
    }
}

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
    /// The path nodes of the last two elements that have parts.
    private var node: PathNode?
    private var other: PathNode?

    private var place: ValuePlace { ValuePlace(slot: array, path: path) }
    var codingPath: [any CodingKey] { PathNode.keys(path) }
    var count: Int? { array >= 0 ? session.document.count(of: array) : end - array }
    var isAtEnd: Bool { next == end }

    /// The way to the next element: one that nothing else holds any more, as a container may hold the last, or a new one.
    private mutating func child() -> PathNode {
        swap(&node, &other)
        if isKnownUniquelyReferenced(&node), let node {
            node.index = currentIndex
            return node
        }
        let new = PathNode(path, index: currentIndex)
        node = new
        return new
    }

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
            let value = try session.value(type, peek(type), child())
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
            try $0.container(keyedBy: type, $1)
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
        let container = try container(session, ValuePlace(slot: peek(type), path: child()))
        advance()
        return container
    }

    // The protocol has default implementations of these, which refuse 128 bits.

    mutating func decode(_ type: Int128.Type) throws -> Int128 { try element(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try element(type) }
}

extension UnkeyedReader {
    // All at once: if one property were set after the other, the references would be copied in the end.
    init(_ session: DecodingSession, _ place: ValuePlace) throws {
        try session.requireStack(place)
        let isInText = place.slot >= 0 && session.document.kind(of: place.slot) == .array
        let array = isInText ? place.slot : try session.placeholderContainer([Any].self, place).slot
        if session.isObserved, array != ValuePlace.empty { session.observer?.didOpenArray(place) }
        self.init(
            session: session, path: place.path, array: array,
            // One element if the shape is asked for, else none.
            end: isInText ? session.document.next(after: array) : session.decodesMissing(array) ? 0 : array,
            isFirst: isInText && session.marks?.open(array) == true,
            next: isInText ? session.document.first(in: array) : array)
    }
}

/// An array that is decoded without the standard library's container, which is slower, and with room for all its elements from the start:
/// growing would take twice the memory.
protocol DecodableArray {
    /// The elements at `place`, an array of the text; `type` is this type.
    static func read<T>(_ type: T.Type, _ session: DecodingSession, _ place: ValuePlace) throws -> T
}

extension Array: DecodableArray where Element: Decodable {
    static func read<T>(_ type: T.Type, _ session: DecodingSession, _ place: ValuePlace) throws -> T {
        var elements = try UnkeyedReader(session, place)
        let count = session.document.count(of: place.slot)
        if count == 0 { return unsafeBitCast([Element](), to: type) }
        // Elements that do not fit are no reason to ask for much more memory than the text has.
        let most = Swift.max(4 * session.document.range(of: place.slot).count, 1 << 16)
        let capacity = Swift.min(count, most / Swift.max(MemoryLayout<Element>.stride, 1))
        var list = try [Element](unsafeUninitializedCapacity: capacity) { buffer, decoded in
            while decoded < capacity {
                buffer.initializeElement(at: decoded, to: try elements.decode(Element.self))
                decoded += 1
            }
        }
        while !elements.isAtEnd { list.append(try elements.decode(Element.self)) }
        return unsafeBitCast(list, to: type)
    }
}

// Arrays are decoded without the standard library's `Array.init(from:)`, which is slower, and with room for all
// elements from the start: growing would take twice the memory.

/// How an array of the document is decoded into a model's type.
enum ArrayKind {
    /// The type is an array of these scalars.
    case scalars(any JSONScalar.Type)
    /// The type is an array of other elements.
    case values(any DecodableArray.Type)
    /// The type decodes itself.
    case other

    /// Finds out how to decode an array into a type: an array of scalars, an array of other elements, or something
    /// else.
    init(_ type: Any.Type) {
        guard let array = type as? any DecodableArray.Type else {
            self = .other
            return
        }
        if let scalar = array.elementType as? any JSONScalar.Type {
            self = .scalars(scalar)
        } else {
            self = .values(array)
        }
    }
}

/// An array whose elements can be decoded.
protocol DecodableArray {
    static var elementType: Any.Type { get }

    /// Decodes the array at `place`, which is an array of the document.
    static func read(_ session: DecodingSession, _ place: ValuePlace) throws -> Self
}

extension Array: DecodableArray where Element: Decodable {
    static var elementType: Any.Type { Element.self }

    static func read(_ session: DecodingSession, _ place: ValuePlace) throws -> [Element] {
        var elements = try UnkeyedReader(session, place)
        var list: [Element] = []
        list.reserveCapacity(capacity(session.document, place.slot))
        while !elements.isAtEnd { list.append(try elements.decode(Element.self)) }
        return list
    }

    /// Returns the number of elements to make room for at the start.
    ///
    /// A small element of the text may take much memory, and the first may already not fit: room is made for a few
    /// times the size of the text.
    fileprivate static func capacity(_ document: JSONDocument, _ array: Int) -> Int {
        let maxBytes = Swift.max(4 * document.range(of: array).count, 1 << 16)
        return Swift.min(document.count(of: array), maxBytes / Swift.max(MemoryLayout<Element>.stride, 1))
    }
}

extension JSONScalar {
    static func readArray(_ session: DecodingSession, _ place: ValuePlace) throws -> Any {
        var elements = try UnkeyedReader(session, place)
        var list: [Self] = []
        list.reserveCapacity([Self].capacity(session.document, place.slot))
        while !elements.isAtEnd { list.append(try elements.scalar(Self.self)) }
        return list
    }
}

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

    /// Decodes an array of the document, element by element.
    ///
    /// - Parameters:
    ///   - session: The state that all decoders of the document share.
    ///   - place: The slot of the array, and the path to it.
    static func decode(from session: DecodingSession, at place: ValuePlace) throws -> Self
}

extension Array: DecodableArray where Element: Decodable {
    static var elementType: Any.Type { Element.self }

    /// Decodes an array of the document, element by element.
    static func decode(from session: DecodingSession, at place: ValuePlace) throws -> [Element] {
        var elements = try UnkeyedReader(session, at: place)
        var list: [Element] = []
        list.reserveCapacity(reservedCapacity(forArrayAt: place.slot, in: session.document))
        while !elements.isAtEnd { list.append(try elements.decode(Element.self)) }
        return list
    }

    /// Returns the number of elements for which to reserve memory before the array is decoded.
    ///
    /// The memory is enough for all elements, but at most four times that of their text, or 64 kB if that is more.
    /// Otherwise a hostile server could make the decoder reserve gigabytes for a short text: a million times `0` for an
    /// array of large models, although no `0` is such a model.
    ///
    /// - Parameters:
    ///   - array: The slot of the array in the document's index.
    ///   - document: The document that is decoded.
    fileprivate static func reservedCapacity(forArrayAt array: Int, in document: JSONDocument) -> Int {
        let textSize = document.range(of: array).count
        // Reserving 64 kB is harmless, however short the text is.
        let maxBytes = Swift.max(4 * textSize, 1 << 16)
        let bytesPerElement = Swift.max(MemoryLayout<Element>.stride, 1)
        return Swift.min(document.count(of: array), maxBytes / bytesPerElement)
    }
}

extension JSONScalar {
    /// Decodes an array of scalars of this type. The compiler makes this function anew for each scalar type, so that no
    /// element's type has to be compared at run time.
    static func readArray(from session: DecodingSession, at place: ValuePlace) throws -> Any {
        var elements = try UnkeyedReader(session, at: place)
        var list: [Self] = []
        list.reserveCapacity([Self].reservedCapacity(forArrayAt: place.slot, in: session.document))
        while !elements.isAtEnd { list.append(try elements.decodeScalar(Self.self)) }
        return list
    }
}

/// An array, which is decoded with room for all its elements if there are many: growing by and by would take twice the memory.
protocol LongList {
    /// The elements at `place`, an array of the text.
    static func read(_ session: DecodingSession, _ place: ValuePlace) throws -> Self
}

extension Array: LongList where Element: Decodable {
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
    /// How many elements are many.
    private static let manyElements = 1000

    /// The type if it is an array and there are many elements; nil for any other value.
    func longList(_ type: Any.Type, _ place: ValuePlace) -> (any LongList.Type)? {
        guard place.slot >= 0, document.kind(of: place.slot) == .array,
            document.count(of: place.slot) >= Self.manyElements
        else { return nil }
        return type as? any LongList.Type
    }
}

/// Any JSON value, exactly as it is written: the text of numbers, the escapes of strings, the order of keys and
/// duplicate keys are kept.
///
/// A value is a place in a document. A decoded value takes no memory of its own, and keeps the whole text that it came
/// from alive.
///
/// Two values are equal if they are of the same kind and have the same text. White space and the way of escaping do not
/// count. `1` and `1.0` differ, and so do objects with the same members in another order.
public struct JSONValue: Sendable {
    package let document: JSONDocument
    package let slot: Int

    /// Makes a value of a slot that the document or a query gave; of the whole document unless given.
    package init(_ document: JSONDocument, slot: Int = JSONDocument.root) {
        self.document = document
        self.slot = slot
    }

    /// The kind of the value.
    package var kind: JSONDocument.Kind { document.kind(of: slot) }

    /// A value by its kind. A number has its text, a string its text with the escapes resolved.
    package enum Content {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array([JSONValue])
        case object([(key: String, value: JSONValue)])
    }

    /// The value by its kind. A lone surrogate in a string becomes U+FFFD.
    package var content: Content {
        switch kind {
        case .null: .null
        // The first letter tells `true` from `false`.
        case .boolean: .bool(document.byte(at: document.range(of: slot).lowerBound) == UInt8(ascii: "t"))
        case .number: .number(document.writtenText(of: slot))
        case .string: .string(document.repairedString(at: slot))
        case .array: .array(elements ?? [])
        case .object: .object(members ?? [])
        }
    }

    /// The bytes of the value as it was written, white space inside it included.
    package var written: ArraySlice<UInt8> { document.bytes[document.range(of: slot)] }
}

extension JSONValue {
    package var isNull: Bool { document.isNull(slot) }

    /// The value of a boolean, or nil for any other kind.
    public var bool: Bool? { if case .bool(let value) = content { value } else { nil } }

    /// The text of a string, escapes resolved, or nil for any other kind.
    public var string: String? { if case .string(let text) = content { text } else { nil } }

    /// The text of a number, or nil for any other kind.
    public var number: String? { if case .number(let text) = content { text } else { nil } }

    /// Returns the value of a number that is an integer and fits, also if it is written `1.0` or `1e2`, or nil for any
    /// other value.
    package func integer<I: FixedWidthInteger & Decodable>(_ type: I.Type = Int.self) -> I? {
        JSONNumber.parseInteger(type, at: slot, in: document)
    }

    /// The double nearest to a number, or nil for any other kind, and beyond the range of a double.
    public var double: Double? {
        document.isNumber(slot) ? document.withToken(slot) { JSONNumber.parseFloat($0) } : nil
    }

    /// The elements of an array, or nil for any other kind.
    public var elements: [JSONValue]? {
        kind == .array ? document.values(in: slot).map { JSONValue(document, slot: $0) } : nil
    }

    /// The members of an object in the order of the text, duplicates included, or nil for any other kind.
    public var members: [(key: String, value: JSONValue)]? {
        guard kind == .object else { return nil }
        return document.values(in: slot).map { (document.repairedString(at: $0 - 1), JSONValue(document, slot: $0)) }
    }

    /// The value of an object's first member with that key, or nil if there is none, and for any other kind.
    public subscript(key: String) -> JSONValue? {
        guard document.kind(of: slot) == .object else { return nil }
        return document.member(key, of: slot).map { JSONValue(document, slot: $0) }
    }

    /// The elements of an array, or the values of an object's members, or none for a scalar.
    package var parts: [JSONValue] {
        guard document.slots[slot].isContainer else { return [] }
        return document.values(in: slot).map { JSONValue(document, slot: $0) }
    }

    /// Returns the element, or the value of the member, at a position in the order of the text, or nil if there is
    /// none.
    package func part(at position: Int) -> JSONValue? {
        let parts = parts
        // A `nil` literal would be read as JSON's null.
        return parts.indices.contains(position) ? parts[position] : .none
    }

    /// Returns the position of an object's first member with that key in the order of the text, or nil if there is
    /// none, and for any other kind.
    package func position(ofMember key: String) -> Int? {
        guard let value = self[key] else { return nil }
        return document.values(in: slot).enumerated().first { $1 == value.slot }?.offset
    }
}

extension JSONValue: Hashable {
    /// A scalar, a key or the start of a container. Two values with the same parts are equal.
    private struct Part: Hashable {
        let kind: JSONDocument.Kind
        /// The text of a scalar or key, escapes resolved.
        var text = ""
        /// The number of elements or members of a container.
        var count = 0
    }

    /// The value and all that it holds, as a flat sequence in the order of the text: `[1, {"a": 2}]` has the parts
    /// array of 2, number 1, object of 1, string a, number 2.
    private var comparedParts: some Sequence<Part> {
        sequence(state: slot) { [document, end = document.next(after: slot)] nextSlot in
            guard nextSlot < end else { return nil }
            let slot = nextSlot
            let kind = document.kind(of: slot)
            switch kind {
            case .array, .object:
                nextSlot = document.first(in: slot)
                return Part(kind: kind, count: document.count(of: slot))
            case .string:
                nextSlot += 1
                return Part(kind: kind, text: document.repairedString(at: slot))
            case .null, .boolean, .number:
                nextSlot += 1
                return Part(kind: kind, text: document.writtenText(of: slot))
            }
        }
    }

    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        left.written == right.written || left.comparedParts.elementsEqual(right.comparedParts)
    }

    public func hash(into hasher: inout Hasher) {
        for part in comparedParts { hasher.combine(part) }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as it was written.
    public var description: String { String(decoding: written, as: UTF8.self) }
}

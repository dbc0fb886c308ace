/// Any JSON value, exactly as it is written: number text, string escapes, the order of keys and duplicate keys are kept.
///
/// A value is a place in a document, so a decoded one takes no memory of its own; it keeps the whole text that it came from alive.
///
/// Two values are equal if they are of the same kind and have the same text, white space and the way of escaping aside: `1` and `1.0` differ, and
/// so do objects with the same members in another order.
public struct JSONValue: Sendable {
    let document: JSONDocument
    let slot: Int

    /// The value at a slot that the document or a query gave; the whole document's unless given.
    package init(_ document: JSONDocument, slot: Int = JSONDocument.root) {
        self.document = document
        self.slot = slot
    }

    var kind: JSONDocument.Kind { document.kind(of: slot) }

    /// A value by kind; a number as its text, a string without escapes.
    package enum Content {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array(Elements)
        case object(Members)
    }

    /// The value by kind. Half a surrogate pair in a string becomes U+FFFD.
    package var content: Content {
        switch document.kind(of: slot) {
        case .null: .null
        case .boolean: .bool(document.byte(at: document.range(of: slot).lowerBound) == UInt8(ascii: "t"))
        case .number: .number(document.writtenText(of: slot))
        case .string: .string(document.repairedString(at: slot))
        case .array: .array(Elements(document: document, array: slot))
        case .object: .object(Members(document: document, object: slot))
        }
    }

    /// The bytes of the value as it was written, white space inside it included.
    public var written: ArraySlice<UInt8> { document.text(of: slot) }
}

extension JSONValue {
    package var isNull: Bool { document.isNull(slot) }

    /// The value of a boolean; nil for any other kind.
    public var bool: Bool? { if case .bool(let value) = content { value } else { nil } }

    /// The text of a string, escapes resolved; nil for any other kind.
    public var string: String? { if case .string(let text) = content { text } else { nil } }

    /// The text of a number; nil for any other kind.
    public var number: String? { if case .number(let text) = content { text } else { nil } }

    /// The value of a number that is an integer and fits, also if it is written `1.0` or `1e2`; nil for anything else.
    package func integer<I: FixedWidthInteger & Decodable>(_ type: I.Type = Int.self) -> I? {
        JSONNumber.integer(type, document, slot)
    }

    /// The double nearest to a number; nil for any other kind, and beyond the range of a double.
    public var double: Double? {
        document.isNumber(slot) ? document.withToken(slot) { JSONNumber.double($0) } : nil
    }

    /// The elements of an array; nil for any other kind.
    public var elements: Elements? { if case .array(let elements) = content { elements } else { nil } }

    /// The members of an object; nil for any other kind.
    public var members: Members? { if case .object(let members) = content { members } else { nil } }

    /// The value of an object's first member with that key; nil if there is none, and for any other kind.
    public subscript(key: String) -> JSONValue? {
        guard document.kind(of: slot) == .object else { return nil }
        return document.member(key, of: slot, step: {}).map { JSONValue(document, slot: $0) }
    }

    /// The elements of an array, found as they are asked for.
    public struct Elements: Sequence, IteratorProtocol, Sendable {
        private let document: JSONDocument
        private var slot: Int
        /// How many are left.
        package private(set) var count: Int

        init(document: JSONDocument, array: Int) {
            self.document = document
            slot = document.first(in: array)
            count = document.count(of: array)
        }

        public mutating func next() -> JSONValue? {
            guard count > 0 else { return nil }
            defer {
                slot = document.next(after: slot)
                count -= 1
            }
            return JSONValue(document, slot: slot)
        }
    }

    /// The members of an object in the order of the text, duplicates included.
    public struct Members: Sequence, IteratorProtocol, Sendable {
        private let document: JSONDocument
        private var slot: Int
        /// How many are left.
        package private(set) var count: Int

        init(document: JSONDocument, object: Int) {
            self.document = document
            slot = document.first(in: object)
            count = document.count(of: object)
        }

        public mutating func next() -> (key: String, value: JSONValue)? {
            guard count > 0 else { return nil }
            defer {
                slot = document.next(after: slot &+ 1)
                count -= 1
            }
            return (document.repairedString(at: slot), JSONValue(document, slot: slot &+ 1))
        }
    }
}

extension JSONValue: Hashable {
    public static func == (one: JSONValue, other: JSONValue) -> Bool {
        if one.document === other.document, one.slot == other.slot { return true }
        let (first, second) = (one.document, other.document)
        let end = first.next(after: one.slot)
        guard end - one.slot == second.next(after: other.slot) - other.slot else { return false }
        // Both have the same number of slots; if each pair is alike, so are the values.
        var slot = one.slot
        while slot < end {
            let otherSlot = slot - one.slot + other.slot
            let kind = first.kind(of: slot)
            guard kind == second.kind(of: otherSlot) else { return false }
            switch kind {
            case .array, .object:
                guard first.next(after: slot) - one.slot == second.next(after: otherSlot) - other.slot else {
                    return false
                }
                slot = first.first(in: slot)
            case .string:
                guard first.repairedString(at: slot) == second.repairedString(at: otherSlot) else { return false }
                slot += 1
            case .null, .boolean, .number:
                guard first.writtenText(of: slot) == second.writtenText(of: otherSlot) else { return false }
                slot += 1
            }
        }
        return true
    }

    public func hash(into hasher: inout Hasher) {
        let end = document.next(after: slot)
        var slot = slot
        while slot < end {
            switch document.kind(of: slot) {
            case .array, .object:
                hasher.combine(document.count(of: slot))
                slot = document.first(in: slot)
            case .string:
                hasher.combine(document.repairedString(at: slot))
                slot += 1
            case .null, .boolean, .number:
                hasher.combine(document.writtenText(of: slot))
                slot += 1
            }
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as it was written.
    public var description: String { String(decoding: written, as: UTF8.self) }
}

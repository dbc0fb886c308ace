#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which types are not encoded through their own `encode(to:)`, or are known so well that there is a shorter way.
package struct TypeKinds {
    package enum Kind: UInt8 {
        case string, integer, double, float, date, url, uuid, data, decimal, dictionary, json
        case other
    }

    /// Cached kinds, indexed by a hash of the types' addresses.
    private var known: [(type: ObjectIdentifier?, kind: Kind)] = .init(repeating: (nil, .other), count: 64)

    @inline(__always)
    mutating func kind(of type: any Encodable.Type) -> Kind {
        let identifier = ObjectIdentifier(type)
        let index = Int(truncatingIfNeeded: UInt(bitPattern: identifier) >> 4) & 63
        if known[index].type == identifier { return known[index].kind }
        known[index] = (identifier, Self.find(type))
        return known[index].kind
    }

    @inline(never)
    private static func find(_ type: any Encodable.Type) -> Kind {
        switch type {
        case is String.Type: .string
        case is Int.Type: .integer
        case is Double.Type: .double
        case is Float.Type: .float
        case is Date.Type: .date
        case is URL.Type: .url
        case is UUID.Type: .uuid
        case is Data.Type: .data
        case is Decimal.Type: .decimal
        case is JSONValue.Type: .json
        default: GenericType.dictionary.mayBe(type) && type is any SortedDictionary.Type ? .dictionary : .other
        }
    }
}

/// A dictionary that becomes an object. Its keys are sorted, as their order differs from run to run.
protocol SortedDictionary {
    /// False if it becomes an array, because its keys are no text.
    func encodeMembers(in session: EncodingSession, _ handle: EncodingSession.Handle) throws -> Bool
}

extension Dictionary: SortedDictionary where Key: Encodable, Value: Encodable {
    func encodeMembers(in session: EncodingSession, _ handle: EncodingSession.Handle) throws -> Bool {
        var members: [(key: any CodingKey, value: Value)]
        let isText = Key.self == String.self
        if isText {
            members = map { (DictionaryKey(stringValue: $0.key as? String ?? ""), $0.value) }
        } else if Key.self == Int.self {
            members = map { (DictionaryKey(intValue: $0.key as? Int ?? 0), $0.value) }
        } else if Key.self is any CodingKeyRepresentable.Type {
            members = compactMap { key, value in (key as? any CodingKeyRepresentable).map { ($0.codingKey, value) } }
        } else {
            return false
        }
        if Key.self == Int.self {
            members.sort { ($0.key.intValue ?? 0) < ($1.key.intValue ?? 0) }
        } else {
            members.sort { $0.key.stringValue < $1.key.stringValue }
        }
        session.openDictionary(handle, hasTextKeys: isText)
        for (key, value) in members { try session.encode(value, at: .member(key), in: handle) }
        return true
    }
}

/// The key of a member of a dictionary.
private struct DictionaryKey: CodingKey {
    let stringValue: String
    private let isInteger: Bool
    var intValue: Int? { isInteger ? Int(stringValue) : nil }

    init(stringValue: String) { (self.stringValue, isInteger) = (stringValue, false) }
    init(intValue: Int) { (stringValue, isInteger) = (intValue.description, true) }
}

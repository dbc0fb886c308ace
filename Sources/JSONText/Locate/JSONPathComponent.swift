/// One step of the way to a value inside JSON text.
public enum JSONPathComponent: Hashable, Sendable {
    /// The member of an object that has this key, escapes resolved.
    case key(String)
    /// The element of an array at this position, from 0.
    case index(Int)

    /// The step a decoder's or encoder's coding path names.
    ///
    /// Elements are told from members by the text `Index 3`, which is what the standard library and Foundation call
    /// them; an `intValue` alone says nothing, since keys may have one too.
    public init(_ key: any CodingKey) {
        if let index = key.intValue, key.stringValue == "Index \(index)" {
            self = .index(index)
        } else {
            self = .key(key.stringValue)
        }
    }

    /// The step as it is written after those before it: `.id`, `[3]`, `["odd key"]`.
    var text: String {
        switch self {
        case .index(let index): "[\(index)]"
        case .key(let key) where Self.isIdentifier(key): ".\(key)"
        case .key(let key): "[\(TerminalText.escaped(JSONQuoting.quoted(key)))]"
        }
    }

    /// ASCII letters, digits and `_`, no digit first: what can follow a dot in any language a reader may know.
    private static func isIdentifier(_ key: String) -> Bool {
        guard let first = key.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return key.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default:
                false
            }
        }
    }
}

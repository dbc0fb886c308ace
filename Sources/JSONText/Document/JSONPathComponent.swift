extension [JSONPathComponent] {
    /// The path as text: `$.results[3].id`, with `["odd key"]` for keys that are not identifiers.
    ///
    /// Control characters in keys are escaped, so the text is safe to print at a terminal.
    package var pathText: String { reduce("$") { $0 + $1.text } }
}

/// A step of a path to a value in JSON text.
public enum JSONPathComponent: Hashable, Sendable {
    /// The member of an object with this key, after resolving escapes.
    case key(String)
    /// The element of an array at this position, from 0.
    case index(Int)

    /// The step for a key of a decoder's or encoder's coding path.
    ///
    /// Elements are recognised by the text `Index 3`, which the standard library and Foundation use; an `intValue`
    /// alone is ambiguous, because keys may have one too.
    public init(_ key: any CodingKey) {
        if let index = key.intValue, key.stringValue == "Index \(index)" {
            self = .index(index)
        } else {
            self = .key(key.stringValue)
        }
    }

    /// The step's text after the previous steps: `.id`, `[3]`, `["odd key"]`.
    var text: String {
        switch self {
        case .index(let index): "[\(index)]"
        case .key(let key) where Self.isIdentifier(key): ".\(key)"
        case .key(let key): "[\(TerminalText.escaped(JSONQuoting.quoted(key)))]"
        }
    }

    /// Whether the key consists of ASCII letters, digits and `_` and does not start with a digit.
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

/// A step of a path to a value in JSON text.
package enum JSONPathComponent: Hashable, Sendable {
    /// The member of an object with this key, after resolving escapes.
    case key(String)
    /// The element of an array at this position, from 0.
    case index(Int)

    /// Makes the step for a key of a decoder's or encoder's coding path.
    ///
    /// The standard library and Foundation name the key of an array's element `Index 3`. An `intValue` alone does not
    /// make a key an index, because the keys of an object may have one too.
    package init(_ key: any CodingKey) {
        if let index = key.intValue, key.stringValue == "Index \(index)" {
            self = .index(index)
        } else {
            self = .key(key.stringValue)
        }
    }

    /// The step as it is appended to a path: `.id`, `[3]` or `['odd key']`.
    package var text: String {
        switch self {
        case .index(let index): "[\(index)]"
        case .key(let key) where Self.isIdentifier(key): ".\(key)"
        case .key(let key): "['\(key.unicodeScalars.map(Self.escaped).joined())']"
        }
    }

    /// Returns a character of a key as it is written in the quotes of a normalized path (RFC 9535, section 2.7): `\'`
    /// for a quote, `\n` for a line feed. Characters that control a terminal are escaped too, such as `\u001b`.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        if scalar == "'" { return "\\'" }
        // Between single quotes, a double quote needs no escape.
        if scalar.isASCII, scalar != "\"", let letter = JSONQuoting.shortEscapeLetter(for: UInt8(scalar.value)) {
            return "\\\(Unicode.Scalar(letter))"
        }
        guard TerminalText.isHazard(scalar.value) else { return String(scalar) }
        return String(decoding: Hexadecimal.escape(scalar.value), as: UTF8.self).lowercased()
    }

    /// Whether the key is not empty, consists of ASCII letters, digits and `_`, and does not start with a digit.
    private static func isIdentifier(_ key: String) -> Bool {
        key.unicodeScalars.allSatisfy { $0.isASCII && PathParser.isNameCharacter($0) } && key.first?.isNumber == false
    }
}

extension [JSONPathComponent] {
    /// The path as text that is safe to print at a terminal: `$.results[3].id`, with `['odd key']` for keys that are
    /// not identifiers.
    package var pathText: String { reduce("$") { $0 + $1.text } }

    /// The path as a JSON pointer in a URI fragment (RFC 6901, section 6): `#/paths/~1pets/get`. Characters are not
    /// percent-encoded.
    package var pointerText: String {
        reduce("#") { text, step in
            switch step {
            case .index(let index): text + "/\(index)"
            case .key(let key): text + "/" + Self.escapedForPointer(key)
            }
        }
    }

    /// Returns a key with `~0` for `~` and `~1` for `/` (RFC 6901, section 3).
    private static func escapedForPointer(_ key: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in key.unicodeScalars {
            switch scalar {
            case "~": result.append(contentsOf: "~0".unicodeScalars)
            case "/": result.append(contentsOf: "~1".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

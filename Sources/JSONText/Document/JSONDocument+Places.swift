// Where a value is, for people: its path, and the line and column of a byte.

extension JSONDocument {
    /// The line and column of a byte: lines are ended by LF, columns are Unicode scalars, both count from 1. Time is in the offset.
    package func position(of offset: Int) -> (line: Int, column: Int) { positions(of: [offset])[0] }

    /// The lines and columns of bytes, as ``position(of:)`` returns them, in one pass. The offsets must be in ascending order.
    /// A byte order mark does not count; an offset beyond the text means its end.
    package func positions(of offsets: [Int]) -> [(line: Int, column: Int)] {
        var (line, column) = (1, firstColumn)
        var next = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return bytes.withUnsafeBufferPointer { text in
            offsets.map { offset in
                while next < min(offset, text.count) {
                    if text[next] == UInt8(ascii: "\n") {
                        line += 1
                        column = 1
                    } else if text[next] & 0xC0 != 0x80 {
                        column += 1
                    }
                    next += 1
                }
                return (line, column)
            }
        }
    }

    func error(at offset: Int, expected: String, found: String) -> JSONSyntaxError {
        let (line, column) = position(of: offset)
        return JSONSyntaxError(offset: offset, line: line, column: column, expected: expected, found: found)
    }

    /// The way from the root to a value, with the keys as they are in the text. A key with a lone surrogate is shown as it is written.
    package func path(to slot: Int) -> [JSONPathComponent] { paths(to: [slot])[0] }

    /// The ways to values or keys, in one pass. The slots must be in ascending order. `element` makes the step to an element, by its slot and index.
    package func paths(
        to slots: [Int], element: (Int, Int) -> JSONPathComponent = { .index($1) }
    ) -> [[JSONPathComponent]] {
        /// The containers around a value, each with its child on the way there, and the value itself.
        var way = [(slot: Self.root, child: first(in: Self.root), index: 0)]
        return slots.map { slot in
            while way.count > 1, next(after: way[way.count - 1].slot) <= slot { way.removeLast() }
            while let (container, child, _) = way.last, container < slot {
                let value = kind(of: container) == .object ? child + 1 : child
                if next(after: value) > slot {
                    way.append((value, first(in: value), 0))
                } else {
                    way[way.count - 1].child = next(after: value)
                    way[way.count - 1].index += 1
                }
            }
            return way.dropLast().map { container, child, index in
                kind(of: container) == .object
                    ? .key(string(at: child) ?? writtenText(of: child)) : element(child, index)
            }
        }
    }

    private static let maxValueText = 80

    /// The value with what it is: `string "x"`. Beyond 80 characters it is cut. Not safe for a terminal as it is.
    package func valueText(of slot: Int) -> String {
        let kind = kind(of: slot)
        switch kind {
        case .object, .array, .null: return kind.rawValue
        case .string, .boolean, .number:
            let start = bytes[range(of: slot)].prefix((Self.maxValueText + 1) * 4)
            let value = String(decoding: start, as: UTF8.self)
            let shown = String(value.unicodeScalars.prefix(Self.maxValueText))
            return "\(kind.rawValue) \(shown)" + (shown.utf8.count < value.utf8.count ? "…" : "")
        }
    }
}

/// A step of a path to a value in JSON text.
package enum JSONPathComponent: Hashable, Sendable {
    /// The member of an object with this key, after resolving escapes.
    case key(String)
    /// The element of an array at this position, from 0.
    case index(Int)

    /// The step for a key of a decoder's or encoder's coding path.
    ///
    /// Elements are recognised by the text `Index 3`, which the standard library and Foundation use; an `intValue`
    /// alone is ambiguous, because keys may have one too.
    package init(_ key: any CodingKey) {
        if let index = key.intValue, key.stringValue == "Index \(index)" {
            self = .index(index)
        } else {
            self = .key(key.stringValue)
        }
    }

    /// The step's text after the previous steps: `.id`, `[3]`, `['odd key']`.
    package var text: String {
        switch self {
        case .index(let index): "[\(index)]"
        case .key(let key) where Self.isIdentifier(key): ".\(key)"
        case .key(let key): "['\(key.unicodeScalars.map(Self.escaped).joined())']"
        }
    }

    /// As in a normalized path (RFC 9535, section 2.7); what a terminal obeys is escaped too.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        if scalar == "'" { return "\\'" }
        if scalar.isASCII, scalar != "\"", let letter = JSONQuoting.letter(UInt8(scalar.value)) {
            return "\\\(Unicode.Scalar(letter))"
        }
        return TerminalText.isHazard(scalar.value)
            ? String(decoding: Hexadecimal.escape(scalar.value), as: UTF8.self).lowercased() : String(scalar)
    }

    /// Whether the key consists of ASCII letters, digits and `_` and does not start with a digit.
    private static func isIdentifier(_ key: String) -> Bool {
        key.unicodeScalars.allSatisfy { $0.isASCII && PathParser.isName($0) } && key.first?.isNumber == false
    }
}

extension [JSONPathComponent] {
    /// The path as text that is safe to print at a terminal: `$.results[3].id`, with `['odd key']` for keys that are not identifiers.
    package var pathText: String { reduce("$") { $0 + $1.text } }
}

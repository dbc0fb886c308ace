// The position of a value as people read it: its path, line and column, and a short text of the value.

extension JSONDocument {
    /// Returns the line and column of a byte. It takes time in proportion to the offset.
    ///
    /// - Returns: The line, which a line feed ends, and the column in Unicode scalars. Both count from 1.
    package func position(of offset: Int) -> (line: Int, column: Int) { positions(of: [offset])[0] }

    /// Returns the lines and columns of bytes in one pass over the text, as ``position(of:)`` does for a single byte.
    ///
    /// The pass stops at each offset and goes on from there, so the offsets must be in ascending order.
    ///
    /// - Parameter offsets: The bytes, in ascending order. An offset beyond the text means its end.
    /// - Returns: The line and column of each offset, both from 1. Columns count characters, not bytes. A byte order
    ///   mark does not count.
    package func positions(of offsets: [Int]) -> [(line: Int, column: Int)] {
        var line = 1
        var column = firstColumn
        var next = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return bytes.withUnsafeBufferPointer { text in
            offsets.map { offset in
                while next < min(offset, text.count) {
                    if text[next] == UInt8(ascii: "\n") {
                        line += 1
                        column = 1
                    } else if text[next] & 0xC0 != 0x80 {
                        // The first byte of a character: all others have the bits 10 at the top.
                        column += 1
                    }
                    next += 1
                }
                return (line, column)
            }
        }
    }

    /// Returns an error of syntax with the line and column of a byte.
    func error(at offset: Int, expected: String, found: String) -> JSONSyntaxError {
        let (line, column) = position(of: offset)
        return JSONSyntaxError(offset: offset, line: line, column: column, expected: expected, found: found)
    }

    /// Returns the path from the root to a value or key, with the keys of the text. A key with a lone surrogate is
    /// shown as it is written.
    package func path(to slot: Int) -> [JSONPathComponent] { paths(to: [slot])[0] }

    /// Returns the paths to values or keys in one pass.
    ///
    /// - Parameters:
    ///   - slots: The values or keys, in ascending order.
    ///   - element: Makes the step to an element of an array, of the element's slot and index.
    package func paths(
        to slots: [Int], element: (Int, Int) -> JSONPathComponent = { .index($1) }
    ) -> [[JSONPathComponent]] {
        /// The containers around the current slot, each with its child on the way there and that child's index, and
        /// last the slot itself.
        ///
        /// It moves only forwards, so that all slots together take no longer than the last.
        var trail = [(slot: Self.root, child: first(in: Self.root), index: 0)]
        return slots.map { slot in
            // Leave the containers that end before the slot.
            while trail.count > 1, next(after: trail[trail.count - 1].slot) <= slot { trail.removeLast() }
            // Enter the child that holds the slot, until it is the slot.
            while let (container, child, _) = trail.last, container < slot {
                let value = kind(of: container) == .object ? child + 1 : child
                if next(after: value) > slot {
                    trail.append((value, first(in: value), 0))
                } else {
                    trail[trail.count - 1].child = next(after: value)
                    trail[trail.count - 1].index += 1
                }
            }
            return trail.dropLast().map { container, child, index in
                kind(of: container) == .object
                    ? .key(string(at: child) ?? writtenText(of: child)) : element(child, index)
            }
        }
    }

    /// The most characters of a value that an error message shows: as many as fit on a line.
    private static let maxValueText = 80

    /// Returns the kind of a value, and the text of a scalar: `string "x"`. Beyond 80 characters the text is cut.
    ///
    /// The text is not escaped for a terminal: see ``TerminalText``.
    package func valueText(of slot: Int) -> String {
        let kind = kind(of: slot)
        switch kind {
        case .object, .array, .null: return kind.rawValue
        case .string, .boolean, .number:
            // A character has at most four bytes.
            let start = bytes[range(of: slot)].prefix((Self.maxValueText + 1) * 4)
            let value = String(decoding: start, as: UTF8.self)
            let shown = String(value.unicodeScalars.prefix(Self.maxValueText))
            let isCut = shown.utf8.count < value.utf8.count
            return "\(kind.rawValue) \(shown)" + (isCut ? "…" : "")
        }
    }
}

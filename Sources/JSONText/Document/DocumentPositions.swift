// The position of a value as people read it: its path, line and column, and a short text of the value.

extension JSONDocument {
    /// Returns the line and column of a byte. It takes time in proportion to the offset.
    ///
    /// - Returns: The line, which a line feed ends, and the column in Unicode scalars. Both count from 1.
    package func position(of offset: Int) -> (line: Int, column: Int) { positions(of: [offset])[0] }

    /// Returns the lines and columns of several bytes, in a single pass over the text.
    ///
    /// The pass stops at each offset and continues from there, so the offsets must be in ascending order.
    ///
    /// - Parameter offsets: The offsets of the bytes, in ascending order. An offset beyond the text means its end.
    /// - Returns: The line and column of each offset, both from 1. Columns count characters, not bytes. A byte order
    ///   mark does not count.
    package func positions(of offsets: [Int]) -> [(line: Int, column: Int)] {
        bytes.withUnsafeBufferPointer { text in
            // A byte order mark takes no column.
            let startOfText = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            var cursor = TextCursor(offset: startOfText, line: 1, column: firstColumn)
            return offsets.map { offset in
                cursor.advance(to: min(offset, text.count), in: text)
                return (cursor.line, cursor.column)
            }
        }
    }

    /// A position in a text that moves forwards and counts lines and columns.
    private struct TextCursor {
        var offset: Int
        var line: Int
        var column: Int

        /// Moves to a later offset of the text, and counts the lines and columns on the way.
        mutating func advance(to endOffset: Int, in text: UnsafeBufferPointer<UInt8>) {
            while offset < endOffset {
                // In UTF-8, all bytes of a character but the first one have the bits 10 at the top.
                let startsCharacter = text[offset] & 0xC0 != 0x80
                if text[offset] == UInt8(ascii: "\n") {
                    line += 1
                    column = 1
                } else if startsCharacter {
                    column += 1
                }
                offset += 1
            }
        }
    }

    /// Returns a syntax error with the line and column of a byte.
    ///
    /// - Parameters:
    ///   - offset: The offset of the byte in the text.
    ///   - expected: The syntax that was expected there, such as `a value`.
    ///   - found: The text that was found there.
    func error(at offset: Int, expected: String, found: String) -> JSONSyntaxError {
        let (line, column) = position(of: offset)
        return JSONSyntaxError(offset: offset, line: line, column: column, expected: expected, found: found)
    }

    /// Returns the path from the root to a value or key, such as `$.results[3].id`.
    ///
    /// The path has the keys as they are in the text, with their escapes resolved. A key with a lone surrogate is shown
    /// as it is written.
    ///
    /// - Parameter slot: The slot of the value or key: its number in the document's index.
    package func path(to slot: Int) -> [JSONPathComponent] { paths(to: [slot])[0] }

    /// Returns the paths from the root to several values or keys, in a single pass over the index.
    ///
    /// - Parameter slots: The slots of the values or keys, in ascending order.
    package func paths(to slots: [Int]) -> [[JSONPathComponent]] {
        var trail = PathTrail(self)
        return slots.map { slot in
            trail.moveForwards(to: slot)
            return trail.steps.map { step in
                if kind(of: step.container) == .array { return .index(step.index) }
                // In an object, `child` is the slot of a key. A key with a lone surrogate is shown as it is written.
                let key = string(at: step.child) ?? writtenText(of: step.child)
                return .key(key)
            }
        }
    }

    /// The way from the root of a document to a slot of its index.
    ///
    /// It moves only forwards, so that the ways to many slots take no longer than the way to the last of them.
    private struct PathTrail {
        /// A container on the way, and which of its children leads on.
        struct Step {
            /// The slot of the container. In the last step it is the value to which the trail leads.
            let container: Int
            /// The slot of the element, or of the member's key, that leads on.
            var child: Int
            /// The number of elements or members before the child.
            var index = 0
        }

        private let document: JSONDocument
        /// The steps from the root on. The last one is the value at the slot, or the value of the key at the slot.
        private var allSteps: [Step]

        /// Starts at the root of a document.
        init(_ document: JSONDocument) {
            self.document = document
            allSteps = [Step(container: JSONDocument.root, child: document.first(in: JSONDocument.root))]
        }

        /// The steps from the root to the container around the slot.
        var steps: ArraySlice<Step> { allSteps.dropLast() }

        /// Moves the end of the trail to a value or key.
        ///
        /// The trail is the list of containers from the root to its end. It leaves those that end before `slot`, except
        /// the root. Then it goes from child to child of the innermost container, and enters the child that holds
        /// `slot`, until it has arrived.
        ///
        /// - Parameter slot: The slot of the value or key, which is not before the current one.
        mutating func moveForwards(to slot: Int) {
            while allSteps.count > 1, let last = allSteps.last, document.next(after: last.container) <= slot {
                allSteps.removeLast()
            }
            while let last = allSteps.last, last.container < slot {
                // In an object, the slot of a key comes before that of its value.
                let isInObject = document.kind(of: last.container) == .object
                let childValue = isInObject ? last.child + 1 : last.child
                let nextChild = document.next(after: childValue)
                let holdsSlot = slot < nextChild
                if holdsSlot {
                    allSteps.append(Step(container: childValue, child: document.first(in: childValue)))
                } else {
                    allSteps[allSteps.count - 1].child = nextChild
                    allSteps[allSteps.count - 1].index += 1
                }
            }
        }
    }

    /// The most characters of a value that an error message shows: as many as fit on a line.
    private static let maxValueText = 80

    /// Describes a value for an error message: by its kind, and for a scalar also by its text, such as `string "x"`.
    ///
    /// A text of more than 80 characters is cut. It is not escaped for a terminal: see ``TerminalText``.
    package func valueText(of slot: Int) -> String {
        let kind = kind(of: slot)
        switch kind {
        case .object, .array, .null: return kind.rawValue
        case .string, .boolean, .number:
            // A value may be megabytes long, so only the bytes that can be shown are decoded, and one character more to
            // see whether there is more. A character has at most four bytes.
            let leadingBytes = bytes[range(of: slot)].prefix((Self.maxValueText + 1) * 4)
            let leadingText = String(decoding: leadingBytes, as: UTF8.self)
            let shownText = String(leadingText.unicodeScalars.prefix(Self.maxValueText))
            let isCut = shownText.utf8.count < leadingText.utf8.count
            return "\(kind.rawValue) \(shownText)" + (isCut ? "…" : "")
        }
    }
}

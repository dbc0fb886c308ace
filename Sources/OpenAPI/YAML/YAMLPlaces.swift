/// Finds where a value of a JSON text was written in the YAML text that the JSON text was made from.
struct YAMLPlaces: Sendable {
    /// The offset of a value in the JSON text, and its place in the YAML text.
    ///
    /// An entry takes 12 bytes, because a document may have millions of values.
    private struct Entry {
        let offset: UInt32
        let line: UInt32
        let column: UInt32
    }

    /// The entries, in the order of their offsets.
    private var entries: [Entry] = []

    /// Reserves memory for a number of values.
    mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

    /// Adds the next value of the JSON text.
    ///
    /// - Parameters:
    ///   - node: The node of the value, or the alias that repeats it.
    ///   - offset: The offset of the value in the JSON text. It is greater than all offsets before.
    mutating func append(_ node: YAMLNode, at offset: Int) {
        entries.append(Entry(offset: UInt32(truncatingIfNeeded: offset), line: node.line, column: node.column))
    }

    /// Returns the place in the YAML text of the value at an offset of the JSON text.
    ///
    /// A value that an alias repeats has the place of the alias.
    ///
    /// - Parameter offset: An offset in the JSON text. If no value starts there, the last value before it is taken.
    /// - Returns: The place; the start of the text if there is no value before the offset.
    func place(of offset: Int) -> TextPlace {
        let count = countOfEntries(upTo: offset)
        guard count > 0 else { return TextPlace(line: 1, column: 1) }
        let entry = entries[count - 1]
        return TextPlace(line: Int(entry.line), column: Int(entry.column))
    }

    /// Returns the number of values that start at an offset or before it.
    ///
    /// This is a binary search, because a document may have millions of values.
    private func countOfEntries(upTo offset: Int) -> Int {
        var low = 0
        var high = entries.count
        // Entries below `low` start at the offset or before it. Entries from `high` on start after it.
        while low < high {
            let middle = (low + high) / 2
            if Int(entries[middle].offset) <= offset {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

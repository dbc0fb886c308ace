/// The places in a YAML text of the values of the JSON text that was made from it.
struct YAMLPlaces: Sendable {
    /// The offset of a value in the JSON text, and its place in the YAML text, in 12 bytes: a document may have
    /// millions of values.
    private struct Entry {
        let offset: UInt32
        let line: UInt32
        let column: UInt32
    }

    /// The entries, in the order of their offsets.
    private var entries: [Entry] = []

    /// Makes room for a number of values.
    mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

    /// Adds the next value of the JSON text.
    ///
    /// - Parameters:
    ///   - node: The node that the value was made from, or the alias that repeats the node.
    ///   - offset: The offset of the value, which is greater than all offsets before.
    mutating func append(_ node: YAMLNode, at offset: Int) {
        entries.append(Entry(offset: UInt32(truncatingIfNeeded: offset), line: node.line, column: node.column))
    }

    /// Returns the place of the value that starts at an offset of the JSON text.
    ///
    /// The place of any other byte is that of the last value that starts before it. The place of a value that an alias
    /// repeats is that of the alias, and what is inside the value has the place where it is written.
    ///
    /// - Parameter offset: An offset in the JSON text. Before the first value, the place is the start of the text.
    func place(of offset: Int) -> TextPlace {
        let count = countOfEntries(upTo: offset)
        guard count > 0 else { return TextPlace(line: 1, column: 1) }
        let entry = entries[count - 1]
        return TextPlace(line: Int(entry.line), column: Int(entry.column))
    }

    /// Returns the number of values that start at an offset or before it. It is found by binary search, because a
    /// document may have millions of values.
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

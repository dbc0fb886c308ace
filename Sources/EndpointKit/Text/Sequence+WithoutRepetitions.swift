// The properties are inlinable, so that each use is compiled for its type. The first use of an unspecialized generic
// type takes longer than the whole start of the program should.

extension Sequence where Element: Hashable {
    /// The elements without those that are equal to an earlier one.
    @inlinable
    package var withoutRepetitions: [Element] { withoutRepetitions { $0 } }
}

extension Sequence {
    /// Returns the elements without those that have the same key as an earlier one.
    @inlinable
    package func withoutRepetitions<Key: Hashable>(of keyForElement: (Element) -> Key) -> [Element] {
        var seenKeys: Set<Key> = []
        return filter { seenKeys.insert(keyForElement($0)).inserted }
    }
}

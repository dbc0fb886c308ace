extension Sequence where Element: Hashable {
    /// The elements without those that are equal to an earlier one.
    package var withoutRepetitions: [Element] { withoutRepetitions(of: \.self) }
}

extension Sequence {
    /// Returns the elements without those that have the same key as an earlier one.
    package func withoutRepetitions<Key: Hashable>(of keyForElement: (Element) -> Key) -> [Element] {
        var seenKeys: Set<Key> = []
        return filter { seenKeys.insert(keyForElement($0)).inserted }
    }
}

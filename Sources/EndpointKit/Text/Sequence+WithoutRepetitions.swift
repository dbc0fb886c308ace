extension Sequence where Element: Hashable {
    /// The elements without those that are equal to an earlier one.
    package var withoutRepetitions: [Element] {
        var seenElements: Set<Element> = []
        return filter { seenElements.insert($0).inserted }
    }
}

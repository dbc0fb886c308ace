extension Sequence {
    /// Returns groups of the elements that have the same key.
    ///
    ///     [1, 4, 3].grouped { $0 % 2 }    →    1: [1, 3], 0: [4]
    ///
    /// The groups are in the order of their first elements. Those of `Dictionary(grouping:by:)` have no order.
    ///
    /// - Parameter keyForElement: Returns the key of an element.
    /// - Returns: The groups, each with its key and its elements in order.
    package func grouped<Key: Hashable>(by keyForElement: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        var groups: [(key: Key, elements: [Element])] = []
        var groupIndices: [Key: Int] = [:]
        for element in self {
            let key = keyForElement(element)
            if let index = groupIndices[key] {
                groups[index].elements.append(element)
            } else {
                groupIndices[key] = groups.count
                groups.append((key, [element]))
            }
        }
        return groups
    }
}

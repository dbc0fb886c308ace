extension Sequence {
    /// Returns the elements by their keys. The groups are in the order of their first elements.
    ///
    ///     [1, 4, 3].grouped { $0 % 2 }    →    1: [1, 3], 0: [4]
    package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        var groups: [(key: Key, elements: [Element])] = []
        var indices: [Key: Int] = [:]
        for element in self {
            let key = key(element)
            if let index = indices[key] {
                groups[index].elements.append(element)
            } else {
                indices[key] = groups.count
                groups.append((key, [element]))
            }
        }
        return groups
    }
}

extension Sequence {
    /// The elements by their keys, in the order in which the keys come first.
    package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        var groups: [(key: Key, elements: [Element])] = []
        var places: [Key: Int] = [:]
        for element in self {
            let key = key(element)
            let place = places[key] ?? groups.count
            if places.updateValue(place, forKey: key) == nil { groups.append((key, [])) }
            groups[place].elements.append(element)
        }
        return groups
    }
}

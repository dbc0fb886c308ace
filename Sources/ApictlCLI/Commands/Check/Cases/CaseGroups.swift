/// Groups of cases that have captured values in common, and so can't be run apart from each other.
struct CaseGroups {
    /// The group of each case; groups are numbered from 0 in the order of their first cases.
    let numbers: [Int]

    /// `names` are those that each case captures or uses.
    init(_ names: [[String]]) {
        // The first case of the group, for every case and every name.
        var first = Array(names.indices)
        var owners: [String: Int] = [:]
        func root(_ index: Int) -> Int {
            var index = index
            while first[index] != index { index = first[index] }
            return index
        }
        for (index, names) in names.enumerated() {
            for name in names {
                let (one, other) = (root(index), root(owners[name] ?? index))
                first[max(one, other)] = min(one, other)
                owners[name] = min(one, other)
            }
        }
        var known: [Int: Int] = [:]
        numbers = names.indices.map { index in
            let number = known[root(index)] ?? known.count
            known[root(index)] = number
            return number
        }
    }
}

import JSONText

/// Objects of several kinds that are told apart by the text under one key.
///
///     {"type": "Point", "coordinates": [1.5, 2]}, {"type": "Line", "coordinates": [[0, 1], [1, 2]]}
struct TaggedObjects {
    /// The key of the text that tells the kinds apart: `type`.
    let key: String
    /// The objects of each kind, by the text.
    let groups: [(tag: String, objects: [JSONValue])]

    /// How many keys are tried that may tell objects apart.
    private static let mostTags = 4
    /// The last words of such a key.
    private static let tagWords: Set<String> = [
        "action", "class", "event", "kind", "method", "object", "op", "operation", "tag", "type", "typename",
    ]
    /// With more kinds, the text is rather a name of the object.
    private static let kinds = 2...50

    /// Finds the key; nil if the objects are of one kind.
    ///
    /// At least two kinds must have features of their own, which all of their objects have and no others.
    init?(_ objects: [JSONValue], _ members: [Inference.Member]) {
        guard objects.count > 1 else { return nil }
        let candidates = members.lazy.filter { Self.mayTell($0, of: objects.count) }
        for candidate in candidates.prefix(Self.mostTags) {
            let groups = zip(candidate.values.compactMap(\.string), objects).grouped(by: \.0)
                .map { (tag: $0.key, objects: $0.elements.map(\.1)) }
            if Self.kinds.contains(groups.count), Self.haveOwnFeatures(groups.map(\.objects)) {
                (key, self.groups) = (candidate.key, groups)
                return
            }
        }
        return nil
    }

    /// Returns whether a member may tell objects apart: all of them have it once, and its values are short texts.
    private static func mayTell(_ member: Inference.Member, of count: Int) -> Bool {
        guard member.values.count == count, member.count == count,
            let word = SwiftNames.words(member.key).last, tagWords.contains(word)
        else { return false }
        return member.values.allSatisfy { 1...64 ~= $0.string?.utf8.count ?? 0 }
    }

    /// A key of an object, or a key with the depth of the lists under it: 1 for `[1]`, and 0 for a value that is no list.
    private struct Feature: Hashable {
        let key: String
        var depth: Int?
    }

    /// Returns whether at least two groups have features of their own.
    ///
    /// The depth of lists under a key counts only if groups have different ones: an empty list or null has none.
    private static func haveOwnFeatures(_ objects: [[JSONValue]]) -> Bool {
        let groups = objects.map { $0.map(features) }
        var owners: [Feature: Int] = [:]
        for group in groups {
            for feature in group.reduce(into: Set<Feature>(), { $0.formUnion($1) }) { owners[feature, default: 0] += 1 }
        }
        let depths = Dictionary(grouping: owners.keys.filter { $0.depth != nil }, by: \.key)
        let owning = groups.count { group in
            group.dropFirst().reduce(group[0]) { $0.intersection($1) }.contains { feature in
                owners[feature] == 1 && (feature.depth == nil || depths[feature.key, default: []].count > 1)
            }
        }
        return owning > 1
    }

    private static func features(of object: JSONValue) -> Set<Feature> {
        var features: Set<Feature> = []
        for (key, value) in object.members ?? [] {
            features.insert(Feature(key: key))
            if let depth = Self.depth(of: value) { features.insert(Feature(key: key, depth: depth)) }
        }
        return features
    }

    /// Returns the depth of lists in a value: 2 for `[[1], [2]]`; nil if it is not known.
    private static func depth(of value: JSONValue) -> Int? {
        var depth = 0
        var inner = value
        while let list = inner.elements {
            guard let first = list.first else { return nil }
            inner = first
            depth += 1
        }
        return inner.isNull ? nil : depth
    }
}

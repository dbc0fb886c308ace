import JSONText

/// Objects of several kinds that are told apart by the text under one key.
///
///     {"type": "Point", "coordinates": [1.5, 2]}, {"type": "Line", "coordinates": [[0, 1], [1, 2]]}
struct TaggedObjects {
    /// The key of the text that tells the kinds apart: `type`.
    let key: String
    /// The objects of each kind, by the text.
    let groups: [(tag: String, objects: [JSONValue])]

    /// The number of keys that are tried. Objects rarely have a second key that could tell them apart.
    private static let maxCandidates = 4
    /// The last words of keys that may tell objects apart.
    private static let tagWords: Set<String> = [
        "action", "class", "event", "kind", "method", "object", "op", "operation", "tag", "type", "typename",
    ]
    /// The numbers of kinds that are possible. With more of them, the text is rather the name of an object.
    private static let kindCounts = 2...50

    /// Finds the key that tells objects apart.
    ///
    /// Fails if the objects are of one kind. A text such as `"type": "admin"` alone does not make another kind of
    /// object: at least two kinds must have keys or lists that no other kind has.
    ///
    /// - Parameters:
    ///   - objects: The objects at one place of the samples.
    ///   - members: The members of these objects.
    init?(_ objects: [JSONValue], members: [Inference.Member]) {
        guard objects.count > 1 else { return nil }
        let candidates = members.filter { Self.mayBeTag($0, objectCount: objects.count) }
        for candidate in candidates.prefix(Self.maxCandidates) {
            // Each object has the member once, so the texts are in the order of the objects.
            let tags = candidate.values.compactMap(\.string)
            let groups = Self.groups(of: objects, tags: tags)
            if Self.kindCounts.contains(groups.count), Self.haveOwnFeatures(groups.map(\.objects)) {
                key = candidate.key
                self.groups = groups
                return
            }
        }
        return nil
    }

    /// Returns objects in groups by their tags, in the order in which the tags first come.
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - tags: The tag of each object.
    private static func groups(of objects: [JSONValue], tags: [String]) -> [(tag: String, objects: [JSONValue])] {
        zip(tags, objects).grouped(by: \.0).map { tag, taggedObjects in
            (tag: tag, objects: taggedObjects.map(\.1))
        }
    }

    /// Whether a member may tell objects apart.
    ///
    /// The key must be one such as `type`, all objects must have it once, and the values must be short texts.
    private static func mayBeTag(_ member: Inference.Member, objectCount: Int) -> Bool {
        let isInEachOnce = member.values.count == objectCount && member.count == objectCount
        guard isInEachOnce, let word = SwiftNames.words(member.key).last, tagWords.contains(word) else { return false }
        // A longer text is not the name of a kind. A value that is no text counts as an empty one.
        let tagLengths = 1...64
        return member.values.allSatisfy { tagLengths.contains($0.string?.utf8.count ?? 0) }
    }

    /// A property by which kinds of objects differ: a key, or a key with the depth of the lists under it.
    private struct Feature: Hashable {
        let key: String
        /// The depth of the lists: 1 for `[1]`, and 0 for a value that is no list. Nil for the key alone.
        var depth: Int?
    }

    /// Whether at least two groups have a feature of their own: a key, or a depth of the lists under a key.
    ///
    /// A group's own feature is in each of its objects, and in no object of another group.
    private static func haveOwnFeatures(_ groups: [[JSONValue]]) -> Bool {
        let featuresOfGroups = groups.map { objects in objects.map(findFeatures) }
        let exclusiveFeatures = findExclusiveFeatures(among: featuresOfGroups)
        // A group has at least one object.
        let distinctGroupCount = featuresOfGroups.count { featuresOfObjects in
            let sharedFeatures = featuresOfObjects.dropFirst().reduce(featuresOfObjects[0]) { $0.intersection($1) }
            return !sharedFeatures.isDisjoint(with: exclusiveFeatures)
        }
        return distinctGroupCount > 1
    }

    /// Returns the features that occur in one group only.
    ///
    /// `{"a": [1]}` and `{"a": [[1]], "b": 2}` → the depths 1 and 2 under `a`, and the key `b`
    ///
    /// A feature is a key, or a key with the depth of the lists under it. A depth counts only if the lists under its
    /// key have another depth somewhere. Otherwise another group may have the same depth without showing it: nobody
    /// knows the depth of an empty list or of null.
    ///
    /// - Parameter featuresOfGroups: For each group, the features of each of its objects.
    private static func findExclusiveFeatures(among featuresOfGroups: [[Set<Feature>]]) -> Set<Feature> {
        var groupCounts: [Feature: Int] = [:]
        for featuresOfObjects in featuresOfGroups {
            let featuresOfGroup = featuresOfObjects.reduce(into: Set<Feature>()) { $0.formUnion($1) }
            for feature in featuresOfGroup { groupCounts[feature, default: 0] += 1 }
        }
        let depthFeatures = groupCounts.keys.filter { $0.depth != nil }
        let depthFeaturesByKey = Dictionary(grouping: depthFeatures, by: \.key)
        let exclusiveFeatures = groupCounts.keys.filter { feature in
            let isInOneGroup = groupCounts[feature] == 1
            let hasSeveralDepths = depthFeaturesByKey[feature.key, default: []].count > 1
            return isInOneGroup && (feature.depth == nil || hasSeveralDepths)
        }
        return Set(exclusiveFeatures)
    }

    /// Returns the features of an object: its keys, and the depths under them that are known.
    private static func findFeatures(of object: JSONValue) -> Set<Feature> {
        var features: Set<Feature> = []
        for (key, value) in object.members ?? [] {
            features.insert(Feature(key: key))
            if let depth = listDepth(of: value) { features.insert(Feature(key: key, depth: depth)) }
        }
        return features
    }

    /// Returns the depth of lists in a value: 2 for `[[1], [2]]`; nil if an empty list or null hides it.
    private static func listDepth(of value: JSONValue) -> Int? {
        var depth = 0
        // All elements of a list have the same depth, so only the first ones are looked at.
        var firstValue = value
        while let list = firstValue.elements {
            guard let firstElement = list.first else { return nil }
            firstValue = firstElement
            depth += 1
        }
        return firstValue.isNull ? nil : depth
    }
}

import JSONText

// Which objects are dictionaries, and which are told apart by a text in them.

extension Inference {
    /// Why an object is a dictionary; nil if it is none.
    func reasonForDictionary(_ objects: [JSONValue], _ keys: [String], _ values: [String: [JSONValue]]) -> String? {
        let slots = objects.lazy.map { Slot(document: ObjectIdentifier($0.document), slot: $0.slot) }
        if !maps.isEmpty, slots.contains(where: maps.contains) { return "--map says so" }
        if !structures.isEmpty, slots.contains(where: structures.contains) { return nil }
        if let kind = Self.generatedKeys.first(where: { keys.allSatisfy($0.matches) })?.name {
            return "its keys are \(kind)"
        }
        if keys.count > Self.mostFields { return "it has \(keys.count) keys" }
        guard keys.count >= Self.fewestOfOneShape else { return nil }
        let pattern = Self.pattern(keys[0])
        let all = values.values.joined()
        let isDictionary =
            Self.haveOneShape(all)
            || keys.allSatisfy { Self.pattern($0) == pattern } && all.allSatisfy { $0.kind == all.first?.kind }
        return isDictionary ? "it has \(keys.count) keys whose values look alike" : nil
    }

    private static let generatedKeys: [(name: String, matches: @Sendable (String) -> Bool)] = [
        ("numbers", { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
        ("days", { pattern($0) == "0000-00-00" }),
        ("UUIDs", { $0.utf8.count == 36 && $0.split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12] }),
    ]

    /// The text with every letter and digit replaced by the first of its kind.
    private static func pattern(_ text: String) -> String {
        String(
            text.prefix(64).map { $0.isNumber ? "0" : $0.isLowercase ? "a" : $0.isUppercase ? "A" : $0 })
    }

    /// Whether all values are objects, each of which has at least half of the keys of all.
    static func haveOneShape(_ values: some Sequence<JSONValue>) -> Bool {
        var keys: Set<String> = []
        var fewest = Int.max
        for value in values {
            guard let members = value.members else { return false }
            fewest = min(fewest, members.count)
            for (key, _) in members { keys.insert(key) }
            if keys.count > 2 * fewest { return false }
        }
        return !keys.isEmpty
    }

    private static let tagWords: Set<String> = [
        "action", "class", "event", "kind", "method", "object", "op", "operation", "tag", "type", "typename",
    ]

    /// The key whose texts tell objects apart, and the objects by its text: at least two kinds have keys of their own, always.
    func tagged(
        _ objects: [JSONValue], _ keys: [String], _ values: [String: [JSONValue]]
    ) -> (key: String, groups: [(tag: String, objects: [JSONValue])])? {
        guard objects.count > 1 else { return nil }
        let found = keys.lazy.filter { key in
            values[key]?.count == objects.count && SwiftNames.words(key).last.map(Self.tagWords.contains) == true
                && values[key]?.allSatisfy { 1...64 ~= $0.string?.utf8.count ?? 0 } == true
        }
        for key in found.prefix(Self.mostTags) {
            let tags = values[key, default: []].compactMap(\.string)
            let groups = zip(tags, objects).grouped(by: \.0).map { (tag: $0.key, objects: $0.elements.map(\.1)) }
            guard 2...50 ~= groups.count else { continue }
            let counts = Dictionary(uniqueKeysWithValues: groups.map { ($0.tag, $0.objects.count) })
            /// By key, the only tag that it comes with, and how often.
            var owners: [String: (tag: String?, count: Int)] = [:]
            for (tag, object) in zip(tags, objects) {
                for (key, _) in object.members ?? [] {
                    let owner = owners[key] ?? (tag, 0)
                    owners[key] = (owner.tag == tag ? tag : nil, owner.count + 1)
                }
            }
            let owning = owners.values.filter { owner in owner.tag.map { counts[$0] == owner.count } == true }
            guard Set(owning.map(\.tag)).count > 1 else { continue }
            return (key, groups)
        }
        return nil
    }
}

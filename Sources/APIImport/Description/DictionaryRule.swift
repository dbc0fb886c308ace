import JSONText

/// The reason why an object is a dictionary and not a structure.
struct DictionaryRule {
    /// The reason for a note: `its keys are UUIDs`.
    let reason: String

    /// An object with more keys is a dictionary.
    static let mostFields = 400
    /// The number of characters of keys that are compared. Keys that programs make are shorter.
    private static let maxPatternLength = 64
    /// The fewest members that make a dictionary if their values look alike. A structure rarely has so many fields of
    /// one type.
    private static let fewestAlikeMembers = 20

    /// Finds the reason why objects are dictionaries. Fails if they are structures.
    ///
    /// - Parameters:
    ///   - members: The members of the objects at one place of the samples.
    ///   - choice: Whether people chose that they are dictionaries; nil if they chose nothing.
    init?(_ members: [Inference.Member], choice: Bool?) {
        if choice == false { return nil }
        if choice == true {
            reason = "--map says so"
            return
        }
        let kindOfKeys = Self.generatedKeys.first { kind in members.allSatisfy { kind.matches($0.key) } }
        if let kindOfKeys {
            reason = "its keys are \(kindOfKeys.name)"
        } else if members.count > Self.mostFields {
            reason = "it has \(members.count) keys"
        } else if members.count >= Self.fewestAlikeMembers, Self.lookAlike(members) {
            reason = "it has \(members.count) keys whose values look alike"
        } else {
            return nil
        }
    }

    /// The kinds of keys that programs make, and that no structure has.
    private static let generatedKeys: [(name: String, matches: @Sendable (String) -> Bool)] = [
        ("numbers", { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
        ("days", { pattern($0) == "0000-00-00" }),
        ("UUIDs", { $0.utf8.count == 36 && $0.split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12] }),
    ]

    /// Whether the values of members look alike, in one of two ways:
    ///
    /// - All values are objects with much the same keys.
    /// - All keys have one pattern, and all values one kind: in `{"ab-1": 5, "cd-2": 7}`, the keys have the pattern
    ///   `aa-0`, and the values are numbers.
    private static func lookAlike(_ members: [Inference.Member]) -> Bool {
        let values = members.lazy.flatMap(\.values)
        if haveSimilarKeys(values) { return true }
        let firstPattern = pattern(members[0].key)
        return members.allSatisfy { pattern($0.key) == firstPattern }
            && values.allSatisfy { $0.kind == values.first?.kind }
    }

    /// Returns a text with `0` for each digit, `a` for each small letter and `A` for each capital: `123-Xy` → `000-Aa`.
    private static func pattern(_ text: String) -> String {
        let classes = text.prefix(maxPatternLength).map { character -> Character in
            if character.isNumber { return "0" }
            if character.isLowercase { return "a" }
            return character.isUppercase ? "A" : character
        }
        return String(classes)
    }

    /// Whether all values are objects with much the same keys: each has at least half of all keys that occur.
    ///
    /// The search ends at the first object that shows otherwise.
    static func haveSimilarKeys(_ values: some Sequence<JSONValue>) -> Bool {
        var allKeys: Set<String> = []
        var fewestKeys = Int.max
        for value in values {
            guard let members = value.members else { return false }
            fewestKeys = min(fewestKeys, members.count)
            for (key, _) in members { allKeys.insert(key) }
            if allKeys.count > 2 * fewestKeys { return false }
        }
        return !allKeys.isEmpty
    }
}

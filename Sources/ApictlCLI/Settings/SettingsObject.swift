import JSONText

/// Reads the members of an object in the configuration file, each by its key.
///
///     var object = try SettingsObject(place)
///     let retry = try object.read("retry") { try $0.nonNegativeInteger() }
///     try object.finish()
///
/// ``finish()`` refuses all keys that have not been read, so that a typing error is found.
struct SettingsObject {
    private struct Member {
        let key: String
        /// The place of the value.
        let place: JSONPlace
    }

    private let members: [Member]
    /// The keys that have been read or looked for. All other keys are unknown.
    private var knownKeys: [String] = []

    /// Opens the object at a place.
    ///
    /// - Throws: ``UsageError`` if the value is no object, or if a key is given twice.
    init(_ place: JSONPlace) throws {
        guard let members = place.json.members else { throw place.error("expected an object") }
        var keys: Set<String> = []
        for (key, value) in members where !keys.insert(key).inserted {
            throw place.inner(value).key.error("'\(key)' is given twice")
        }
        self.members = members.map { Member(key: $0.key, place: place.inner($0.value)) }
    }

    /// Returns the value of a key with its place, and marks the key as known.
    ///
    /// - Returns: The value; nil if the object does not have the key.
    private mutating func takeValue(ofKey key: String) -> JSONPlace? {
        knownKeys.append(key)
        return members.first { $0.key == key }?.place
    }

    /// Reads the value of a key, and marks the key as known.
    ///
    /// - Parameters:
    ///   - key: The key, such as `retry`.
    ///   - convert: Returns the value as the caller needs it, and throws ``UsageError`` if it is wrong.
    /// - Returns: The converted value with its place; nil if the object does not have the key.
    mutating func read<Value>(_ key: String, _ convert: (JSONPlace) throws -> Value) throws -> Setting<Value>? {
        guard let place = takeValue(ofKey: key) else { return nil }
        return Setting(value: try convert(place), place: place)
    }

    /// Reads the members of the object that is the value of a key, and marks the key as known.
    ///
    /// - Parameters:
    ///   - key: The key, such as `headers`.
    ///   - convert: Returns the value of a member, given the member's name and its value in the file. It refuses a
    ///     wrong value with ``UsageError``.
    /// - Returns: The members in the order of the file; empty if there is no such key.
    mutating func readMembers<Value>(
        _ key: String, _ convert: (_ name: String, JSONPlace) throws -> Value
    ) throws -> [NamedSetting<Value>] {
        guard let place = takeValue(ofKey: key) else { return [] }
        return try SettingsObject(place).members.map { member in
            let value = try convert(member.key, member.place)
            return NamedSetting(name: member.key, setting: Setting(value: value, place: member.place))
        }
    }

    /// Refuses keys that nobody has read, which are probably typing errors. Call it after all keys have been read.
    ///
    /// - Throws: ``UsageError`` with the place of the first unknown key, and the nearest known one.
    func finish() throws {
        guard let unknown = members.first(where: { !knownKeys.contains($0.key) }) else { return }
        let question = NearestWord.question(unknown.key, in: knownKeys)
        throw unknown.place.key.error("unknown key '\(unknown.key)'" + question)
    }
}

/// A setting that has a name of its own: a header, a query item, a parameter, the variable of a credential.
struct NamedSetting<Value: Sendable>: Sendable {
    let name: String
    let setting: Setting<Value>

    var value: Value { setting.value }
    var place: JSONPlace { setting.place }
}

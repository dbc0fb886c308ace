import JSONText

/// Reads the members of an object of the configuration file, each by its key and as a value of one type.
///
/// Call ``finish()`` after the last member: it refuses keys that nobody has asked for.
struct SettingsObject {
    private let members: [(key: String, place: JSONPlace)]
    /// The keys that have been asked for.
    private var knownKeys: [String] = []

    /// Opens the object at `place`.
    ///
    /// - Throws: ``UsageError`` if there is something else, or if a key is given twice.
    init(_ place: JSONPlace) throws {
        guard let members = place.json.members else { throw place.error("expected an object") }
        var keys: Set<String> = []
        for (key, value) in members where !keys.insert(key).inserted {
            throw place.inner(value).key.error("'\(key)' is given twice")
        }
        self.members = members.map { ($0.key, place.inner($0.value)) }
    }

    /// Reads the member of that key with `read`.
    ///
    /// - Returns: The setting, or nil if the object does not have the key.
    mutating func read<Value>(_ key: String, _ read: (JSONPlace) throws -> Value) throws -> Setting<Value>? {
        knownKeys.append(key)
        guard let place = members.first(where: { $0.key == key })?.place else { return nil }
        return Setting(value: try read(place), place: place)
    }

    /// Reads every member of the object at `key` with `read`, in the order of the file.
    ///
    /// - Returns: The members; none if there is no such key.
    mutating func readMembers<Value>(
        _ key: String, _ read: (_ name: String, JSONPlace) throws -> Value
    ) throws -> [NamedSetting<Value>] {
        knownKeys.append(key)
        guard let place = members.first(where: { $0.key == key })?.place else { return [] }
        return try SettingsObject(place).members.map { name, place in
            NamedSetting(name: name, setting: Setting(value: try read(name, place), place: place))
        }
    }

    /// Ends the reading.
    ///
    /// - Throws: ``UsageError`` for a key that nobody has asked for.
    func finish() throws {
        guard let (key, place) = members.first(where: { !knownKeys.contains($0.key) }) else { return }
        throw place.key.error("unknown key '\(key)'" + NearestWord.question(key, in: knownKeys))
    }
}

/// A setting that has a name of its own: a header, a query item, a parameter, the variable of a credential.
struct NamedSetting<Value: Sendable>: Sendable {
    let name: String
    let setting: Setting<Value>

    var value: Value { setting.value }
    var place: JSONPlace { setting.place }
}

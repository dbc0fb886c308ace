/// Notes in the order in which they were met, each one once, up to a limit.
struct SchemaNotes {
    /// The most notes about ignored keywords, and the most about anything else.
    ///
    /// Further ones do not help to judge a shape. The two kinds are counted apart, because `maxLength` in each of 1,000
    /// strings must not hide a reference that leads nowhere.
    static let maxNotes = 100

    /// A note, by which it is known again.
    private struct Key: Hashable {
        let place: DocumentPlace
        let reason: SchemaNote.Reason
    }

    private(set) var list: [SchemaNote] = []
    private var keys: Set<Key> = []
    private var ignoredKeywordCount = 0

    /// Adds a note, unless it is there already or there are too many.
    mutating func insert(_ note: SchemaNote) {
        let count = note.isIgnoredKeyword ? ignoredKeywordCount : list.count - ignoredKeywordCount
        guard count < Self.maxNotes else { return }
        guard keys.insert(Key(place: DocumentPlace(note.place), reason: note.reason)).inserted else { return }
        list.append(note)
        if note.isIgnoredKeyword { ignoredKeywordCount += 1 }
    }

    /// Adds notes.
    mutating func insert(_ notes: [SchemaNote]) {
        for note in notes { insert(note) }
    }
}

import JSONText

/// Notes in the order in which they were met, each one once, up to a limit.
struct SchemaNotes {
    /// The most notes about ignored keywords, and the most about anything else.
    ///
    /// Further ones do not help to judge a shape. The two kinds are counted apart, because `maxLength` in each of 1,000
    /// strings must not hide a reference that leads nowhere.
    static let maxNotes = 100

    /// The identity of a note. Two notes with the same reason about the same schema are equal.
    private struct Key: Hashable {
        let place: DocumentPlace
        let reason: SchemaNote.Reason

        init(_ note: SchemaNote) {
            place = DocumentPlace(note.place)
            reason = note.reason
        }
    }

    private(set) var list: [SchemaNote] = []
    private var keys: Set<Key> = []
    /// The number of notes in ``list`` that are about ignored keywords.
    private var ignoredKeywordCount = 0
    /// Whether there is a note that further keywords have none.
    private var hasFurtherKeywords = false

    /// Adds a note, unless an equal one is there already, or too many are.
    ///
    /// The first ignored keyword beyond the limit becomes a note that further keywords are ignored.
    mutating func insert(_ note: SchemaNote) {
        if keys.contains(Key(note)) { return }
        switch note.reason {
        case .ignoredKeyword where ignoredKeywordCount < Self.maxNotes:
            ignoredKeywordCount += 1
            append(note)
        case .ignoredKeyword, .furtherKeywords:
            insertFurtherKeywords(note.place)
        default:
            if list.count - ignoredKeywordCount < Self.maxNotes { append(note) }
        }
    }

    /// Adds a note that there are further ignored keywords, once.
    private mutating func insertFurtherKeywords(_ place: JSONValue) {
        if hasFurtherKeywords { return }
        hasFurtherKeywords = true
        append(SchemaNote(.furtherKeywords, place))
    }

    /// Adds a note without any check.
    private mutating func append(_ note: SchemaNote) {
        keys.insert(Key(note))
        list.append(note)
    }

    /// Adds several notes by the rules of ``insert(_:)`` for a single one.
    mutating func insert(_ notes: [SchemaNote]) {
        for note in notes { insert(note) }
    }
}

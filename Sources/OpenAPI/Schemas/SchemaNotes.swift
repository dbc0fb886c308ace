import JSONText

/// A list of notes about schemas. Equal notes are listed once, and the length of the list is limited.
struct SchemaNotes {
    /// The most notes about ignored keywords, and the most notes about anything else.
    ///
    /// The two kinds are counted separately. Otherwise, 1,000 notes about `maxLength` would hide a `$ref` that can't
    /// be resolved.
    static let maxNotes = 100

    /// The identity of a note: its reason, and the place of its schema.
    private struct Key: Hashable {
        let place: DocumentPlace
        let reason: SchemaNote.Reason

        init(_ note: SchemaNote) {
            place = DocumentPlace(note.place)
            reason = note.reason
        }
    }

    /// The notes in the order in which they were added.
    private(set) var list: [SchemaNote] = []
    /// The identities of the notes in ``list``.
    private var keys: Set<Key> = []
    /// The number of notes in ``list`` that are about ignored keywords.
    private var ignoredKeywordCount = 0
    /// Whether ``list`` has the note that further keywords are ignored.
    private var hasFurtherKeywords = false

    /// Adds a note, unless the list has an equal note or has reached its limit.
    ///
    /// The first ignored keyword above the limit adds a note that further keywords are ignored.
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

    /// Adds the note that further keywords are ignored, unless the list has it.
    private mutating func insertFurtherKeywords(_ place: JSONValue) {
        if hasFurtherKeywords { return }
        hasFurtherKeywords = true
        append(SchemaNote(.furtherKeywords, about: place))
    }

    /// Adds a note without checking the limit.
    private mutating func append(_ note: SchemaNote) {
        keys.insert(Key(note))
        list.append(note)
    }

    /// Adds several notes, each one as `insert(_:)` adds a single note.
    mutating func insert(_ notes: [SchemaNote]) {
        for note in notes { insert(note) }
    }
}

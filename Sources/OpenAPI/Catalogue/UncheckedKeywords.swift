/// Counts the keywords of a document's schemas that no comparison of values checks, such as `pattern`.
struct UncheckedKeywords {
    /// The schemas with each keyword. Several operations may use the same schema, which counts once.
    private var schemasByKeyword: [String: Set<DocumentPlace>] = [:]
    /// The first note about each keyword, in the order in which the keywords were counted.
    private var firstNotes: [(keyword: String, note: SchemaNote)] = []
    /// The names of the endpoints with further keywords. Their number was limited, so they were not counted.
    private var endpointsWithFurtherKeywords: [String] = []

    /// Whether a note is about keywords that are not checked.
    static func includes(_ note: SchemaNote) -> Bool {
        switch note.reason {
        case .ignoredKeyword, .furtherKeywords: true
        default: false
        }
    }

    /// Counts a note about keywords that are not checked. Any other note is ignored.
    ///
    /// - Parameters:
    ///   - note: The note.
    ///   - endpointName: The name of the endpoint that has the schema.
    mutating func count(_ note: SchemaNote, of endpointName: String) {
        switch note.reason {
        case .ignoredKeyword(let keyword):
            if schemasByKeyword[keyword] == nil { firstNotes.append((keyword: keyword, note: note)) }
            schemasByKeyword[keyword, default: []].insert(DocumentPlace(note.place))
        case .furtherKeywords:
            // This note stands for all keywords beyond the limit of notes.
            endpointsWithFurtherKeywords.append(endpointName)
        default:
            break
        }
    }

    /// A sentence about each keyword, and one about the endpoints with further keywords.
    ///
    ///     the keyword pattern is not checked in 12 schemas, such as #/components/schemas/Pet
    ///     further keywords of 2 endpoints are not checked, such as those of shop.find
    var sentences: [String] {
        var sentences = firstNotes.map { keyword, note in
            let count = schemasByKeyword[keyword]?.count ?? 0
            let schemas = count == 1 ? "1 schema" : "\(count) schemas"
            return "the keyword \(keyword) is not checked in \(schemas), such as \(note.pointer)"
        }
        if let name = endpointsWithFurtherKeywords.first {
            let count = endpointsWithFurtherKeywords.count
            let endpoints = count == 1 ? "1 endpoint" : "\(count) endpoints"
            sentences.append("further keywords of \(endpoints) are not checked, such as those of \(name)")
        }
        return sentences
    }
}

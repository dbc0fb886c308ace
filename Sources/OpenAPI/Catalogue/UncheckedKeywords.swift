/// The keywords of schemas that no comparison checks, counted for all operations of a document.
struct UncheckedKeywords {
    /// The schemas with each keyword, each once, although several operations may name the same schema.
    private var keywords: [String: Set<DocumentPlace>] = [:]
    /// A note about each keyword, in the order in which the keywords were met.
    private var examples: [(keyword: String, note: SchemaNote)] = []
    /// The names of the endpoints with more such keywords than there are notes.
    private var crowdedEndpoints: [String] = []

    /// Adds a note about a schema of an endpoint.
    ///
    /// - Returns: Whether the note is about keywords that are not checked. Any other note is not added.
    mutating func add(_ note: SchemaNote, of endpointName: String) -> Bool {
        switch note.reason {
        case .ignoredKeyword(let keyword):
            if keywords[keyword] == nil { examples.append((keyword, note)) }
            keywords[keyword, default: []].insert(DocumentPlace(note.place))
        case .furtherKeywords:
            crowdedEndpoints.append(endpointName)
        default:
            return false
        }
        return true
    }

    /// A sentence for each keyword, and one for the endpoints with more of them than there are notes.
    ///
    ///     the keyword pattern is not checked in 12 schemas, such as #/components/schemas/Pet
    ///
    var sentences: [String] {
        var sentences = examples.map { keyword, note in
            let count = keywords[keyword]?.count ?? 0
            let schemas = count == 1 ? "1 schema" : "\(count) schemas"
            return "the keyword \(keyword) is not checked in \(schemas), such as \(note.pointer)"
        }
        if let name = crowdedEndpoints.first {
            let count = crowdedEndpoints.count
            let endpoints = count == 1 ? "1 endpoint" : "\(count) endpoints"
            sentences.append("further keywords of \(endpoints) are not checked, such as those of \(name)")
        }
        return sentences
    }
}

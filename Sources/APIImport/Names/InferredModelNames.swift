/// Names models after the subject of a response, or after the key under which they were seen.
///
/// The response of `GET /movies` with `{"results": [{"title": "…", "genre": {…}}]}` has the models `MoviePage` or
/// `MovieList`, `Movie` and `Genre`.
struct InferredModelNames {
    /// Keys of lists and objects that the object around them only wraps, such as `results`.
    private static let generalKeys: Set<String> = [
        "collection", "content", "contents", "data", "docs", "edges", "elements", "entries", "entry", "features",
        "hits", "item", "items", "list", "node", "nodes", "object", "objects", "payload", "record", "records",
        "response", "result", "results", "rows", "values",
    ]
    /// Words of keys that stand beside the list of a page.
    private static let pageWords: Set<String> = [
        "count", "cursor", "limit", "more", "next", "offset", "page", "pages", "prev", "previous", "total",
    ]

    /// The longest name, in bytes, that is made of the parent's name and a name that is taken. If it would be longer,
    /// the short name gets a number instead.
    private static let longestName = 48

    private let options: ImportChoices
    /// The names that are taken.
    private var table: NameTable
    /// The models that have a name.
    private var named: Set<InferredModel> = []
    /// The models whose fields have been looked at.
    private var visited: Set<InferredModel> = []
    /// The named models in the order of the samples. Each one comes before the models that it holds.
    private(set) var order: [InferredModel] = []

    /// Begins to name models.
    ///
    /// - Parameters:
    ///   - options: The names that people chose.
    ///   - given: The models that have words for their names. They are named first.
    init(_ options: ImportChoices, given: [InferredModel] = []) {
        self.options = options
        table = NameTable(options.taken.union(SwiftNames.typesInUse).union(options.type.map { [$0] } ?? []))
        for model in given { setName(of: model, model.words ?? [], parent: options.type) }
        for model in given { name(.model(model), subject: model.words ?? []) }
    }

    /// A type whose model is to be named.
    private struct UnnamedType {
        let type: InferredType
        /// The words of what the values are about, after which the model is named.
        var subject: [String]
        /// The name of the model that holds the values, which goes before a name that is taken.
        let parent: String?
        /// Whether the values are responses, and not parts of them.
        var isRoot = false
    }

    /// Names the model of a response or of a value in a request, and all models in its fields or cases.
    ///
    /// A list `[Movie]` has no model itself, so its elements are named. Models that have been visited before keep their
    /// names. New ones are appended to ``order``.
    ///
    /// - Parameters:
    ///   - type: The type of the response or value.
    ///   - subject: The words of what the response or value is about: `["movies"]`.
    ///   - parent: The text that goes before a name that is taken; nil for the name of the API's enum.
    mutating func name(_ type: InferredType, subject: [String], parent: String? = nil) {
        let root = UnnamedType(
            type: type, subject: SwiftNames.singular(subject), parent: parent ?? options.type, isRoot: true)
        // A stack instead of recursion, because a hostile server chooses the depth of its responses.
        var stack = [root]
        while var unnamed = stack.popLast() {
            guard let model = unnamed.type.leaf.model, visited.insert(model).inserted else { continue }
            let isCollection = unnamed.type.model == nil
            if isCollection {
                unnamed.subject = SwiftNames.singular(unnamed.subject)
                unnamed.isRoot = false
            }
            let contents = nameModel(model, of: unnamed)
            // The first field is named first, so it goes on top of the stack.
            stack += contents.reversed()
        }
    }

    /// Names a model alone.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - unnamed: The type whose model it is, with the subject and the parent that make the name.
    /// - Returns: The types in the fields or cases of the model, to be named next.
    private mutating func nameModel(_ model: InferredModel, of unnamed: UnnamedType) -> [UnnamedType] {
        switch model.form {
        case .structure(let fields):
            return nameStructure(model, fields, of: unnamed)
        case .values:
            setName(of: model, unnamed.subject, parent: unnamed.parent)
            return []
        case .union(let alternatives, let tagKey):
            let name = setName(of: model, unnamed.subject, parent: unnamed.parent)
            return alternatives.map { alternative in
                let words = Self.words(of: alternative, isTagged: tagKey != nil, subject: unnamed.subject)
                return UnnamedType(type: alternative.type, subject: words, parent: name)
            }
        }
    }

    /// Returns the words for the model of an alternative of an enum.
    ///
    /// The tag `cat` of a `Pet` makes `cat pet`. Without a tag, an object beside values of other kinds makes
    /// `pet object`.
    ///
    /// - Parameters:
    ///   - alternative: The alternative.
    ///   - isTagged: Whether the alternatives are told apart by a tag.
    ///   - subject: The words of what the values are about.
    private static func words(
        of alternative: InferredModel.Alternative, isTagged: Bool, subject: [String]
    ) -> [String] {
        let tagWords = SwiftNames.words(alternative.tag)
        if isTagged {
            let endsWithSubject = tagWords.suffix(subject.count) == subject[...]
            return endsWithSubject ? tagWords : tagWords + subject
        }
        return tagWords + subject + (alternative.type.model == nil ? [] : ["object"])
    }

    /// Names a structure.
    ///
    /// A structure that only wraps others is named after them: `MoviePage` for the subject `movie` and a field
    /// `results`. Models in other fields are named after the keys of the fields.
    ///
    /// - Parameters:
    ///   - model: The structure.
    ///   - fields: The fields of the structure.
    ///   - unnamed: The subject of the structure, and where it is used.
    /// - Returns: The types of the fields, to be named next.
    private mutating func nameStructure(
        _ model: InferredModel, _ fields: [InferredModel.Property], of unnamed: UnnamedType
    ) -> [UnnamedType] {
        let keyWords = fields.map { SwiftNames.words($0.key) }
        let singularSubject = SwiftNames.singular(unnamed.subject)
        let wrapped = wrappedField(of: model, keyWords, subject: singularSubject, isRoot: unnamed.isRoot)
        let nameWords = wrapped.map { singularSubject + [$0.lastWord] } ?? unnamed.subject
        let name = setName(of: model, nameWords, parent: unnamed.parent)
        return fields.indices.map { index in
            let fieldSubject = index == wrapped?.index ? singularSubject : keyWords[index]
            return UnnamedType(type: fields[index].type, subject: fieldSubject, parent: name)
        }
    }

    /// The field with the values that a structure only wraps, such as `results` of a page.
    private struct WrappedField {
        /// The index of the field.
        let index: Int
        /// The last word for the name of the structure: `page`, `list`, `edge`, `response` or `container`.
        let lastWord: String
    }

    /// Returns the field with the values that a structure only wraps; nil if it has values of its own.
    ///
    /// | Structure | Name |
    /// |---|---|
    /// | a list of models, and a field such as `total` | `MoviePage` |
    /// | a list of models | `MovieList` |
    /// | one model under `node`, as in GraphQL | `MovieEdge` |
    /// | one model, in a response | `MovieResponse` |
    /// | one model, inside of a response | `MovieContainer` |
    ///
    /// - Parameters:
    ///   - model: The structure.
    ///   - keyWords: The words of the keys of its fields.
    ///   - subject: The words of what the structure is about, in the singular.
    ///   - isRoot: Whether the structure is a response.
    private func wrappedField(
        of model: InferredModel, _ keyWords: [[String]], subject: [String], isRoot: Bool
    ) -> WrappedField? {
        let fields = model.fields
        let candidates = fields.indices.filter { index in
            let isGeneral = Self.generalKeys.contains(keyWords[index].joined())
            let isSubject = !subject.isEmpty && SwiftNames.singular(keyWords[index]) == subject
            return isGeneral || isSubject
        }
        for index in candidates {
            // A node with a list of nodes, such as a tree, is not a page of them.
            guard case .array(let element) = fields[index].type, let item = element.model, item != model else {
                continue
            }
            let isPage = keyWords.contains { !Self.pageWords.isDisjoint(with: $0) }
            return WrappedField(index: index, lastWord: isPage ? "page" : "list")
        }
        guard let index = candidates.first(where: { fields[$0].type.model != nil }) else { return nil }
        // GraphQL's connections have edges, and each edge has a node.
        if fields[index].key == "node" { return WrappedField(index: index, lastWord: "edge") }
        return WrappedField(index: index, lastWord: isRoot ? "response" : "container")
    }

    /// Gives a model a name that is not taken, unless it has one already.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - words: The words of the name.
    ///   - parent: The name that goes before a name that is taken.
    /// - Returns: The name of the model.
    @discardableResult
    private mutating func setName(of model: InferredModel, _ words: [String], parent: String?) -> String {
        guard named.insert(model).inserted else { return model.name }
        let name = freeName(for: model, words, parent: parent)
        model.name = table.unique(options.typeNames[name] ?? name)
        order.append(model)
        return model.name
    }

    /// Returns the name of some words, or a longer one if that is taken.
    ///
    /// The first of these names that is not taken counts:
    ///
    /// 1. The words: `["sort"]` → `Sort`. A name that people chose another one for is never made longer.
    /// 2. The model's long words: `ListPetsSort`.
    /// 3. The parent's name in front: `PetSort`. This one may be taken too, and then gets a number.
    private func freeName(for model: InferredModel, _ words: [String], parent: String?) -> String {
        let shortName = SwiftNames.typeName(words)
        let isRenamed = options.typeNames[shortName] != nil
        if isRenamed || !table.contains(shortName) { return shortName }
        let name = model.longWords.map(SwiftNames.typeName) ?? shortName
        if !table.contains(name) { return name }
        // `MarvelCharacter`, `ProductImage`, but not `CharacterPageCharacter`.
        let prefix = [parent, options.type].compactMap(\.self).first { !$0.hasPrefix(name) }
        let nameWithPrefix = if let prefix { prefix + name } else { name + "Model" }
        return nameWithPrefix.utf8.count <= Self.longestName ? nameWithPrefix : name
    }
}

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
    private var takenNames: NameTable
    /// The models that have a name.
    private var namedModels: Set<InferredModel> = []
    /// The models whose fields have been looked at.
    private var visitedModels: Set<InferredModel> = []
    /// The named models in the order of the samples. Each one comes before the models that it contains.
    private(set) var orderedModels: [InferredModel] = []

    /// Names the models whose names a document gives, and then the models in them.
    ///
    /// - Parameters:
    ///   - options: The names that people chose, and those that models can't have because they are taken.
    ///   - modelsWithWords: The models with words of their own, which the document gives.
    init(_ options: ImportChoices, modelsWithWords: [InferredModel] = []) {
        self.options = options
        takenNames = NameTable(options.taken.union(SwiftNames.typesInUse).union([options.type].compactMap(\.self)))
        for model in modelsWithWords { setName(of: model, words: model.words ?? [], parent: options.type) }
        for model in modelsWithWords { nameModels(in: .model(model), subject: model.words ?? []) }
    }

    /// A type whose model is to be named.
    private struct UnnamedType {
        let type: InferredType
        /// The words of what the values are about, after which the model is named.
        var subject: [String]
        /// The name of the model that holds the values, which goes before a name that is taken.
        let parent: String?
        /// Whether the values are whole responses, or whole values of requests, and not parts of them.
        var isRoot = false
    }

    /// Names the models in the types of responses after the subjects of the responses.
    mutating func nameModels(ofResponses responses: [InferredModels.Response], types: [InferredType]) {
        for (response, type) in zip(responses, types) {
            nameModels(in: type, subject: SwiftNames.words(response.subject))
        }
    }

    /// Names the models in the types of values in requests after the keys of the values. The type nil has no models.
    mutating func nameModels(ofSentValues sentValues: [SentValues], types: [InferredType?]) {
        for (values, type) in zip(sentValues, types) {
            if let type { nameModels(in: type, subject: values.words, parent: values.parent) }
        }
    }

    /// Names the model of a response or of a value in a request, and all models in its fields or cases.
    ///
    /// A list `[Movie]` has no model itself, so its elements are named. Models that have been visited before keep their
    /// names. New ones are appended to ``orderedModels``.
    ///
    /// - Parameters:
    ///   - type: The type of the response or value.
    ///   - subject: The words of what the response or value is about: `["movies"]`.
    ///   - parent: The text that goes before a name that is taken; nil for the name of the API's enum.
    mutating func nameModels(in type: InferredType, subject: [String], parent: String? = nil) {
        let root = UnnamedType(
            type: type, subject: SwiftNames.singular(subject), parent: parent ?? options.type, isRoot: true)
        // A stack instead of recursion, because a hostile server chooses the depth of its responses.
        var pendingTypes = [root]
        while var pendingType = pendingTypes.popLast() {
            guard let model = pendingType.type.leaf.model, visitedModels.insert(model).inserted else { continue }
            let isCollection = pendingType.type.model == nil
            if isCollection {
                pendingType.subject = SwiftNames.singular(pendingType.subject)
                // An element of a list is a part of the response, so it is never called `MovieResponse`.
                pendingType.isRoot = false
            }
            let contents = nameModel(model, of: pendingType)
            // The first field is named first, so it goes on top of the stack.
            pendingTypes += contents.reversed()
        }
    }

    /// Names a model, but not yet the models in it.
    ///
    /// - Parameters:
    ///   - model: The model to name.
    ///   - unnamed: The type in which the model is used, with the subject and the parent that make the name.
    /// - Returns: The types in the fields or cases of the model, to be named next.
    private mutating func nameModel(_ model: InferredModel, of unnamed: UnnamedType) -> [UnnamedType] {
        switch model.form {
        case .structure(let fields):
            return nameStructure(model, fields: fields, of: unnamed)
        case .values:
            setName(of: model, words: unnamed.subject, parent: unnamed.parent)
            return []
        case .union(let alternatives, let tagKey):
            let name = setName(of: model, words: unnamed.subject, parent: unnamed.parent)
            return alternatives.map { alternative in
                let words = Self.alternativeWords(of: alternative, isTagged: tagKey != nil, subject: unnamed.subject)
                return UnnamedType(type: alternative.type, subject: words, parent: name)
            }
        }
    }

    /// Returns the words for the model of an alternative of an enum.
    ///
    /// | Alternative | Words |
    /// |---|---|
    /// | the tag `cat` of a `Pet` | `cat pet` |
    /// | the tag `house-pet` of a `Pet` | `house pet`: it ends with the subject already |
    /// | an object beside other kinds of JSON, such as strings | `pet object` |
    /// | a list beside other kinds of JSON | `pet` |
    ///
    /// - Parameters:
    ///   - alternative: A case of the enum: the type of its value, and its tag if it has one.
    ///   - isTagged: Whether the alternatives are told apart by a tag.
    ///   - subject: The words of what the values are about.
    private static func alternativeWords(
        of alternative: InferredModel.Alternative, isTagged: Bool, subject: [String]
    ) -> [String] {
        let tagWords = SwiftNames.words(alternative.tag)
        if isTagged {
            let endsWithSubject = tagWords.suffix(subject.count) == subject[...]
            return endsWithSubject ? tagWords : tagWords + subject
        }
        let isModel = alternative.type.model != nil
        return isModel ? subject + ["object"] : subject
    }

    /// Names a structure, and chooses the subjects after which the models in its fields will be named.
    ///
    /// A structure around the models of its subject is named after them: with the subject `movie`, a page with a list
    /// under `results` is a `MoviePage`, and the elements of the list are named `Movie`. Models in other fields are
    /// named after the keys of the fields.
    ///
    /// - Parameters:
    ///   - model: The structure to name.
    ///   - fields: The fields of the structure.
    ///   - unnamed: The type in which the structure is used, with its subject and its parent.
    /// - Returns: The types of the fields, to be named next.
    private mutating func nameStructure(
        _ model: InferredModel, fields: [InferredModel.Property], of unnamed: UnnamedType
    ) -> [UnnamedType] {
        let wordsOfKeys = fields.map { SwiftNames.words($0.key) }
        let singularSubject = SwiftNames.singular(unnamed.subject)
        let wrappedField = findWrappedField(
            of: model, wordsOfKeys: wordsOfKeys, subject: singularSubject, isRoot: unnamed.isRoot)
        var nameWords = unnamed.subject
        if let wrappedField { nameWords = singularSubject + [wrappedField.lastWord] }
        let name = setName(of: model, words: nameWords, parent: unnamed.parent)
        return fields.indices.map { index in
            let isWrappedField = index == wrappedField?.index
            let fieldSubject = isWrappedField ? singularSubject : wordsOfKeys[index]
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

    /// Returns the field whose models a structure wraps, such as `results` of a page of movies.
    ///
    /// The key of the field says nothing new: it is general, such as `results`, or it repeats the subject.
    ///
    /// | The structure has | Its name |
    /// |---|---|
    /// | a list of models, and a field such as `total` | `MoviePage` |
    /// | a list of models | `MovieList` |
    /// | one model under `node`, as in GraphQL | `MovieEdge` |
    /// | one model, and it is the whole response | `MovieResponse` |
    /// | one model, and it is a part of the response | `MovieContainer` |
    ///
    /// - Parameters:
    ///   - model: The structure, such as a page.
    ///   - wordsOfKeys: The words of the key of each field.
    ///   - subject: The words of what the structure is about, in the singular.
    ///   - isRoot: Whether the structure is a whole response, or a whole value of a request.
    /// - Returns: The field, with the last word for the structure's name; nil if no such field has a model.
    private func findWrappedField(
        of model: InferredModel, wordsOfKeys: [[String]], subject: [String], isRoot: Bool
    ) -> WrappedField? {
        let fields = model.fields
        let candidates = fields.indices.filter { index in
            let isGeneral = Self.generalKeys.contains(wordsOfKeys[index].joined())
            let isSubject = !subject.isEmpty && SwiftNames.singular(wordsOfKeys[index]) == subject
            return isGeneral || isSubject
        }
        for index in candidates {
            // A structure with a list of its own kind is a node of a tree, and not a page of nodes.
            guard case .array(let element) = fields[index].type, let item = element.model, item != model else {
                continue
            }
            let isPage = wordsOfKeys.contains { !Self.pageWords.isDisjoint(with: $0) }
            return WrappedField(index: index, lastWord: isPage ? "page" : "list")
        }
        guard let index = candidates.first(where: { fields[$0].type.model != nil }) else { return nil }
        // GraphQL's connections have edges, and each edge has a node.
        if fields[index].key == "node" { return WrappedField(index: index, lastWord: "edge") }
        return WrappedField(index: index, lastWord: isRoot ? "response" : "container")
    }

    /// Gives a model a name that is not taken, unless it has one already.
    ///
    /// A new model is added to ``orderedModels``.
    ///
    /// - Parameters:
    ///   - model: The model to name.
    ///   - words: The words of the name.
    ///   - parent: The text that is put before a name that is taken: `Pet` makes `PetSort` of `Sort`.
    /// - Returns: The name of the model, new or old.
    @discardableResult
    private mutating func setName(of model: InferredModel, words: [String], parent: String?) -> String {
        guard namedModels.insert(model).inserted else { return model.name }
        let derivedName = deriveName(for: model, words: words, parent: parent)
        let chosenName = options.typeNames[derivedName]
        model.name = takenNames.unique(chosenName ?? derivedName)
        orderedModels.append(model)
        return model.name
    }

    /// Returns the name that some words make, or a longer one if that is taken.
    ///
    /// The first of these names that is not taken counts:
    ///
    /// 1. The words: `["sort"]` → `Sort`.
    /// 2. The longer words that a document has for the model: `ListPetsSort`.
    /// 3. The parent's name in front: `PetSort`. It may be taken too, and then the caller adds a number.
    private func deriveName(for model: InferredModel, words: [String], parent: String?) -> String {
        let shortName = SwiftNames.typeName(words)
        // If people chose a name in place of this one, the caller replaces it, so it may be taken.
        let isReplacedByChoice = options.typeNames[shortName] != nil
        if isReplacedByChoice || !takenNames.contains(shortName) { return shortName }
        let longName = model.longWords.map(SwiftNames.typeName) ?? shortName
        if !takenNames.contains(longName) { return longName }
        // `MarvelCharacter`, but not `CharacterPageCharacter`: a parent that begins with the name is not put in front.
        let prefix = [parent, options.type].compactMap(\.self).first { !$0.hasPrefix(longName) }
        let extendedName = if let prefix { prefix + longName } else { longName + "Model" }
        // The caller adds a number to the shorter name if this one would be too long.
        return extendedName.utf8.count <= Self.longestName ? extendedName : longName
    }
}

/// Names models after the subject of the response, or after the key under which they were seen.
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
    private var table: NameTable
    private var named: Set<InferredModel> = []
    private var visited: Set<InferredModel> = []
    /// The named models in the order of the samples. Each one comes before the models that it holds.
    private(set) var order: [InferredModel] = []

    /// - Parameter given: Models that have words for their names, before all others.
    init(_ options: ImportChoices, given: [InferredModel] = []) {
        self.options = options
        table = NameTable(options.taken.union(SwiftNames.typesInUse).union(options.type.map { [$0] } ?? []))
        for model in given { add(model, model.words ?? [], parent: options.type) }
        for model in given { name(.model(model), subject: model.words ?? []) }
    }

    /// A type whose models are to be named after its subject.
    private struct Work {
        let type: InferredType
        var subject: [String]
        let parent: String?
        var isRoot = false
    }

    /// Names the models of the type of a response or of a value in a request, and all that they hold.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - subject: The words for what it is about.
    ///   - parent: What goes before a name that is taken; nil is the API's type.
    mutating func name(_ type: InferredType, subject: [String], parent: String? = nil) {
        let subject = SwiftNames.singular(subject)
        var work = [Work(type: type, subject: subject, parent: parent ?? options.type, isRoot: true)]
        while var next = work.popLast() {
            guard let model = next.type.leaf.model, visited.insert(model).inserted else { continue }
            if next.type.model == nil {
                next.subject = SwiftNames.singular(next.subject)
                next.isRoot = false
            }
            work += name(model, next).reversed()
        }
    }

    /// Names a model.
    ///
    /// - Returns: The types that the model holds, to be named next.
    private mutating func name(_ model: InferredModel, _ work: Work) -> [Work] {
        switch model.form {
        case .structure(let fields):
            return nameStructure(model, fields, work)
        case .values:
            add(model, work.subject, parent: work.parent)
            return []
        case .union(let alternatives, let key):
            let name = add(model, work.subject, parent: work.parent)
            return alternatives.map { alternative in
                let words = Self.words(of: alternative, isTagged: key != nil, subject: work.subject)
                return Work(type: alternative.type, subject: words, parent: name)
            }
        }
    }

    /// Returns the words for the model of an alternative: `cat` and `pet` for the tag `cat` of a `Pet`, and `pet` and
    /// `object` for an object that is told from other values by its kind.
    private static func words(
        of alternative: InferredModel.Alternative, isTagged: Bool, subject: [String]
    ) -> [String] {
        let tagWords = SwiftNames.words(alternative.tag)
        if isTagged { return tagWords.suffix(subject.count) == subject[...] ? tagWords : tagWords + subject }
        return tagWords + subject + (alternative.type.model == nil ? [] : ["object"])
    }

    /// Names a structure.
    ///
    /// A structure that only wraps others is named after them: `MoviePage` for the subject `movie` and a field
    /// `results`. Models in other fields are named after the keys of the fields.
    ///
    /// - Returns: The types that the structure holds, to be named next.
    private mutating func nameStructure(
        _ model: InferredModel, _ fields: [InferredModel.Property], _ work: Work
    ) -> [Work] {
        let words = fields.map { SwiftNames.words($0.key) }
        let content = content(model, words, SwiftNames.singular(work.subject), isRoot: work.isRoot)
        let subject = content == nil ? work.subject : SwiftNames.singular(work.subject)
        let name = add(model, subject + (content.map { [$0.suffix] } ?? []), parent: work.parent)
        return fields.indices.map { index in
            let isContent = index == content?.field
            return Work(type: fields[index].type, subject: isContent ? subject : words[index], parent: name)
        }
    }

    /// The field of a structure that holds what the structure is about, such as `results` of a page.
    private struct Content {
        /// The index of the field.
        let field: Int
        /// The last word for the name of the structure: `page`, `list`, `edge`, `response` or `container`.
        let suffix: String
    }

    /// Finds the field that holds what a structure is about; nil if there is none.
    ///
    /// A list of models is preferred to a single one. The structure around it is a page if it has a field such as
    /// `total`, and else a list.
    private func content(
        _ model: InferredModel, _ words: [[String]], _ subject: [String], isRoot: Bool
    ) -> Content? {
        let fields = model.fields
        let candidates = fields.indices.filter { index in
            let isGeneral = Self.generalKeys.contains(words[index].joined())
            return isGeneral || (!subject.isEmpty && SwiftNames.singular(words[index]) == subject)
        }
        for index in candidates {
            // A node with a list of nodes, such as a tree, is not a page of them.
            guard case .array(let element) = fields[index].type, let item = element.model, item != model else {
                continue
            }
            let isPage = words.contains { !Self.pageWords.isDisjoint(with: $0) }
            return Content(field: index, suffix: isPage ? "page" : "list")
        }
        guard let index = candidates.first(where: { fields[$0].type.model != nil }) else { return nil }
        // GraphQL's connections have edges, and each edge has a node.
        if fields[index].key == "node" { return Content(field: index, suffix: "edge") }
        return Content(field: index, suffix: isRoot ? "response" : "container")
    }

    /// Names a model that has no name yet.
    ///
    /// - Returns: The name of the model.
    @discardableResult
    private mutating func add(_ model: InferredModel, _ words: [String], parent: String?) -> String {
        guard named.insert(model).inserted else { return model.name }
        var name = SwiftNames.typeName(words)
        let chosen = options.typeNames[name]
        if table.contains(name), chosen == nil, let words = model.longWords {
            // `ListPetsSort` for the second parameter that is called `sort`.
            name = SwiftNames.typeName(words)
        }
        if table.contains(name), chosen == nil {
            // `MarvelCharacter`, `ProductImage`; not `CharacterPageCharacter`.
            let parent = [parent, options.type].compactMap(\.self).first { !$0.hasPrefix(name) }
            let long = parent.map { $0 + name } ?? name + "Model"
            if long.utf8.count <= Self.longestName { name = long }
        }
        name = table.unique(options.typeNames[name] ?? name)
        model.name = name
        order.append(model)
        return name
    }
}

/// Names of models: after the subject of the response, or the key under which they were seen.
struct InferredModelNames {
    /// Keys of lists and objects that the object around them only wraps, such as `results`.
    private static let generalKeys: Set<String> = [
        "collection", "content", "contents", "data", "docs", "edges", "elements", "entries", "entry", "features",
        "hits",
        "item", "items", "list", "node", "nodes", "object", "objects", "payload", "record", "records", "response",
        "result", "results", "rows", "values",
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
    /// A page is named after its elements: with the field `results` and the subject `movie` → `MoviePage`.
    ///
    /// - Returns: The types that the model holds, to be named next.
    private mutating func name(_ model: InferredModel, _ work: Work) -> [Work] {
        var subject = work.subject
        guard case .structure(let fields) = model.form else {
            let name = add(model, subject, parent: work.parent)
            guard case .union(let all, let key) = model.form else { return [] }
            return all.map { one in
                var words = SwiftNames.words(one.tag)
                if key == nil || words.suffix(subject.count) != subject[...] { words += subject }
                if key == nil, one.type.model != nil { words.append("object") }
                return Work(type: one.type, subject: words, parent: name)
            }
        }
        let words = fields.map { SwiftNames.words($0.key) }
        let (about, suffix) = content(model, words, SwiftNames.singular(subject), isRoot: work.isRoot)
        if about != nil { subject = SwiftNames.singular(subject) }
        let name = add(model, subject + suffix, parent: work.parent)
        return fields.indices.map { index in
            Work(type: fields[index].type, subject: index == about ? subject : words[index], parent: name)
        }
    }

    /// Finds the field that holds what the object is about, such as `results` of a page.
    ///
    /// - Returns: The index of the field, nil if there is none, and the last word for the name of the object: `page`,
    ///   `list`, `edge`, `response` or `container`.
    private func content(
        _ model: InferredModel, _ words: [[String]], _ subject: [String], isRoot: Bool
    ) -> (field: Int?, suffix: [String]) {
        let fields = model.fields
        let candidates = fields.indices.filter {
            Self.generalKeys.contains(words[$0].joined())
                || !subject.isEmpty && SwiftNames.singular(words[$0]) == subject
        }
        for index in candidates {
            // A node with a list of nodes, such as a tree, is not a page of them.
            guard case .array(let element) = fields[index].type, let item = element.model, item != model else {
                continue
            }
            return (index, words.contains { !Self.pageWords.isDisjoint(with: $0) } ? ["page"] : ["list"])
        }
        guard let index = candidates.first(where: { fields[$0].type.model != nil }) else { return (nil, []) }
        return (index, [fields[index].key == "node" ? "edge" : isRoot ? "response" : "container"])
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

import EndpointTools
import JSONText

/// The models of a document. All shapes of the document share them, so each model is read once.
///
/// Two files may each have a model `Pet`. Inside of the table, their keys are `Pet` and `Pet 2`. The names in a shape
/// that is returned depend on that shape alone: a shape that only names the second model calls it `Pet`.
struct ModelTable {
    /// A model of the document.
    private struct Entry {
        /// The name of the model in its document, such as `Pet` for `#/components/schemas/Pet`.
        let baseName: String
        /// The name of the model in the table, such as `Pet 2`. It is unique.
        let key: String
        /// The shape, which refers to other models by their keys; nil until the schema has been read.
        var shape: Shape?
        /// The indexes of the models that the shape itself names.
        var namedIndexes: [Int] = []
        /// The notes about the schemas of the shape.
        var notes: [SchemaNote] = []
    }

    private var entries: [Entry] = []
    /// Makes the keys of the models unique.
    private var keys = UniqueNames(separator: " ")
    /// The index in ``entries`` of each key.
    private var indexes: [String: Int] = [:]

    /// Adds a model that has no shape yet.
    ///
    /// A shape can refer to the model at once, even the shape of the model itself. ``setShape(_:notes:of:)`` follows
    /// when the schema has been read. If another model has the same name, the model gets a key with a number: `Pet 2`.
    ///
    /// - Parameter reference: The text of the `$ref` that names the schema, such as `#/components/schemas/Pet`.
    /// - Returns: The index of the model, for ``setShape(_:notes:of:)`` and ``shapeNaming(_:)``.
    mutating func addModel(referredToBy reference: String) -> Int {
        let baseName = ModelName.baseName(of: reference)
        let key = keys.addName(baseName)
        let index = entries.count
        entries.append(Entry(baseName: baseName, key: key))
        indexes[key] = index
        return index
    }

    /// Returns the shape that refers to the model with an index. It is valid before the model itself has been read.
    func shapeNaming(_ index: Int) -> Shape { .model(entries[index].key) }

    /// Sets the shape of the model with an index, and the notes about its schema.
    ///
    /// The indexes of the models that the shape names are stored too, so that a search does not visit the shape again.
    mutating func setShape(_ shape: Shape, notes: [SchemaNote], of index: Int) {
        entries[index].shape = shape
        entries[index].namedIndexes = modelIndexes(in: shape)
        entries[index].notes = notes
    }

    // MARK: Shapes

    /// Returns a shape together with all models that it refers to, directly and through other models.
    ///
    /// The key of a model is its unique name in the table. The model is renamed if its key has a number that this shape
    /// does not need: `Pet 2` becomes `Pet` if the shape does not refer to the other `Pet`.
    ///
    /// - Parameters:
    ///   - root: A shape that refers to models by their keys. The result refers to them by their new names.
    ///   - notes: The notes about the root. The result has the notes about its models too.
    func completeShape(of root: Shape, notes: [SchemaNote]) -> SchemaShape {
        let reachableModels = reachableIndexes(from: root).map { entries[$0] }
        let newNames = chooseNewNames(of: reachableModels)
        let models = reachableModels.map { entry in
            ModelShape.Model(name: newNames[entry.key] ?? entry.key, shape: renamedShape(of: entry, newNames: newNames))
        }
        var allNotes = SchemaNotes()
        allNotes.insert(notes)
        for entry in reachableModels { allNotes.insert(entry.notes) }
        let renamedRoot = newNames.isEmpty ? root : root.renamingModels(newNames)
        return SchemaShape(root: renamedRoot, models: models, notes: allNotes.list)
    }

    /// Returns the shape of a model, in which other models have new names.
    ///
    /// - Parameters:
    ///   - entry: The model.
    ///   - newNames: The names of renamed models by their keys.
    private func renamedShape(of entry: Entry, newNames: [String: String]) -> Shape {
        let shape = entry.shape ?? .any
        // Most shapes refer to no renamed model. They need no copy.
        let namesRenamedModel = entry.namedIndexes.contains { newNames[entries[$0].key] != nil }
        return namesRenamedModel ? shape.renamingModels(newNames) : shape
    }

    /// Returns the indexes of all models that a shape refers to, directly or through other models, without repetitions.
    ///
    /// This is a breadth-first search: the models of the shape itself come first, then the models of those, and so on.
    private func reachableIndexes(from root: Shape) -> [Int] {
        // The result is also the queue of the search. Models that have been searched stay in it.
        var queue = modelIndexes(in: root)
        var seenIndexes = Set(queue)
        var nextPosition = 0
        while nextPosition < queue.count {
            let model = entries[queue[nextPosition]]
            for index in model.namedIndexes where seenIndexes.insert(index).inserted { queue.append(index) }
            nextPosition += 1
        }
        return queue
    }

    /// Returns the names of the models whose name in a shape differs from their key.
    ///
    /// For a shape with the model `Pet 2` and without the model `Pet`, the result is `["Pet 2": "Pet"]`.
    ///
    /// - Parameter entries: The models of the shape, in the order in which they get their names.
    /// - Returns: The names by the keys.
    private func chooseNewNames(of entries: [Entry]) -> [String: String] {
        var uniqueNames = UniqueNames(separator: " ")
        var newNames: [String: String] = [:]
        for entry in entries {
            // The key is unique in the whole document. The name only has to be unique in this shape.
            let name = uniqueNames.addName(entry.baseName)
            if name != entry.key { newNames[entry.key] = name }
        }
        return newNames
    }

    /// Returns the indexes of the models that a shape itself refers to, without repetitions.
    private func modelIndexes(in shape: Shape) -> [Int] {
        var namedIndexes: [Int] = []
        var seenIndexes: Set<Int> = []
        shape.forEachModel { key in
            if let index = indexes[key], seenIndexes.insert(index).inserted { namedIndexes.append(index) }
        }
        return namedIndexes
    }
}

extension Shape {
    /// Calls a function with the name of each model that the shape itself refers to.
    ///
    /// A list of `Pet` calls the function with `Pet`. The shape of `Pet` is not searched for further models.
    fileprivate func forEachModel(_ body: (String) -> Void) {
        switch self {
        case .model(let name): body(name)
        case .array(let shape), .dictionary(let shape), .nullable(let shape): shape.forEachModel(body)
        case .object(let fields), .variants(let fields):
            for field in fields { field.shape.forEachModel(body) }
        case .open(let fields, let others):
            for field in fields { field.shape.forEachModel(body) }
            others.forEachModel(body)
        case .alternatives(let shapes):
            for shape in shapes { shape.forEachModel(body) }
        case .scalar, .values, .null, .any: break
        }
    }

    /// Returns the shape with new names of the models that it refers to.
    ///
    /// - Parameter newNames: The new names by the old names. A model that is not among them keeps its name.
    fileprivate func renamingModels(_ newNames: [String: String]) -> Shape {
        switch self {
        case .model(let name): .model(newNames[name] ?? name)
        case .array(let shape): .array(shape.renamingModels(newNames))
        case .dictionary(let shape): .dictionary(shape.renamingModels(newNames))
        case .nullable(let shape): .nullable(shape.renamingModels(newNames))
        case .object(let fields): .object(fields.map { $0.renamingModels(newNames) })
        case .open(let fields, let others):
            .open(fields.map { $0.renamingModels(newNames) }, others: others.renamingModels(newNames))
        case .variants(let fields): .variants(fields.map { $0.renamingModels(newNames) })
        case .alternatives(let shapes): .alternatives(shapes.map { $0.renamingModels(newNames) })
        case .scalar, .values, .null, .any: self
        }
    }
}

extension Shape.Field {
    /// Returns the field with new names of the models in its shape, as ``Shape/renamingModels(_:)`` does.
    fileprivate func renamingModels(_ newNames: [String: String]) -> Shape.Field {
        Shape.Field(
            key: key, shape: shape.renamingModels(newNames), isOptional: isOptional, typeName: typeName)
    }
}

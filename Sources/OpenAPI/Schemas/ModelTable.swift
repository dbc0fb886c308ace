import EndpointTools
import JSONText

/// The models of a document, in the order in which they were first named.
///
/// All shapes of a document share the models, so that each one is read once. Inside of the table, a model has a key
/// that no other model of the document has. In a shape it has a name that depends on that shape alone: of two models
/// `Pet` in different files, the second one has the key `Pet 2`, and is called `Pet` in a shape without the first one.
struct ModelTable {
    /// A model with what a shape that names it needs.
    private struct Entry {
        /// The last key of the reference, such as `Pet`.
        let baseName: String
        let key: String
        /// The shape; nil while it is being made.
        var shape: Shape?
        /// The indexes of the models that the shape names.
        var uses: [Int] = []
        /// The notes about the schemas of the shape.
        var notes: [SchemaNote] = []
    }

    private var entries: [Entry] = []
    /// Gives each model a key of its own.
    private var keys = UniqueNames(separator: " ")
    /// The indexes in ``entries`` by key.
    private var indexes: [String: Int] = [:]

    /// Adds a model without a shape.
    ///
    /// - Parameter reference: The text of the `$ref` that names the schema.
    /// - Returns: The index of the model.
    mutating func add(_ reference: String) -> Int {
        let baseName = ModelName.baseName(of: reference)
        let key = keys.name(baseName)
        let index = entries.count
        entries.append(Entry(baseName: baseName, key: key))
        indexes[key] = index
        return index
    }

    /// Returns the shape that names a model by its key.
    func reference(_ index: Int) -> Shape { .model(entries[index].key) }

    /// Sets the shape of a model, and the notes about its schemas.
    mutating func set(_ shape: Shape, _ notes: [SchemaNote], of index: Int) {
        entries[index].shape = shape
        entries[index].uses = uses(of: shape)
        entries[index].notes = notes
    }

    // MARK: Shapes

    /// Returns a shape with all models that it names, directly and through others.
    ///
    /// - Parameters:
    ///   - root: A shape that names models by their keys.
    ///   - notes: The notes about the root. The notes about its models are added.
    func shape(_ root: Shape, _ notes: [SchemaNote]) -> SchemaShape {
        let usedEntries = allUses(of: root).map { entries[$0] }
        let newNames = newNames(of: usedEntries)
        let models = usedEntries.map { entry in
            ModelShape.Model(name: newNames[entry.key] ?? entry.key, shape: shape(of: entry, newNames))
        }
        var allNotes = SchemaNotes()
        allNotes.insert(notes)
        for entry in usedEntries { allNotes.insert(entry.notes) }
        return SchemaShape(
            root: newNames.isEmpty ? root : root.renamingModels(newNames), models: models, notes: allNotes.list)
    }

    /// Returns the shape of a model. A shape that names no renamed model is not copied.
    private func shape(of entry: Entry, _ newNames: [String: String]) -> Shape {
        let shape = entry.shape ?? .any
        let namesRenamedModel = entry.uses.contains { newNames[entries[$0].key] != nil }
        return namesRenamedModel ? shape.renamingModels(newNames) : shape
    }

    /// Returns the indexes of all models that a shape names, directly and through others, each once.
    ///
    /// The models of the shape itself come first, then those that these name, and so on. Models may name each other in
    /// circles.
    private func allUses(of root: Shape) -> [Int] {
        var used = uses(of: root)
        var seen = Set(used)
        var next = 0
        while next < used.count {
            for index in entries[used[next]].uses where seen.insert(index).inserted { used.append(index) }
            next += 1
        }
        return used
    }

    /// Returns the names of models in a shape by their keys. A model whose name is its key is left out.
    ///
    /// A shape with the model `Pet 2` and without `Pet` calls it `Pet`.
    ///
    /// - Parameter usedEntries: The models of the shape, in the order in which they get their names.
    private func newNames(of usedEntries: [Entry]) -> [String: String] {
        var names = UniqueNames(separator: " ")
        var newNames: [String: String] = [:]
        for entry in usedEntries {
            let name = names.name(entry.baseName)
            if name != entry.key { newNames[entry.key] = name }
        }
        return newNames
    }

    /// Returns the indexes of the models that a shape itself names, each one once.
    private func uses(of shape: Shape) -> [Int] {
        var uses: [Int] = []
        var seen: Set<Int> = []
        shape.forEachModel { key in
            if let index = indexes[key], seen.insert(index).inserted { uses.append(index) }
        }
        return uses
    }
}

extension Shape {
    /// Calls `body` with the name of each model in the shape, from left to right. The shapes of the models are not
    /// searched.
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

    /// Returns the shape with other names of models.
    ///
    /// - Parameter newNames: The new names by the old ones. A model without a new name keeps its name.
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
    /// Returns the field with other names of models in its shape.
    fileprivate func renamingModels(_ newNames: [String: String]) -> Shape.Field {
        Shape.Field(
            key: key, shape: shape.renamingModels(newNames), isOptional: isOptional, typeName: typeName)
    }
}

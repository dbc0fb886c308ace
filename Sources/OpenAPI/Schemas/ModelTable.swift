import EndpointTools
import JSONText

/// The models of a document, in the order in which they were first named.
///
/// All shapes of a document share the models, so that each one is read once. Inside of the table, a model has a key
/// that no other model of the document has. In a shape it has a name that depends on that shape alone.
struct ModelTable {
    private struct Entry {
        /// The last key of the reference, such as `Pet`.
        let baseName: String
        let key: String
        /// The shape; nil while it is being made.
        var shape: Shape?
        /// The indexes of the models that the shape names.
        var uses: [Int] = []
        var notes: [SchemaNote] = []
    }

    private var entries: [Entry] = []
    private var keys = UniqueNames(separator: " ")
    private var indexes: [String: Int] = [:]

    /// Adds a model without a shape and returns its index.
    ///
    /// - Parameter reference: The text of the `$ref` that names the schema.
    mutating func add(_ reference: String) -> Int {
        let baseName = ModelName.baseName(of: reference)
        let key = keys.name(baseName)
        let index = entries.count
        entries.append(Entry(baseName: baseName, key: key))
        indexes[key] = index
        return index
    }

    /// Returns the shape that names a model.
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
    ///   - notes: The notes about the root. Those about its models are added.
    func shape(_ root: Shape, _ notes: SchemaNotes) -> SchemaShape {
        let used = allUses(of: root)
        let renamed = newNames(used)
        var notes = notes
        var models: [ModelShape.Model] = []
        for index in used {
            let entry = entries[index]
            notes.insert(entry.notes)
            let shape = entry.shape ?? .any
            let needsNames = !renamed.isEmpty && entry.uses.contains { renamed[entries[$0].key] != nil }
            models.append(
                ModelShape.Model(
                    name: renamed[entry.key] ?? entry.key, shape: needsNames ? shape.renamingModels(renamed) : shape))
        }
        return SchemaShape(
            root: renamed.isEmpty ? root : root.renamingModels(renamed), models: models, notes: notes.list)
    }

    /// Returns the indexes of all models that a shape names, directly and through others.
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

    /// Returns the names of models by their keys, for those whose name in a shape is not their key.
    ///
    /// - Parameter used: The models of the shape, in the order in which they get their names.
    private func newNames(_ used: [Int]) -> [String: String] {
        var names = UniqueNames(separator: " ")
        var renamed: [String: String] = [:]
        for index in used {
            let entry = entries[index]
            let name = names.name(entry.baseName)
            if name != entry.key { renamed[entry.key] = name }
        }
        return renamed
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
    /// Calls `body` with the name of each model in the shape, from left to right.
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
    /// - Parameter names: The new names by the old ones.
    fileprivate func renamingModels(_ names: [String: String]) -> Shape {
        switch self {
        case .model(let name): .model(names[name] ?? name)
        case .array(let shape): .array(shape.renamingModels(names))
        case .dictionary(let shape): .dictionary(shape.renamingModels(names))
        case .nullable(let shape): .nullable(shape.renamingModels(names))
        case .object(let fields): .object(Self.renamingModels(fields, names))
        case .open(let fields, let others):
            .open(Self.renamingModels(fields, names), others: others.renamingModels(names))
        case .variants(let fields): .variants(Self.renamingModels(fields, names))
        case .alternatives(let shapes): .alternatives(shapes.map { $0.renamingModels(names) })
        case .scalar, .values, .null, .any: self
        }
    }

    private static func renamingModels(_ fields: [Field], _ names: [String: String]) -> [Field] {
        fields.map { field in
            Field(
                key: field.key, shape: field.shape.renamingModels(names), isOptional: field.isOptional,
                typeName: field.typeName)
        }
    }
}

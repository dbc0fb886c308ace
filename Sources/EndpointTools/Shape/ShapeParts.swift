extension ModelShape {
    /// Returns a part of this shape as a shape of its own, with the models that it needs.
    package func part(_ root: Shape) -> ModelShape { parts(withRoots: [root])[0] }

    /// Returns several parts of this shape as shapes of their own, each with the models that it needs.
    ///
    /// A part needs the models that it mentions, and those that these mention in turn. The models keep their order.
    ///
    /// - Parameter roots: Shapes that mention models of this shape by their names.
    func parts(withRoots roots: [Shape]) -> [ModelShape] {
        if models.isEmpty { return roots.map { ModelShape(root: $0, models: []) } }
        let namesAndIndexes = models.enumerated().map { index, model in (model.name, index) }
        // If two models have the same name, the first one counts.
        let indexesByName = Dictionary(namesAndIndexes, uniquingKeysWith: { first, _ in first })
        return roots.map { root in
            let neededIndexes = indexesOfModels(neededBy: root, indexesByName: indexesByName)
            return ModelShape(root: root, models: neededIndexes.map { models[$0] })
        }
    }

    /// Returns the indexes in ``models`` of the models that a shape needs: those that it mentions, and those that these
    /// mention in turn.
    ///
    /// A name that none of the models has is ignored.
    ///
    /// - Parameters:
    ///   - root: The shape that needs the models.
    ///   - indexesByName: The index of each model by its name.
    /// - Returns: The indexes, the smallest first.
    private func indexesOfModels(neededBy root: Shape, indexesByName: [String: Int]) -> [Int] {
        var neededIndexes: Set<Int> = []
        // The names that have been mentioned, but not looked up. A model that was looked up adds those that it
        // mentions.
        var pendingNames = root.modelNames
        while let name = pendingNames.popLast() {
            guard let index = indexesByName[name] else { continue }
            let isNew = neededIndexes.insert(index).inserted
            if isNew { pendingNames += models[index].shape.modelNames }
        }
        return neededIndexes.sorted()
    }

    /// Returns the shapes of some cases of this enum: each an object with the name of the case as its only key, such as
    /// `{"movie": {"id": integer}}`.
    ///
    /// - Parameter names: The names of the cases. A name that the enum does not have gets an object without fields.
    func cases(_ names: [String]) -> [ModelShape] {
        // The fields of an enum's shape are its cases.
        let namesAndCases = directFields(of: root).map { ($0.key, $0) }
        let casesByName = Dictionary(namesAndCases, uniquingKeysWith: { first, _ in first })
        let roots = names.map { name in
            guard let enumCase = casesByName[name] else { return Shape.object([]) }
            return Shape.object([enumCase])
        }
        return parts(withRoots: roots)
    }
}

extension Shape {
    /// The names of the models that the shape mentions, but not of those that only these models mention.
    package var modelNames: [String] {
        switch self {
        case .array(let inner), .dictionary(let inner), .nullable(let inner): inner.modelNames
        case .object(let fields), .variants(let fields): fields.flatMap(\.shape.modelNames)
        case .open(let fields, let others): fields.flatMap(\.shape.modelNames) + others.modelNames
        case .alternatives(let shapes): shapes.flatMap(\.modelNames)
        case .model(let name): [name]
        case .scalar, .values, .null, .any: []
        }
    }
}

// The graph of models: a model leads to the models in its fields or cases.
extension InferredModel {
    /// Visits models, and those that they lead to, by a depth-first search.
    ///
    /// The search is iterative, because a document chooses the depth.
    ///
    /// - Parameters:
    ///   - models: The models to begin with.
    ///   - next: Returns the models that a model leads to. By default they are those in its fields or cases.
    ///   - isNew: Is called with each model that is reached, perhaps several times, and may collect it. It must return
    ///     true only the first time. The models after it are then visited too.
    static func visit(
        _ models: [InferredModel], to next: (InferredModel) -> [InferredModel] = \.held,
        where isNew: (InferredModel) -> Bool
    ) {
        var unvisited = models
        while let model = unvisited.popLast() {
            if isNew(model) { unvisited += next(model) }
        }
    }

    /// Returns the models that a file with some types needs: those in the types, and all that these contain.
    ///
    /// `[Pet]` → `Pet`, and the `Owner` in it
    static func all(in types: [InferredType]) -> Set<InferredModel> {
        var models: Set<InferredModel> = []
        // An array or dictionary is no model itself, but its leaf may be one.
        let directModels = types.compactMap(\.leaf.model)
        visit(directModels) { models.insert($0).inserted }
        return models
    }

    /// Returns models, and the models that contain them, directly or through others.
    ///
    /// - Parameters:
    ///   - models: The contained models.
    ///   - all: The models that may contain them.
    static func holders(of models: [InferredModel], among all: [InferredModel]) -> Set<InferredModel> {
        if models.isEmpty { return [] }
        var holders: [InferredModel: [InferredModel]] = [:]
        for model in all {
            for held in model.held { holders[held, default: []].append(model) }
        }
        var result: Set<InferredModel> = []
        visit(models, to: { holders[$0] ?? [] }) { result.insert($0).inserted }
        return result
    }

    /// Returns the models that contain themselves, directly or through others. Arrays and dictionaries don't count,
    /// because Swift allows them in a recursive structure.
    ///
    /// These are the models in the strongly connected components of the graph. Kosaraju's algorithm finds them in
    /// linear time: it visits the graph against its direction, in the reverse of ``finishingOrder(_:)``. All of it is
    /// iterative, because a document chooses the depth.
    static func recursive(among models: [InferredModel]) -> Set<InferredModel> {
        let order = finishingOrder(models)
        var holders: [InferredModel: [InferredModel]] = [:]
        for model in order {
            for part in model.direct { holders[part, default: []].append(model) }
        }
        var recursiveModels = Set(order.filter { $0.direct.contains($0) })
        var visited: Set<InferredModel> = []
        for start in order.reversed() {
            var component: [InferredModel] = []
            visit([start], to: { holders[$0] ?? [] }) { model in
                guard visited.insert(model).inserted else { return false }
                component.append(model)
                return true
            }
            if component.count > 1 { recursiveModels.formUnion(component) }
        }
        return recursiveModels
    }

    /// Returns models and those that they contain, in the order in which a depth-first search finishes them.
    ///
    /// A search finishes a model after all models that it contains: `Pet` that contains `Owner` → `Owner`, `Pet`.
    private static func finishingOrder(_ models: [InferredModel]) -> [InferredModel] {
        enum Step {
            case enter(InferredModel)
            case leave(InferredModel)
        }
        var order: [InferredModel] = []
        var seen: Set<InferredModel> = []
        var steps = models.map(Step.enter)
        while let step = steps.popLast() {
            switch step {
            case .leave(let model): order.append(model)
            case .enter(let model):
                guard seen.insert(model).inserted else { continue }
                steps.append(.leave(model))
                steps += model.direct.map(Step.enter)
            }
        }
        return order
    }

    /// Whether a model is one of some models, or is contained in one of them, directly or through others.
    ///
    /// Arrays and dictionaries don't count, because Swift allows them in a recursive structure.
    static func isReachable(_ target: InferredModel, from models: [InferredModel]) -> Bool {
        var reached: Set<InferredModel> = []
        visit(models, to: \.direct) { model in
            let isFound = reached.contains(target)
            // Nothing is visited after the target has been found.
            return !isFound && reached.insert(model).inserted
        }
        return reached.contains(target)
    }
}

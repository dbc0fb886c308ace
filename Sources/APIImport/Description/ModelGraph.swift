// The graph of models: a model leads to the models in its fields or cases.
extension InferredModel {
    /// Visits models and all models that these lead to, depth first.
    ///
    /// The search is iterative, because a document chooses the depth.
    ///
    /// - Parameters:
    ///   - startModels: The models to begin with.
    ///   - successors: Returns the models that a model leads to. By default they are those in its fields or cases.
    ///   - markVisited: Records the visit of a model, and returns whether it is the first one. Only the first visit
    ///     leads on to the successors.
    static func visit(
        _ startModels: [InferredModel], successors: (InferredModel) -> [InferredModel] = \.containedModels,
        markVisited: (InferredModel) -> Bool
    ) {
        var pendingModels = startModels
        while let model = pendingModels.popLast() {
            let isFirstVisit = markVisited(model)
            if isFirstVisit { pendingModels += successors(model) }
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

    /// Returns models together with the models that contain them, directly or through others.
    ///
    /// `Owner` → `Owner`, and the `Pet` that has an owner, and the `PetList` with such pets
    ///
    /// - Parameters:
    ///   - models: The contained models.
    ///   - candidates: The models that may contain them.
    static func withContainers(_ models: [InferredModel], among candidates: [InferredModel]) -> Set<InferredModel> {
        if models.isEmpty { return [] }
        let containers = containersByModel(in: candidates, contents: \.containedModels)
        var visited: Set<InferredModel> = []
        visit(models, successors: { containers[$0] ?? [] }) { visited.insert($0).inserted }
        return visited
    }

    /// Returns the models that directly contain each model: `Pet` under `Owner` if a pet has an owner.
    ///
    /// - Parameters:
    ///   - models: The models that may contain others.
    ///   - contents: Returns the models that a model contains.
    private static func containersByModel(
        in models: [InferredModel], contents: (InferredModel) -> [InferredModel]
    ) -> [InferredModel: [InferredModel]] {
        var containers: [InferredModel: [InferredModel]] = [:]
        for container in models {
            for content in contents(container) { containers[content, default: []].append(container) }
        }
        return containers
    }

    /// Returns the models that contain themselves, directly or through others. Arrays and dictionaries don't count,
    /// because Swift allows them in a recursive structure.
    ///
    /// Such a model has itself as a field, or shares a strongly connected component of the graph with other models.
    /// Kosaraju's algorithm finds the components in linear time: it visits the graph against its direction, in the
    /// reverse of ``finishingOrder(_:)``. All of it is iterative, because a document chooses the depth.
    static func recursive(among models: [InferredModel]) -> Set<InferredModel> {
        let order = finishingOrder(models)
        let containers = containersByModel(in: order, contents: \.inlineModels)
        // A component of a single model counts only if the model has itself as a field.
        var recursiveModels = Set(order.filter { $0.inlineModels.contains($0) })
        var visited: Set<InferredModel> = []
        for start in order.reversed() {
            var component: [InferredModel] = []
            visit([start], successors: { containers[$0] ?? [] }) { model in
                let isFirstVisit = visited.insert(model).inserted
                if isFirstVisit { component.append(model) }
                return isFirstVisit
            }
            if component.count > 1 { recursiveModels.formUnion(component) }
        }
        return recursiveModels
    }

    /// Returns models and those that they contain, in the order in which a depth-first search finishes them.
    ///
    /// A search finishes a model after all models that it contains: `Pet` that contains `Owner` → `Owner`, `Pet`.
    /// Models in arrays and dictionaries don't count.
    private static func finishingOrder(_ models: [InferredModel]) -> [InferredModel] {
        enum Step {
            /// Goes on to the models in a model, and then leaves it.
            case enter(InferredModel)
            /// Finishes a model, because all models in it are finished.
            case leave(InferredModel)
        }
        var finishedModels: [InferredModel] = []
        var enteredModels: Set<InferredModel> = []
        var pendingSteps = models.map(Step.enter)
        while let step = pendingSteps.popLast() {
            switch step {
            case .leave(let model): finishedModels.append(model)
            case .enter(let model):
                guard enteredModels.insert(model).inserted else { continue }
                pendingSteps.append(.leave(model))
                pendingSteps += model.inlineModels.map(Step.enter)
            }
        }
        return finishedModels
    }

    /// Whether `target` is among `models`, or one of `models` contains it, directly or through others.
    ///
    /// Arrays and dictionaries don't count, because Swift allows them in a recursive structure.
    static func isReachable(_ target: InferredModel, from models: [InferredModel]) -> Bool {
        var visited: Set<InferredModel> = []
        visit(models, successors: \.inlineModels) { visited.insert($0).inserted }
        return visited.contains(target)
    }
}

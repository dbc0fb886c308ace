// The graph of models: which of them hold others.
extension InferredModel {
    /// Visits models, and those that they lead to, as far as they are new.
    static func visit(
        _ models: [InferredModel], to next: (InferredModel) -> [InferredModel] = \.held,
        where isNew: (InferredModel) -> Bool
    ) {
        var open = models
        while let model = open.popLast() { if isNew(model) { open += next(model) } }
    }

    /// Returns the models that values of these types are made of.
    static func all(in types: [InferredType]) -> Set<InferredModel> {
        var models: Set<InferredModel> = []
        visit(types.compactMap(\.leaf.model)) { models.insert($0).inserted }
        return models
    }

    /// Returns the models of which `models` are parts, with `models` themselves.
    ///
    /// - Parameters:
    ///   - models: The parts.
    ///   - all: The models that may hold them.
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

    /// Returns the models that hold themselves, directly or through others, but not in an array or dictionary.
    ///
    /// These are the strongly connected components of the graph of models, found as Kosaraju does: in linear time, and
    /// without recursion, because a document chooses the depth.
    static func recursive(among models: [InferredModel]) -> Set<InferredModel> {
        let order = finishingOrder(models)
        var holders: [InferredModel: [InferredModel]] = [:]
        for model in order {
            for held in model.direct { holders[held, default: []].append(model) }
        }
        var result = Set(order.filter { $0.direct.contains($0) })
        var visited: Set<InferredModel> = []
        for model in order.reversed() {
            var component: [InferredModel] = []
            visit([model], to: { holders[$0] ?? [] }) { model in
                guard visited.insert(model).inserted else { return false }
                component.append(model)
                return true
            }
            if component.count > 1 { result.formUnion(component) }
        }
        return result
    }

    /// Returns models, and those that they hold directly, in the order in which a depth-first search leaves them.
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

    /// Whether one of `models` may be or hold that model other than in an array or dictionary.
    static func lead(_ models: [InferredModel], to model: InferredModel) -> Bool {
        var seen: Set<InferredModel> = []
        visit(models, to: \.direct) { !seen.contains(model) && seen.insert($0).inserted }
        return seen.contains(model)
    }
}

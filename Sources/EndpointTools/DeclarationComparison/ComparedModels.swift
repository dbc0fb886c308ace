/// The models that a comparison has met so far, and the pairs of shapes that it knows to be equal.
///
/// Operations of a document share most of their models. Shapes that are equal in one operation are not compared again
/// in the next one.
final class ComparedModels {
    /// The shapes of a value in the document and in the API.
    struct ShapePair: Hashable {
        /// The alternatives in the document: a value has one of these shapes.
        let documentShapes: [ScopedShape]
        /// The alternatives in the API.
        let apiShapes: [ScopedShape]
        let part: ComparedPart

        /// The shapes without null. They have the same members and elements.
        var withoutNull: ShapePair {
            ShapePair(
                documentShapes: documentShapes.compactMap(\.nonNull), apiShapes: apiShapes.compactMap(\.nonNull),
                part: part)
        }
    }

    /// The side of a comparison that a shape belongs to.
    enum Side {
        case document, api
    }

    /// The most scopes that are searched for a shape, the newest first. Requests and responses mostly have different
    /// ones, so that a few are enough.
    private static let maxSearchedScopes = 4

    /// The models of each scope by their names.
    private(set) var models: [[String: Shape]] = []
    /// The indexes of the scopes of each side, the newest last.
    private var scopes: [Side: [Int]] = [:]
    /// The pairs that have no difference, and no part with one.
    private var equalPairs: Set<ShapePair> = []

    /// Stores the models that a shape names, and returns the shape with the scope in which they are stored.
    ///
    /// A *scope* is a set of models in which each name stands for one model. For example, `Pet` may be one object in a
    /// request and another one in a response. These two get different scopes. The models are added to the newest scope
    /// that has no other models with the same names, or to a new one. Only the newest ``maxSearchedScopes`` are
    /// searched.
    ///
    /// - Parameters:
    ///   - shape: The shape with the models that it names.
    ///   - side: Whether the shape is of the document or of the API. Each of them has its own scopes.
    func storeModels(of shape: ModelShape, on side: Side) -> ScopedShape {
        let newestScopes = scopes[side, default: []].suffix(Self.maxSearchedScopes)
        let matchingScope = newestScopes.last { scope in hasNoOtherModels(scope, namedLike: shape.models) }
        let scope = matchingScope ?? addScope(on: side)
        for model in shape.models {
            let isNew = models[scope][model.name] == nil
            if isNew { models[scope][model.name] = model.shape }
        }
        return ScopedShape(shape: shape.root, scope: scope)
    }

    /// Whether a scope has no model that differs from one of `newModels` with the same name.
    private func hasNoOtherModels(_ scope: Int, namedLike newModels: [ModelShape.Model]) -> Bool {
        newModels.allSatisfy { newModel in
            guard let scopedModel = models[scope][newModel.name] else { return true }
            return scopedModel == newModel.shape
        }
    }

    /// Adds a scope without models, and returns its index.
    private func addScope(on side: Side) -> Int {
        let scope = models.count
        models.append([:])
        scopes[side, default: []].append(scope)
        return scope
    }

    /// Whether a pair is known to have no difference.
    func areEqual(_ pair: ShapePair) -> Bool { equalPairs.contains(pair) }

    /// Remembers pairs that have no difference.
    func addEqual(_ pairs: Set<ShapePair>) { equalPairs.formUnion(pairs) }
}

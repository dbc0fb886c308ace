/// The models that a comparison has met, and the shapes that it knows to be the same.
///
/// Operations of a document share most of their models. What is the same in one operation is not compared again in the
/// next one.
final class ComparisonMemory {
    /// The shapes of two values.
    struct Pair: Hashable {
        let document: [ScopedShape]
        let api: [ScopedShape]
        let part: ComparedPart

        /// The shapes without null, which has no parts.
        var withoutNull: Pair {
            Pair(document: document.compactMap(\.nonNull), api: api.compactMap(\.nonNull), part: part)
        }
    }

    /// The side of a comparison that a shape belongs to.
    enum Side {
        case document, api
    }

    /// The most scopes that are searched for the one of a shape. Requests and responses have different ones.
    private static let maxSearchedScopes = 4

    /// The models of each scope by their names.
    private(set) var models: [[String: Shape]] = []
    /// The indexes of the scopes of each side, the newest last.
    private var scopes: [Side: [Int]] = [:]
    /// The pairs that have no difference, and no part with one.
    private var samePairs: Set<Pair> = []

    /// Returns a shape with the scope of its models.
    ///
    /// A name stands for one model within a scope. So a shape whose models have other shapes than those of the same
    /// names so far gets a scope of its own.
    func scoped(_ shape: ModelShape, _ side: Side) -> ScopedShape {
        let known = scopes[side, default: []]
        let fitting = known.suffix(Self.maxSearchedScopes).last { scope in
            shape.models.allSatisfy { model in models[scope][model.name].map { $0 == model.shape } ?? true }
        }
        let scope = fitting ?? models.count
        if fitting == nil {
            models.append([:])
            scopes[side, default: []].append(scope)
        }
        for model in shape.models where models[scope][model.name] == nil { models[scope][model.name] = model.shape }
        return ScopedShape(shape: shape.root, scope: scope)
    }

    /// Whether a pair is known to have no difference.
    func isSame(_ pair: Pair) -> Bool { samePairs.contains(pair) }

    /// Remembers pairs that have no difference.
    func addSame(_ pairs: Set<Pair>) { samePairs.formUnion(pairs) }
}

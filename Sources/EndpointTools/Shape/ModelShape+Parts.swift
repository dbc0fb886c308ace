import EndpointKit

extension ModelShape {
    /// The fields of objects of that shape, not of those in lists.
    package func directFields(of shape: Shape) -> [Shape.Field] { alternatives(shape).flatMap(\.fields) }

    /// The fields of objects of that shape, lists walked through; nil if any key may be there.
    package func fields(of shape: Shape, depth: Int = 0) -> [Shape.Field]? {
        let alternatives = alternatives(shape)
        // A model may hold itself in lists.
        guard depth < 32, !alternatives.contains(where: \.hasAnyKey) else { return nil }
        var found: [Shape.Field] = []
        for alternative in alternatives {
            let inner = alternative.isArray ? fields(of: alternative.element, depth: depth + 1) : alternative.fields
            guard let inner else { return nil }
            found += inner
        }
        return found
    }

    /// Whether a value of that shape may be a list.
    package func isList(_ shape: Shape) -> Bool { alternatives(shape).contains(where: \.isArray) }

    /// What a list of that shape holds; the shape itself if it is no list.
    package func elements(of shape: Shape) -> [Shape] { alternatives(shape).map(\.element) }

    /// The shapes of the values at a path of keys with dots between them, through lists; nil if any key may be on the way. None if there is no
    /// such key.
    package func shapes(at path: String) -> [Shape]? {
        path.split(separator: ".").reduce([root] as [Shape]?) { shapes, key in
            shapes.flatMap { fields(of: .alternatives($0)) }?.filter { $0.key == key }.map(\.shape)
        }
    }

    /// Whether values of that shape are one token.
    package func isSingle(_ shape: Shape) -> Bool {
        alternatives(shape).allSatisfy {
            switch $0 {
            case .scalar, .values, .null: true
            case .array, .dictionary, .object, .model, .nullable, .variants, .alternatives, .any: false
            }
        }
    }

    /// The shapes that a value of that shape may have, which are neither models nor made of other shapes for the whole value.
    private func alternatives(_ shape: Shape, depth: Int = 0) -> [Shape] {
        // A model may be one of its own alternatives.
        guard depth < 32 else { return [] }
        return switch shape {
        case .model(let name): model(name).map { alternatives($0.shape, depth: depth + 1) } ?? []
        case .nullable(let shape): alternatives(shape, depth: depth + 1) + [.null]
        case .alternatives(let shapes): shapes.flatMap { alternatives($0, depth: depth + 1) }
        default: [shape]
        }
    }
}

extension Shape {
    fileprivate var hasAnyKey: Bool { isDictionary || self == .any }
}

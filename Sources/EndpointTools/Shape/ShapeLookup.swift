import EndpointKit

/// Fields and paths are looked up through models, nullable values and alternatives, as `--select` and `--columns` need
/// it.
extension ModelShape {
    /// Models are followed to this depth, because a model may hold itself.
    private static let maxDepth = 32

    /// Returns the fields of objects of `shape`. Lists have no fields.
    package func directFields(of shape: Shape) -> [Shape.Field] { resolved(shape).flatMap(\.fields) }

    /// Returns the fields of objects of `shape`, or of the objects in lists of lists of that shape.
    ///
    /// - Returns: The fields; nil if an object may have other keys, such as a dictionary or an open object.
    package func fields(of shape: Shape) -> [Shape.Field]? {
        let known = knownFields(of: shape, depth: 0)
        return known.areAll ? known.fields : nil
    }

    /// Returns the fields that a shape names for its objects, or for the objects in lists of lists of that shape. The
    /// objects may have other keys too.
    package func namedFields(of shape: Shape) -> [Shape.Field] { knownFields(of: shape, depth: 0).fields }

    /// Returns the fields that a shape names for its objects, also those in the elements of lists.
    ///
    /// - Parameters:
    ///   - shape: The shape.
    ///   - depth: How many lists are around the shape. A model can be a list of itself without an end.
    /// - Returns: The fields, and whether objects have no other keys.
    private func knownFields(of shape: Shape, depth: Int) -> (fields: [Shape.Field], areAll: Bool) {
        guard depth < Self.maxDepth else { return ([], false) }
        var fields: [Shape.Field] = []
        var areAll = true
        for form in resolved(shape) {
            switch form {
            case .dictionary, .any:
                areAll = false
            case .array(let element):
                let inner = knownFields(of: element, depth: depth + 1)
                fields += inner.fields
                areAll = areAll && inner.areAll
            case .open(let named, _):
                fields += named
                areAll = false
            default:
                fields += form.fields
            }
        }
        return (fields, areAll)
    }

    /// Returns whether a value of `shape` may be a list.
    package func isList(_ shape: Shape) -> Bool { resolved(shape).contains(where: \.isArray) }

    /// Returns the shapes of the elements if `shape` is a list, else the shape itself without models and alternatives.
    package func elements(of shape: Shape) -> [Shape] { resolved(shape).map(\.element) }

    /// Returns the shapes of the values at a path such as `results.id`, which leads through lists.
    ///
    /// - Returns: The shapes; an empty array if there is no such key, nil if an object on the way may have any key.
    package func shapes(at path: String) -> [Shape]? {
        var shapes = [root]
        for key in path.split(separator: ".") {
            guard let fields = fields(of: .alternatives(shapes)) else { return nil }
            shapes = fields.filter { $0.key == key }.map(\.shape)
        }
        return shapes
    }

    /// Returns whether each value of `shape` is a single token, so that it fits into a cell of a table.
    package func isSingle(_ shape: Shape) -> Bool {
        resolved(shape).allSatisfy { form in
            switch form {
            case .scalar, .values, .null: true
            case .array, .dictionary, .object, .open, .model, .nullable, .variants, .alternatives, .any: false
            }
        }
    }

    /// Returns the shapes that a value of `shape` may have, with models, nullable values and alternatives written out.
    ///
    /// For example, `.nullable(.model("Movie"))` becomes `[.object(…), .null]`.
    private func resolved(_ shape: Shape, depth: Int = 0) -> [Shape] {
        // A model may be one of its own alternatives.
        guard depth < Self.maxDepth else { return [] }
        switch shape {
        case .model(let name):
            guard let model = model(name) else { return [] }
            return resolved(model.shape, depth: depth + 1)
        case .nullable(let shape):
            return resolved(shape, depth: depth + 1) + [.null]
        case .alternatives(let shapes):
            return shapes.flatMap { resolved($0, depth: depth + 1) }
        case .scalar, .values, .array, .dictionary, .object, .open, .variants, .null, .any:
            return [shape]
        }
    }
}

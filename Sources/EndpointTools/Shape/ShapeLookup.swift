import EndpointKit

/// Fields and paths of values, which are looked up through models, nullable values and alternatives. The options
/// `--select` and `--columns` are checked so.
extension ModelShape {
    /// The most models and lists within each other that a look-up follows, because a model may hold itself.
    private static let maxDepth = 32

    /// Returns the fields of a shape whose values are objects. For a list, there are none.
    package func directFields(of shape: Shape) -> [Shape.Field] { resolved(shape).flatMap(\.fields) }

    /// Returns the fields of the objects of a shape. For a list, these are the fields of its elements, also if these
    /// are lists in turn.
    ///
    /// - Returns: The fields; nil if an object may have other keys, such as a dictionary or an open object.
    package func fields(of shape: Shape) -> [Shape.Field]? {
        let known = knownFields(of: shape, depth: 0)
        return known.areAll ? known.fields : nil
    }

    /// Returns the fields that a shape names for its objects. For a list, these are the fields of its elements. The
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
        for alternative in resolved(shape) {
            switch alternative {
            case .dictionary, .any:
                areAll = false
            case .array(let element):
                let inner = knownFields(of: element, depth: depth + 1)
                fields += inner.fields
                if !inner.areAll { areAll = false }
            case .open(let namedFields, _):
                fields += namedFields
                areAll = false
            default:
                fields += alternative.fields
            }
        }
        return (fields, areAll)
    }

    /// Returns whether a value of `shape` may be a list.
    package func isList(_ shape: Shape) -> Bool { resolved(shape).contains(where: \.isArray) }

    /// Returns the shapes that an element of a list may have. A shape that is no list counts as its own element.
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
        resolved(shape).allSatisfy { alternative in
            switch alternative {
            case .scalar, .values, .null: true
            case .array, .dictionary, .object, .open, .model, .nullable, .variants, .alternatives, .any: false
            }
        }
    }

    /// Returns the shapes that a value of `shape` may have, with models, nullable values and unions replaced by what
    /// they consist of.
    ///
    /// For example, `.nullable(.model("Movie"))` becomes `[.object(…), .null]`.
    private func resolved(_ shape: Shape, depth: Int = 0) -> [Shape] {
        // A model may be one of its own alternatives.
        guard depth < Self.maxDepth else { return [] }
        switch shape {
        case .model(let name):
            guard let model = model(name) else { return [] }
            return resolved(model.shape, depth: depth + 1)
        case .nullable(let wrapped):
            return resolved(wrapped, depth: depth + 1) + [.null]
        case .alternatives(let shapes):
            return shapes.flatMap { resolved($0, depth: depth + 1) }
        case .scalar, .values, .array, .dictionary, .object, .open, .variants, .null, .any:
            return [shape]
        }
    }
}

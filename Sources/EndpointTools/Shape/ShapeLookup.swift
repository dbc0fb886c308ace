import EndpointKit

/// Fields and paths of values, which are looked up through models, nullable values and alternatives. The options
/// `--select` and `--columns` are checked so.
extension ModelShape {
    /// The most models and lists within each other that a look-up follows, because a model may hold itself.
    private static let maxDepth = 32

    /// Returns the fields of a shape whose values are objects. For a list, there are none.
    package func directFields(of shape: Shape) -> [Shape.Field] { resolvedAlternatives(of: shape).flatMap(\.fields) }

    /// Returns the fields of the objects of a shape. For a list, these are the fields of its elements, also if these
    /// are lists in turn.
    ///
    /// - Returns: The fields; nil if an object may have other keys, such as a dictionary or an open object.
    package func fields(of shape: Shape) -> [Shape.Field]? {
        let keys = objectKeys(of: shape, listDepth: 0)
        return keys.mayHaveOthers ? nil : keys.namedFields
    }

    /// Returns the fields that a shape names for its objects. For a list, these are the fields of its elements. The
    /// objects may have other keys too.
    package func namedFields(of shape: Shape) -> [Shape.Field] { objectKeys(of: shape, listDepth: 0).namedFields }

    /// The keys that the objects of a shape have.
    private struct ObjectKeys {
        /// The fields that the shape names.
        var namedFields: [Shape.Field] = []
        /// Whether an object may have other keys too, as a dictionary has.
        var mayHaveOthers = false
    }

    /// Returns the keys of the objects of a shape, also of the objects in its lists.
    ///
    /// - Parameters:
    ///   - shape: The shape.
    ///   - listDepth: The number of lists around the shape. It is limited, because a model can be a list of itself.
    private func objectKeys(of shape: Shape, listDepth: Int) -> ObjectKeys {
        // Deeper objects are not known, so they may have any keys.
        guard listDepth < Self.maxDepth else { return ObjectKeys(mayHaveOthers: true) }
        var keys = ObjectKeys()
        for alternative in resolvedAlternatives(of: shape) {
            switch alternative {
            case .dictionary, .any:
                keys.mayHaveOthers = true
            case .array(let element):
                let elementKeys = objectKeys(of: element, listDepth: listDepth + 1)
                keys.namedFields += elementKeys.namedFields
                if elementKeys.mayHaveOthers { keys.mayHaveOthers = true }
            case .open(let fields, _):
                keys.namedFields += fields
                keys.mayHaveOthers = true
            case .object, .variants, .scalar, .values, .model, .nullable, .alternatives, .null:
                // Only objects and enums with associated values have fields here.
                keys.namedFields += alternative.fields
            }
        }
        return keys
    }

    /// Returns whether a value of `shape` may be a list.
    package func mayBeList(_ shape: Shape) -> Bool { resolvedAlternatives(of: shape).contains(where: \.isArray) }

    /// Returns the shapes that an element of a list may have. A shape that is no list counts as its own element.
    package func elements(of shape: Shape) -> [Shape] { resolvedAlternatives(of: shape).map(\.element) }

    /// Returns the shapes of the values at a path of keys, such as `results.id`. A list on the way stands for its
    /// elements.
    ///
    /// - Returns: The shapes; an empty array if there is no such key, nil if an object on the way may have any key.
    package func shapes(at path: String) -> [Shape]? {
        var reachedShapes = [root]
        for key in path.split(separator: ".") {
            // If a key does not exist, no shapes are reached. These have no fields, so the result is empty in the end.
            guard let innerFields = fields(of: .alternatives(reachedShapes)) else { return nil }
            let fieldsWithKey = innerFields.filter { $0.key == key }
            reachedShapes = fieldsWithKey.map(\.shape)
        }
        return reachedShapes
    }

    /// Returns whether each value of `shape` is a single token, so that it fits into a cell of a table.
    package func isSingleToken(_ shape: Shape) -> Bool {
        resolvedAlternatives(of: shape).allSatisfy { alternative in
            switch alternative {
            case .scalar, .values, .null: true
            case .array, .dictionary, .object, .open, .model, .nullable, .variants, .alternatives, .any: false
            }
        }
    }

    /// Returns the alternatives for a value of `shape`, with each model replaced by its own shape.
    ///
    /// For example, `.nullable(.model("Movie"))` becomes `[.object(…), .null]`.
    ///
    /// - Parameters:
    ///   - shape: The shape.
    ///   - depth: The number of models, nullable values and alternatives that have been replaced on the way here.
    /// - Returns: Shapes that are neither models nor nullable nor alternatives. Empty for an unknown model, and beyond
    ///   the depth limit.
    private func resolvedAlternatives(of shape: Shape, depth: Int = 0) -> [Shape] {
        // Without the limit, a model that is one of its own alternatives would have no end.
        guard depth < Self.maxDepth else { return [] }
        switch shape {
        case .model(let name):
            guard let model = model(name) else { return [] }
            return resolvedAlternatives(of: model.shape, depth: depth + 1)
        case .nullable(let wrapped):
            return resolvedAlternatives(of: wrapped, depth: depth + 1) + [.null]
        case .alternatives(let shapes):
            return shapes.flatMap { resolvedAlternatives(of: $0, depth: depth + 1) }
        case .scalar, .values, .array, .dictionary, .object, .open, .variants, .null, .any:
            return [shape]
        }
    }
}

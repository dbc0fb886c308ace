/// A shape together with the models that it names. Models of two shapes may have the same name.
struct ScopedShape: Hashable {
    let shape: Shape
    /// The index of the shape's models in ``ComparedModels/models``.
    let scope: Int

    /// Returns another shape that names the same models.
    func replacingShape(with newShape: Shape) -> ScopedShape { ScopedShape(shape: newShape, scope: scope) }

    /// The shape without null; nil if it is null alone.
    var nonNull: ScopedShape? {
        switch shape {
        case .null: nil
        case .nullable(let inner): replacingShape(with: inner)
        default: self
        }
    }

    /// Whether a model is named by the shape itself, and not only by a part of it.
    var namesModel: Bool { shape.namesModel }
}

extension Shape {
    /// Whether the shape is a model, may be null or a model, or has a model among its alternatives.
    fileprivate var namesModel: Bool {
        switch self {
        case .model: true
        case .nullable(let shape): shape.namesModel
        case .alternatives(let shapes): shapes.contains(where: \.namesModel)
        case .scalar, .values, .array, .dictionary, .object, .open, .variants, .null, .any: false
        }
    }
}

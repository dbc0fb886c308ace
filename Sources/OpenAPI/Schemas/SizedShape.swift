import EndpointTools

/// A shape with its size: the number of shapes that it consists of.
///
/// The size of `[{"name": string}]` is 3: the list, the object and the string.
struct SizedShape {
    let shape: Shape
    let size: Int

    /// Creates a shape with its size. A shape without shapes inside has the size 1.
    init(_ shape: Shape, size: Int = 1) {
        self.shape = shape
        self.size = size
    }

    /// Returns the shape of values that have one of several shapes.
    ///
    ///     string, null, string      →  a nullable string
    ///     integer, string           →  an integer or a string
    ///     string, any JSON          →  any JSON
    ///
    /// - Parameters:
    ///   - shapes: The shapes to choose from. Some of them may be unions themselves.
    ///   - maxCount: The most different shapes that a union may have.
    /// - Returns: The union. It is any JSON for an empty list, and nil for more than `maxCount` different shapes.
    static func union(of shapes: [SizedShape], maxCount: Int) -> SizedShape? {
        var distinctShapes: [Shape] = []
        var isNullable = false
        for shape in shapes.flatMap({ unionMembers(of: $0.shape) }) {
            if shape == .null {
                isNullable = true
            } else if !distinctShapes.contains(shape) {
                distinctShapes.append(shape)
            }
            if distinctShapes.count > maxCount { return nil }
        }
        // Any JSON includes null and everything else.
        if distinctShapes.contains(.any) { return SizedShape(.any) }
        guard let firstShape = distinctShapes.first else { return SizedShape(isNullable ? .null : .any) }
        let unionShape = distinctShapes.count == 1 ? firstShape : .alternatives(distinctShapes)
        // The union itself counts as one shape.
        let size = shapes.reduce(1) { $0 + $1.size }
        return SizedShape(isNullable ? .nullable(unionShape) : unionShape, size: size)
    }

    /// Returns the shapes that a union consists of. Any other shape is returned as the only one.
    ///
    ///     a nullable string         →  string, null
    ///     an integer or a string    →  integer, string
    ///     string                    →  string
    private static func unionMembers(of shape: Shape) -> [Shape] {
        switch shape {
        case .nullable(let inner): unionMembers(of: inner) + [.null]
        case .alternatives(let shapes): shapes
        default: [shape]
        }
    }
}

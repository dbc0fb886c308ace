import EndpointKit

extension PlanResolver {
    /// Throws ``UsageError`` if `--select` names a field that the response model does not have.
    func check(_ selection: Selection, _ endpoint: Endpoint) throws(UsageError) {
        let coding = arguments.declaration.api.coding
        guard let names = selection.path.names,
            let shape = endpoint.response.shape(sample: endpoint.sample?.bytes, coding: coding)
        else { return }
        var shapes = [shape.root]
        for name in names {
            let fields = shapes.flatMap { shape.members($0) }
            guard let fields = fields.isKnown else { return }
            if Int(name) != nil, !fields.contains(where: { $0.key == name }) { continue }
            shapes = fields.filter { $0.key == name }.map(\.shape)
            if shapes.isEmpty {
                let nearest = Nearest.match(name, in: fields.map(\.key))
                throw .unknownField(
                    name, model: endpoint.response.name, nearest: nearest,
                    position: arguments.options.select?.position ?? 0)
            }
        }
    }
}

/// What a name may lead to in a value of some shape.
private enum Members {
    case field(Shape.Field)
    /// Any name may be there.
    case anything
}

extension [Members] {
    /// The fields; nil if any name may be there.
    fileprivate var isKnown: [Shape.Field]? {
        var fields: [Shape.Field] = []
        for member in self {
            guard case .field(let field) = member else { return nil }
            fields.append(field)
        }
        return fields
    }
}

extension ModelShape {
    /// The fields of objects of that shape, lists walked through; nil if any name may be there.
    func fields(of shape: Shape) -> [Shape.Field]? { members(shape).isKnown }

    /// The members of objects of that shape, lists walked through.
    fileprivate func members(_ shape: Shape, depth: Int = 0) -> [Members] {
        // A model may hold itself in a union.
        guard depth < 32 else { return [.anything] }
        return switch shape {
        case .object(let fields): fields.map { .field($0) }
        case .array(let element): members(element, depth: depth + 1)
        case .model(let name): model(name).map { members($0.shape, depth: depth + 1) } ?? [.anything]
        case .union(let shapes): shapes.flatMap { members($0, depth: depth + 1) }
        case .dictionary, .any: [.anything]
        case .scalar, .values, .null: []
        }
    }
}

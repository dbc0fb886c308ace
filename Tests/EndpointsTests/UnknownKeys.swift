import EndpointKit
import EndpointTools
import JSONText

extension ModelShape {
    /// Returns the shape of the model if `shape` is the name of a model, or else `shape`.
    func resolved(_ shape: Shape) -> Shape {
        if case .model(let name) = shape, let model = model(name) { return model.shape }
        return shape
    }

    /// Returns the folded paths of all keys in `value` that the shape does not have.
    ///
    /// Keys inside the value of such a key are left out.
    func unknownKeys(in value: JSONValue) -> Set<String> { unknownKeys(in: value, root, "$") }

    private func unknownKeys(in value: JSONValue, _ shape: Shape, _ path: String) -> Set<String> {
        switch resolved(shape) {
        case .array(let element):
            return Set((value.elements.map { Array($0) } ?? []).flatMap { unknownKeys(in: $0, element, path + "[*]") })
        case .dictionary(let element):
            return Set(
                (value.members.map { Array($0) } ?? []).flatMap { unknownKeys(in: $0.value, element, path + ".*") })
        case .object(let fields):
            let known = Dictionary(fields.map { ($0.key, $0.shape) }) { first, _ in first }
            return Set(
                (value.members.map { Array($0) } ?? []).flatMap { member -> Set<String> in
                    let inner = path + FoldedName.step(member.key)
                    return known[member.key].map { unknownKeys(in: member.value, $0, inner) } ?? [inner]
                })
        case .nullable(let shape): return unknownKeys(in: value, shape, path)
        case .variants(let fields):
            let variants = fields.map { Shape.object([$0]) }
            return variants.map { unknownKeys(in: value, $0, path) }.min { $0.count < $1.count } ?? []
        case .alternatives(let shapes):
            // The value is taken for the alternative that knows most of its keys.
            return shapes.map { unknownKeys(in: value, $0, path) }.min { $0.count < $1.count } ?? []
        // Only a schema is open, and these are the shapes of Swift types.
        case .scalar, .values, .model, .open, .null, .any: return []
        }
    }
}

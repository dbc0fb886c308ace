import EndpointKit
import JSONText

extension ModelShape {
    /// The shape of a value without a model, as far as rows need it.
    static func describing(_ value: JSONValue) -> ModelShape {
        ModelShape(root: Shape(of: value, depth: 0), models: [])
    }

    /// The shape of a list of these values.
    static func describing(_ rows: [JSONValue]) -> ModelShape {
        ModelShape(root: .array(Shape(merging: rows)), models: [])
    }
}

extension Shape {
    /// The shape of `value`: objects in objects, and the fields of the objects of a list.
    fileprivate init(of value: JSONValue, depth: Int) {
        if let members = value.members {
            self =
                depth > 4
                ? .any
                : .object(
                    members.map { Field(key: $0.key, shape: Shape(of: $0.value, depth: depth + 1), isOptional: true) })
        } else if let elements = value.elements {
            self = .array(Shape(merging: Array(elements)))
        } else {
            self = value.isNull ? .null : .scalar(.string)
        }
    }

    /// The fields of all `values` that are objects, in the order in which they first come.
    fileprivate init(merging values: [JSONValue]) {
        var order: [String] = []
        var isSingle: [String: Bool] = [:]
        for member in values.lazy.compactMap(\.members).joined() {
            let single = member.value.members == nil && member.value.elements == nil
            if let known = isSingle[member.key] {
                if known, !single { isSingle[member.key] = false }
            } else {
                order.append(member.key)
                isSingle[member.key] = single
            }
        }
        self =
            order.isEmpty
            ? .any
            : .object(
                order.map { key in
                    Field(key: key, shape: isSingle[key] == true ? .scalar(.string) : .any, isOptional: true)
                })
    }
}

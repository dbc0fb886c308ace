import EndpointKit
import EndpointTools
import JSONText

/// A part of requests that has a place of its own: a value of the path, a query item, a header, a field of a form, or a
/// member of a JSON body.
package struct RequestField: Sendable {
    package let place: ParameterTexts.Location
    /// The shape of the value; any JSON if it is not known.
    package var shape = Shape.any
    /// Whether each request has the field.
    package var isRequired = false
    /// The parameters whose values are in the text, with their places there.
    package var bindings: [CallBinding] = []
    /// The parameters that change the field without having their value there.
    package var sources: [Parameter] = []
    /// Whether the value's parts have places of their own, with their keys in brackets.
    package var hasKeys = false

    /// A regular expression for the text: the values of parameters, and the literal text around them.
    package var pattern: String {
        let values = bindings.sorted { $0.index < $1.index }.map { binding in
            switch binding.parameter.type {
            case .scalar(.integer): "-?[0-9]+"
            case .scalar(.number): "-?[0-9]+(\\.[0-9]+)?"
            default: ".+"
            }
        }
        let literals = (bindings.first?.pattern.literals ?? []).map { literal in
            String(exactBytes: literal).map { "\\^$.|?*+()[]{}/".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        }
        return "^\(zip(literals, values + [""]).map { $0 + $1 }.joined())$"
    }
}

extension CallBindings {
    /// Returns the fields of requests, the values of the path first.
    ///
    /// - Parameters:
    ///   - shape: The shape of an object with the parameters as its fields.
    ///   - pathCount: The number of values in the path.
    package func fields(_ shape: ModelShape, pathCount: Int = 0) -> [RequestField] {
        let bound = bindings.map(\.place).filter { !$0.isMember }
        let original = original.map { $0.items + $0.members } ?? []
        let others = reached.flatMap { $0.places ?? [] }.filter { $0.isMember || $0.isFile }
        let places = (bound + original.map(\.place) + others).grouped(by: \.self).map(\.key).filter { place in
            place.part != .path && !bindings.contains { $0.place != place && $0.covers(place) }
        }
        return ((0..<pathCount).map { .path($0) } + places).flatMap { place in
            place.name == ""
                ? bindings.filter { $0.place == place }.flatMap { fields(of: $0, shape) } : [field(at: place, shape)]
        }
    }

    /// Returns the field at a place: that of a parameter, a constant, or one that parameters change.
    private func field(at place: ParameterTexts.Location, _ shape: ModelShape) -> RequestField {
        var field = RequestField(place: place)
        field.bindings = bindings.filter { $0.place == place }
        let isConstant = constants.contains { $0.place == place }
        // A document does not show the constant.
        let isSecret = SecretName.isCredential(place.key)
        if let first = field.bindings.first {
            field.shape = shape.shape(of: first.parameter)
            field.isRequired = field.bindings.contains { !$0.parameter.isOptional }
        } else if !isSecret, let member = members.first(where: { place == .json([$0.key]) }) {
            field.shape = .values([member.value])
            field.isRequired = true
        } else if !isSecret, isConstant || headers.contains(where: { $0.place == place }) {
            let texts = original?.texts(at: place).map { JSONValue($0) } ?? []
            field.shape = .values([texts.count == 1 ? texts[0] : JSONValue(texts)])
            field.isRequired = isConstant
        } else {
            let owners = reached.filter { $0.places?.contains(place) ?? true }.map(\.parameter)
            field.sources = owners.filter { owner in !bindings.contains { $0.parameter.name == owner.name } }
            // One of them, or one of its fields, may have the same name.
            let candidates = owners.map(\.name)
            let own = shape.directFields(of: shape.root).filter { candidates.contains($0.key) }
            let known = (own + own.flatMap { shape.directFields(of: $0.shape) }).first { $0.key == place.key }
            field.shape = known?.shape ?? (place.isMember ? .any : .scalar(.string))
            field.isRequired = !owners.contains(where: \.isOptional) && (known.map { !$0.isOptional } ?? place.isMember)
        }
        return field
    }

    /// Returns the fields of a structure, which are items of the query or of the form.
    private func fields(of whole: CallBinding, _ shape: ModelShape) -> [RequestField] {
        let nested = (original?.items ?? []).compactMap(\.place.name).filter { $0.contains("[") }
        let files = reached.flatMap { $0.places ?? [] }.filter(\.isFile)
        // No field is required in one of several cases, or in a structure that may be left out.
        let isThere = if case .object = whole.parameter.type { !whole.parameter.isOptional } else { false }
        let fields = shape.directFields(of: shape.shape(of: whole.parameter)).filter { !files.contains(.file($0.key)) }
        return fields.map { field in
            RequestField(
                place: whole.place.with(field.key), shape: field.shape, isRequired: isThere && !field.isOptional,
                hasKeys: nested.contains { QueryItem.keys(of: $0)[0] == field.key })
        }
    }

    /// Returns the shape of the body; nil if it is not JSON.
    ///
    /// - Parameter shape: The shape of an object with the parameters as its fields.
    package func bodyShape(_ shape: ModelShape) -> ModelShape? {
        guard form == .json else { return nil }
        if let whole = bindings.first(where: { $0.place == .json([]) }) {
            return shape.part(shape.shape(of: whole.parameter))
        }
        let members = fields(shape).filter(\.place.isMember).map {
            Shape.Field(key: $0.place.key, shape: $0.shape, isOptional: !$0.isRequired)
        }
        var made = shape.part(isObject ? .object(members) : .any)
        made.isOfParameters = isObject
        return made
    }
}

extension ModelShape {
    /// Returns the shape of a parameter. This shape is that of an object with the parameters as its fields.
    fileprivate func shape(of parameter: Parameter) -> Shape {
        directFields(of: root).first { $0.key == parameter.name }?.shape ?? .any
    }
}

extension ParameterTexts.Location {
    /// Whether the place is a member of a JSON body.
    fileprivate var isMember: Bool { if case .json(let keys) = self { !keys.isEmpty } else { false } }
    /// The name of the item, header, file or member. That of a header is in lower case.
    fileprivate var key: String {
        switch self {
        case .header(let name), .file(let name): name
        case .json(let keys): keys.first ?? ""
        default: name ?? ""
        }
    }
}

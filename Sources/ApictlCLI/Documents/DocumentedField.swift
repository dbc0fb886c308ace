import EndpointKit
import EndpointTools
import JSONText
import MockServer

/// What has a place of its own in requests: a value of the path, a query item, a header, a field of a form, a member of a JSON body.
package struct DocumentedField: Sendable {
    package let place: ParameterTexts.Location
    /// What the value may be; any JSON if that is not known.
    package var shape = Shape.any
    package var isRequired = false
    /// Where the values of parameters are in it.
    package var bindings: [CallBinding] = []
    /// The parameters that change it and have no place of their own.
    package var sources: [Parameter] = []
    /// Whether the value's parts have places of their own, with their keys in brackets.
    package var hasKeys = false

    /// A regular expression for the text: what is around the values of parameters.
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
    /// All that has a place of its own, first the path's `pathCount` values; `shape` is that of the parameters.
    package func fields(_ shape: ModelShape, pathCount: Int = 0) -> [DocumentedField] {
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

    private func field(at place: ParameterTexts.Location, _ shape: ModelShape) -> DocumentedField {
        var field = DocumentedField(place: place)
        field.bindings = bindings.filter { $0.place == place }
        let isConstant = constants.contains { $0.place == place }
        // A document does not show the constant.
        let isSecret = SecretName.isCredential(place.key)
        if let first = field.bindings.first {
            field.shape = shape.shape(of: first.parameter)
            field.isRequired = field.bindings.contains { !$0.parameter.isOptional }
        } else if !isSecret, let member = members.first(where: { place == .json([$0.key]) }) {
            (field.shape, field.isRequired) = (.values([member.value]), true)
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

    /// The fields of a parameter, which are the items of the query or of the form.
    private func fields(of whole: CallBinding, _ shape: ModelShape) -> [DocumentedField] {
        let nested = (original?.items ?? []).compactMap(\.place.name).filter { $0.contains("[") }
        let files = reached.flatMap { $0.places ?? [] }.filter(\.isFile)
        // Of one of several cases, and of what may be left out, no field is required.
        let isThere = if case .object = whole.parameter.type { !whole.parameter.isOptional } else { false }
        let fields = shape.directFields(of: shape.shape(of: whole.parameter)).filter { !files.contains(.file($0.key)) }
        return fields.map { field in
            DocumentedField(
                place: whole.place.with(field.key), shape: field.shape, isRequired: isThere && !field.isOptional,
                hasKeys: nested.contains { QueryItem.keys(of: $0)[0] == field.key })
        }
    }

    /// What JSON the body is; nil if it is not JSON. `shape` is that of the parameters.
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
    /// The shape of a parameter, if this is that of parameters.
    fileprivate func shape(of parameter: Parameter) -> Shape {
        directFields(of: root).first { $0.key == parameter.name }?.shape ?? .any
    }
}

extension ParameterTexts.Location {
    /// Whether it is within JSON.
    fileprivate var isMember: Bool { if case .json(let keys) = self { !keys.isEmpty } else { false } }
    /// The name of what is there, of a header in lower case.
    fileprivate var key: String {
        switch self {
        case .header(let name), .file(let name): name
        case .json(let keys): keys.first ?? ""
        default: name ?? ""
        }
    }
}

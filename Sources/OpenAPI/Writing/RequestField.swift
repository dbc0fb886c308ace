import EndpointKit
import EndpointTools
import JSONText

/// A part of requests that has a place of its own: a value of the path, a query item, a header, a field of a form, or a
/// member of a JSON body.
///
/// A field is not always a parameter. A parameter may be spread over several fields, several parameters may share the
/// text of one field, and a field may have the same value in each request.
package struct RequestField: Sendable {
    package let place: ParameterTexts.Location
    /// The shape of the value; any JSON if it is not known.
    package var shape = Shape.any
    /// Whether each request has the field.
    package var isRequired = false
    /// The parameters whose values are in the text of the field, with their places in the text. It is empty if the
    /// field has a constant value, or a value that is computed.
    package var bindings: [CallBinding] = []
    /// The parameters that change the field without having their values in its text, because the endpoint computes the
    /// text from them.
    package var sources: [Parameter] = []
    /// Whether the value is an object or list whose parts are items of their own, with their keys in brackets:
    /// `filter[name]=Rex&filter[age]=3` is the field `filter`.
    package var hasKeys = false

    /// A regular expression for the text: the values of parameters, and the literal text around them.
    ///
    /// For latitude and longitude in `location=-33.8,151.2` it is `^-?[0-9]+(\.[0-9]+)?,-?[0-9]+(\.[0-9]+)?$`.
    package var pattern: String {
        let values = bindings.sorted { $0.index < $1.index }.map { binding in
            switch binding.parameter.type {
            case .scalar(.integer): "-?[0-9]+"
            case .scalar(.number): "-?[0-9]+(\\.[0-9]+)?"
            default: ".+"
            }
        }
        // All bindings of a field share its text, so the first one knows all literals.
        let literals = (bindings.first?.pattern.literals ?? []).map { literal in
            String(exactBytes: literal).map { "\\^$.|?*+()[]{}/".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        }
        // There is one literal more than there are values, because a literal is before and after each value. The empty
        // text stands in for a value after the last literal.
        return "^\(zip(literals, values + [""]).map { $0 + $1 }.joined())$"
    }
}

extension CallBindings {
    /// Returns the fields of requests, the values of the path first.
    ///
    /// - Parameters:
    ///   - shape: The shape of an object with the parameters as its fields.
    ///   - pathCount: The number of values in the path.
    /// - Returns: The fields, each place once. If the place is the whole query or form, its items are fields of their
    ///   own.
    package func fields(_ shape: ModelShape, pathCount: Int = 0) -> [RequestField] {
        var fields = (0..<pathCount).map { field(at: .path($0), shape) }
        for place in fieldPlaces {
            if place.name == "" {
                // The place is the whole query or form, whose items are the fields of a structure.
                fields += bindings.filter { $0.place == place }.flatMap { self.fields(of: $0, shape) }
            } else {
                fields.append(field(at: place, shape))
            }
        }
        return fields
    }

    /// The places of fields outside of the path, each once.
    ///
    /// They are the places that have the value of a parameter, those of the original request, and the members and files
    /// that a parameter changes.
    ///
    /// A place inside of another field is not among them: `filter[name]` is a part of the field `filter`, if a
    /// parameter has its value there. The places of values inside of a body in JSON are not among them either, because
    /// the field is the member of the body around the value.
    private var fieldPlaces: [ParameterTexts.Location] {
        let bound = bindings.map(\.place).filter { !$0.isMember }
        let constant = original.map { $0.items + $0.members } ?? []
        let changed = reached.flatMap { $0.places ?? [] }.filter { $0.isMember || $0.isFile }
        let places = (bound + constant.map(\.place) + changed).grouped(by: \.self).map(\.key)
        return places.filter { place in
            let isCovered = bindings.contains { $0.place != place && $0.covers(place) }
            return place.part != .path && !isCovered
        }
    }

    /// Returns the field at a place.
    ///
    /// The value of a parameter is tried first, then a constant value. What is left is a value that is computed from
    /// parameters.
    private func field(at place: ParameterTexts.Location, _ shape: ModelShape) -> RequestField {
        boundField(at: place, shape) ?? constantField(at: place) ?? changedField(at: place, shape)
    }

    /// Returns the field that has the values of parameters in its text. It is required if one of these parameters is.
    ///
    /// - Returns: The field; nil if no parameter has its value at the place.
    private func boundField(at place: ParameterTexts.Location, _ shape: ModelShape) -> RequestField? {
        let bindings = bindings.filter { $0.place == place }
        guard let first = bindings.first else { return nil }
        return RequestField(
            place: place, shape: shape.shape(of: first.parameter),
            isRequired: bindings.contains { !$0.parameter.isOptional }, bindings: bindings)
    }

    /// Returns the field that has the same value in each request; nil if there is none, or if the value may be secret.
    private func constantField(at place: ParameterTexts.Location) -> RequestField? {
        // A document must not hold a credential that an endpoint or API sends with each request.
        guard !SecretName.isCredential(place.key) else { return nil }
        if let member = members.first(where: { place == .json([$0.key]) }) {
            return RequestField(place: place, shape: .values([member.value]), isRequired: true)
        }
        let isConstant = constants.contains { $0.place == place }
        guard isConstant || headers.contains(where: { $0.place == place }) else { return nil }
        let texts = original?.texts(at: place).map { JSONValue($0) } ?? []
        let value = texts.count == 1 ? texts[0] : JSONValue(texts)
        // A request may lack a header of the API, but it has all constant parts of its endpoint.
        return RequestField(place: place, shape: .values([value]), isRequired: isConstant)
    }

    /// Returns the field that parameters change without having their values there.
    ///
    /// The endpoint computes the value, so nothing tells its shape for certain. A parameter or a field of one that has
    /// the name of the place lends its shape. Otherwise the shape is any JSON in a JSON body, and a text elsewhere.
    ///
    /// - Parameters:
    ///   - place: The place of the field.
    ///   - shape: The shape of an object with the parameters as its fields.
    private func changedField(at place: ParameterTexts.Location, _ shape: ModelShape) -> RequestField {
        // The places of a parameter are nil if no other value of it is known. Such a parameter may change any place.
        let owners = reached.filter { $0.places?.contains(place) ?? true }.map(\.parameter)
        // One of the parameters, or one of their fields, may have the name of the field.
        let ownerNames = owners.map(\.name)
        let parameters = shape.directFields(of: shape.root).filter { ownerNames.contains($0.key) }
        let candidates = parameters + parameters.flatMap { shape.directFields(of: $0.shape) }
        let namesake = candidates.first { $0.key == place.key }
        let isAlwaysThere = namesake.map { !$0.isOptional } ?? place.isMember
        return RequestField(
            place: place, shape: namesake?.shape ?? (place.isMember ? .any : .scalar(.string)),
            isRequired: isAlwaysThere && !owners.contains(where: \.isOptional),
            // A parameter that has its value elsewhere is described there.
            sources: owners.filter { owner in !bindings.contains { $0.parameter.name == owner.name } })
    }

    /// Returns the fields of a structure whose members are the items of the whole query or form.
    ///
    /// For a parameter `page` with the type `Page {limit, offset?}`, the result is the required field `limit` and the
    /// optional field `offset`.
    ///
    /// - Parameters:
    ///   - whole: The binding of the parameter that has the structure as its type.
    ///   - shape: The shape of an object with the parameters as its fields.
    private func fields(of whole: CallBinding, _ shape: ModelShape) -> [RequestField] {
        // An item such as `filter[name]=Rex` shows that the field `filter` is an object or list, which has keys in
        // brackets.
        let nested = (original?.items ?? []).compactMap(\.place.name).filter { $0.contains("[") }
        // Files of a form are places of their own, for which `fieldPlaces` makes fields. They are left out here so that
        // they do not come twice.
        let files = reached.flatMap { $0.places ?? [] }.filter(\.isFile)
        // No field is required in one of several cases, or in a structure that may be left out.
        let isThere = if case .object = whole.parameter.type { !whole.parameter.isOptional } else { false }
        let fields = shape.directFields(of: shape.shape(of: whole.parameter)).filter { !files.contains(.file($0.key)) }
        return fields.map { field in
            RequestField(
                place: whole.place.with(field.key), shape: field.shape, isRequired: isThere && !field.isOptional,
                // The first key of `filter[name]` is `filter`.
                hasKeys: nested.contains { QueryItem.keys(of: $0)[0] == field.key })
        }
    }

    /// Returns the shape of the body.
    ///
    /// - Parameter shape: The shape of an object with the parameters as its fields.
    /// - Returns: The shape of the parameter that is the whole body, or else that of an object with the members of the
    ///   body. Nil if the body is not JSON.
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
    /// Returns the shape of a parameter.
    ///
    /// This shape is that of an object with the parameters as its fields. The result is any JSON if no field has the
    /// name of the parameter.
    fileprivate func shape(of parameter: Parameter) -> Shape {
        directFields(of: root).first { $0.key == parameter.name }?.shape ?? .any
    }
}

extension ParameterTexts.Location {
    /// Whether the place is a member of a JSON body.
    fileprivate var isMember: Bool { if case .json(let keys) = self { !keys.isEmpty } else { false } }
    /// The name of the query item, header, file or member. It is empty for a value of the path. The name of a header is
    /// in lower case.
    fileprivate var key: String {
        switch self {
        case .header(let name), .file(let name): name
        case .json(let keys): keys.first ?? ""
        default: name ?? ""
        }
    }
}

import EndpointKit
import EndpointTools
import JSONText

/// A field of an endpoint's requests: a variable of the path, a query item, a header, a field of a form, or a member
/// of a JSON body.
///
/// Fields and parameters are not the same. A parameter may be sent in several fields, several parameters may be sent
/// in one field, and a field may have the same value in each request.
package struct RequestField: Sendable {
    package let place: ParameterTexts.Location
    /// The shape of the value; any JSON if it is not known.
    package var shape = Shape.any
    /// Whether each request has the field.
    package var isRequired = false
    /// The parameters whose values are in the text of the field, with their positions in the text. The list is empty
    /// if the value is constant or computed.
    package var bindings: [CallBinding] = []
    /// The parameters from which the endpoint computes the text of the field. Their values are not in the text.
    package var sources: [Parameter] = []
    /// Whether the value is an object or list with keys in brackets.
    ///
    /// The items `filter[name]=Rex&filter[age]=3` are the field `filter`.
    package var hasKeys = false

    /// A regular expression for the text of the field.
    ///
    /// For two numbers in `location=-33.8,151.2` it is `^-?[0-9]+(\.[0-9]+)?,-?[0-9]+(\.[0-9]+)?$`.
    package var pattern: String {
        let valuePatterns = bindings.sorted { $0.index < $1.index }.map { binding in
            switch binding.parameter.type {
            case .scalar(.integer): "-?[0-9]+"
            case .scalar(.number): "-?[0-9]+(\\.[0-9]+)?"
            default: ".+"
            }
        }
        // The literals are the texts before, between and after the values. All bindings of a field have the same ones.
        let literals = (bindings.first?.pattern.literals ?? []).map { literal in
            String(exactBytes: literal).map { "\\^$.|?*+()[]{}/".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        }
        // There is one more literal than there are values, so an empty value is added after the last literal.
        return "^\(zip(literals, valuePatterns + [""]).map { $0 + $1 }.joined())$"
    }
}

extension CallBindings {
    /// Returns the fields of the endpoint's requests. The variables of the path come first.
    ///
    /// - Parameters:
    ///   - shape: The shape of the endpoint's parameters: an object with a field for each parameter.
    ///   - pathCount: The number of variables in the path.
    package func fields(_ shape: ModelShape, pathCount: Int = 0) -> [RequestField] {
        var fields = (0..<pathCount).map { field(at: .path($0), shape: shape) }
        for place in fieldPlaces {
            if place.name == "" {
                // The place is the whole query or form. A structure has a field for each item.
                fields += bindings.filter { $0.place == place }.flatMap { self.fieldsOfStructure($0, shape: shape) }
            } else {
                fields.append(field(at: place, shape: shape))
            }
        }
        return fields
    }

    /// The places of fields outside of the path, each one once.
    ///
    /// The places are those of parameters' values, of constant items and members, and of the members and files that a
    /// parameter changes. A place inside of another field is left out: `filter[name]` is a part of the field `filter`.
    private var fieldPlaces: [ParameterTexts.Location] {
        // A value inside of a JSON body belongs to the member of the body that contains it.
        let boundPlaces = bindings.map(\.place).filter { !$0.isMember }
        let constantTexts = original.map { $0.items + $0.members } ?? []
        let changedPlaces = placesOfParameters.flatMap { $0.places ?? [] }.filter { $0.isMember || $0.isFile }
        let places = (boundPlaces + constantTexts.map(\.place) + changedPlaces).grouped(by: \.self).map(\.key)
        return places.filter { place in
            let isInsideOfField = bindings.contains { $0.place != place && $0.covers(place) }
            return place.part != .path && !isInsideOfField
        }
    }

    /// Returns the field at a place: with the values of parameters, with a constant value, or with a computed value.
    private func field(at place: ParameterTexts.Location, shape: ModelShape) -> RequestField {
        boundField(at: place, shape: shape) ?? constantField(at: place) ?? computedField(at: place, shape: shape)
    }

    /// Returns the field at a place if its text contains the values of parameters; nil for any other field.
    ///
    /// The field is required if one of these parameters is.
    private func boundField(at place: ParameterTexts.Location, shape: ModelShape) -> RequestField? {
        let bindings = bindings.filter { $0.place == place }
        guard let first = bindings.first else { return nil }
        return RequestField(
            place: place, shape: shape.shape(of: first.parameter),
            isRequired: bindings.contains { !$0.parameter.isOptional }, bindings: bindings)
    }

    /// Returns the field at a place if it has the same value in each request; nil for any other field.
    ///
    /// Such a field is a member of a JSON body, a query item, form field or header that the endpoint declares, or a
    /// header that the whole API declares. The result is nil if the value may be secret.
    private func constantField(at place: ParameterTexts.Location) -> RequestField? {
        // An API may send a credential with each request. Documents must not contain it.
        if SecretName.isCredential(place.key) { return nil }
        if let bodyMember = members.first(where: { place == .json([$0.key]) }) {
            return RequestField(place: place, shape: .values([bodyMember.value]), isRequired: true)
        }
        let isOfEndpoint = constants.contains { $0.place == place }
        if isOfEndpoint {
            return RequestField(place: place, shape: .values([originalValue(at: place)]), isRequired: true)
        }
        let isHeaderOfAPI = headers.contains { $0.place == place }
        if isHeaderOfAPI {
            // A request may lack a header that only the API declares.
            return RequestField(place: place, shape: .values([originalValue(at: place)]), isRequired: false)
        }
        return nil
    }

    /// Returns the text that the original request has at a place, or a list if it has any other number of texts there.
    ///
    /// `tag=a` has the value `"a"`, and `tag=a&tag=b` has the value `["a", "b"]`.
    private func originalValue(at place: ParameterTexts.Location) -> JSONValue {
        let texts = original?.texts(at: place).map { JSONValue($0) } ?? []
        if texts.count == 1 { return texts[0] }
        return JSONValue(texts)
    }

    /// Returns the field at a place whose value the endpoint computes from parameters.
    ///
    /// The shape of a computed value is a guess. It is the shape of a parameter, or of a parameter's field, with the
    /// same name. Without one, it is any JSON in a JSON body, and a string elsewhere.
    ///
    /// - Parameters:
    ///   - place: The place of the field.
    ///   - shape: The shape of the endpoint's parameters: an object with a field for each parameter.
    private func computedField(at place: ParameterTexts.Location, shape: ModelShape) -> RequestField {
        // `places` is nil if the parameter was tried with a single value. It may change any place then.
        let changingParameters = placesOfParameters.filter { $0.places?.contains(place) ?? true }.map(\.parameter)
        let changingNames = changingParameters.map(\.name)
        let parameterFields = shape.directFields(of: shape.root).filter { changingNames.contains($0.key) }
        let candidates = parameterFields + parameterFields.flatMap { shape.directFields(of: $0.shape) }
        let namesake = candidates.first { $0.key == place.key }
        let valueShape: Shape
        let valueIsRequired: Bool
        if let namesake {
            valueShape = namesake.shape
            valueIsRequired = !namesake.isOptional
        } else {
            valueShape = place.isMember ? .any : .scalar(.string)
            valueIsRequired = place.isMember
        }
        let dependsOnOptional = changingParameters.contains(where: \.isOptional)
        // A parameter whose value is in another field is described there.
        let boundNames = bindings.map(\.parameter.name)
        let sources = changingParameters.filter { !boundNames.contains($0.name) }
        return RequestField(
            place: place, shape: valueShape, isRequired: valueIsRequired && !dependsOnOptional, sources: sources)
    }

    /// Returns the fields of a parameter that is the whole query or form.
    ///
    /// A parameter of the type `Page {limit, offset?}` has the required field `limit` and the optional field `offset`.
    ///
    /// - Parameters:
    ///   - structure: The binding of the parameter. Its type is a structure.
    ///   - shape: The shape of the endpoint's parameters: an object with a field for each parameter.
    private func fieldsOfStructure(_ structure: CallBinding, shape: ModelShape) -> [RequestField] {
        // An item such as `filter[name]=Rex` shows that the field `filter` is an object or list.
        let namesWithKeys = (original?.items ?? []).compactMap(\.place.name).filter { $0.contains("[") }
        // `fieldPlaces` contains the files of a form, so they are left out here.
        let files = placesOfParameters.flatMap { $0.places ?? [] }.filter(\.isFile)
        // An enum with several cases, and an optional structure, have no required fields.
        let mayHaveRequiredFields =
            if case .object = structure.parameter.type { !structure.parameter.isOptional } else { false }
        let fields = shape.directFields(of: shape.shape(of: structure.parameter)).filter {
            !files.contains(.file($0.key))
        }
        return fields.map { field in
            RequestField(
                place: structure.place.replacingName(with: field.key), shape: field.shape,
                isRequired: mayHaveRequiredFields && !field.isOptional,
                // The first key of `filter[name]` is `filter`.
                hasKeys: namesWithKeys.contains { QueryItem.keys(of: $0)[0] == field.key })
        }
    }

    /// Returns the shape of the body of requests.
    ///
    /// - Parameter shape: The shape of the endpoint's parameters: an object with a field for each parameter.
    /// - Returns: The shape of the parameter that is the whole body, or else an object with the members of the body.
    ///   Nil if the body is not JSON.
    package func bodyShape(_ shape: ModelShape) -> ModelShape? {
        guard form == .json else { return nil }
        if let whole = bindings.first(where: { $0.place == .json([]) }) {
            return shape.part(shape.shape(of: whole.parameter))
        }
        let members = fields(shape).filter(\.place.isMember).map {
            Shape.Field(key: $0.place.key, shape: $0.shape, isOptional: !$0.isRequired)
        }
        var bodyShape = shape.part(isObject ? .object(members) : .any)
        bodyShape.isOfParameters = isObject
        return bodyShape
    }
}

extension ModelShape {
    /// Returns the shape of a parameter: the field with its name in this object. Without such a field, any JSON.
    fileprivate func shape(of parameter: Parameter) -> Shape {
        directFields(of: root).first { $0.key == parameter.name }?.shape ?? .any
    }
}

extension ParameterTexts.Location {
    /// Whether the place is a member of a JSON body.
    fileprivate var isMember: Bool { if case .json(let keys) = self { !keys.isEmpty } else { false } }
    /// The name of the query item, header, file or member; empty for a variable of the path.
    ///
    /// The name of a header is in lower case.
    fileprivate var key: String {
        switch self {
        case .header(let name), .file(let name): name
        case .json(let keys): keys.first ?? ""
        default: name ?? ""
        }
    }
}

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
        let valuePatterns = bindings.sorted { $0.indexInPattern < $1.indexInPattern }.map { binding in
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
            if place.isWholeQueryOrForm {
                for binding in bindings where binding.place == place {
                    fields += fieldsOfProperties(binding, shape: shape)
                }
            } else {
                fields.append(field(at: place, shape: shape))
            }
        }
        return fields
    }

    /// The places of fields outside of the path, without repetitions.
    ///
    /// The places are those of parameters' values, of constant items and members, and of the members and files that a
    /// parameter changes. A place inside of another field is left out: `filter[name]` is a part of the field `filter`.
    private var fieldPlaces: [ParameterTexts.Location] {
        // A value inside of a JSON body belongs to the member of the body that contains it.
        let boundPlaces = bindings.map(\.place).filter { !$0.isMember }
        let constantTexts = original.map { $0.items + $0.members } ?? []
        let changedPlaces = placesOfParameters.flatMap { $0.places ?? [] }.filter { $0.isMember || $0.isFile }
        let places = (boundPlaces + constantTexts.map(\.place) + changedPlaces).withoutRepetitions
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
        let bindingsAtPlace = bindings.filter { $0.place == place }
        guard let firstBinding = bindingsAtPlace.first else { return nil }
        return RequestField(
            place: place, shape: shape.shape(of: firstBinding.parameter),
            isRequired: bindingsAtPlace.contains { !$0.parameter.isOptional }, bindings: bindingsAtPlace)
    }

    /// Returns the field at a place if it has the same value in each request; nil for any other field.
    ///
    /// A constant field is a member of a JSON body, a query item, form field or header that the endpoint declares, or a
    /// header that the whole API declares. The result is nil if the value may be secret.
    private func constantField(at place: ParameterTexts.Location) -> RequestField? {
        // An API may send a credential with each request. Documents must not contain it.
        if SecretName.isCredential(place.key) { return nil }
        if let bodyMember = constantMembers.first(where: { place == .json([$0.key]) }) {
            return RequestField(place: place, shape: .values([bodyMember.value]), isRequired: true)
        }
        let isOfEndpoint = constants.contains { $0.place == place }
        let isHeaderOfAPI = apiHeaders.contains { $0.place == place }
        guard isOfEndpoint || isHeaderOfAPI else { return nil }
        // A request may lack a header that only the API declares.
        return RequestField(place: place, shape: .values([originalValue(at: place)]), isRequired: isOfEndpoint)
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
    /// Requests with different values of the parameters have shown which parameters change the place. The shape of a
    /// computed value is a guess. It is the shape of a parameter, or of a parameter's field, with the same name.
    /// Without one, it is any JSON in a JSON body, and a string elsewhere.
    ///
    /// - Parameters:
    ///   - place: The place of the field.
    ///   - shape: The shape of the endpoint's parameters: an object with a field for each parameter.
    private func computedField(at place: ParameterTexts.Location, shape: ModelShape) -> RequestField {
        // `places` is nil if the parameter was tried with a single value. It may change any place then.
        let changingParameters = placesOfParameters.filter { $0.places?.contains(place) ?? true }.map(\.parameter)
        var field = RequestField(place: place)
        if let namesake = fieldNamed(place.key, among: changingParameters, shape: shape) {
            field.shape = namesake.shape
            field.isRequired = !namesake.isOptional
        } else {
            field.shape = place.isMember ? .any : .scalar(.string)
            field.isRequired = place.isMember
        }
        let dependsOnOptional = changingParameters.contains(where: \.isOptional)
        if dependsOnOptional { field.isRequired = false }
        // A parameter whose value is in another field is described there.
        let boundNames = bindings.map(\.parameter.name)
        field.sources = changingParameters.filter { !boundNames.contains($0.name) }
        return field
    }

    /// Returns the first of some parameters with a name, or else the first field of their values with that name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - parameters: The parameters to search.
    ///   - shape: The shape of the endpoint's parameters: an object with a field for each parameter.
    /// - Returns: The parameter or its field, as a field of a shape; nil if none has the name.
    private func fieldNamed(_ name: String, among parameters: [Parameter], shape: ModelShape) -> Shape.Field? {
        let parameterNames = parameters.map(\.name)
        let parameterFields = shape.directFields(of: shape.root).filter { parameterNames.contains($0.key) }
        let innerFields = parameterFields.flatMap { shape.directFields(of: $0.shape) }
        return (parameterFields + innerFields).first { $0.key == name }
    }

    /// Returns a field for each property of a parameter's value, for a parameter that is the whole query or form.
    ///
    /// A parameter of the type `Page {limit, offset?}` has the required field `limit` and the optional field `offset`.
    ///
    /// - Parameters:
    ///   - binding: The parameter, with the place of its value in requests: the whole query or form.
    ///   - shape: The shape of the endpoint's parameters: an object with a field for each parameter.
    private func fieldsOfProperties(_ binding: CallBinding, shape: ModelShape) -> [RequestField] {
        let parameter = binding.parameter
        let properties = shape.directFields(of: shape.shape(of: parameter))
        // `fieldPlaces` contains the files of a form, so they are left out here.
        let filePlaces = placesOfParameters.flatMap { $0.places ?? [] }.filter(\.isFile)
        let sentProperties = properties.filter { !filePlaces.contains(.file($0.key)) }
        // An item such as `filter[name]=Rex` shows that the field `filter` is an object or list.
        let bracketedNames = (original?.items ?? []).compactMap(\.place.name).filter { $0.contains("[") }
        let namesBeforeBrackets = bracketedNames.map { QueryItem.keys(of: $0)[0] }
        // An enum with several cases, and an optional parameter, have no required properties.
        let isStructure = if case .object = parameter.type { true } else { false }
        let mayRequireProperties = isStructure && !parameter.isOptional
        return sentProperties.map { property in
            RequestField(
                place: binding.place.replacingName(with: property.key), shape: property.shape,
                isRequired: mayRequireProperties && !property.isOptional,
                hasKeys: namesBeforeBrackets.contains(property.key))
        }
    }

    /// Returns the shape of the body of requests.
    ///
    /// - Parameter parameterShape: The shape of the endpoint's parameters: an object with a field for each parameter.
    /// - Returns: The shape of the parameter that is the whole body, or else an object with the members of the body.
    ///   Nil if the body is not JSON.
    package func bodyShape(_ parameterShape: ModelShape) -> ModelShape? {
        guard bodyFormat == .json else { return nil }
        if let binding = bindings.first(where: { $0.place.isWholeJSONBody }) {
            return parameterShape.part(parameterShape.shape(of: binding.parameter))
        }
        guard isBodyObject else { return parameterShape.part(.any) }
        let members = fields(parameterShape).filter(\.place.isMember).map {
            Shape.Field(key: $0.place.key, shape: $0.shape, isOptional: !$0.isRequired)
        }
        var bodyShape = parameterShape.part(.object(members))
        // Unlike other objects, a body made of parameters may have unknown members, and null for missing values.
        bodyShape.isOfParameters = true
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
    /// Whether the place is the whole query, or a whole form. The properties of one value are its items.
    fileprivate var isWholeQueryOrForm: Bool { name == "" }
    /// Whether the place is the whole body of JSON.
    fileprivate var isWholeJSONBody: Bool { self == .json([]) }
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

import EndpointKit
import EndpointTools
import JSONText
import MockServer
import OpenAPI

/// Describes the requests of an endpoint in Swift, for a comparison with a document.
///
/// Swift code builds requests, but does not declare where parameters go. So that is learned from requests with
/// different values; see `ParameterPlaces`.
struct ProbedRequest {
    private let declaration: EndpointDeclaration
    private let places: ParameterPlaces
    /// How the values of parameters become parts of the request.
    private let bindings: CallBindings
    /// The shape of an object with the endpoint's parameters as its fields.
    private let parameterShape: ModelShape

    /// Probes an endpoint.
    ///
    /// - Throws: The error of learning the shape of the parameters.
    init(_ declaration: EndpointDeclaration) throws {
        self.declaration = declaration
        places = ParameterPlaces(of: declaration)
        bindings = CallBindings(of: places.probe)
        parameterShape = try declaration.parameterShape()
    }

    private var api: CatalogueAPI { declaration.api }
    /// The endpoint of the call whose parameters were changed. It has a body if any call of the endpoint has one.
    private var endpoint: Endpoint { places.endpoint }

    /// The description of the requests.
    var request: DeclaredRequest {
        let server = endpoint.server ?? api.servers.first
        return DeclaredRequest(
            method: endpoint.method.rawValue, path: places.template, template: templateWithoutNames,
            serverURL: server?.url, parameters: parameters, body: body, namesCookies: false)
    }

    /// The path with `{}` in place of each parameter, by which it is found in the document: `/movie/{}/videos`.
    private var templateWithoutNames: String {
        // A parameter for several segments, `{+}`, is written like any other in a document.
        let template = ParameterPlaces.template(endpoint.path, owners: []).replacing("{+}", with: "{}")
        return template.hasPrefix("/") ? template : "/" + template
    }

    // MARK: Parameters

    /// The parameters outside the body.
    ///
    /// A field of a structured parameter may have the same place as another parameter. The first one counts.
    private var parameters: [DeclaredParameter] {
        let fields = bindings.fields(parameterShape, pathCount: places.owners.count)
        return fields.compactMap(declaredParameter).withoutRepetitions(of: \.place)
    }

    /// Returns the OpenAPI parameter that describes a field of a request.
    ///
    /// - Returns: The parameter; nil for a part of the body, and for a header that OpenAPI does not describe as a
    ///   parameter.
    private func declaredParameter(of field: RequestField) -> DeclaredParameter? {
        guard let place = declaredPlace(of: field) else { return nil }
        // A variable of a path is always required (OpenAPI 3.1, section 4.8.12.2).
        let isRequired = field.isRequired || field.place.part == .path
        // A query can have an item for each element of a list. Elsewhere, the list is one text.
        let isOneText = field.place.part != .query
        let writing = ValueWriting(field)
        let shape = sentShape(of: field, writtenAs: writing)
        return DeclaredParameter(
            place, name: declaredName(at: place), isRequired: isRequired, shape: shape, listStyle: writing.listStyle,
            isOneText: isOneText)
    }

    /// Returns where OpenAPI declares a field of a request: in the path, in the query or in a header.
    ///
    /// - Returns: The place; nil for a part of the body. Nil also for the headers `Accept`, `Content-Type` and
    ///   `Authorization`, which are no parameters in OpenAPI (OpenAPI 3.1, section 4.8.12.2).
    private func declaredPlace(of field: RequestField) -> DeclaredParameter.Place? {
        switch field.place {
        case .path(let index): .path(index)
        case .query(let name): .query(name)
        case .header("accept"), .header("content-type"), .header("authorization"): nil
        case .header(let lowercasedName): .header(lowercasedName)
        case .field, .file, .json, .body: nil
        }
    }

    /// Returns the name of the parameter at a place, as OpenAPI has it.
    private func declaredName(at place: DeclaredParameter.Place) -> String {
        switch place {
        case .path(let index): places.owners[index]
        case .header(let lowercasedName): sentHeaderName(lowercasedName)
        case .query(let name), .cookie(let name): name
        }
    }

    /// Returns a header's name as it is sent: `x-kind` → `X-Kind`.
    private func sentHeaderName(_ lowercasedName: String) -> String {
        // A header may be sent only if a parameter has another value than in the first call.
        let changedEndpoints = places.probe.trials.flatMap(\.changedCalls).map(\.call.endpoint)
        for endpoint in [endpoint] + changedEndpoints {
            let header = api.requestBuilder.fields(of: endpoint).first { $0.isNamed(lowercasedName) }
            if let header { return header.name }
        }
        return lowercasedName
    }

    /// Returns the shape of the text that is sent for a field.
    ///
    /// If the text is made of several values, or has other text around the value, it is a string, because nothing else
    /// is known about it.
    private func sentShape(of field: RequestField, writtenAs writing: ValueWriting) -> ModelShape {
        let sentShape = writing == .computed ? .scalar(.string) : field.shape
        return ModelShape(root: sentShape, models: parameterShape.models)
    }

    // MARK: Bodies

    /// The body; nil if requests have none.
    private var body: DeclaredBody? {
        guard let body = endpoint.body else { return nil }
        let header = api.requestBuilder.fields(of: endpoint).first { $0.isNamed("Content-Type") }
        let mediaType = DeclaredContent.MediaType(contentType: header?.value.description ?? body.contentType)
        let content = DeclaredContent(mediaType, bodyShape(of: body))
        return DeclaredBody(isRequired: requiresBody, contents: [content])
    }

    /// Whether each request has a body.
    ///
    /// A body may be left out if a call without an optional parameter has none, or if the body is made of optional
    /// parameters alone.
    private var requiresBody: Bool {
        let callsWithoutParameter = places.probe.trials.compactMap(\.omission?.call)
        if callsWithoutParameter.contains(where: { $0.endpoint.body == nil }) { return false }
        // A parameter is the whole body, or some of its fields are fields of the body.
        let wholeBodyParameters = bindings.bindings.filter { $0.place.part == .body }.map(\.parameter)
        let bodyFields = bindings.fields(parameterShape).filter { $0.place.part == .body }
        let bodyParameters = wholeBodyParameters + bodyFields.flatMap(\.sources)
        // A body without parameters is always the same.
        return bodyParameters.isEmpty || bodyParameters.contains { !$0.isOptional }
    }

    /// Returns the shape of a body: a form is an object of its fields, JSON has the shape of its values, and text is a
    /// string.
    ///
    /// - Returns: The shape; nil for a body of bytes.
    private func bodyShape(of body: Body) -> ModelShape? {
        switch bindings.bodyFormat {
        case .form, .multipart:
            return formShape
        case .json:
            // JSON that no parameter can be found in may be anything.
            return bindings.bodyShape(parameterShape) ?? ModelShape(root: .any, models: [])
        case .none, .other:
            if case .text = body { return ModelShape(root: .scalar(.string), models: []) }
            return nil
        }
    }

    /// The shape of a form, whose fields are those of an object.
    private var formShape: ModelShape {
        let fields = bindings.fields(parameterShape).compactMap(formField)
        return ModelShape(root: .object(fields), models: parameterShape.models)
    }

    /// Returns a field of a request as a field of its form; nil for a field that is sent outside the form.
    private func formField(_ field: RequestField) -> Shape.Field? {
        switch field.place {
        case .field(let name):
            let textShape = sentShape(of: field, writtenAs: ValueWriting(field)).root
            return Shape.Field(key: name, shape: textShape, isOptional: !field.isRequired)
        case .file(let name):
            // OpenAPI describes a file in a form as a string.
            let file = Shape.scalar(.string)
            let fileShape = field.shape.isArray ? .array(file) : file
            return Shape.Field(key: name, shape: fileShape, isOptional: !field.isRequired)
        case .path, .query, .header, .json, .body:
            return nil
        }
    }
}

/// How a request writes the value of a parameter, in the terms of OpenAPI.
private enum ValueWriting: Equatable {
    /// The value is written as text. Parts of a value have keys in brackets: `filter[name]=x`.
    case plain
    /// The value is a list in a query.
    case list(DeclaredParameter.ListStyle)
    /// The text is made of several values, or has other text around the value: `Bearer \(token)`.
    case computed

    /// The style of a list in a query; nil for any other value.
    var listStyle: DeclaredParameter.ListStyle? { if case .list(let style) = self { style } else { nil } }

    /// Finds out how a field is written. Its bindings are the texts of requests in which its value was found. A field
    /// without bindings counts as ``plain``.
    init(_ field: RequestField) {
        guard let binding = field.bindings.first else {
            self = .plain
            return
        }
        // The literals are the texts around the values of the pattern: `Bearer ` and the empty text in
        // `Bearer \(token)`. One value between two empty literals is the whole text.
        let literals = binding.pattern.literals
        let hasOneValue = field.bindings.count == 1 && literals.count == 2
        let isWholeText = hasOneValue && literals.allSatisfy(\.isEmpty)
        // The parts of a structured value have texts of their own, none of which is a list.
        let isList = binding.fieldCoding == nil && binding.parameter.type.isArray
        if !isWholeText {
            self = .computed
        } else if isList {
            self = Self.writingOfList(binding)
        } else {
            self = .plain
        }
    }

    /// Returns the style in which a list is written (OpenAPI 3.1, section 4.8.12.3). If OpenAPI has no such style, the
    /// list is ``computed``, and is declared as a string.
    ///
    /// - Parameter binding: The part of the request in which the list was found, with the separator between the
    ///   elements.
    private static func writingOfList(_ binding: CallBinding) -> ValueWriting {
        switch binding.place {
        case .query, .field:
            // Without a separator, each element is an item: `tag=a&tag=b`.
            guard let separator = binding.separator else { return .list(.separateItems) }
            let isDeclarableSeparator = [",", " ", "|"].contains(separator)
            return isDeclarableSeparator ? .list(.joined(by: separator)) : .computed
        case .path, .header, .file, .json, .body:
            // Here, commas are the only style in OpenAPI, so that no list style needs to be declared.
            return binding.separator == "," ? .plain : .computed
        }
    }
}

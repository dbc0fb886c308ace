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
    private let shape: ModelShape

    /// Probes an endpoint.
    ///
    /// - Throws: The error of learning the shape of the parameters.
    init(_ declaration: EndpointDeclaration) throws {
        self.declaration = declaration
        places = ParameterPlaces(of: declaration)
        bindings = CallBindings(of: places.probe)
        shape = try declaration.parameterShape()
    }

    private var api: CatalogueAPI { declaration.api }
    /// The endpoint of the call that was changed. It has a body if any call of the endpoint has one.
    private var endpoint: Endpoint { places.endpoint }

    /// The description of the requests.
    var request: DeclaredRequest {
        // Templates are compared without the names of parameters: `/movie/{}/videos`.
        let template = ParameterPlaces.template(endpoint.path, owners: []).replacing("{+}", with: "{}")
        let server = endpoint.server ?? api.servers.first
        return DeclaredRequest(
            method: endpoint.method.rawValue, path: places.template,
            template: template.hasPrefix("/") ? template : "/" + template, serverURL: server?.url,
            parameters: parameters, body: body, namesCookies: false)
    }

    // MARK: Parameters

    /// The parameters outside the body.
    ///
    /// A field of a structured parameter may have the same place as another parameter. The first one counts.
    private var parameters: [DeclaredParameter] {
        let fields = bindings.fields(shape, pathCount: places.owners.count)
        return fields.compactMap(parameter).grouped(by: \.place).map { $0.elements[0] }
    }

    /// Returns the parameter that a field is in OpenAPI.
    ///
    /// - Returns: Nil for a part of the body. Nil for the headers `Accept`, `Content-Type` and `Authorization` too,
    ///   which OpenAPI does not describe as parameters (OpenAPI 3.1, section 4.8.12.1).
    private func parameter(_ field: RequestField) -> DeclaredParameter? {
        let place: DeclaredParameter.Place
        let name: String
        switch field.place {
        case .path(let index):
            place = .path(index)
            name = places.owners[index]
        case .query(let item):
            place = .query(item)
            name = item
        case .header("accept"), .header("content-type"), .header("authorization"):
            return nil
        case .header(let header):
            place = .header(header)
            name = headerName(header)
        case .field, .file, .json, .body:
            return nil
        }
        let writing = Writing(field)
        return DeclaredParameter(
            place, name: name, isRequired: field.isRequired || field.place.part == .path,
            shape: shape(of: field, writing), listStyle: writing.listStyle,
            isOneText: field.place.part != .query)
    }

    /// Returns a header's name as it is sent: `X-Kind` for `x-kind`.
    private func headerName(_ name: String) -> String {
        // A header may be sent only if a parameter has another value than in the first call.
        let changedEndpoints = places.probe.trials.lazy.flatMap(\.changes).map(\.call.endpoint)
        let endpoints = [endpoint] + changedEndpoints
        let headers = endpoints.lazy.flatMap { api.requestBuilder.fields(of: $0) }
        return headers.first { $0.isNamed(name) }?.name ?? name
    }

    /// Returns the shape of a field. Its text may be made of several values, or have other text around the value.
    /// Then nothing is known about it, and it is a string.
    private func shape(of field: RequestField, _ writing: Writing) -> ModelShape {
        ModelShape(root: writing == .computed ? .scalar(.string) : field.shape, models: shape.models)
    }

    // MARK: Bodies

    /// The body; nil if requests have none.
    private var body: DeclaredBody? {
        guard let body = endpoint.body else { return nil }
        let header = api.requestBuilder.fields(of: endpoint).first { $0.isNamed("Content-Type") }
        let mediaType = DeclaredContent.MediaType(contentType: header?.value.description ?? body.contentType)
        let content = DeclaredContent(mediaType, shape(of: body))
        return DeclaredBody(isRequired: requiresBody, contents: [content])
    }

    /// Whether each request has a body.
    ///
    /// A body may be left out if a call without an optional parameter has none, or if the body is made of optional
    /// parameters alone.
    private var requiresBody: Bool {
        let callsWithoutParameter = places.probe.trials.compactMap(\.omission?.call)
        if callsWithoutParameter.contains(where: { $0.endpoint.body == nil }) { return false }
        let wholeBodies = bindings.bindings.filter { $0.place.part == .body }.map(\.parameter)
        let bodyFields = bindings.fields(shape).filter { $0.place.part == .body }
        let parameters = wholeBodies + bodyFields.flatMap(\.sources)
        return parameters.isEmpty || parameters.contains { !$0.isOptional }
    }

    /// Returns the shape of a body: of a form its fields, of JSON its values, of text a string.
    ///
    /// - Returns: The shape; nil for a body of bytes.
    private func shape(of body: Body) -> ModelShape? {
        switch bindings.form {
        case .form, .multipart:
            return form
        case .json:
            // JSON that no parameter can be found in may be anything.
            return bindings.bodyShape(shape) ?? ModelShape(root: .any, models: [])
        case .none, .other:
            if case .text = body { return ModelShape(root: .scalar(.string), models: []) }
            return nil
        }
    }

    /// The shape of a form, whose fields are those of an object.
    private var form: ModelShape {
        let fields = bindings.fields(shape).compactMap(formField)
        return ModelShape(root: .object(fields), models: shape.models)
    }

    /// Returns the field of a form that a field of the parameters becomes; nil if it is sent outside the form.
    private func formField(_ field: RequestField) -> Shape.Field? {
        let name: String
        let fieldShape: Shape
        switch field.place {
        case .field(let fieldName):
            name = fieldName
            fieldShape = shape(of: field, Writing(field)).root
        case .file(let fieldName):
            name = fieldName
            // OpenAPI describes a file in a form as a string.
            let file = Shape.scalar(.string)
            fieldShape = field.shape.isArray ? .array(file) : file
        case .path, .query, .header, .json, .body:
            return nil
        }
        return Shape.Field(key: name, shape: fieldShape, isOptional: !field.isRequired)
    }
}

/// How a request writes the value of a parameter.
private enum Writing: Equatable {
    /// The value is written as text. Parts of a value have keys in brackets: `filter[name]=x`.
    case plain
    /// The value is a list.
    case list(DeclaredParameter.ListStyle)
    /// The text is made of several values, or has other text around the value: `Bearer \(token)`.
    case computed

    /// The style of a list; nil if the value is no list.
    var listStyle: DeclaredParameter.ListStyle? { if case .list(let style) = self { style } else { nil } }

    /// Finds out how a field is written, from the patterns in which its value appears.
    init(_ field: RequestField) {
        guard let binding = field.bindings.first else {
            self = .plain
            return
        }
        // The pattern has the texts before and after the value. Both are empty if the value is the whole text.
        let isWholeText = field.bindings.count == 1 && binding.pattern.literals == [[], []]
        guard isWholeText else {
            self = .computed
            return
        }
        guard binding.nested == nil, binding.parameter.type.isArray else {
            self = .plain
            return
        }
        self = Self.list(binding)
    }

    /// Returns how a list is written.
    ///
    /// In a path or a header, OpenAPI joins elements by commas, which needs no special mention. Elements with another
    /// separator are not described by OpenAPI there.
    private static func list(_ binding: CallBinding) -> Writing {
        let isInPathOrHeader = binding.place.name == nil
        switch binding.separator {
        case "," where isInPathOrHeader: return .plain
        case _ where isInPathOrHeader: return .computed
        case nil: return .list(.separateItems)
        case let separator? where [",", " ", "|"].contains(separator): return .list(.joined(by: separator))
        default: return .computed
        }
    }
}

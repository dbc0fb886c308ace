import EndpointKit
import EndpointTools
import JSONText

/// The parameters of an operation. It makes a request from the values of a call.
package struct OperationRequest: Sendable {
    /// The parameters in the order path, query, header, cookie, body.
    package let parameters: [CallParameter]
    /// The shape of the values of a call: an object with a field for each parameter. The key of a field is the
    /// parameter's identifier.
    package let shape: ModelShape
    /// The notes about parts of schemas that the shape leaves out.
    package let schemaNotes: [SchemaNote]
    /// The media types of the body, in the order of the document; empty if requests have no body.
    package let bodyTypes: [String]

    /// How a value of a call becomes the body of a request.
    private struct RequestBodyPlan: Sendable {
        /// The key of the body among the values of a call.
        let identifier: String
        let isRequired: Bool
        let content: RequestContent
        /// The rules for the fields, if the body is a form.
        let fields: FormFields
    }

    /// Whether each request needs a body of bytes. No parameter holds them.
    var needsBytes: Bool {
        guard let body else { return false }
        return body.isRequired && body.content.format == .bytes
    }

    private let template: PathTemplate
    /// The parameters in the path, query, headers and cookies.
    private let identifiedParameters: [IdentifiedParameter]
    /// The body; nil if requests have no body.
    private let body: RequestBodyPlan?
    /// The endpoint with everything that does not depend on the values of a call.
    private let endpointWithoutValues: Endpoint

    /// Reads the parameters and the body of an operation.
    ///
    /// The body becomes the last one of ``parameters``. A body of bytes, such as a file, is not among them.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - document: The document of the operation.
    ///   - bodyType: The media type of the body. Nil chooses one: JSON if possible, or else a form, or else text.
    /// - Throws: ``BodyTypeError`` if the operation does not accept a body of that media type.
    package init(
        _ operation: OperationObject, in document: OpenAPIDocument, bodyType: String? = nil
    ) throws(BodyTypeError) {
        let parts = OperationParts(operation)
        let content = try RequestContent.choose(from: parts.body?.content ?? [], bodyType: bodyType, in: document)
        let shapes = RequestShapes(parts, content: content, document: document)
        let parameters = Self.makeCallParameters(
            parts, content: content, bodyIdentifier: shapes.bodyField?.key, document: document)
        self.parameters = parameters
        shape = shapes.shape
        schemaNotes = shapes.notes
        bodyTypes = parts.body?.content.map(\.contentType) ?? []
        template = parts.template
        identifiedParameters = parts.parameters
        body = content.map { content in
            RequestBodyPlan(
                identifier: shapes.bodyField?.key ?? CallParameter.labelledBody,
                isRequired: parts.body?.isRequired ?? false,
                content: content,
                fields: FormFields(content, in: document))
        }
        endpointWithoutValues = Self.makeEndpointWithoutValues(
            parts, parameters: parameters, content: content, shapes: shapes, document: document)
    }

    /// Returns the parameters of a call, each with an example. The body comes last.
    ///
    /// - Parameters:
    ///   - parts: The operation.
    ///   - content: The body in the media type that is sent; nil if there is no body.
    ///   - bodyIdentifier: The identifier of the body. Nil if the body is not a parameter, such as a body of bytes.
    ///   - document: The document of the operation.
    private static func makeCallParameters(
        _ parts: OperationParts, content: RequestContent?, bodyIdentifier: String?, document: OpenAPIDocument
    ) -> [CallParameter] {
        var parameterExamples = ExampleReader(document, composing: .arrays)
        var parameters = parts.parameters.map { parameterExamples.makeCallParameter(for: $0) }
        if let content, let body = parts.body, let bodyIdentifier {
            // Each field of a body is a flag of the command line. A body without an example of its own gets one that
            // is composed of the examples of its fields.
            var bodyExamples = ExampleReader(document, composing: .arraysAndObjects)
            parameters.append(bodyExamples.makeBodyParameter(for: body, content: content, identifier: bodyIdentifier))
        }
        return parameters
    }

    /// Returns the endpoint of an operation without the values of a call: its method, summary, response, notes and
    /// pages.
    ///
    /// - Parameters:
    ///   - parts: The operation.
    ///   - parameters: The parameters of calls. Their descriptions become notes of the endpoint.
    ///   - content: The body in the media type that is sent; nil if there is no body.
    ///   - shapes: The shapes of the parameters and of the body.
    ///   - document: The document of the operation.
    private static func makeEndpointWithoutValues(
        _ parts: OperationParts, parameters: [CallParameter], content: RequestContent?,
        shapes: RequestShapes, document: OpenAPIDocument
    ) -> Endpoint {
        let method = HTTPMethod(rawValue: parts.operation.summary.method)
        let response = SuccessResponse(parts.responses, method: method)
        // The path is set for each call.
        var endpoint = Endpoint(method, "", returns: response.model.model, summary: parts.operation.title)
        if let accept = response.accept { endpoint.headers.fields.append(HTTPField("Accept", accept)) }
        for parameter in parameters { endpoint.notes[parameter.identifier] = parameter.note }
        if let bodyField = shapes.bodyField, let schema = content?.mediaType.schema {
            addNotes(document.fieldNotes(of: schema), ofBody: bodyField.key, to: &endpoint)
        }
        // A response in JSON may be one page of several. The header `Link` names the next page (RFC 8288).
        if method == .get, response.model.kind == .json { endpoint.pages = .link() }
        return endpoint
    }

    /// Adds the descriptions of a body's fields to the notes of an endpoint, with the names of the fields' flags.
    ///
    ///     owner.name    →  the note of `--owner.name`, if the fields of the body are flags of their own
    ///     owner.name    →  the note of `--body.owner.name`, if not
    ///
    /// - Parameters:
    ///   - notes: The descriptions.
    ///   - identifier: The identifier of the body. It tells which of the two cases applies.
    ///   - endpoint: The notes are added to it.
    private static func addNotes(_ notes: [FieldNote], ofBody identifier: String, to endpoint: inout Endpoint) {
        for note in notes {
            let isUnlabelled = identifier == CallParameter.unlabelledBody
            let keys = isUnlabelled ? note.path : [identifier] + note.path
            endpoint.notes[keys.joined(separator: ".")] = note.text
        }
    }
}

// MARK: Requests

extension OperationRequest {
    /// Returns the endpoint of a call, with the values of its parameters in the path, query, headers and body.
    ///
    /// The values `{"id": 7, "limit": 2}` of `/pets/{id}/visits` make the endpoint `/pets/7/visits?limit=2`.
    ///
    /// - Parameter values: An object with the values of parameters by their identifiers. Unknown keys are ignored.
    ///   Null stands for a missing value, except for a body that may be null.
    /// - Throws: ``CallValueError`` if a value is missing or does not fit, or if the method of the operation can't be
    ///   sent.
    package func endpoint(for values: JSONValue) throws(CallValueError) -> Endpoint {
        let method = endpointWithoutValues.method.rawValue
        // A document may name any text as method. A space or line break in it would let the document write the rest of
        // the request itself. A method is a token (RFC 9110, section 9.1).
        guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenByte) else { throw .method(method) }
        guard let members = values.members else { throw .notCallValues }
        let valuesByIdentifier = Dictionary(
            members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let parts = try makeRequestParts(from: valuesByIdentifier)
        var endpoint = endpointWithoutValues
        endpoint.path = template.path(parts.pathTexts)
        // The paths of some documents have a query of their own, such as `/objects?acl`.
        endpoint.query = Endpoint.Query(template.queryItems(parts.pathTexts) + parts.queryItems)
        endpoint.headers.fields += parts.headers
        if !parts.cookies.isEmpty { endpoint.headers.addCookies(parts.cookies) }
        try setBody(of: &endpoint, values: valuesByIdentifier)
        return endpoint
    }

    /// The values of a call as they are sent, except for the body.
    private struct RequestParts {
        /// The percent-encoded texts of the path's variables, by the names of the variables.
        var pathTexts: [String: String] = [:]
        var queryItems: [QueryItem] = []
        var headers: [HTTPField] = []
        /// The cookies, each as `name=value`.
        var cookies: [String] = []
    }

    /// Returns the values of a call as texts of the path, query items, headers and cookies.
    ///
    /// The values `{"id": 7, "limit": 2}` become the text `7` for the variable `id` of the path, and the query item
    /// `limit=2`.
    ///
    /// - Parameter values: The values of parameters by their identifiers. Null stands for a missing value.
    /// - Throws: ``CallValueError`` if a required value is missing, or if a cookie can't be sent.
    private func makeRequestParts(from values: [String: JSONValue]) throws(CallValueError) -> RequestParts {
        var parts = RequestParts()
        for identified in identifiedParameters {
            let parameter = identified.object
            guard let value = values[identified.identifier], !value.isNull else {
                if parameter.isRequired { throw .missing(identifier: identified.identifier) }
                continue
            }
            switch parameter.location {
            case .path: parts.pathTexts[parameter.name] = parameter.pathText(value)
            case .query: parts.queryItems += parameter.queryItems(value)
            case .querystring: parts.queryItems += parameter.queryStringItems(value)
            case .header: if let header = parameter.header(value) { parts.headers.append(header) }
            case .cookie: parts.cookies += try parameter.cookies(value, identifier: identified.identifier)
            }
        }
        return parts
    }

    /// Sets the body of an endpoint, and its content type.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - values: The values of a call by their identifiers.
    /// - Throws: ``CallValueError`` if a required body has no value, or if the value of a form is not an object.
    private func setBody(of endpoint: inout Endpoint, values: [String: JSONValue]) throws(CallValueError) {
        guard let body else { return }
        if body.content.format == .bytes {
            // The caller fills in the bytes. The endpoint only says which content type they have.
            endpoint.body = .data([], contentType: body.content.contentType)
            return
        }
        guard let value = bodyValue(for: body, in: values) ?? defaultBodyValue(body) else {
            if body.isRequired { throw .missing(identifier: body.identifier) }
            return
        }
        endpoint.body = try makeBody(from: value, plan: body)
        if let header = body.content.contentTypeHeader { endpoint.headers.fields.append(header) }
    }

    /// Returns the value of the body in a call; nil if the call has none.
    ///
    /// Null is the value of a JSON body that is passed as a whole: `--body null` sends `null`. For any other body,
    /// null stands for a missing value.
    private func bodyValue(for body: RequestBodyPlan, in values: [String: JSONValue]) -> JSONValue? {
        let canBeNull = body.content.format == .json && body.identifier == CallParameter.labelledBody
        guard let value = values[body.identifier], canBeNull || !value.isNull else { return nil }
        return value
    }

    /// Returns the value of the body in a call that does not mention any of its fields.
    ///
    /// - Returns: An empty object, if a body is required whose fields are all optional. Nil for any other body.
    private func defaultBodyValue(_ body: RequestBodyPlan) -> JSONValue? {
        guard body.isRequired, body.identifier == CallParameter.unlabelledBody else { return nil }
        guard let bodyField = shape.root.fields.first(where: { $0.key == body.identifier }) else { return nil }
        let allFieldsAreOptional = shape.directFields(of: bodyField.shape).allSatisfy(\.isOptional)
        return allFieldsAreOptional ? [:] : nil
    }

    /// Returns a value as a body in the format of its media type: JSON, text, or a form.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - plan: The format of the body, and for a form its fields.
    /// - Throws: ``CallValueError`` if the value of a form is not an object.
    private func makeBody(from value: JSONValue, plan: RequestBodyPlan) throws(CallValueError) -> Body {
        switch plan.content.format {
        case .json:
            return .json(value)
        // A body of bytes is not made from a value, so this case is text.
        case .text, .bytes:
            return .text(value.text, contentType: plan.content.contentType)
        case .form:
            guard let members = value.members else { throw .notObject(identifier: plan.identifier) }
            return .form(Endpoint.Query(plan.fields.items(members)))
        case .multipart:
            guard let members = value.members else { throw .notObject(identifier: plan.identifier) }
            return .multipart(plan.fields.parts(members))
        }
    }
}

extension Headers {
    /// Adds cookies to the header `Cookie`. A request has this header only once (RFC 6265, section 5.4).
    ///
    /// - Parameter cookies: The cookies, each as `name=value`.
    fileprivate mutating func addCookies(_ cookies: [String]) {
        let text = cookies.joined(separator: "; ")
        // Another parameter may have set the header already.
        if let index = fields.firstIndex(where: { $0.isNamed("Cookie") }) {
            fields[index].content.pieces.append(.text("; " + text))
        } else {
            fields.append(HTTPField("Cookie", text))
        }
    }
}

import EndpointKit
import EndpointTools
import JSONText

/// The parameters of an operation, and the requests that are made of values for them.
package struct OperationRequest: Sendable {
    /// The parameters in the order path, query, header, cookie, body.
    package let parameters: [CallParameter]
    /// The shape of the values of a call: an object with a field for each parameter, whose key is the identifier.
    package let shape: ModelShape
    /// The parts of schemas that the shape does not express.
    package let schemaNotes: [SchemaNote]
    /// The media types of the body, in the order of the document; empty if there is no body.
    package let bodyTypes: [String]

    /// The way in which a value becomes the body of a request.
    private struct RequestBodyPlan: Sendable {
        /// The identifier of the value in a call.
        let identifier: String
        let isRequired: Bool
        let content: RequestContent
        /// The fields of a form.
        let fields: FormFields
    }

    /// Whether each request needs a body of bytes, which no parameter gives.
    var needsBytes: Bool { body.map { $0.isRequired && $0.content.format == .bytes } ?? false }

    private let template: PathTemplate
    /// The parameters without the body.
    private let identifiedParameters: [IdentifiedParameter]
    /// The body; nil if there is none.
    private let body: RequestBodyPlan?
    /// The endpoint without the values of a call.
    private let emptyEndpoint: Endpoint

    /// Reads the parameters and the body of an operation.
    ///
    /// The last of ``parameters`` is the body, if the operation has one whose value a call gives. A body of bytes is
    /// given in another way.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - document: The document of the operation.
    ///   - bodyType: The media type of the body; nil for the one that suits values best.
    /// - Throws: ``BodyTypeError`` if the body can't be of that media type.
    package init(
        _ operation: OperationObject, in document: OpenAPIDocument, bodyType: String? = nil
    ) throws(BodyTypeError) {
        let reading = OperationReading(operation)
        let content = try RequestContent.choose(from: reading.body?.content ?? [], bodyType: bodyType, in: document)
        let shapes = RequestShapes(reading, content, document)
        let parameters = Self.callParameters(reading, content, bodyIdentifier: shapes.bodyField?.key, document)
        self.parameters = parameters
        shape = shapes.shape
        schemaNotes = shapes.notes
        bodyTypes = reading.body?.content.map(\.contentType) ?? []
        template = reading.template
        identifiedParameters = reading.parameters
        body = content.map { content in
            RequestBodyPlan(
                identifier: shapes.bodyField?.key ?? CallParameter.labelledBody,
                isRequired: reading.body?.isRequired ?? false, content: content,
                fields: FormFields(content, document))
        }
        emptyEndpoint = Self.emptyEndpoint(reading, parameters, content, shapes, document)
    }

    /// Returns the parameters of a call, with that of the body last.
    ///
    /// - Parameters:
    ///   - reading: The operation.
    ///   - content: The body in the media type that is sent; nil if there is no body.
    ///   - bodyIdentifier: The identifier of the body; nil if a call gives no value for it.
    ///   - document: The document of the operation.
    private static func callParameters(
        _ reading: OperationReading, _ content: RequestContent?, bodyIdentifier: String?, _ document: OpenAPIDocument
    ) -> [CallParameter] {
        var parameterExamples = ExampleReader(document, .arrays)
        var parameters = reading.parameters.map { parameterExamples.callParameter($0) }
        if let content, let body = reading.body, let bodyIdentifier {
            // Each field of a body is a flag of the command line, so an object is made of the examples of its fields.
            var bodyExamples = ExampleReader(document, .arraysAndObjects)
            parameters.append(bodyExamples.callParameter(body, content, bodyIdentifier))
        }
        return parameters
    }

    /// Returns the endpoint of an operation with everything that does not depend on values: its method, summary,
    /// response, notes and pages.
    ///
    /// - Parameters:
    ///   - reading: The operation.
    ///   - parameters: The parameters of calls, whose descriptions become notes.
    ///   - content: The body in the media type that is sent; nil if there is no body.
    ///   - shapes: The shapes of the parameters and of the body.
    ///   - document: The document of the operation.
    private static func emptyEndpoint(
        _ reading: OperationReading, _ parameters: [CallParameter], _ content: RequestContent?,
        _ shapes: RequestShapes, _ document: OpenAPIDocument
    ) -> Endpoint {
        let method = HTTPMethod(rawValue: reading.operation.summary.method)
        let response = SuccessResponse(reading.responses, method: method)
        var endpoint = Endpoint(method, "", returns: response.model.model, summary: reading.operation.title)
        if let accept = response.accept { endpoint.headers.fields.append(HTTPField("Accept", accept)) }
        for parameter in parameters { endpoint.notes[parameter.identifier] = parameter.note }
        if let bodyField = shapes.bodyField, let schema = content?.mediaType.schema {
            // The fields of a body without a label are flags of their own, such as `--name`. Otherwise the flag is
            // `--body.name`.
            let isUnlabelled = bodyField.key == CallParameter.unlabelledBody
            for note in document.fieldNotes(of: schema) {
                let keys = isUnlabelled ? note.path : [bodyField.key] + note.path
                endpoint.notes[keys.joined(separator: ".")] = note.text
            }
        }
        // Pages that `Link` headers name are lists in JSON (RFC 8288).
        if method == .get, response.model.kind == .json { endpoint.pages = .link() }
        return endpoint
    }
}

// MARK: Requests

extension OperationRequest {
    /// Returns the endpoint of a call, with the values of its parameters in the path, query, headers and body.
    ///
    /// Keys that are no parameter are ignored, and null counts as absent unless it can be the body.
    ///
    /// - Parameter values: An object with the values of parameters by their identifiers.
    /// - Throws: ``CallValueError`` if a value is missing or does not fit, or if the method of the operation can't be
    ///   sent.
    package func endpoint(for values: JSONValue) throws(CallValueError) -> Endpoint {
        let method = emptyEndpoint.method.rawValue
        // The document may name any method. One with a space or line break could hold another request (RFC 9110,
        // section 9.1).
        guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenByte) else { throw .method(method) }
        guard let members = values.members else { throw .notCallValues }
        let valuesByIdentifier = Dictionary(
            members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let parts = try requestParts(valuesByIdentifier)
        var endpoint = emptyEndpoint
        endpoint.path = template.path(parts.pathTexts)
        // The path of some documents has a query of its own, such as `/objects?acl`.
        endpoint.query = Endpoint.Query(template.queryItems(parts.pathTexts) + parts.queryItems)
        endpoint.headers.fields += parts.headers
        if !parts.cookies.isEmpty { endpoint.headers.add(parts.cookies) }
        try setBody(of: &endpoint, valuesByIdentifier)
        return endpoint
    }

    /// The parts of a request that parameters become.
    private struct RequestParts {
        /// The percent-encoded texts of the path's variables by name.
        var pathTexts: [String: String] = [:]
        var queryItems: [QueryItem] = []
        var headers: [HTTPField] = []
        /// The cookies, each as `name=value`.
        var cookies: [String] = []
    }

    /// Returns the parts of a request that its parameters become, without the body.
    ///
    /// For the values `{"id": 7, "limit": 2}` they may be the text `7` of the path's variable `id` and the query item
    /// `limit=2`.
    ///
    /// - Parameter values: The values of parameters by their identifiers. Null counts as absent.
    /// - Throws: ``CallValueError`` if a required value is missing, or if a cookie can't be sent.
    private func requestParts(_ values: [String: JSONValue]) throws(CallValueError) -> RequestParts {
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
            case .cookie: parts.cookies += try parameter.cookies(value, identified.identifier)
            }
        }
        return parts
    }

    /// Sets the body of an endpoint, and its content type.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - values: The values of a call by their identifiers.
    /// - Throws: ``CallValueError`` if a required body has no value, or if the value of a form is no object.
    private func setBody(of endpoint: inout Endpoint, _ values: [String: JSONValue]) throws(CallValueError) {
        guard let body else { return }
        if body.content.format == .bytes {
            // The caller replaces the empty bytes by those that are sent, which have this content type.
            endpoint.body = .data([], contentType: body.content.contentType)
            return
        }
        guard let value = givenBody(body, values) ?? impliedBody(body) else {
            if body.isRequired { throw .missing(identifier: body.identifier) }
            return
        }
        endpoint.body = try requestBody(value, body)
        if let header = body.content.contentTypeHeader { endpoint.headers.fields.append(header) }
    }

    /// Returns the value that a call gives for the body; nil if it gives none.
    ///
    /// Null is a value of its own for a body in JSON that has a flag as a whole. For any other body it counts as
    /// absent.
    private func givenBody(_ body: RequestBodyPlan, _ values: [String: JSONValue]) -> JSONValue? {
        let canBeNull = body.content.format == .json && body.identifier == CallParameter.labelledBody
        guard let value = values[body.identifier], canBeNull || !value.isNull else { return nil }
        return value
    }

    /// Returns the body of a call that gives no value for it: an empty object if a body is required, and none of its
    /// fields.
    ///
    /// - Returns: The value; nil if there is no such body.
    private func impliedBody(_ body: RequestBodyPlan) -> JSONValue? {
        guard body.isRequired, body.identifier == CallParameter.unlabelledBody else { return nil }
        guard let field = shape.root.fields.first(where: { $0.key == body.identifier }) else { return nil }
        let allFieldsAreOptional = shape.directFields(of: field.shape).allSatisfy(\.isOptional)
        return allFieldsAreOptional ? [:] : nil
    }

    /// Returns a value as a body in the format of its content.
    ///
    /// - Parameters:
    ///   - value: The value that a call gives for the body.
    ///   - body: The format of the body, and for a form its fields.
    /// - Throws: ``CallValueError`` if the value of a form is no object.
    private func requestBody(_ value: JSONValue, _ body: RequestBodyPlan) throws(CallValueError) -> Body {
        switch body.content.format {
        case .json:
            return .json(value)
        // A call gives no value for bytes, so only text comes here.
        case .text, .bytes:
            return .text(value.text, contentType: body.content.contentType)
        case .form:
            guard let members = value.members else { throw .notObject(identifier: body.identifier) }
            return .form(Endpoint.Query(body.fields.items(members)))
        case .multipart:
            guard let members = value.members else { throw .notObject(identifier: body.identifier) }
            return .multipart(body.fields.parts(members))
        }
    }
}

extension Headers {
    /// Adds cookies such as `name=value` to the header `Cookie`, which a request has only once (RFC 6265, section 5.4).
    fileprivate mutating func add(_ cookies: [String]) {
        let text = cookies.joined(separator: "; ")
        if let index = fields.firstIndex(where: { $0.isNamed("Cookie") }) {
            // The endpoint or another parameter may have cookies already. Cookies are separated by semicolons.
            fields[index].content.pieces.append(.text("; " + text))
        } else {
            fields.append(HTTPField("Cookie", text))
        }
    }
}

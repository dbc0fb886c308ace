import EndpointKit
import JSONText

/// A parameter of the document with its identifier in calls.
struct IdentifiedParameter: Sendable {
    let identifier: String
    let object: ParameterObject
}

/// The parts of an operation that make its requests, as far as they can be read.
struct OperationReading: Sendable {
    let operation: OperationObject
    let template: PathTemplate
    /// The parameters that a request has a place for, in the order path, query, header, cookie.
    let parameters: [IdentifiedParameter]
    /// The body; nil if requests have none.
    let body: RequestBodyObject?
    let responses: [ResponseObject]

    init(_ operation: OperationObject) {
        self.operation = operation
        // The notes of the operation name the parts that can't be read.
        body = try? operation.requestBody()
        responses = operation.responses.parts
        template = PathTemplate(operation.summary.path)
        let objects = Self.parameters(operation.parameters.parts, template)
        let subjects = objects.map {
            ParameterIdentifiers.Subject(name: $0.name, location: CallParameter.Location($0.location))
        }
        // Reserved for a body of any media type, so that flags don't depend on the one that a call has.
        let reserved = body == nil ? nil : CallParameter.labelledBody
        let identifiers = ParameterIdentifiers.identifiers(subjects, reserved: reserved)
        parameters = zip(identifiers, objects).map { IdentifiedParameter(identifier: $0, object: $1) }
    }

    /// Returns the parameters of requests.
    ///
    /// Without a parameter, a variable of the path is a required text. A parameter of the path without a variable has
    /// no place in a request. Some headers are described elsewhere (OpenAPI 3.1, section 4.8.12.1).
    private static func parameters(_ declared: [ParameterObject], _ template: PathTemplate) -> [ParameterObject] {
        var pathParameters: [String: ParameterObject] = [:]
        for parameter in declared where parameter.location == .path { pathParameters[parameter.name] = parameter }
        let path = template.variables.map { pathParameters[$0] ?? ParameterObject(variable: $0) }
        func others(_ location: ParameterObject.Location) -> [ParameterObject] {
            declared.filter { $0.location == location }
        }
        let ignoredHeaders = ["Accept", "Content-Type", "Authorization"]
        let headers = others(.header).filter { header in !ignoredHeaders.contains { $0.isSameName(as: header.name) } }
        return path + others(.query) + others(.querystring) + headers + others(.cookie)
    }
}

extension ParameterObject {
    /// Makes the parameter of a path's variable that the document does not describe.
    fileprivate init(variable: String) {
        self.init(
            name: variable, location: .path, summary: nil, isRequired: true, isDeprecated: false, style: .simple,
            isExploded: false, allowsReserved: false, schema: nil, content: nil, examples: [])
    }
}

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

    /// Reads an operation.
    ///
    /// Parts that can't be read are left out, because requests can be made without them. The notes of the operation
    /// name them.
    init(_ operation: OperationObject) {
        self.operation = operation
        body = try? operation.requestBody()
        responses = operation.responses.parts
        template = PathTemplate(operation.summary.path)
        let objects = Self.parameters(operation.parameters.parts, template)
        let subjects = objects.map {
            ParameterIdentifiers.Subject(name: $0.name, location: CallParameter.Location($0.location))
        }
        // The flag of a body is reserved whatever its media type is, so that flags are the same for all media types.
        let reservedFlag = body == nil ? nil : CallParameter.labelledBody
        let identifiers = ParameterIdentifiers.identifiers(subjects, reserved: reservedFlag)
        parameters = zip(identifiers, objects).map { IdentifiedParameter(identifier: $0, object: $1) }
    }

    /// Returns the parameters that a request has a place for, in the order path, query, header, cookie.
    ///
    /// - Parameters:
    ///   - declared: The parameters of the operation.
    ///   - template: The path, whose variables are parameters too.
    private static func parameters(_ declared: [ParameterObject], _ template: PathTemplate) -> [ParameterObject] {
        func declaredParameters(in location: ParameterObject.Location) -> [ParameterObject] {
            declared.filter { $0.location == location }
        }
        let path = pathParameters(declaredParameters(in: .path), template)
        let query = declaredParameters(in: .query) + declaredParameters(in: .querystring)
        let headers = declaredParameters(in: .header).filter { !isDescribedElsewhere(header: $0.name) }
        return path + query + headers + declaredParameters(in: .cookie)
    }

    /// Returns a parameter for each variable of a path. A variable without a declaration is a required text.
    private static func pathParameters(_ declared: [ParameterObject], _ template: PathTemplate) -> [ParameterObject] {
        let parameters = Dictionary(declared.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        return template.variables.map { parameters[$0] ?? ParameterObject(variable: $0) }
    }

    /// Whether other parts of a document describe a header, so that it is no parameter (OpenAPI 3.1, section 4.8.12.2).
    private static func isDescribedElsewhere(header: String) -> Bool {
        ["Accept", "Content-Type", "Authorization"].contains { $0.isSameName(as: header) }
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

import EndpointKit
import JSONText

/// A parameter of an operation, with the identifier by which a call names it.
struct IdentifiedParameter: Sendable {
    /// The key of the value in a call, such as `xRequestID` for the header `X-Request-ID`.
    let identifier: String
    let object: ParameterObject
}

/// The parts of an operation that its requests are made from.
///
/// Parts that can't be read are left out, because requests can be made without them. The notes of the operation name
/// them.
struct OperationParts: Sendable {
    let operation: OperationObject
    let template: PathTemplate
    /// The parameters in the order path, query, header, cookie.
    let parameters: [IdentifiedParameter]
    /// The body; nil if requests have no body.
    let body: RequestBodyObject?
    let responses: [ResponseObject]

    /// Reads the parts of an operation, and gives each parameter an identifier.
    ///
    /// A body that can't be read is treated as missing, like all parts that can't be read.
    init(_ operation: OperationObject) {
        self.operation = operation
        body = try? operation.requestBody()
        responses = operation.responses.parts
        template = PathTemplate(operation.summary.path)
        let orderedParameters = Self.orderedParameters(operation.parameters.parts, in: template)
        let locatedNames = orderedParameters.map {
            ParameterIdentifiers.LocatedName(name: $0.name, location: CallParameter.Location($0.location))
        }
        // Some media types of a body need the flag `--body`, and others do not. Every body reserves the flag, so that
        // the identifiers of the parameters do not depend on the media type.
        let reservedFlag = body == nil ? nil : CallParameter.labelledBody
        let identifiers = ParameterIdentifiers.identifiers(for: locatedNames, reservedFlag: reservedFlag)
        parameters = zip(identifiers, orderedParameters).map { IdentifiedParameter(identifier: $0, object: $1) }
    }

    /// Returns the parameters of requests in the order path, query, header, cookie.
    ///
    /// A path parameter without a variable in the path is left out, and so are headers that other parts of the
    /// document describe.
    ///
    /// - Parameters:
    ///   - declared: The parameters that the operation declares.
    ///   - template: The path of the operation. Each of its variables is a parameter.
    private static func orderedParameters(
        _ declared: [ParameterObject], in template: PathTemplate
    ) -> [ParameterObject] {
        func declaredParameters(in location: ParameterObject.Location) -> [ParameterObject] {
            declared.filter { $0.location == location }
        }
        let path = pathParameters(declaredParameters(in: .path), in: template)
        let query = declaredParameters(in: .query) + declaredParameters(in: .querystring)
        let headers = declaredParameters(in: .header).filter { !isDescribedElsewhere(header: $0.name) }
        return path + query + headers + declaredParameters(in: .cookie)
    }

    /// Returns the parameter of each variable of a path, in the order of the path.
    ///
    /// - Parameters:
    ///   - declared: The path parameters that the operation declares.
    ///   - template: The path. A variable without a declaration becomes a required string.
    private static func pathParameters(_ declared: [ParameterObject], in template: PathTemplate) -> [ParameterObject] {
        let parameters = Dictionary(declared.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        return template.variables.map { parameters[$0] ?? ParameterObject(variable: $0) }
    }

    /// Whether another part of the document describes a header: the responses, the body, or the security schemes.
    ///
    /// A parameter with the name of such a header is ignored (OpenAPI 3.1, section 4.8.12.2).
    private static func isDescribedElsewhere(header: String) -> Bool {
        ["Accept", "Content-Type", "Authorization"].contains { $0.isSameName(as: header) }
    }
}

extension ParameterObject {
    /// Creates the parameter of a path's variable that the document does not declare: a required string.
    fileprivate init(variable: String) {
        self.init(
            name: variable, location: .path, summary: nil, isRequired: true, isDeprecated: false, style: .simple,
            isExploded: false, allowsReserved: false, schema: nil, content: nil, examples: [])
    }
}

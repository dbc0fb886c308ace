import EndpointKit
import JSONText

/// An operation (OpenAPI 3.1, section 4.8.10).
///
/// Each access to a property reads the part of the operation again.
package struct OperationObject: Sendable {
    package let summary: OperationSummary
    private let document: OpenAPIDocument

    /// Creates the typed view of an operation. Its parts are read when they are needed.
    init(_ summary: OperationSummary, in document: OpenAPIDocument) {
        self.summary = summary
        self.document = document
    }

    /// The Operation Object.
    var value: JSONValue { summary.value }
    private var references: ReferenceResolver { document.references }

    package var description: String? { value["description"]?.string }

    /// The JSON pointer to the operation, such as `#/paths/~1pets/get`.
    package var pointer: String { JSONPointer.text(of: value) }

    // MARK: Parameters

    /// A parameter, with its Parameter Object in the document.
    struct ReadParameter {
        let parameter: ParameterObject
        let value: JSONValue
    }

    /// The parameters of the path, followed by those of the operation itself.
    ///
    /// A parameter of the operation replaces a parameter of the path with the same name and location.
    package var parameters: ReadParts<ParameterObject> {
        let parameters = readParameters
        return parameters.replacingParts(with: parameters.parts.map(\.parameter))
    }

    /// The parameters as in ``parameters``, with their Parameter Objects in the document.
    var readParameters: ReadParts<ReadParameter> {
        let objects = parameterObjects
        var parameters = objects.replacingParts(with: [ReadParameter]())
        for object in objects.parts {
            parameters.append(from: object, references: references) { () throws(PartFailure) in
                // The parameter is nil if it is a body. Swagger 2.0 describes bodies as parameters.
                let parameter = try document.version.readParameter(object, references: references)
                return parameter.map { ReadParameter(parameter: $0, value: object) }
            }
        }
        return parameters.replacingParts(with: Self.distinctParameters(parameters.parts))
    }

    /// Returns the parameters without those that a later parameter with the same name and location replaces.
    ///
    /// The later parameter takes the position of the first one.
    private static func distinctParameters(_ parameters: [ReadParameter]) -> [ReadParameter] {
        // Name and location together identify a parameter (OpenAPI 3.1, section 4.8.12).
        struct Identity: Hashable {
            let name: String
            let location: ParameterObject.Location
        }
        let groupsOfEqualIdentity = parameters.grouped {
            Identity(name: $0.parameter.name, location: $0.parameter.location)
        }
        return groupsOfEqualIdentity.compactMap(\.elements.last)
    }

    /// The Parameter Objects of the path and of the operation, with references followed.
    private var parameterObjects: ReadParts<JSONValue> {
        var objects = ReadParts<JSONValue>()
        for owner in [summary.pathItem, value] {
            objects.append(elementsOf: owner["parameters"], references: references) { element throws(PartFailure) in
                try references.resolveObject(element)
            }
        }
        return objects
    }

    // MARK: Bodies

    /// The object in the document that describes the body of requests: a Request Body Object, or a parameter in
    /// Swagger 2.0.
    ///
    /// The value is nil if there is no body, or if a reference can't be resolved.
    var requestBodyValue: JSONValue? {
        if let body = value["requestBody"] { return try? references.resolveObject(body) }
        return parameterObjects.parts.first { ["body", "formData"].contains($0["in"]?.string) }
    }

    /// Reads the body of requests.
    ///
    /// - Returns: The body; nil if requests have no body.
    /// - Throws: ``OpenAPIError`` if the body can't be read.
    package func requestBody() throws(OpenAPIError) -> RequestBodyObject? {
        do {
            return try document.version.readRequestBody(
                of: value, parameters: parameterObjects.parts, references: references)
        } catch {
            throw references.error(error, at: value)
        }
    }

    /// The responses, and the errors of responses that can't be read.
    package var responses: ReadParts<ResponseObject> {
        var responses = ReadParts<ResponseObject>()
        do throws(PartFailure) {
            // Members with this prefix are extensions (OpenAPI 3.1, section 4.9).
            for (key, value) in try references.resolveMembers(of: value["responses"]) where !key.hasPrefix("x-") {
                responses.append(from: value, references: references) { () throws(PartFailure) in
                    try readResponse(statusKey: key, value: value)
                }
            }
        } catch {
            responses.append(error, at: value, references: references)
        }
        return responses
    }

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - key: The status of the response: `200`, `2XX` or `default`.
    ///   - value: The Response Object, or a reference to it.
    /// - Throws: ``PartFailure`` if the key is not a status, or if the response can't be read.
    private func readResponse(statusKey key: String, value: JSONValue) throws(PartFailure) -> ResponseObject {
        guard let status = ResponseStatus(key) else {
            throw PartFailure(expected: "a status such as 200, 2XX or default", found: "'\(key)'")
        }
        let response = try references.resolveObject(value)
        return ResponseObject(
            status: status, summary: response["description"]?.string,
            headerNames: response["headers"]?.members?.map(\.key) ?? [],
            content: try document.version.readContent(of: response, operation: self.value, references: references))
    }

    // MARK: Servers and security

    /// The first paragraph of the summary, or else of the description; empty if there is neither.
    var title: String { summary.summary?.firstParagraph ?? description?.firstParagraph ?? "" }

    /// The servers of the operation, or else of its path; nil if neither declares servers.
    package var ownServers: ReadParts<ServerObject>? {
        document.version.readServers(of: value, references: references)
            ?? document.version.readServers(of: summary.pathItem, references: references)
    }

    /// The servers of the operation, or else of its path, or else of the document.
    package var servers: ReadParts<ServerObject> { ownServers ?? document.servers }

    /// The alternatives of credentials. A request needs one of them. The list is empty if it needs no credential.
    package var security: ReadParts<SecurityRequirement> {
        guard let security = value["security"] else { return document.security }
        return SecurityRequirement.readAlternatives(security, references: references)
    }

    // MARK: Notes

    /// The most notes about parameters, callbacks and links. A longer list would be hard to read.
    private static let maxNotes = 100

    /// The notes about parts of the operation that are left out, followed by notes about parts that can't be read.
    package var notes: [OperationNote] {
        let parameters = readParameters
        var notes = parameters.parts.flatMap { OperationNote.notes(on: $0.parameter, value: $0.value) }
        if let callbacks = value["callbacks"], callbacks.hasMembers {
            notes.append(OperationNote(.callbacks, at: callbacks))
        }
        notes += linkNotes
        let errors = parameters.errors + requestBodyErrors + responses.errors + servers.errors + security.errors
        // ``ReadParts`` limits the number of errors.
        return notes.prefix(Self.maxNotes) + errors.map(OperationNote.init)
    }

    /// A note about each response with links. A response that can't be read has an error of its own.
    private var linkNotes: [OperationNote] {
        let responses = value["responses"]?.members ?? []
        return responses.compactMap { key, response in
            guard !key.hasPrefix("x-"), let links = try? references.resolve(response)["links"], links.hasMembers else {
                return nil
            }
            return OperationNote(.links, at: links)
        }
    }

    /// A list with the error of a request body that can't be read; empty if the body can be read.
    private var requestBodyErrors: [OpenAPIError] {
        do throws(OpenAPIError) {
            _ = try requestBody()
            return []
        } catch {
            return [error]
        }
    }
}

extension JSONValue {
    /// Whether the value is an object with at least one member.
    fileprivate var hasMembers: Bool { kind == .object && document.count(of: slot) > 0 }
}

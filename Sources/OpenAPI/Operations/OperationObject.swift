import JSONText

/// An operation (OpenAPI 3.1, section 4.8.10). Each of its parts is read when it is asked for.
package struct OperationObject: Sendable {
    package let summary: OperationSummary
    private let document: OpenAPIDocument

    init(_ summary: OperationSummary, _ document: OpenAPIDocument) {
        self.summary = summary
        self.document = document
    }

    var value: JSONValue { summary.value }
    private var references: ReferenceResolver { document.references }

    package var description: String? { value["description"]?.string }

    /// The pointer to the operation, such as `#/paths/~1pets/get`.
    package var pointer: String { JSONPointer.text(of: value) }

    // MARK: Parameters

    /// A parameter with the Parameter Object that it was read from.
    struct ReadParameter {
        let parameter: ParameterObject
        let value: JSONValue
    }

    /// The parameters, those of the path first. An operation's parameter replaces that of the path with the same name
    /// and place.
    package var parameters: ReadParts<ParameterObject> {
        let read = readParameters
        var parameters = ReadParts<ParameterObject>()
        parameters.appendErrors(of: read)
        return parameters.replacing(read.parts.map(\.parameter))
    }

    /// The parameters with their places.
    var readParameters: ReadParts<ReadParameter> {
        var parameters = ReadParts<ReadParameter>()
        let objects = parameterObjects
        parameters.appendErrors(of: objects)
        for object in objects.parts {
            parameters.append(object, references) { () throws(PartFailure) in
                try document.version.parameter(object, references).map { ReadParameter(parameter: $0, value: object) }
            }
        }
        return parameters.replacing(Self.withoutReplaced(parameters.parts))
    }

    /// Returns the parameters without those that a later one with the same name and place replaces.
    private static func withoutReplaced(_ parameters: [ReadParameter]) -> [ReadParameter] {
        struct Key: Hashable {
            let name: String
            let location: ParameterObject.Location
        }
        var indexes: [Key: Int] = [:]
        var result: [ReadParameter] = []
        for parameter in parameters {
            let key = Key(name: parameter.parameter.name, location: parameter.parameter.location)
            if let index = indexes[key] {
                result[index] = parameter
            } else {
                indexes[key] = result.count
                result.append(parameter)
            }
        }
        return result
    }

    /// The Parameter Objects of the path and of the operation, with references followed.
    private var parameterObjects: ReadParts<JSONValue> {
        var objects = ReadParts<JSONValue>()
        for owner in [summary.pathItem, value] {
            objects.append(listAt: owner, references) { () throws(PartFailure) in
                var list = ReadParts<JSONValue>()
                for element in try references.elements(owner["parameters"]) {
                    list.append(element, references) { () throws(PartFailure) in try references.object(element) }
                }
                return list
            }
        }
        return objects
    }

    // MARK: Bodies

    /// The object that describes the body of requests: a Request Body Object, or in Swagger 2.0 a parameter.
    var requestBodyValue: JSONValue? {
        if let body = value["requestBody"] { return try? references.object(body) }
        return parameterObjects.parts.first { ["body", "formData"].contains($0["in"]?.string) }
    }

    /// Returns the body of the request; nil if there is none.
    ///
    /// - Throws: ``OpenAPIError`` if the body can't be read.
    package func requestBody() throws(OpenAPIError) -> RequestBodyObject? {
        do {
            return try document.version.requestBody(of: value, parameters: parameterObjects.parts, references)
        } catch {
            throw references.error(error, at: value)
        }
    }

    /// The responses, with the errors of those that can't be read.
    package var responses: ReadParts<ResponseObject> {
        var responses = ReadParts<ResponseObject>()
        responses.append(listAt: value, references) { () throws(PartFailure) in
            var list = ReadParts<ResponseObject>()
            for (key, value) in try references.members(value["responses"]) where !key.hasPrefix("x-") {
                list.append(value, references) { () throws(PartFailure) in try response(key, value) }
            }
            return list
        }
        return responses
    }

    /// Returns the response of a status.
    private func response(_ key: String, _ value: JSONValue) throws(PartFailure) -> ResponseObject {
        guard let status = ResponseStatus(key) else {
            throw PartFailure(expected: "a status such as 200, 2XX or default", found: "'\(key)'")
        }
        let response = try references.object(value)
        return ResponseObject(
            status: status, summary: response["description"]?.string,
            content: try document.version.content(of: response, self.value, references))
    }

    // MARK: Servers and security

    /// The summary, else the first paragraph of the description; empty if there is neither.
    var title: String { summary.summary?.firstParagraph ?? description?.firstParagraph ?? "" }

    /// The servers of the operation, else those of its path; nil if neither has any.
    var ownServers: ReadParts<ServerObject>? {
        for owner in [value, summary.pathItem] {
            if let servers = document.version.servers(of: owner, references) { return servers }
        }
        return nil
    }

    /// The servers of the operation, else those of its path, else those of the document.
    package var servers: ReadParts<ServerObject> { ownServers ?? document.servers }

    /// The alternatives of credentials, of which one is enough; empty if none is needed.
    package var security: ReadParts<SecurityRequirement> {
        value["security"].map { SecurityRequirement.alternatives($0, references) } ?? document.security
    }

    // MARK: Notes

    /// The most notes about links and parameters. Further ones do not help to judge an operation.
    private static let maxNotes = 100

    /// The parts of the operation that are left out, and those that can't be read.
    package var notes: [OperationNote] {
        var notes: [OperationNote] = []
        let parameters = readParameters
        for parameter in parameters.parts {
            notes += OperationNote.notes(on: parameter.parameter, parameter.value)
        }
        if let callbacks = value["callbacks"], callbacks.hasMembers {
            notes.append(OperationNote(.callbacks, callbacks))
        }
        for (key, response) in value["responses"]?.members ?? [] where !key.hasPrefix("x-") {
            guard let links = try? references.resolved(response)["links"], links.hasMembers else {
                continue
            }
            notes.append(OperationNote(.links, links))
        }
        return notes.prefix(Self.maxNotes) + unreadableParts(parameters.errors)
    }

    /// Returns notes about the parts that can't be read.
    ///
    /// - Parameter parameterErrors: The errors of the parameters.
    private func unreadableParts(_ parameterErrors: [OpenAPIError]) -> [OperationNote] {
        var errors = parameterErrors
        do throws(OpenAPIError) {
            _ = try requestBody()
        } catch {
            errors.append(error)
        }
        errors += responses.errors
        errors += servers.errors + security.errors
        return errors.map(OperationNote.init)
    }
}

extension JSONValue {
    /// Whether the value is an object that is not empty.
    fileprivate var hasMembers: Bool { kind == .object && document.count(of: slot) > 0 }
}

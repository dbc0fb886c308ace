import EndpointKit
import JSONText

/// An operation (OpenAPI 3.1, section 4.8.10).
///
/// Each property reads its part of the document when it is asked for, and again each time.
package struct OperationObject: Sendable {
    package let summary: OperationSummary
    private let document: OpenAPIDocument

    /// Makes the view of an operation. Its parts are read when they are asked for.
    init(_ summary: OperationSummary, _ document: OpenAPIDocument) {
        self.summary = summary
        self.document = document
    }

    /// The Operation Object.
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

    /// The parameters, those of the path first.
    ///
    /// A parameter of the operation replaces the one of the path with the same name and place.
    package var parameters: ReadParts<ParameterObject> {
        let parameters = readParameters
        return parameters.replacingParts(with: parameters.parts.map(\.parameter))
    }

    /// The parameters as in ``parameters``, with the Parameter Objects that they were read from. Those that can't be
    /// read are errors.
    var readParameters: ReadParts<ReadParameter> {
        let objects = parameterObjects
        var parameters = objects.replacingParts(with: [ReadParameter]())
        for object in objects.parts {
            parameters.append(from: object, references) { () throws(PartFailure) in
                // Swagger 2.0 describes the body as a parameter, which is nil here.
                let parameter = try document.version.parameter(object, references)
                return parameter.map { ReadParameter(parameter: $0, value: object) }
            }
        }
        return parameters.replacingParts(with: Self.withoutReplaced(parameters.parts))
    }

    /// Returns parameters of which each has another name or place than all others.
    ///
    /// If several parameters have the same name and place, the last one replaces the first one, and the others are
    /// left out.
    private static func withoutReplaced(_ parameters: [ReadParameter]) -> [ReadParameter] {
        // A parameter is known by its name and place together (OpenAPI 3.1, section 4.8.12).
        struct Key: Hashable {
            let name: String
            let location: ParameterObject.Location
        }
        let groups = parameters.grouped { Key(name: $0.parameter.name, location: $0.parameter.location) }
        return groups.compactMap(\.elements.last)
    }

    /// The Parameter Objects of the path and of the operation, with references followed.
    private var parameterObjects: ReadParts<JSONValue> {
        var objects = ReadParts<JSONValue>()
        for owner in [summary.pathItem, value] {
            objects.append(elementsOf: owner["parameters"], references) { element throws(PartFailure) in
                try references.object(element)
            }
        }
        return objects
    }

    // MARK: Bodies

    /// The object that describes the body of requests, for its place: a Request Body Object, or in Swagger 2.0 a
    /// parameter.
    ///
    /// It is nil if there is no body, or if its reference leads nowhere.
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
        do throws(PartFailure) {
            // Members with this prefix are extensions (OpenAPI 3.1, section 4.9).
            for (key, value) in try references.members(value["responses"]) where !key.hasPrefix("x-") {
                responses.append(from: value, references) { () throws(PartFailure) in try response(key, value) }
            }
        } catch {
            responses.append(error, at: value, references)
        }
        return responses
    }

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - key: The key of the response, which is its status: `200`, `2XX` or `default`.
    ///   - value: The Response Object, or a reference to it.
    /// - Throws: ``PartFailure`` if the key is no status, or if the response can't be read.
    private func response(_ key: String, _ value: JSONValue) throws(PartFailure) -> ResponseObject {
        guard let status = ResponseStatus(key) else {
            throw PartFailure(expected: "a status such as 200, 2XX or default", found: "'\(key)'")
        }
        let response = try references.object(value)
        return ResponseObject(
            status: status, summary: response["description"]?.string,
            headerNames: response["headers"]?.members?.map(\.key) ?? [],
            content: try document.version.content(of: response, self.value, references))
    }

    // MARK: Servers and security

    /// The first paragraph of the summary, else that of the description; empty if there is neither.
    var title: String { summary.summary?.firstParagraph ?? description?.firstParagraph ?? "" }

    /// The servers of the operation, else those of its path; nil if neither has any.
    package var ownServers: ReadParts<ServerObject>? {
        document.version.servers(of: value, references) ?? document.version.servers(of: summary.pathItem, references)
    }

    /// The servers of the operation, else those of its path, else those of the document.
    package var servers: ReadParts<ServerObject> { ownServers ?? document.servers }

    /// The alternatives of credentials, of which one is enough; empty if none is needed.
    package var security: ReadParts<SecurityRequirement> {
        guard let security = value["security"] else { return document.security }
        return SecurityRequirement.alternatives(security, references)
    }

    // MARK: Notes

    /// The most notes about links and parameters. Further ones do not help to judge an operation.
    private static let maxNotes = 100

    /// Notes about the parts of the operation that are left out, and about those that can't be read.
    ///
    /// Parameters, callbacks and links come first, of which at most ``maxNotes`` are kept. The errors of parts are
    /// limited by ``ReadParts``.
    package var notes: [OperationNote] {
        let parameters = readParameters
        var notes = parameters.parts.flatMap { OperationNote.notes(on: $0.parameter, $0.value) }
        if let callbacks = value["callbacks"], callbacks.hasMembers {
            notes.append(OperationNote(.callbacks, callbacks))
        }
        notes += linkNotes
        let errors = parameters.errors + requestBodyErrors + responses.errors + servers.errors + security.errors
        return notes.prefix(Self.maxNotes) + errors.map(OperationNote.init)
    }

    /// A note about each response with links. A response whose reference leads nowhere has none, because it is an error
    /// already.
    private var linkNotes: [OperationNote] {
        let responses = value["responses"]?.members ?? []
        return responses.compactMap { key, response in
            guard !key.hasPrefix("x-"), let links = try? references.resolved(response)["links"], links.hasMembers else {
                return nil
            }
            return OperationNote(.links, links)
        }
    }

    /// The error of a request body that can't be read, as a list of one; empty if the body can be read.
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
    /// Whether the value is an object that is not empty.
    fileprivate var hasMembers: Bool { kind == .object && document.count(of: slot) > 0 }
}

import EndpointKit
import JSONText

// Endpoints that share method and path are one operation of a document. Each function here merges one part of such
// operations, so that a request of any of the endpoints fits the result.

extension WrittenOperation {
    /// Merges operations with the same method and path, of which there is at least one.
    ///
    /// The id, summary and tags are those of the first one. A parameter or body that not all of them have is not
    /// required.
    static func merged(_ operations: [WrittenOperation]) -> WrittenOperation {
        var result = operations[0]
        guard operations.count > 1 else { return result }
        result.endpoints = operations.flatMap(\.endpoints)
        result.servers = ServerObject.merged(operations.map(\.servers))
        result.parameters = WrittenParameter.merged(operations.map(\.parameters))
        result.body = WrittenBody.merged(operations.map(\.body))
        result.responses = WrittenResponse.merged(operations.flatMap(\.responses))
        result.security = operations.flatMap(\.security).grouped { $0 }.map(\.key)
        result.pages = operations.lazy.compactMap(\.pages).first
        return result
    }

    /// Returns the operation with other names for the variables of its path.
    ///
    /// - Parameter names: The new names by the old ones.
    func renamingPathParameters(_ names: [String: String]) -> WrittenOperation {
        var result = self
        for index in parameters.indices where parameters[index].location == .path {
            let name = parameters[index].name
            result.parameters[index].name = names[name] ?? name
        }
        return result
    }
}

extension ServerObject {
    /// Merges the servers of several operations.
    ///
    /// - Parameter lists: The servers of each operation; nil for an operation that has those of the document.
    /// - Returns: All servers, each once; nil if no operation has servers of its own.
    fileprivate static func merged(_ lists: [[ServerObject]?]) -> [ServerObject]? {
        var result: [ServerObject] = []
        for server in lists.compactMap(\.self).joined() where !result.contains(server) { result.append(server) }
        return lists.contains { $0 != nil } ? result : nil
    }
}

extension WrittenParameter {
    /// The name and place that tell parameters apart. The names of headers may be in any case (RFC 9110, section 5.1).
    private struct Identity: Hashable {
        let name: String
        let location: ParameterObject.Location

        /// Makes the identity of a parameter.
        init(_ parameter: WrittenParameter) {
            name = parameter.location == .header ? parameter.name.lowercased() : parameter.name
            location = parameter.location
        }
    }

    /// Merges the parameters of several operations. A parameter that not all operations have is not required.
    fileprivate static func merged(_ lists: [[WrittenParameter]]) -> [WrittenParameter] {
        lists.joined().grouped(by: Identity.init).map { _, namesakes in
            var parameter = merged(namesakes)
            if namesakes.count < lists.count { parameter.isRequired = false }
            return parameter
        }
    }

    /// Merges the parameters of one operation that have the same name and place, such as equal fields of two
    /// structures.
    static func mergingNamesakes(_ parameters: [WrittenParameter]) -> [WrittenParameter] {
        parameters.grouped(by: Identity.init).map { merged($1) }
    }

    /// Merges parameters with the same name and place, of which there is at least one.
    ///
    /// The value has the schema of any of them, and is required if all of them are. Everything else is that of the
    /// first one.
    private static func merged(_ namesakes: [WrittenParameter]) -> WrittenParameter {
        var result = namesakes[0]
        result.isRequired = namesakes.allSatisfy(\.isRequired)
        result.schema = WrittenSchema(oneOf: namesakes.map(\.schema))
        result.sources = namesakes.flatMap(\.sources).grouped { $0 }.map(\.key)
        return result
    }
}

extension WrittenBody {
    /// Merges the bodies of several operations.
    ///
    /// - Parameter bodies: The body of each operation; nil for an operation without one.
    /// - Returns: The body, which is required if all operations require one; nil if no operation has a body.
    fileprivate static func merged(_ bodies: [WrittenBody?]) -> WrittenBody? {
        let present = bodies.compactMap(\.self)
        guard !present.isEmpty else { return nil }
        let isRequired = present.count == bodies.count && present.allSatisfy(\.isRequired)
        return WrittenBody(isRequired: isRequired, content: WrittenMediaType.merged(present.flatMap(\.content)))
    }
}

extension WrittenResponse {
    /// Merges responses of the same status. The first one gives the description.
    fileprivate static func merged(_ responses: [WrittenResponse]) -> [WrittenResponse] {
        responses.grouped(by: \.status).map { status, same in
            WrittenResponse(
                status: status, summary: same[0].summary, content: WrittenMediaType.merged(same.flatMap(\.content)))
        }
    }
}

extension WrittenMediaType {
    /// Merges the bodies of the same media type.
    ///
    /// Such a body has the schema of any of them, and the first encoding and example of each name. A body without a
    /// schema does not widen the schemas of the others.
    fileprivate static func merged(_ content: [WrittenMediaType]) -> [WrittenMediaType] {
        content.grouped(by: \.contentType).map { contentType, same in
            let schemas = same.compactMap(\.schema)
            return WrittenMediaType(
                contentType: contentType, schema: schemas.isEmpty ? nil : WrittenSchema(oneOf: schemas),
                itemSchema: same.lazy.compactMap(\.itemSchema).first,
                encodings: same.flatMap(\.encodings).grouped(by: \.name).map { $1[0] },
                examples: same.flatMap(\.examples).grouped(by: \.name).map { $1[0] })
        }
    }
}

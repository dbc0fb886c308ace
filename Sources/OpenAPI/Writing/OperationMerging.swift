import EndpointKit
import JSONText

// A document has one operation for each method and path, but several endpoints may have the same method and path. The
// functions in this file merge their operations, so that the result allows the requests of all of them.

extension WrittenOperation {
    /// Merges operations with the same method and path into one that allows the requests of all of them.
    ///
    /// A parameter or body that one of the operations lacks becomes optional.
    ///
    /// - Parameter operations: At least one operation. The first one provides the id, the summary and the tags. The
    ///   first one that has pages provides the rules for its pages.
    static func merge(_ operations: [WrittenOperation]) -> WrittenOperation {
        var mergedOperation = operations[0]
        guard operations.count > 1 else { return mergedOperation }
        mergedOperation.endpoints = operations.flatMap(\.endpoints)
        mergedOperation.servers = ServerObject.merge(operations.map(\.servers))
        mergedOperation.parameters = WrittenParameter.merge(operations.map(\.parameters))
        mergedOperation.body = WrittenBody.merge(operations.map(\.body))
        mergedOperation.responses = WrittenResponse.merge(operations.flatMap(\.responses))
        mergedOperation.security = operations.flatMap(\.security).withoutRepetitions
        mergedOperation.pages = operations.compactMap(\.pages).first
        return mergedOperation
    }

    /// Returns the operation with new names for its path parameters.
    ///
    /// - Parameter newNames: The new names by the old names.
    func renamingPathParameters(_ newNames: [String: String]) -> WrittenOperation {
        var renamedOperation = self
        for index in parameters.indices where parameters[index].location == .path {
            let oldName = parameters[index].name
            renamedOperation.parameters[index].name = newNames[oldName] ?? oldName
        }
        return renamedOperation
    }
}

extension ServerObject {
    /// Merges the servers of several operations.
    ///
    /// - Parameter lists: The servers of each operation; nil for an operation to which the document's servers apply.
    /// - Returns: All servers, without repetitions; nil if no operation has servers of its own.
    fileprivate static func merge(_ lists: [[ServerObject]?]) -> [ServerObject]? {
        let ownLists = lists.compactMap(\.self)
        if ownLists.isEmpty { return nil }
        var distinctServers: [ServerObject] = []
        for server in ownLists.joined() where !distinctServers.contains(server) { distinctServers.append(server) }
        return distinctServers
    }
}

extension WrittenParameter {
    /// The name and location of a parameter. Names of headers are case-insensitive (RFC 9110, section 5.1).
    private struct Identity: Hashable {
        let name: String
        let location: ParameterObject.Location

        /// Creates the identity of a parameter.
        init(_ parameter: WrittenParameter) {
            name = parameter.location == .header ? parameter.name.lowercased() : parameter.name
            location = parameter.location
        }
    }

    /// Merges the parameters of several operations. A parameter that one of the operations lacks becomes optional.
    ///
    /// - Parameter lists: The parameters of each operation.
    fileprivate static func merge(_ lists: [[WrittenParameter]]) -> [WrittenParameter] {
        lists.joined().grouped(by: Identity.init).map { _, namesakes in
            var parameter = merge(namesakes)
            let isInAllOperations = namesakes.count == lists.count
            if !isInAllOperations { parameter.isRequired = false }
            return parameter
        }
    }

    /// Merges the parameters of one operation that have the same name and location.
    ///
    /// Two structures in the query may have fields with the same name.
    static func mergingNamesakes(_ parameters: [WrittenParameter]) -> [WrittenParameter] {
        parameters.grouped(by: Identity.init).map { merge($0.elements) }
    }

    /// Merges parameters with the same name and location.
    ///
    /// The value of the result has to match the schema of one of them. The result is required if all of them are.
    ///
    /// - Parameter namesakes: At least one parameter. The first one provides everything else.
    private static func merge(_ namesakes: [WrittenParameter]) -> WrittenParameter {
        var mergedParameter = namesakes[0]
        mergedParameter.isRequired = namesakes.allSatisfy(\.isRequired)
        mergedParameter.schema = WrittenSchema(oneOf: namesakes.map(\.schema))
        mergedParameter.sources = namesakes.flatMap(\.sources).withoutRepetitions
        return mergedParameter
    }
}

extension WrittenBody {
    /// Merges the bodies of several operations.
    ///
    /// - Parameter bodies: The body of each operation; nil for an operation without a body.
    /// - Returns: The body. It is required if all operations require a body. Nil if no operation has a body.
    fileprivate static func merge(_ bodies: [WrittenBody?]) -> WrittenBody? {
        let presentBodies = bodies.compactMap(\.self)
        guard !presentBodies.isEmpty else { return nil }
        let isRequired = presentBodies.count == bodies.count && presentBodies.allSatisfy(\.isRequired)
        return WrittenBody(isRequired: isRequired, content: WrittenMediaType.merge(presentBodies.flatMap(\.content)))
    }
}

extension WrittenResponse {
    /// Merges the responses with the same status, because a document has one response for each status.
    ///
    /// The first response with a status provides the description.
    fileprivate static func merge(_ responses: [WrittenResponse]) -> [WrittenResponse] {
        responses.grouped(by: \.status).map { status, responses in
            WrittenResponse(
                status: status, summary: responses[0].summary,
                content: WrittenMediaType.merge(responses.flatMap(\.content)))
        }
    }
}

extension WrittenMediaType {
    /// Merges the bodies with the same media type.
    ///
    /// A merged body has to match one of the schemas of the bodies. It has the encodings and examples of all of them,
    /// and the first one of those with the same name. The first `itemSchema` is kept, because an item can't be
    /// described by several.
    fileprivate static func merge(_ content: [WrittenMediaType]) -> [WrittenMediaType] {
        content.grouped(by: \.contentType).map { contentType, bodies in
            let schemas = bodies.compactMap(\.schema)
            return WrittenMediaType(
                contentType: contentType, schema: schemas.isEmpty ? nil : WrittenSchema(oneOf: schemas),
                itemSchema: bodies.compactMap(\.itemSchema).first,
                encodings: bodies.flatMap(\.encodings).withoutRepetitions(of: \.name),
                examples: bodies.flatMap(\.examples).withoutRepetitions(of: \.name))
        }
    }
}

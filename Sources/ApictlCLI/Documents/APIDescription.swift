import EndpointKit
import EndpointTools
import JSONText

/// An API and its endpoints.
struct APIDescription {
    let api: CatalogueAPI
    let endpoints: [EndpointSummary]
    /// Returns whether a variable has a value; nil if the description does not say so, because it must not depend on
    /// the environment.
    var isSet: @Sendable (String) -> Bool? = { _ in nil }

    /// The JSON that `describe API --json` prints.
    var json: JSONObject {
        [
            "version": 1, "name": api.name, "summary": api.summary, "servers": api.servers.map(\.json),
            "credentials": api.declaredCredentials().map { $0.json(isSet: isSet) }, "endpoints": endpoints,
            "leftOut": api.omissions().nonEmpty,
        ]
    }

    /// Examines the endpoints: their parameters, and the shapes of their responses. Endpoints that can't be called are
    /// left out.
    ///
    /// - Throws: `NotAnEnumCase` for an API with a handwritten `Codable`.
    func details() throws -> [EndpointDescription] {
        let names = Set(endpoints.map(\.name))
        let declarations = try api.declarations().filter { names.contains($0.name) }
        let shapes = api.responseShapes(of: declarations)
        return zip(declarations, shapes.responses).map { declaration, response in
            EndpointDescription(declaration, responseShape: response, errorShape: shapes.error)
        }
    }
}

extension Server {
    /// The server in the JSON of ``APIDescription/json`` and ``EndpointDescription/json(tool:)``.
    var json: JSONObject { ["name": name, "url": url] }
}

extension ConfigurableCredential {
    /// Returns the JSON of the credential: its alternatives with the names of their variables, never with values.
    ///
    /// - Parameter isSet: Returns whether a variable has a value. With nil, the JSON does not say it.
    func json(isSet: (String) -> Bool?) -> JSONObject {
        let alternatives = credential.alternatives.map { scheme -> JSONObject in
            let variables = scheme.variables.map { ["name": $0, "isSet": isSet($0)] as JSONObject }
            return ["sentence": scheme.sentence, "variables": variables, "obtain": scheme.source]
        }
        return ["required": !credential.isOptional, "server": server, "alternatives": alternatives]
    }
}

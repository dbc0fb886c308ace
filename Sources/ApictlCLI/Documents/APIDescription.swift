import EndpointKit
import EndpointTools
import JSONText

/// An API and its endpoints.
struct APIDescription {
    let api: CatalogueAPI
    let endpoints: [EndpointSummary]
    /// Whether ``endpoints`` has all endpoints of the API. Otherwise the patterns of a command chose some of them.
    var hasAllEndpoints = true
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

    /// Returns the declarations of ``endpoints``, in the order of the API. Endpoints that can't be called are left out.
    ///
    /// - Throws: `NotAnEnumCase` for an API whose enum implements `Codable` by hand, which hides its cases.
    func declarations() throws -> [EndpointDeclaration] {
        let names = Set(endpoints.map(\.name))
        return try api.declarations().filter { names.contains($0.name) }
    }

    /// Examines the parameters of ``endpoints``, and the shapes of their responses. Endpoints that can't be called are
    /// left out.
    ///
    /// - Throws: `NotAnEnumCase` for an API whose enum implements `Codable` by hand, which hides its cases.
    func details() throws -> [EndpointDescription] {
        let declarations = try declarations()
        // The shapes are learned together, because responses of one API share models.
        let shapes = api.responseShapes(of: declarations)
        return zip(declarations, shapes.responses).map { declaration, responseShape in
            EndpointDescription(declaration, responseShape: responseShape, errorShape: shapes.error)
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

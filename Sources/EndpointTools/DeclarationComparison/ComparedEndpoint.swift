import EndpointKit

/// An endpoint with the requests and the response that its declaration describes.
package struct ComparedEndpoint: Sendable {
    package let declaration: EndpointDeclaration
    package let request: DeclaredRequest
    /// The shape of the JSON of a successful response; nil if the response is not JSON.
    package let response: ModelShape?

    package init(_ declaration: EndpointDeclaration, request: DeclaredRequest, response: ModelShape?) {
        self.declaration = declaration
        self.request = request
        self.response = response
    }

    /// A method and a path, by which endpoints of two declarations are the same.
    struct Route: Hashable {
        let method: String
        let template: String
    }

    /// The method and the path, with the path of the server's URL and without.
    var routes: [Route] {
        [request.basePath + request.template, request.template].map { Route(method: request.method, template: $0) }
    }

    /// The names of the path's variables, of which only letters and digits count: `a_mount` is `aMount`.
    var variables: [String] {
        request.path.split(separator: "{").dropFirst().map { part in
            part.prefix { $0 != "}" }.lowercased().filter { $0.isLetter || $0.isNumber }
        }
    }

    /// The method and the path, as people read them.
    var shownRoute: String { "\(request.method) \(request.path)" }

    /// The places of all credentials that a request may have.
    var credentialPlaces: Set<DeclaredParameter.Place> {
        let credentials = declaration.api.requestBuilder.allCredentials(of: declaration.endpoint)
        return Set(credentials.flatMap(\.alternatives).flatMap(DeclaredParameter.Place.all))
    }
}

extension DeclaredParameter.Place {
    /// Returns the places of a credential. Only a signature can have several.
    fileprivate static func all(of scheme: Credential.Scheme) -> [Self] {
        if scheme.placement == .cookie { return [.cookie(scheme.name)] }
        return scheme.parts.map { part in
            switch part {
            case .query(let name): .query(name)
            case .header(let name): .header(name.lowercased())
            }
        }
    }
}

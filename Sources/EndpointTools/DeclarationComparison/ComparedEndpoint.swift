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

    /// The routes by which an endpoint is found in the other declaration, which may write the path with or without the
    /// path of the server's URL: `/v1/pets/{}` and `/pets/{}`.
    var routes: [Route] {
        let templates = [request.basePath + request.template, request.template]
        return templates.map { Route(method: request.method, template: $0) }
    }

    /// The names of the path's variables in small letters, without other characters than letters and digits.
    ///
    ///     /pets/{pet_id}/toys/{toyId}    →    petid, toyid
    ///
    var variableNames: [String] {
        // Each text after a brace starts with a name: `pet_id}/toys/`.
        let textsAfterBraces = request.path.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
        return textsAfterBraces.map { text in
            let name = text.prefix { $0 != "}" }
            return name.lowercased().filter { $0.isLetter || $0.isNumber }
        }
    }

    /// The method and the path, as people read them.
    var shownRoute: String { "\(request.method) \(request.path)" }

    /// The places of all credentials that a request may have.
    var credentialPlaces: Set<DeclaredParameter.Place> {
        let credentials = declaration.api.requestBuilder.allCredentials(of: declaration.endpoint)
        return Set(credentials.flatMap(\.alternatives).flatMap(DeclaredParameter.Place.places))
    }
}

extension DeclaredParameter.Place {
    /// Returns the places of a credential in a request, such as a header. Only a signature can have several.
    fileprivate static func places(of scheme: Credential.Scheme) -> [Self] {
        if scheme.placement == .cookie { return [.cookie(scheme.name)] }
        return scheme.parts.map { part in
            switch part {
            case .query(let name): .query(name)
            case .header(let name): .header(name.lowercased())
            }
        }
    }
}

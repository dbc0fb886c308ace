import EndpointKit
import EndpointTools
import MockServer

/// Finds the credentials in the requests that `mock` receives, so that no log and no recorded file has them.
struct ReceivedCredentials: Sendable {
    private let routes: CallRoutes
    /// The names, in lower case, of the headers and query items that hold credentials.
    ///
    /// For the header `Authorization`, the name is `basic` or `bearer`. ``SecretName`` knows this header anyway.
    private let names: Set<String>

    /// Collects the names of the credentials that the endpoints of all APIs accept.
    init(of routes: CallRoutes) {
        self.routes = routes
        var names: Set<String> = []
        for mount in routes.mounts {
            for route in mount.endpoints {
                let credentials = mount.api.requestBuilder.allCredentials(of: route.endpoint)
                let schemes = credentials.flatMap(\.alternatives)
                // The first name of a scheme is that of the header or query item in which it is sent.
                names.formUnion(schemes.compactMap { $0.names.first?.lowercased() })
            }
        }
        self.names = names
    }

    /// Returns the credentials in a request: in its path, and in query items and headers with the name of a credential.
    func values(in request: ReceivedRequest) -> Set<String> {
        var values = Set(routes.credentials(in: request.path))
        let queryFields = request.queryItems.map { HTTPField($0.name, $0.value) }
        for field in queryFields + request.fields {
            let isCredential = SecretName.isCredential(field.name) || names.contains(field.name.lowercased())
            guard isCredential else { continue }
            values.insert(field.value)
            // The token of `Bearer token` is a credential by itself too.
            if let token = field.value.split(separator: " ").last { values.insert(String(token)) }
        }
        values.remove("")
        return values
    }
}

extension ReceivedRequest {
    /// Returns the response 401 (RFC 9110, section 15.5.2) to a request without a required credential; nil if none is
    /// missing.
    ///
    /// A credential may have alternatives, such as a header or a query item, of which one is enough. Any value is
    /// accepted.
    ///
    /// - Parameter credentials: The credentials of the endpoint. Those that are optional may be missing.
    func refusal(ifWithout credentials: [Credential]) -> MockReply? {
        let missing = credentials.first { credential in
            !credential.isOptional && !credential.alternatives.contains(where: hasValue)
        }
        guard let missing else { return nil }
        let names = missing.alternatives.compactMap(\.names.first)
        // A response 401 has a challenge for each way to authenticate (RFC 9110, section 11.6.1).
        let challenges = names.map { name in
            let scheme = ["basic", "bearer"].contains(name) ? name : "ApiKey"
            return HTTPField("WWW-Authenticate", "\(scheme) realm=\"mock\"")
        }
        return MockReply(
            status: 401,
            message: "a credential is missing: \(names.joined(separator: ", or ")); any value is accepted",
            fields: challenges)
    }

    /// Whether the request has a value for a credential, in the query item or header where its scheme is sent.
    private func hasValue(of scheme: Credential.Scheme) -> Bool {
        queryItems.contains { scheme.sets(query: $0.name) && !$0.value.isEmpty }
            || fields.contains { scheme.sets(header: $0.name) && !$0.value.isEmpty }
    }
}

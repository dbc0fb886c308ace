import EndpointKit
import MockServer

/// The APIs that `mock` serves, and where.
struct MockCatalogue: Sendable {
    /// An endpoint and its response.
    struct Served: Sendable {
        let name: String
        let method: String
        /// The path template, as in `list`.
        let template: String
        /// Nil if the endpoint has no sample.
        let sample: Response?
        /// The status from `--status`.
        var status: Int?
    }

    /// An API and the path that it is served under: empty, or `/` and its name.
    struct Mount: Sendable {
        let api: any API.Type
        let path: String
        var endpoints: [Served]
    }

    let mounts: [Mount]
    private let table: RouteTable<Served>
    /// The routes without the path of the API's own server, as suggestions.
    private let templates: [(method: String, text: String)]

    /// Throws ``UsageError`` for a status of an endpoint that is not served, and what the registry throws.
    init(_ apis: [any API.Type], usesPrefix: Bool, statuses: [StatusChoice], in registry: Registry) throws {
        var mounts = try apis.map { api in
            let endpoints = try EndpointDeclaration.all(of: api).map { declaration in
                let endpoint = declaration.endpoint
                return Served(
                    name: declaration.name, method: endpoint.method.rawValue,
                    template: ParameterPlaces.template(of: declaration), sample: endpoint.sampleResponse)
            }
            return Mount(api: api, path: usesPrefix || apis.count > 1 ? "/" + api.name : "", endpoints: endpoints)
        }
        for choice in statuses {
            let name = try registry.endpoint(choice.endpoint).name
            let place = mounts.indices.lazy.flatMap { mount in
                mounts[mount].endpoints.indices.map { (mount, $0) }
            }.first { mounts[$0.0].endpoints[$0.1].name == name }
            guard let (mount, index) = place else {
                throw UsageError.unusableValue(
                    option: "--status", problem: "\(name) is not served", position: choice.endpoint.position)
            }
            mounts[mount].endpoints[index].status = choice.status
        }
        self.mounts = mounts
        templates = mounts.flatMap { mount in mount.endpoints.map { ($0.method, mount.path + $0.template) } }
        // An app that only replaces scheme and host of its base URL keeps the path of the API's server, such as /3.
        table = RouteTable(
            try mounts.flatMap { mount in
                let serverPath = try mount.api.servers.first?.base().path ?? ""
                return (serverPath.isEmpty ? [""] : ["", serverPath]).flatMap { path in
                    mount.endpoints.map { endpoint in
                        RouteTable<Served>.Entry(
                            endpoint.method, PathTemplate(mount.path + path + endpoint.template), endpoint)
                    }
                }
            })
    }

    func match(_ method: String, _ path: String) -> RouteTable<Served>.Match { table.match(method, path) }

    /// The route most similar to `path`, such as `GET /movie/{id}/videos`; nil if none is similar.
    func nearest(to path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard path.utf8.count <= Nearest.longest else { return nil }
        // A value counts as no difference.
        let candidates = templates.map { template in
            let segments = template.text.split(separator: "/", omittingEmptySubsequences: false)
            return segments.enumerated().map { index, segment in
                segment.hasPrefix("{") && index < parts.count ? parts[index] : segment
            }.joined(separator: "/")
        }
        guard let found = Nearest.matches(path, in: candidates).first, let index = candidates.firstIndex(of: found)
        else { return nil }
        return "\(templates[index].method) \(templates[index].text)"
    }
}

import EndpointKit
import MockServer

/// The APIs that `mock` serves, and where.
struct MockCatalogue: Sendable {
    let routes: CallRoutes
    /// The statuses from `--status`, by endpoint.
    let statuses: [String: Int]
    /// The routes without the path of the API's own server, as suggestions.
    private let templates: [(method: String, text: String)]

    /// Throws ``UsageError`` for a status of an endpoint that is not served, and what the registry throws.
    init(_ apis: [any API.Type], usesPrefix: Bool, statuses: [StatusChoice], in registry: Registry) throws {
        let mounts = try apis.map { api in
            try CallRoutes.Mount(api, at: usesPrefix || apis.count > 1 ? "/" + api.name : "")
        }
        routes = try CallRoutes(mounts)
        templates = mounts.flatMap { mount in
            mount.endpoints.map { ($0.endpoint.method.rawValue, mount.path + $0.template) }
        }
        var chosen: [String: Int] = [:]
        for choice in statuses {
            let name = try registry.endpoint(choice.endpoint).name
            guard mounts.contains(where: { $0.endpoints.contains { $0.declaration.name == name } }) else {
                throw UsageError.unusableValue(
                    option: "--status", problem: "\(name) is not served", position: choice.endpoint.position)
            }
            chosen[name] = choice.status
        }
        self.statuses = chosen
    }

    /// The methods of all endpoints, sorted.
    var methods: [String] {
        let methods = Set(templates.map(\.method))
        return (methods.contains("GET") ? methods.union(["HEAD"]) : methods).subtracting(["OPTIONS"]).sorted()
    }

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

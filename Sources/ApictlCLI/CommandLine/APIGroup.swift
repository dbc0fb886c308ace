import EndpointKit
import EndpointTools

/// APIs whose names start with the same words: `kinto.buckets` and `kinto.records` belong to the group `kinto`.
///
/// An API that has the name of the group itself, such as `kinto`, belongs to the group too.
struct APIGroup: Sendable {
    let name: String
    /// The APIs in the order of the registry.
    let apis: [CatalogueAPI]

    /// The group in a few words: `2 APIs: buckets, records`.
    var summary: String {
        var names = apis.prefix(Self.maxNames).map(nameInGroup)
        if apis.count > Self.maxNames { names.append("…") }
        return "\(apis.count.counted("API")): " + names.joined(separator: ", ")
    }

    /// The most names in a summary, so that it fits on a line of most terminals.
    private static let maxNames = 5

    /// Returns the name of one of the group's APIs without the name of the group: `buckets` for `kinto.buckets`.
    private func nameInGroup(_ api: CatalogueAPI) -> String {
        // The API that has the name of the group itself keeps it.
        if api.name == name { return name }
        return String(api.name.dropFirst(name.count + 1))
    }

    /// Returns the groups of APIs, in the order of their first APIs. An outer group comes before the groups in it.
    ///
    /// A group is named by the words before a dot in an API's name, and holds all APIs whose names start with them.
    /// For example, the APIs `a`, `a.b.c` and `d` have two groups:
    ///
    ///     a      with the APIs a and a.b.c
    ///     a.b    with the API a.b.c
    ///
    /// The API `a` belongs to the group `a`, but only `a.b.c` makes it a group. There is no group `d`.
    static func groups(of apis: [CatalogueAPI]) -> [APIGroup] {
        var groupNames: [String] = []
        var apisByName: [String: [CatalogueAPI]] = [:]
        for api in apis {
            // Reversed, so that outer groups come first. A name is empty if the API's name starts with a dot, and is
            // no group.
            let coveringNames = names(covering: api.name).reversed().filter { !$0.isEmpty }
            for name in coveringNames {
                apisByName[name, default: []].append(api)
                // An API alone does not make a group of its own name.
                let isOwnName = name == api.name
                if !isOwnName { groupNames.append(name) }
            }
        }
        return groupNames.withoutRepetitions.map { APIGroup(name: $0, apis: apisByName[$0] ?? []) }
    }

    /// Whether a name is the API's own name or the name of one of its groups.
    ///
    ///     a, a.b and a.b.c cover a.b.c; a.bc does not
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - api: The name of the API.
    static func name(_ name: String, covers api: String) -> Bool { api == name || api.hasPrefix(name + ".") }

    /// Returns an API's name and the names of its groups, the longest first: `a.b.c`, `a.b`, `a`.
    static func names(covering api: String) -> [String] {
        let dots = api.indices.filter { api[$0] == "." }
        return [api] + dots.reversed().map { String(api[..<$0]) }
    }
}

/// The API, group or endpoint that a name on the command line stands for.
enum Subject: Sendable {
    case api(CatalogueAPI)
    case group(APIGroup)
    case endpoint(EndpointDeclaration)

    var name: String {
        switch self {
        case .api(let api): api.name
        case .group(let group): group.name
        case .endpoint(let declaration): declaration.name
        }
    }

    /// The API, all APIs of the group, or the API of the endpoint.
    var apis: [CatalogueAPI] {
        switch self {
        case .api(let api): [api]
        case .group(let group): group.apis
        case .endpoint(let declaration): [declaration.api]
        }
    }

    /// The API, group or endpoint in a few words.
    var summary: String {
        switch self {
        case .api(let api): api.summary
        case .group(let group): group.summary
        case .endpoint(let declaration): declaration.endpoint.summary
        }
    }
}

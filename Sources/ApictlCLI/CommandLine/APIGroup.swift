import EndpointKit
import EndpointTools

/// APIs whose names start with the same words: `kinto.buckets` and `kinto.records` belong to the group `kinto`.
///
/// An API that has the group's own name belongs to the group too.
struct APIGroup: Sendable {
    let name: String
    /// The APIs in the order of the registry.
    let apis: [CatalogueAPI]

    /// The group in a few words: `2 APIs: buckets, records`.
    var summary: String {
        let names = apis.prefix(Self.maxNames).map {
            $0.name == name ? name : String($0.name.dropFirst(name.count + 1))
        }
        let more = apis.count > Self.maxNames ? ["…"] : []
        return "\(apis.count.counted("API")): " + (names + more).joined(separator: ", ")
    }

    /// The number of names in a summary, so that it fits on a line of most terminals.
    private static let maxNames = 5

    /// Whether a name is the API's own, or that of one of its groups: `a`, `a.b` and `a.b.c` cover `a.b.c`.
    static func name(_ name: String, covers api: String) -> Bool { api == name || api.hasPrefix(name + ".") }

    /// Returns an API's name and those of its groups, the longest first: `a.b.c`, `a.b`, `a`.
    static func names(covering api: String) -> [String] {
        let dots = api.indices.filter { api[$0] == "." }
        return [api] + dots.reversed().map { String(api[..<$0]) }
    }
}

/// What a name on the command line stands for.
enum Subject: Sendable {
    case api(CatalogueAPI)
    case group(APIGroup)
    case endpoint(EndpointDeclaration)

    /// The name of the API, group or endpoint.
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

extension APIRegistry {
    /// The groups of the APIs, in the order of their first APIs. An outer group comes before those in it.
    var groups: [APIGroup] {
        var names: [String] = []
        var members: [String: [CatalogueAPI]] = [:]
        for api in apis {
            for name in APIGroup.names(covering: api.name).reversed() where !name.isEmpty {
                // An API alone makes no group of its own name.
                if name != api.name, !names.contains(name) { names.append(name) }
                members[name, default: []].append(api)
            }
        }
        return names.map { APIGroup(name: $0, apis: members[$0] ?? []) }
    }

    /// The names of all APIs, then those of the groups that no API has.
    var names: [String] { (apis.map(\.name) + groups.map(\.name)).withoutRepetitions }

    /// The outermost groups that have several APIs, and the APIs that belong to none of these, in order.
    var outermostSubjects: [Subject] {
        let groups = groups.filter { !$0.name.contains(".") && $0.apis.count > 1 }
        let subjects = apis.map { api in
            groups.first { APIGroup.name($0.name, covers: api.name) }.map(Subject.group) ?? .api(api)
        }
        var known: Set<String> = []
        return subjects.filter { known.insert($0.name).inserted }
    }

    /// Returns the group or API of that name. A name that both have means the group, to which the API belongs.
    ///
    /// - Returns: The group or API; nil if the name has neither.
    func apiOrGroup(_ name: String) -> Subject? {
        if let group = groups.first(where: { matches($0.name, name) }) { return .group(group) }
        return api(name).map(Subject.api)
    }

    /// Returns the group or API that a word names.
    ///
    /// - Throws: ``UsageError`` with the nearest existing names.
    func apiOrGroup(_ word: SourcedText) throws(UsageError) -> Subject {
        if let subject = apiOrGroup(word.text) { return subject }
        if let api = parts(of: word.text)?.api {
            throw UsageError("expected an API, got \(word.shown)" + NearestWord.question([api.name]), see: "list")
        }
        throw unknownAPI(word, word.text)
    }

    /// Returns the group, API or endpoint that a word names.
    ///
    /// - Throws: ``UsageError`` with the nearest existing names.
    func subject(_ word: SourcedText) throws -> Subject {
        try apiOrGroup(word.text) ?? .endpoint(endpoint(word))
    }

    /// Whether a name starts with that of a group and a dot.
    func isInGroup(_ name: String) -> Bool { groups.contains { name.hasPrefix($0.name + ".") } }

    /// Returns the error that a name does not start with the name of an API.
    ///
    /// - Parameter part: The part of the word that is unknown if no group has the start of the name.
    func unknownAPI(_ word: SourcedText, _ part: String) -> UsageError {
        let groups = groups
        if let group = groups.first(where: { matches($0.name, word.text) }) {
            let example = group.apis.lazy.compactMap { try? $0.entries().first?.name }.first
            let hint = example.map { ", such as \($0)" } ?? ""
            return UsageError("\(word.shown) is a group of APIs; name an endpoint\(hint)", see: group.name)
        }
        if let error = urlError(word) { return error }
        let outer = groups.filter { word.text.hasPrefix($0.name + ".") }
        guard let group = outer.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else {
            return unknown("API", word, part, among: names)
        }
        return unknownMember(of: group, word)
    }

    /// Returns the error that a group has no API of the name that follows the group's in a word.
    private func unknownMember(of group: APIGroup, _ word: SourcedText) -> UsageError {
        let rest = String(word.text.dropFirst(group.name.count + 1))
        let part = String(rest.prefix { $0 != "." })
        let endpoints = group.apis.flatMap { (try? $0.entries()) ?? [] }.filter { matches($0.endpointName, rest) }
        let members = (group.apis.map(\.name) + groups.map(\.name)).withoutRepetitions
            .filter { $0.hasPrefix(group.name + ".") }.map { String($0.dropFirst(group.name.count + 1)) }
        let nearest =
            endpoints.prefix(5).map(\.name).nonEmpty
            ?? NearestWord.matches(part, in: members).map { "\(group.name).\($0)" }
        let at = word.source.suffix
        return UsageError("\(group.name) has no API '\(part)'\(at)" + NearestWord.question(nearest), see: group.name)
    }
}

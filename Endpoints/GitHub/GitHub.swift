import EndpointKit

/// The REST API of GitHub (docs.github.com/rest).
public enum GitHub: API {
    case repository(owner: String, name: String)
    case issues(owner: String, repository: String, state: IssueState?, page: Int?)
    case user(login: String)
    case searchRepositories(query: String, sort: RepositorySort?, page: Int?)
    case rateLimit

    public static let api = APIInfo(
        name: "github",
        summary: "GitHub's REST API",
        servers: [Server("production", url: "https://api.github.com")],
        coding: Coding(keys: .convertFromSnakeCase),
        credentials: [
            .bearer(variable: "GITHUB_TOKEN", helpURL: "https://github.com/settings/tokens").optional
        ],
        // GitHub knows clients by the id of an OAuth app, which a person registers.
        logins: [
            .oauth(
                "GITHUB_TOKEN", token: "https://github.com/login/oauth/access_token",
                device: "https://github.com/login/device/code", client: .id(variable: "GITHUB_CLIENT_ID"),
                scopes: ["repo"])
        ],
        headers: [
            "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28",
        ],
        samples: Samples(PackageResources.github_json))
    public static let examples: [GitHub] = [
        .repository(owner: "swiftlang", name: "swift"),
        .issues(owner: "swiftlang", repository: "swift", state: .open, page: 1),
        .user(login: "octocat"),
        .searchRepositories(query: "language:swift http server", sort: .stars, page: 1),
        .rateLimit,
    ]

    /// Which issues to list.
    public enum IssueState: String, Codable, CaseIterable, Sendable, ScalarParameter {
        case open, closed, all
    }

    /// The order of search results; best match first by default.
    public enum RepositorySort: String, Codable, CaseIterable, Sendable, ScalarParameter {
        case stars, forks, updated
        case helpWantedIssues = "help-wanted-issues"
    }

    public var endpoint: Endpoint {
        switch self {
        case .repository(let owner, let name):
            .get(
                "/repos/\(owner)/\(name)", returns: Repository.self, summary: "A repository",
                notes: ["owner": "a user or an organization"])
        case .issues(let owner, let repository, let state, let page):
            .get(
                "/repos/\(owner)/\(repository)/issues", query: ["state": state, "page": page], returns: [Issue].self,
                summary: "Issues and pull requests of a repository, the newest first",
                notes: [
                    "owner": "a user or an organization", "repository": "its name without the owner",
                    "state": "open unless given",
                ],
                rules: [.range("page", 1...)], pages: .link())
        case .user(let login):
            .get(
                "/users/\(login)", returns: User.self, summary: "A user or an organization",
                notes: ["login": "the name in URLs"])
        case .searchRepositories(let query, let sort, let page):
            .get(
                "/search/repositories", query: ["q": query, "sort": sort, "page": page], returns: RepositorySearch.self,
                summary: "Search for repositories",
                notes: [
                    "query": "words and qualifiers, such as language:swift stars:>100",
                    "sort": "the best match first unless given",
                ],
                rules: [.range("page", 1...)], pages: .link(items: "items"))
        case .rateLimit:
            .get("/rate_limit", returns: RateLimit.self, summary: "How many requests are left; this request is free")
        }
    }
}

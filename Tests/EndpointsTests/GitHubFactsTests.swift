import EndpointKit
import Endpoints
import Testing

/// Fields that repositories and issues may lack.
@Suite struct GitHubFactsTests {
    /// Returns the sample of the endpoint `name` after all replacements. Each replaced text must occur in it.
    private func sample(_ name: String, _ replacements: [(String, String)] = []) throws -> String {
        let sample = try #require(Catalogue.declaration(name)?.endpoint.sample)
        var text = String(decoding: sample.bytes, as: UTF8.self)
        for (old, new) in replacements {
            #expect(text.contains(old))
            text = text.replacing(old, with: new)
        }
        return text
    }

    @Test func aRepositoryMayHaveNulls() throws {
        let text = try sample(
            "github.repository",
            [
                (#""description": "The Swift Programming Language""#, #""description": null"#),
                (#""language": "C++""#, #""language": null"#),
                (#""homepage": "https://swift.org""#, #""homepage": null"#),
                (#""pushed_at": "2024-05-07T13:44:02Z""#, #""pushed_at": null"#),
            ])
        let repository = try Repository.decoded(text, by: GitHub.self)
        #expect(repository.description == nil)
        #expect(repository.language == nil)
        #expect(repository.homepage == nil)
        #expect(repository.pushedAt == nil)
        #expect(repository.license?.spdxId == "Apache-2.0")
    }

    @Test func searchFindsRepositoriesWithoutLicense() throws {
        let search = try RepositorySearch.decoded(try sample("github.search-repositories"), by: GitHub.self)
        #expect(search.repositories.map { $0.license?.key } == ["mit", "apache-2.0", nil])
        #expect(search.repositories.map(\.score) == [1, 1, 0.5])
        #expect(search.repositories.map(\.homepage).last == "")
    }

    @Test func issuesAndPullRequestsAreOneList() throws {
        let issues = try [Endpoints.Issue].decoded(try sample("github.issues"), by: GitHub.self)
        #expect(issues.map { $0.pullRequest != nil } == [false, true, false, true, false])
        #expect(issues.map { $0.body == nil } == [false, true, false, false, false])
        #expect(issues[2].milestone?.title == "6.0")
    }

    @Test func anIssueOfADeletedAccountHasNoAuthor() throws {
        let issue = """
            {"url": "", "repository_url": "", "html_url": "", "id": 1, "node_id": "", "number": 1, "title": "",
            "user": null, "labels": [], "state": "open", "locked": false, "comments": 0,
            "created_at": "2024-05-08T10:12:33Z",
            "updated_at": "2024-05-08T10:12:33Z"}
            """
        #expect(try Endpoints.Issue.decoded(issue, by: GitHub.self).author == nil)
    }
}

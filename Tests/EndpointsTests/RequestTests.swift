import EndpointKit
import Endpoints
import Testing

/// The requests that the examples of all APIs but httpbin send.
@Suite struct RequestTests {
    private static let headersOfGitHub = [
        "Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28", "Authorization: Bearer (redacted)",
    ]

    private static let rows: [RequestRow] = [
        RequestRow(
            "movies.popular",
            "https://api.themoviedb.org/3/movie/popular?page=1&api_key=(redacted)&session_id=(redacted)"),
        RequestRow(
            "movies.new-movies",
            "https://api.themoviedb.org/3/movie/now_playing?page=1&api_key=(redacted)&session_id=(redacted)"),
        RequestRow(
            "movies.recommended",
            "https://api.themoviedb.org/3/movie/550/recommendations?page=1&api_key=(redacted)&session_id=(redacted)"),
        RequestRow(
            "movies.video",
            "https://api.themoviedb.org/3/movie/550/videos?api_key=(redacted)&session_id=(redacted)"),
        RequestRow(
            "places.nearby",
            """
            https://maps.googleapis.com/maps/api/place/nearbysearch/json\
            ?location=-33.8670522%2C151.1957362&keyword=cruise&radius=1500&type=restaurant&language=en\
            &key=(redacted)
            """),
        RequestRow(
            "narcos.narcs", "https://api.narcos.org/3/narcs", method: "POST",
            headers: ["Accept: application/json", "Content-Type: application/json"], body: #"{"id":"Pablo"}"#),
        RequestRow("narcos.police", "https://api.narcos.org/3/police"),
        RequestRow(
            "marvel.characters", "https://gateway.marvel.com:443/v1/public/characters?name=Spider-Man&apikey=(redacted)"
        ),
        RequestRow("marvel.character", "https://gateway.marvel.com:443/v1/public/characters/1011334?apikey=(redacted)"),
        RequestRow(
            "shopify.custom-collections",
            "https://shopicruit.myshopify.com/admin/custom_collections.json?page=1&access_token=(redacted)"),
        RequestRow(
            "shopify.collects",
            """
            https://shopicruit.myshopify.com/admin/collects.json\
            ?collection_id=68424466488&page=1&access_token=(redacted)
            """),
        RequestRow(
            "shopify.products",
            """
            https://shopicruit.myshopify.com/admin/products.json\
            ?ids=2759137027%2C2759143811%2C2759162243&page=1&access_token=(redacted)
            """),
        RequestRow(
            "github.repository", "https://api.github.com/repos/swiftlang/swift",
            headers: headersOfGitHub),
        RequestRow(
            "github.issues", "https://api.github.com/repos/swiftlang/swift/issues?state=open&page=1",
            headers: headersOfGitHub),
        RequestRow(
            "github.user", "https://api.github.com/users/octocat",
            headers: headersOfGitHub),
        RequestRow(
            "github.search-repositories",
            "https://api.github.com/search/repositories?q=language%3Aswift%20http%20server&sort=stars&page=1",
            headers: headersOfGitHub),
        RequestRow(
            "github.rate-limit", "https://api.github.com/rate_limit",
            headers: headersOfGitHub),
        RequestRow(
            "prometheus.query", "http://127.0.0.1:9090/api/v1/query?query=prometheus_target_interval_length_seconds"),
        RequestRow(
            "prometheus.query-range",
            """
            http://127.0.0.1:9090/api/v1/query_range\
            ?query=rate%28prometheus_http_requests_total%5B30s%5D%29&start=2026-11-21T04%3A42%3A31Z\
            &end=2026-11-21T04%3A43%3A31Z&step=15s
            """),
        RequestRow("prometheus.labels", "http://127.0.0.1:9090/api/v1/labels"),
        RequestRow(
            "prometheus.series",
            "http://127.0.0.1:9090/api/v1/series?match%5B%5D=up&match%5B%5D=prometheus_build_info"),
        RequestRow("prometheus.targets", "http://127.0.0.1:9090/api/v1/targets"),
    ]

    @Test(arguments: rows) func theExampleSends(_ row: RequestRow) throws {
        #expect(try row.actual() == row)
    }

    @Test func everyExampleHasARow() {
        #expect(
            Self.rows.map(\.id)
                == RequestRow.exampleNames(of: [
                    Movies.self, Places.self, Narcos.self, Marvel.self, Shopify.self, GitHub.self, Prometheus.self,
                ]))
    }
}

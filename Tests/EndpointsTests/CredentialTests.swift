import EndpointKit
import Endpoints
import Foundation
import TestSupport
import Testing

/// Which credential variables belong to which API.
@Suite struct CredentialTests {
    @Test(arguments: [
        ("movies.popular", ["TMDB_API_KEY": "k"], "https://api.themoviedb.org/3/movie/popular?page=1&api_key=k", ""),
        ("movies.popular", ["TMDB_ACCESS_TOKEN": "t"], "https://api.themoviedb.org/3/movie/popular?page=1", "Bearer t"),
        (
            "movies.popular", ["TMDB_API_KEY": "k", "TMDB_ACCESS_TOKEN": "t"],
            "https://api.themoviedb.org/3/movie/popular?page=1&api_key=k", ""
        ),
        ("github.rate-limit", [:], "https://api.github.com/rate_limit", ""),
        ("github.rate-limit", ["GITHUB_TOKEN": "t"], "https://api.github.com/rate_limit", "Bearer t"),
        ("prometheus.labels", [:], "http://127.0.0.1:9090/api/v1/labels", ""),
        (
            "httpbin.basic-auth", ["HTTPBIN_USER": "ada", "HTTPBIN_PASSWORD": "lovelace"],
            "https://httpbin.org/basic-auth/ada/lovelace", "Basic YWRhOmxvdmVsYWNl"
        ),
        ("httpbin.bearer", ["HTTPBIN_TOKEN": "t"], "https://httpbin.org/bearer", "Bearer t"),
    ])
    func signed(_ name: String, _ variables: [String: String], _ url: String, _ authorization: String) throws {
        let request = try Catalogue.firstRequest(name, RequestOptions(variables: { variables[$0] }))
        #expect(try request.revealedURL() == url)
        #expect(try request.headers.first { $0.isNamed("Authorization") }?.revealedValue() ?? "" == authorization)
    }

    @Test(arguments: [
        (["MARVEL_API_KEY": "1234"], "apikey=1234"),
        (
            ["MARVEL_API_KEY": "1234", "MARVEL_PRIVATE_KEY": "abcd"],
            "apikey=1234&ts=1&hash=ffd275c5130566a2916217b101f26150"
        ),
    ])
    func marvelSignsWithAPrivateKey(_ variables: [String: String], _ query: String) throws {
        let request = try Catalogue.firstRequest("marvel.character", RequestOptions(variables: { variables[$0] }))
        let signed = try request.signed(now: Date(timeIntervalSince1970: 1))
        #expect(try signed.revealedURL() == "https://gateway.marvel.com:443/v1/public/characters/1011334?" + query)
    }

    @Test(arguments: [
        ("movies.popular", [["TMDB_API_KEY"], ["TMDB_ACCESS_TOKEN"]]),
        ("places.nearby", [["GOOGLE_PLACES_API_KEY"]]),
        ("marvel.character", [["MARVEL_API_KEY"]]),
        ("shopify.products", [["SHOPIFY_ACCESS_TOKEN"]]),
        ("httpbin.basic-auth", [["HTTPBIN_USER", "HTTPBIN_PASSWORD"]]),
        ("httpbin.bearer", [["HTTPBIN_TOKEN"]]),
    ])
    func missing(_ name: String, _ alternatives: [[String]]) throws {
        let error = try #require(throws: MissingCredential.self) { try Catalogue.firstRequest(name) }
        #expect(error.alternatives == alternatives)
    }
}

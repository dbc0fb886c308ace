import EndpointKit
import Endpoints
import Foundation
import TestSupport
import Testing

/// Which credential variables belong to which API.
@Suite struct CredentialTests {
    /// The request of an endpoint's first example, signed with the credentials in environment variables.
    struct Signed: Sendable, CustomTestStringConvertible {
        let endpoint: String
        let variables: [String: String]
        let url: String
        /// The value of the header `Authorization`; nil if the request has none.
        let authorization: String?

        init(_ endpoint: String, variables: [String: String], url: String, authorization: String? = nil) {
            self.endpoint = endpoint
            self.variables = variables
            self.url = url
            self.authorization = authorization
        }

        var testDescription: String { "\(endpoint) with \(variables.keys.sorted().joined(separator: ", "))" }
    }

    @Test(arguments: [
        Signed(
            "movies.popular",
            variables: ["TMDB_API_KEY": "k"],
            url: "https://api.themoviedb.org/3/movie/popular?page=1&api_key=k"),
        Signed(
            "movies.popular",
            variables: ["TMDB_ACCESS_TOKEN": "t"],
            url: "https://api.themoviedb.org/3/movie/popular?page=1",
            authorization: "Bearer t"),
        Signed(
            "movies.popular",
            variables: ["TMDB_API_KEY": "k", "TMDB_ACCESS_TOKEN": "t"],
            url: "https://api.themoviedb.org/3/movie/popular?page=1&api_key=k"),
        Signed("github.rate-limit", variables: [:], url: "https://api.github.com/rate_limit"),
        Signed(
            "github.rate-limit",
            variables: ["GITHUB_TOKEN": "t"],
            url: "https://api.github.com/rate_limit",
            authorization: "Bearer t"),
        Signed("prometheus.labels", variables: [:], url: "http://127.0.0.1:9090/api/v1/labels"),
        Signed(
            "httpbin.basic-auth",
            variables: ["HTTPBIN_USER": "ada", "HTTPBIN_PASSWORD": "lovelace"],
            url: "https://httpbin.org/basic-auth/ada/lovelace",
            authorization: "Basic YWRhOmxvdmVsYWNl"),
        Signed(
            "httpbin.bearer",
            variables: ["HTTPBIN_TOKEN": "t"],
            url: "https://httpbin.org/bearer",
            authorization: "Bearer t"),
    ])
    func requestsAreSignedWithTheCredentialsInVariables(_ row: Signed) throws {
        let request = try Catalogue.firstRequest(row.endpoint, RequestOptions(variables: { row.variables[$0] }))
        #expect(try request.revealedURL() == row.url)
        #expect(try request.headers.first { $0.isNamed("Authorization") }?.revealedValue() == row.authorization)
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
    func aMissingCredentialIsNamedWithItsAlternatives(_ name: String, _ alternatives: [[String]]) throws {
        let error = try #require(throws: MissingCredential.self) { try Catalogue.firstRequest(name) }
        #expect(error.alternatives == alternatives)
    }
}

import EndpointKit
import EndpointTools
import Endpoints
import Testing

/// The declarations of the catalogue: its APIs, their endpoints with parameters, and their servers.
@Suite struct CatalogueTests {
    @Test func apisAreInTheOrderOfTheList() {
        let names = Catalogue.apis.map { $0.api.name }
        #expect(names == ["movies", "places", "narcos", "marvel", "shopify", "github", "prometheus", "httpbin"])
    }

    @Test func eachEndpointHasItsNameAndParameters() {
        let signatures = Catalogue.declarations.map { declaration in
            let parameters = declaration.signature.parameters.map { $0.name + ($0.isOptional ? "?" : "") }
            return "\(declaration.api.name).\(declaration.signature.caseName)(\(parameters.joined(separator: ", ")))"
        }
        #expect(signatures == Self.expectedSignatures)
    }

    private static let expectedSignatures = [
        "movies.popular(page?)",
        "movies.newMovies(page?)",
        "movies.recommended(id, page?)",
        "movies.video(id)",
        "movies.newToken()",
        "movies.newSession(requestToken)",
        "places.nearby(latitude, longitude, keyword?, radius?, type?, language?)",
        "narcos.narcs(id)",
        "narcos.police()",
        "marvel.characters(name)",
        "marvel.character(_0)",
        "shopify.customCollections(page?)",
        "shopify.collects(collectionID, page?)",
        "shopify.products(ids, page?)",
        "github.repository(owner, name)",
        "github.issues(owner, repository, state?, page?)",
        "github.user(login)",
        "github.searchRepositories(query, sort?, page?)",
        "github.rateLimit()",
        "prometheus.query(query, time?)",
        "prometheus.queryRange(query, start, end, step)",
        "prometheus.labels()",
        "prometheus.series(match)",
        "prometheus.targets()",
        "httpbin.get(search?, page?, exact?)",
        "httpbin.post(product)",
        "httpbin.put(id, product)",
        "httpbin.patch(price?, inStock?, releasedOn?)",
        "httpbin.delete(ids)",
        "httpbin.head()",
        "httpbin.options()",
        "httpbin.form(name, email?, quantity, newsletter, topics?)",
        "httpbin.multipart(title, file?)",
        "httpbin.data(text)",
        """
        httpbin.anything(segment, flag?, count?, small?, ratio?, amount?, link?, id?, moment?, colour?, level?, \
        tags?)
        """,
        "httpbin.status(code)",
        "httpbin.headers()",
        "httpbin.responseHeaders(freeform?)",
        "httpbin.ip()",
        "httpbin.userAgent()",
        "httpbin.basicAuth(user, password)",
        "httpbin.bearer()",
        "httpbin.redirect(count)",
        "httpbin.relativeRedirect(count)",
        "httpbin.absoluteRedirect(count)",
        "httpbin.redirectTo(url, statusCode?)",
        "httpbin.delay(seconds)",
        "httpbin.gzip()",
        "httpbin.deflate()",
        "httpbin.brotli()",
        "httpbin.bytes(count, seed?)",
        "httpbin.stream(count)",
        "httpbin.streamBytes(count, seed?, chunkSize?)",
        "httpbin.drip(duration?, numbytes?, delay?, code?)",
        "httpbin.range(count, bytes?)",
        "httpbin.cache(ifNoneMatch?)",
        "httpbin.cacheFor(seconds)",
        "httpbin.etag(etag, ifNoneMatch?)",
        "httpbin.cookies()",
        "httpbin.setCookies(name, value)",
        "httpbin.uuid()",
        "httpbin.json()",
        "httpbin.html()",
        "httpbin.xml()",
        "httpbin.robots()",
        "httpbin.deny()",
        "httpbin.unicode()",
        "httpbin.image(format)",
        "httpbin.base64(value)",
        "httpbin.links(count, offset)",
    ]

    @Test(arguments: Catalogue.names) func eachEndpointHasASummaryAndNotesForItsParameters(_ name: String) throws {
        let declaration = try #require(Catalogue.declaration(name))
        #expect(!declaration.endpoint.summary.isEmpty)
        let parameters = Set(declaration.signature.parameters.map(\.name))
        for note in declaration.endpoint.notes {
            #expect(parameters.contains(note.key), "a note for a parameter that does not exist")
            #expect(!note.value.isEmpty)
        }
    }

    @Test func namesOfEndpointsAreUnique() {
        #expect(Set(Catalogue.names).count == Catalogue.names.count)
    }

    /// The names of an API's servers, and the URL of the first one, which is the default.
    struct Servers: Sendable, CustomTestStringConvertible {
        let api: String
        let names: [String]
        let firstURL: String

        init(of api: String, names: [String], firstURL: String) {
            self.api = api
            self.names = names
            self.firstURL = firstURL
        }

        var testDescription: String { api }
    }

    @Test(arguments: [
        Servers(of: "movies", names: ["production", "staging", "qa"], firstURL: "https://api.themoviedb.org/3"),
        Servers(of: "places", names: ["production"], firstURL: "https://maps.googleapis.com"),
        Servers(of: "narcos", names: ["production"], firstURL: "https://api.narcos.org"),
        Servers(of: "marvel", names: ["production"], firstURL: "https://gateway.marvel.com:443"),
        Servers(of: "shopify", names: ["production"], firstURL: "https://shopicruit.myshopify.com"),
        Servers(of: "github", names: ["production"], firstURL: "https://api.github.com"),
        Servers(of: "prometheus", names: ["local"], firstURL: "http://127.0.0.1:9090"),
        Servers(of: "httpbin", names: ["production", "local"], firstURL: "https://httpbin.org"),
    ])
    func eachAPIHasItsServers(_ expected: Servers) throws {
        let api = try #require(Catalogue.apis.first { $0.api.name == expected.api }).api
        #expect(api.servers.map(\.name) == expected.names)
        #expect(try api.servers.map { try $0.base() }.first?.text == expected.firstURL)
        #expect(Set(api.servers.map(\.url)).count == expected.names.count)
    }
}

/// The lint accepts every API of the catalogue.
@Suite struct LintTests {
    @Test(arguments: Catalogue.apis.map { $0.api.name }) func anAPIHasNoProblem(_ name: String) throws {
        let type = try #require(Catalogue.apis.first { $0.api.name == name })
        #expect(type.lint() == [])
    }
}

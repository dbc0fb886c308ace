import EndpointKit
import EndpointTools
import Endpoints
import Testing

/// What the catalogue declares, whatever the endpoints are.
@Suite struct CatalogueTests {
    @Test func apis() {
        let names = Catalogue.apis.map { $0.api.name }
        #expect(names == ["movies", "places", "narcos", "marvel", "shopify", "github", "prometheus", "httpbin"])
    }

    @Test func signatures() {
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
        "httpbin.anything(segment, flag?, count?, small?, ratio?, amount?, link?, id?, moment?, colour?, level?, tags?)",
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

    @Test(arguments: Catalogue.names) func isDescribed(_ name: String) throws {
        let declaration = try #require(Catalogue.declaration(name))
        #expect(!declaration.endpoint.summary.isEmpty)
        let parameters = Set(declaration.signature.parameters.map(\.name))
        for note in declaration.endpoint.notes {
            #expect(parameters.contains(note.key), "a note for a parameter that does not exist")
            #expect(!note.value.isEmpty)
        }
    }

    @Test func namesAreUnique() {
        #expect(Set(Catalogue.names).count == Catalogue.names.count)
    }

    @Test(arguments: [
        ("movies", ["production", "staging", "qa"], "https://api.themoviedb.org/3"),
        ("places", ["production"], "https://maps.googleapis.com"),
        ("narcos", ["production"], "https://api.narcos.org"),
        ("marvel", ["production"], "https://gateway.marvel.com:443"),
        ("shopify", ["production"], "https://shopicruit.myshopify.com"),
        ("github", ["production"], "https://api.github.com"),
        ("prometheus", ["local"], "http://127.0.0.1:9090"),
        ("httpbin", ["production", "local"], "https://httpbin.org"),
    ])
    func environments(_ name: String, _ names: [String], _ first: String) throws {
        let api = try #require(Catalogue.apis.first { $0.api.name == name }).api
        #expect(api.servers.map(\.name) == names)
        #expect(try api.servers.map { try $0.base() }.first?.text == first)
        #expect(Set(api.servers.map(\.url)).count == names.count)
    }
}

/// What the lint finds in the catalogue.
@Suite struct LintTests {
    @Test(arguments: Catalogue.apis.map { $0.api.name }) func findsNothing(_ name: String) throws {
        let type = try #require(Catalogue.apis.first { $0.api.name == name })
        #expect(type.lint() == [])
    }
}

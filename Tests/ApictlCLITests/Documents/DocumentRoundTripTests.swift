import EndpointKit
import EndpointTools
import JSONText
import OpenAPI
import TestSupport
import Testing

@testable import ApictlCLI

@Suite("A document that `openapi` writes of a document is the same API")
struct DocumentRoundTripTests {
    static let documents: [(name: String, text: String)] = [
        ("OpenAPI 3.1", ShopDocument.json),
        ("OpenAPI 3.0: cookies, contents, forms, alternatives and null", goldenText("Golden/library.json")),
        ("Swagger 2.0: bodies and forms", goldenText("Golden/pets.json")),
    ]

    /// Returns the API of a document.
    private static func api(_ text: String) throws -> CatalogueAPI {
        let document = try OpenAPIDocument(SourceDocument(Array(text.utf8)), name: "shop.json") { name in
            throw MissingFile(name: name)
        }
        return CatalogueAPI(
            try DocumentCatalogue(
                document, name: "shop", documentURL: nil, options: DocumentCatalogue.Options(serverVariables: [:])))
    }

    private struct MissingFile: Error { let name: String }

    /// Returns the JSON of `list`, of `describe` for the API, and of `describe` for each endpoint.
    private static func descriptions(of api: CatalogueAPI) throws -> [String] {
        let catalogue = try APIDescription(api: api, endpoints: api.summaries())
        let objects = try [catalogue.json] + catalogue.details().map { $0.json(tool: "apictl") }
        return try objects.map { object in
            let members = try JSONValue(text: Coding().encode(object)).members ?? []
            // A written document has no parts that can't be read, so that `leftOut` differs.
            let others = members.filter { $0.key != "leftOut" }
            return "\(JSONValue(others.map { ($0.key, $0.value) }))"
        }
    }

    @Test("list and describe print the same for both documents", arguments: documents)
    func keepsDescriptions(_ row: (name: String, text: String)) throws {
        let api = try Self.api(row.text)
        let catalogue = try CatalogueDescription(apis: [APIDescription(api: api, endpoints: api.summaries())])
        let written = try OpenAPIWriter.document(catalogue, tool: "apictl", server: nil)
        let expected = try Self.descriptions(of: api)
        let found = try Self.descriptions(of: Self.api("\(written)"))
        #expect(expected.count > 3 && found.count == expected.count)
        for (found, expected) in zip(found, expected) { #expect(found == expected) }
        // A document that is written from the written document is the same.
        let again = try Self.api("\(written)")
        let writtenAgain = try OpenAPIWriter.document(
            CatalogueDescription(apis: [APIDescription(api: again, endpoints: again.summaries())]), tool: "apictl",
            server: nil)
        #expect(writtenAgain == written)
    }
}

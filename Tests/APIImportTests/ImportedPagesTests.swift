import APIImport
import EndpointKit
import JSONText
import Testing

/// The pages that an import declares for an operation whose parameters and response show how its list is divided.
@Suite struct ImportedPagesTests {
    /// A query parameter and a response of the operation, and the pages that it declares.
    struct List: Sendable, CustomTestStringConvertible {
        let parameter: String
        let type: String
        /// An example of the response. The document has its schema, in which a list holds objects with an `id`.
        let response: String
        /// The argument of `pages:`, or nil if the operation declares no pages.
        let pages: String?

        var testDescription: String { "\(parameter) \(response)" }
    }

    @Test(
        "A parameter and a response with names of a paging style declare pages",
        arguments: [
            List(
                parameter: "page", type: "integer",
                response: #"{"results": [], "total_pages": 1}"#,
                pages: #".number("page", last: "total_pages", items: "results")"#),
            List(
                parameter: "page_token", type: "string",
                response: #"{"items": [], "next_page_token": ""}"#,
                pages: #".cursor("page_token", from: "next_page_token", items: "items")"#),
            List(
                parameter: "starting_after", type: "string",
                response: #"{"data": [], "has_more": true}"#,
                pages: #".cursor("starting_after", from: "data.id", more: "has_more", items: "data")"#),
            List(
                parameter: "x", type: "string",
                response: #"{"calls": [], "next_page_uri": ""}"#,
                pages: #".link(from: "next_page_uri", items: "calls")"#),
            List(
                parameter: "pageNumber", type: "integer",
                response: #"{"results": []}"#,
                pages: #".number("pageNumber", items: "results")"#),
            // The number of a page is an integer.
            List(
                parameter: "page", type: "string",
                response: #"{"results": []}"#,
                pages: nil),
            // The text `pages` is not the number of the last page.
            List(
                parameter: "page", type: "integer",
                response: #"{"results": [], "pages": ""}"#,
                pages: #".number("page", items: "results")"#),
            List(
                parameter: "cursor", type: "string",
                response: #"{"items": [], "meta": {"next_cursor": ""}}"#,
                pages: #".cursor("cursor", from: "meta.next_cursor", items: "items")"#),
            // The document does not say whether `next` holds a URL or a cursor.
            List(
                parameter: "cursor", type: "string",
                response: #"{"items": [], "next": ""}"#,
                pages: nil),
            List(
                parameter: "x", type: "string",
                response: #"{"calls": []}"#,
                pages: nil),
        ])
    func pages(list: List) throws {
        let example = try JSONValue(text: Array(list.response.utf8))
        let arm = try declaration(
            parameters: [#"{"name": "\#(list.parameter)", "in": "query", "schema": {"type": "\#(list.type)"}}"#],
            responseSchema: schema(of: example))
        expect(arm, declares: list.pages)
    }

    /// Integer parameters of an operation that returns a list of texts, and the pages that it declares.
    struct ListOfTexts: Sendable, CustomTestStringConvertible {
        let parameters: [String]
        /// The argument of `pages:`, or nil if the operation declares no pages.
        let pages: String?

        var testDescription: String { parameters.joined(separator: " ") }
    }

    @Test(
        "An offset and a limit declare pages, unless the number of a page does",
        arguments: [
            ListOfTexts(
                parameters: ["offset", "limit"],
                pages: #".offset("offset", limit: "limit", items: "")"#),
            ListOfTexts(
                parameters: ["limit"],
                pages: nil),
            ListOfTexts(
                parameters: ["offset"],
                pages: nil),
            ListOfTexts(
                parameters: ["skip", "page_size"],
                pages: #".offset("skip", limit: "page_size", items: "")"#),
            ListOfTexts(
                parameters: ["offset", "limit", "page"],
                pages: #".number("page", items: "")"#),
        ])
    func pagesByOffset(list: ListOfTexts) throws {
        let arm = try declaration(
            parameters: list.parameters.map(integerParameter),
            responseSchema: #"{"type": "array", "items": {"type": "string"}}"#)
        expect(arm, declares: list.pages)
    }

    @Test("Pages by offset have the total count of the response") func totalCountOfPagesByOffset() throws {
        let example = try JSONValue(text: Array(#"{"data": {"total_count": 1}, "results": []}"#.utf8))
        let arm = try declaration(
            parameters: [integerParameter("offset"), integerParameter("limit")], responseSchema: schema(of: example))
        expect(arm, declares: #".offset("offset", limit: "limit", total: "data.total_count", items: "results")"#)
    }

    @Test("A response without a list declares no pages by offset") func offsetWithoutList() throws {
        let arm = try declaration(
            parameters: [integerParameter("offset"), integerParameter("limit")],
            responseSchema: #"{"type": "object", "properties": {"total": {}}}"#)
        expect(arm, declares: nil)
    }

    /// Expects that a declaration has an argument `pages:`, or none if `pages` is nil.
    private func expect(_ arm: String, declares pages: String?) {
        if let pages {
            #expect(arm.contains("pages: \(pages)"), "\(arm)")
        } else {
            #expect(!arm.contains("pages:"), "\(arm)")
        }
    }

    /// Imports the operation `GET /list`, and returns its declaration.
    private func declaration(parameters: [String], responseSchema: String) throws -> String {
        let operation = SmallDocument.operation(
            responseSchema, more: #""parameters": [\#(parameters.joined(separator: ", "))], "#)
        return try SmallDocument.imported(SmallDocument.text(#""/list": {"get": \#(operation)}"#)).endpoints[0].arm
    }

    private func integerParameter(_ name: String) -> String {
        #"{"name": "\#(name)", "in": "query", "schema": {"type": "integer"}}"#
    }

    /// Returns a schema of values like an example. A list has objects with an `id`.
    private func schema(of example: JSONValue) -> String {
        switch example.kind {
        case .array: return #"{"type": "array", "items": {"properties": {"id": {"type": "string"}}}}"#
        case .object:
            let properties = (example.members ?? []).map { #""\#($0.key)": \#(schema(of: $0.value))"# }
            return #"{"type": "object", "properties": {\#(properties.joined(separator: ", "))}}"#
        case .number: return #"{"type": "integer"}"#
        case .boolean: return #"{"type": "boolean"}"#
        case .string, .null: return #"{"type": "string"}"#
        }
    }
}

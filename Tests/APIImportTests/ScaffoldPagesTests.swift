import EndpointKit
import TestSupport
import Testing

@testable import APIImport

/// The pages that endpoints imported from curl commands declare for their lists.
@Suite struct ScaffoldPagesTests {
    /// A response, and the pages that the endpoint declares.
    struct PagedResponse: Sendable, CustomTestStringConvertible {
        /// The path and query of the request, as a word of the shell.
        let path: String
        /// A header line of the response, or nil if it has no header.
        var header: String?
        let body: String
        /// The argument of `pages:`, or nil if the endpoint declares no pages.
        let pages: String?

        var testDescription: String { "\(path) \(body)" }
    }

    @Test(
        "Pages that the request and the response show are declared",
        arguments: [
            PagedResponse(
                path: "x",
                body: #"{"next": "https://a.test/x?p=2", "results": [{"a": 1}]}"#,
                pages: #".link(from: "next", items: "results")"#),
            PagedResponse(
                path: "x",
                body: #"{"next_url": "/x?p=2", "count": 3, "data": {"items": [{"a": 1}]}}"#,
                pages: #".link(from: "next_url", items: "data.items")"#),
            PagedResponse(
                path: "x",
                body: #"{"_links": {"next": {"href": "/x?p=2"}}, "pets": [{"a": 1}]}"#,
                pages: #".link(from: "_links.next.href", items: "pets")"#),
            PagedResponse(
                path: "x", header: #"Link: </x?p=2>; rel="next""#,
                body: #"[{"a": 1}]"#,
                pages: #".link()"#),
            PagedResponse(
                path: "x", header: #"Link: </x?p=2>; rel="next""#,
                body: #"{"pets": [{"a": 1}]}"#,
                pages: #".link(items: "pets")"#),
            PagedResponse(
                path: "x", header: "X-Next-Page: 2",
                body: #"[{"a": 1}]"#,
                pages: #".header("X-Next-Page", parameter: "page", items: "")"#),
            PagedResponse(
                path: "x?p=1", header: "Next-Page: 2",
                body: #"[{"a": 1}]"#,
                pages: #".header("Next-Page", parameter: "p", items: "")"#),
            PagedResponse(
                path: "x?page_token=a",
                body: #"{"nextPageToken": "b", "items": [{"a": 1}]}"#,
                pages: #".cursor("page_token", from: "nextPageToken", items: "items")"#),
            PagedResponse(
                path: "x?page=1",
                body: #"{"page": 1, "total_pages": 9, "results": [{"a": 1}]}"#,
                pages: #".number("page", last: "total_pages", items: "results")"#),
            PagedResponse(
                path: "x?page=1",
                body: #"[{"a": 1}]"#,
                pages: #".number("page", items: "")"#),
            PagedResponse(
                path: "x?offset=0\\&limit=10",
                body: #"[{"a": 1}]"#,
                pages: #".offset("offset", limit: "limit", items: "")"#),
            PagedResponse(
                path: "x?offset=0\\&limit=10",
                body: #"{"data": {"total": 3, "results": [{"a": 1}]}}"#,
                pages: #".offset("offset", limit: "limit", total: "data.total", items: "data.results")"#),
            PagedResponse(
                path: "x?page=1",
                body: #"{"a": 1}"#,
                pages: nil),
            PagedResponse(
                path: "x",
                body: #"{"next": null, "results": [{"a": 1}]}"#,
                pages: nil),
            PagedResponse(
                path: "x", header: #"Link: </x>; rel="last""#,
                body: #"[{"a": 1}]"#,
                pages: nil),
        ])
    func pagesAreDeclared(response: PagedResponse) throws {
        let endpoint = try scaffold(path: response.path, header: response.header, body: response.body).endpoints[0]
        if let pages = response.pages {
            #expect(endpoint.armOnOneLine.contains("pages: \(pages))"), "\(endpoint.arm)")
        } else {
            #expect(!endpoint.armOnOneLine.contains("pages:"), "\(endpoint.arm)")
        }
    }

    @Test("A cursor in the response has a note if the request doesn't show which query item takes it")
    func cursorWithoutQueryItem() throws {
        let scaffold = try scaffold(path: "x", header: nil, body: #"{"next_cursor": "b", "items": [{"a": 1}]}"#)
        #expect(
            scaffold.notes.contains(
                #"""
                a.x: next_cursor may lead to the next page: declare \#
                pages: .cursor("ITEM", from: "next_cursor", items: "items"), with the query item that takes it
                """#))
    }

    /// Imports a GET request with its response.
    private func scaffold(path: String, header: String?, body: String) throws -> Scaffold {
        var requests = try CurlArguments.requests(text: "curl http://a.test/\(path)", ({ _ in [] }, { _ in nil }))
        var fields: [HTTPField] = []
        if let header {
            let nameAndValue = header.split(separator: ":", maxSplits: 1)
            fields.append(HTTPField(String(nameAndValue[0]), String(nameAndValue[1].dropFirst())))
        }
        requests[0].response = Response(head: ResponseHead(status: 200, fields: fields), body: body.exactBytes)
        return try Scaffold(requests)
    }
}

/// How an endpoint divides a list into pages, and where the next page is found.
///
///     .get("/movie/popular", query: ["page": page], returns: MoviePage.self, summary: "Popular right now",
///         pages: .number("page", last: "total_pages", items: "results"))
///
/// Paths such as `results` or `data.items` are names of JSON keys with dots between them; an empty path is the whole
/// response. One that goes through a list goes to its last element: `data.id` is the id of the last item.
public struct Paging: Sendable, Hashable {
    /// The parameters, headers and paths with which the next page is found.
    ///
    /// OpenAPI documents contain its encoded form, with these names, as `x-apictl-pages`.
    package struct Scheme: Sendable, Hashable, Encodable {
        /// The name of a header that holds a URL, or a value for ``parameter``.
        var header: String?
        /// The query item that chooses a page; nil if pages are named by URLs.
        var parameter: String?
        /// The query item with the number of items of a page.
        var limit: String?
        /// The path to the number of the last page.
        var last: String?
        /// The path to the number of items of all pages.
        var total: String?
        /// The path to a URL, or to a value for ``parameter``.
        var from: String?
        /// The path to a boolean that is false on the last page.
        var more: String?
    }

    /// The way from one page to the next, with the name of the function of ``Paging`` that declares it.
    package enum Way: String, Sendable {
        case number
        case offset
        case cursor
        case link
        case header
    }

    /// Whether the client counts pages or items. A server that ignores the count would send the same page for ever.
    package var isCounted: Bool { way == .number || way == .offset }
    /// Whether the URL of the next page is in the `Link` header of a response (RFC 8288).
    package var followsLinkHeaders: Bool { way == .link && scheme.from == nil }
    /// The way from one page to the next.
    package let way: Way
    /// The parameters, headers and paths with which the next page is found.
    package let scheme: Scheme
    /// The path to the list of items.
    package let items: String

    /// The paths to values that lead to the next page.
    package var valuePaths: [String] { [scheme.last, scheme.total, scheme.from, scheme.more].compactMap(\.self) }

    /// Returns this paging with the list of items at another path.
    package func withItems(at path: String) -> Paging { Paging(way: way, scheme: scheme, items: path) }

    /// Declares pages that are counted in a query item, from 1 unless the call says otherwise.
    ///
    ///     pages: .number("page", last: "total_pages", items: "results")
    ///
    /// - Parameters:
    ///   - parameter: The name of the query item.
    ///   - last: The path to the number of the last page. Without it, the first page without items is the end.
    ///   - items: The path to the list of items.
    public static func number(_ parameter: String, last: String? = nil, items: String) -> Paging {
        Paging(way: .number, scheme: Scheme(parameter: parameter, last: last), items: items)
    }

    /// Declares pages that start after a number of items, which a query item gives.
    ///
    ///     pages: .offset("offset", limit: "limit", total: "data.total", items: "data.results")
    ///
    /// The next page starts after the items that have been received. The list ends with a page without items, or when
    /// the total is reached. The first page starts at 0 unless the call says otherwise.
    ///
    /// - Parameters:
    ///   - parameter: The name of the query item with the number of items before the page.
    ///   - limit: The name of the query item with the number of items of a page, for documentation.
    ///   - total: The path to the number of items of all pages.
    ///   - items: The path to the list of items.
    public static func offset(
        _ parameter: String, limit: String? = nil, total: String? = nil, items: String
    ) -> Paging {
        Paging(way: .offset, scheme: Scheme(parameter: parameter, limit: limit, total: total), items: items)
    }

    /// Declares pages that contain a text, such as the id of their last item, which is sent in a query item to get the
    /// next page.
    ///
    ///     pages: .cursor("starting_after", from: "data.id", more: "has_more", items: "data")
    ///
    /// - Parameters:
    ///   - parameter: The name of the query item.
    ///   - from: The path to the text. If it is empty or absent, the page is the last one.
    ///   - more: The path to a boolean that is false on the last page.
    ///   - items: The path to the list of items.
    public static func cursor(_ parameter: String, from: String, more: String? = nil, items: String) -> Paging {
        Paging(way: .cursor, scheme: Scheme(parameter: parameter, from: from, more: more), items: items)
    }

    /// Declares pages that contain the URL of the next one.
    ///
    ///     pages: .link(from: "next", items: "results")
    ///
    /// - Parameters:
    ///   - from: The path to the URL. Without it, the URL is in a `Link` header with `rel="next"` (RFC 8288).
    ///   - items: The path to the list of items.
    public static func link(from: String? = nil, items: String = "") -> Paging {
        Paging(way: .link, scheme: Scheme(from: from), items: items)
    }

    /// Declares pages that name the next one in a header.
    ///
    ///     pages: .header("X-Next-Page")
    ///
    /// - Parameters:
    ///   - name: The name of the header. Its value is a URL, or the value of a query item.
    ///   - parameter: The name of the query item.
    ///   - items: The path to the list of items.
    public static func header(_ name: String, parameter: String = "page", items: String = "") -> Paging {
        Paging(way: .header, scheme: Scheme(header: name, parameter: parameter), items: items)
    }
}

/// The reason why the next page of a list can't be requested.
public enum PagingError: DescribedError, Sendable, Equatable {
    /// The response has no list at the path that the endpoint declares.
    case noList(path: String)
    /// The page of this number, counted from 1, repeats an earlier one, so there would be no end.
    case repeatedPage(Int)
    /// The next page is at another server, which might not be meant to get the credentials.
    case otherOrigin(String)
    /// The URL of the next page would give a credential to another server.
    case credentialLeaves(server: String)
    /// The response names a next page that is not a URL.
    case invalidLink

    /// The reason as part of a sentence, such as `the response has no list at data.items`.
    public var description: String {
        switch self {
        case .noList(let path): "the response has no list" + (path.isEmpty ? "" : " at \(path)")
        case .repeatedPage(let number): "page \(number) is the same as an earlier one"
        case .otherOrigin(let server): "the next page is on another server, \(server)"
        case .credentialLeaves(let server):
            "the link to the next page would give a credential to another server, \(server)"
        case .invalidLink: "the link to the next page is not a URL"
        }
    }
}

/// The names under which APIs divide lists into pages: words in lower case, without anything between them.
///
/// `nextPageToken` and `next_page_token` are both `nextpagetoken`.
enum PageWords {
    /// Members that hold the URL of the next page. `next` and `nextpage` may hold a text for it instead.
    static let links: Set<String> = [
        "next", "nextlink", "nextpage", "nextpageurl", "nextpageuri", "nexturl", "nexturi",
    ]
    /// Members that hold a text for the next page.
    static let cursors: Set<String> = [
        "after", "continuationtoken", "cursor", "endcursor", "next", "nextcursor", "nextpage", "nextpagetoken",
        "nexttoken", "pagetoken",
    ]
    /// Query items that choose a page by such a text.
    static let cursorItems: Set<String> = [
        "after", "continuationtoken", "cursor", "nextcursor", "nexttoken", "pagetoken", "startingafter", "starttoken",
    ]
    /// Query items that hold the number of a page.
    static let numberItems: Set<String> = ["page", "pagenumber", "pageno", "pageindex", "p"]
    /// Query items that hold the number of entries before the page.
    static let offsetItems: Set<String> = ["offset", "skip", "start", "startat", "startindex"]
    /// Query items that hold the number of entries of a page.
    static let limitItems: Set<String> = [
        "count", "limit", "maxresults", "pagesize", "perpage", "size", "take", "top",
    ]
    /// Members that hold the number of items of all pages.
    static let totals: Set<String> = [
        "total", "totalcount", "totalelements", "totalitems", "totalrecords", "totalresults", "totalsize",
    ]
    /// Members that hold the number of the last page.
    static let lastPages: Set<String> = ["lastpage", "numpages", "pagecount", "pages", "totalpages"]
    /// The objects around the members that lead to the next page: `{"meta": {"next": …}}`,
    /// `{"_links": {"next": {"href": …}}}`.
    static let containers: Set<String> = [
        "cursor", "cursors", "data", "links", "meta", "metadata", "next", "page", "pageinfo", "pagination", "paging",
        "response", "responsemetadata", "result",
    ]

    /// Returns a key or the name of a query item as one word: `nextpagetoken` for `next_page_token`.
    static func word(_ name: String) -> String { SwiftNames.words(name).joined() }
}

/// The options that say which pages of a list `call` follows.
struct PageOptions: Sendable, Equatable {
    /// Whether all pages are followed (`--all-pages`).
    var all = false
    /// The most pages that are followed.
    var maxPages: Int?
    /// The most items that are printed.
    var maxItems: Int?
    /// The path to the list of a page's items, in place of the one that the endpoint declares.
    var items: String?
    /// Whether links to the next page are followed to other origins.
    var followsOtherOrigins = false

    /// Whether pages are followed at all.
    var areFollowed: Bool { all || maxPages != nil || maxItems != nil }
}

extension PageOptions {
    static let group = OptionGroup<PageOptions>(
        title: "Pages",
        options: [
            Option(
                "all-pages", \.all,
                "follow the pages that the endpoint declares, otherwise the links with rel=\"next\" in Link headers, "
                    + "and print their items as one array; at most \(PagedCall.defaultPages) pages"
            ).excluding(ofOneResponse),
            Option("max-pages", .positive, \.maxPages, "follow at most N pages").excluding(ofOneResponse).rarelyUsed(),
            Option(
                "max-items", .positive, \.maxItems,
                "follow pages until there are N items; end a stream of events after N of them"
            ).excluding(ofOneResponse),
            Option(
                "items", .text("PATH"), \.items,
                "the list in each page, such as data.items; default: the one that the endpoint declares, "
                    + "or else the whole page"
            ).needing(followingPages).rarelyUsed(),
            Option(
                "follow-other-origins", \.followsOtherOrigins,
                "follow links to the next page to other servers too, without credentials"
            ).needing(followingPages).rarelyUsed(),
        ])

    /// The options that make a call follow pages.
    private static let followingPages = ["all-pages", "max-pages", "max-items"]

    /// The options that only make sense for a single response, so that they can't be used with pages.
    private static let ofOneResponse = ["output", "remote-name", "save", "include", "any-status", "fail-with-body"]
}

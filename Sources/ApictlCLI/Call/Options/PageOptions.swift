/// The options that say which pages of a list `call` follows.
struct PageOptions: Sendable, Equatable {
    /// Whether all pages are followed (`--all-pages`).
    var all = false
    /// The most pages that are followed.
    var maxPages: Int?
    /// The most items that are printed.
    var maxItems: Int?

    /// Whether pages are followed at all.
    var areFollowed: Bool { all || maxPages != nil || maxItems != nil }
}

extension PageOptions {
    static let group = OptionGroup<PageOptions>(
        title: "Pages",
        options: [
            Option(
                "all-pages", \.all,
                "follow the pages that the endpoint declares, and print their items as one array; "
                    + "at most \(PagedCall.defaultPages) pages"
            ).excluding(ofOneResponse),
            Option("max-pages", .positive, \.maxPages, "follow at most N pages").excluding(ofOneResponse),
            Option("max-items", .positive, \.maxItems, "follow pages until there are N items").excluding(ofOneResponse),
        ])

    /// The options that only make sense for a single response, so that they can't be used with pages.
    private static let ofOneResponse = ["output", "save", "include", "any-status", "fail-with-body"]
}

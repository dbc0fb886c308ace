import EndpointKit
import JSONText

/// Finds out how an endpoint divides its list into pages, from a request and its response.
///
/// | Response or request | Declaration |
/// |---|---|
/// | header `Link: <…>; rel="next"` (RFC 8288) | `.link(items: "items")` |
/// | a member such as `next` that holds a URL | `.link(from: "next", items: "results")` |
/// | header `X-Next-Page: 2` | `.header("X-Next-Page", items: "")` |
/// | a member such as `next_cursor`, and a query item such as `cursor` | `.cursor("cursor", from: "next_cursor", items: "items")` |
/// | a query item such as `page` | `.number("page", last: "total_pages", items: "results")` |
///
/// A note says what to do about pages that can't be declared from what was seen.
struct PagingFinder {
    /// The declaration in Swift; nil if no pages were noticed, or not enough to declare them.
    private(set) var declaration: String?
    /// Advice about pages that were noticed but are not declared.
    private(set) var note: String?

    /// Members that hold the URL of the next page. `next` may be a path, too.
    private static let linkWords: Set<String> = [
        "next", "nextlink", "nextpage", "nextpageurl", "nextpageuri", "nexturl", "nexturi",
    ]
    /// Members that hold a text for the next page.
    private static let cursorWords: Set<String> = [
        "after", "continuationtoken", "cursor", "endcursor", "next", "nextcursor", "nextpage", "nextpagetoken",
        "nexttoken", "pagetoken",
    ]
    /// Query items that choose a page by such a text.
    private static let cursorItems: Set<String> = [
        "after", "continuationtoken", "cursor", "nexttoken", "pagetoken", "startingafter", "starttoken",
    ]
    private static let numberItems: Set<String> = ["page", "pagenumber", "pageno", "pageindex", "p"]
    private static let offsetItems: Set<String> = ["offset", "skip", "start", "startat", "startindex"]
    private static let limitItems: Set<String> = [
        "count", "limit", "maxresults", "pagesize", "perpage", "size", "take", "top",
    ]
    /// Members that hold the number of the last page.
    private static let lastWords: Set<String> = ["lastpage", "numpages", "pagecount", "pages", "totalpages"]
    private static let nextPageHeaders = ["X-Next-Page", "Next-Page"]
    /// The objects around the members that lead to the next page: `{"meta": {"next": …}}`, `{"_links": {"next": {"href": …}}}`.
    private static let containers: Set<String> = [
        "cursor", "cursors", "data", "links", "meta", "metadata", "next", "page", "pageinfo", "pagination", "paging",
        "response", "responsemetadata", "result",
    ]

    /// A member with the path to it.
    private typealias Member = (path: String, word: String, value: JSONValue)

    /// Reads a request and its response.
    init(_ request: ImportedRequest, _ response: Response, _ document: JSONDocument) {
        guard request.method == "GET", response.head.isSuccess else { return }
        let members = Self.members(JSONValue(document))
        guard let items = Self.items(JSONValue(document), members) else { return }
        let itemsArgument = "items: \(SwiftLiteral.string(items))"
        let links = response.head.fields.filter { $0.name.isSameName(as: "Link") }.map(\.value)
        let last = members.first { Self.lastWords.contains($0.word) && $0.value.integer(Int.self) != nil }
        if LinkHeader.target("next", in: links) != nil {
            declaration = items.isEmpty ? ".link()" : ".link(\(itemsArgument))"
        } else if let link = members.first(where: Self.isLink) {
            declaration = ".link(from: \(SwiftLiteral.string(link.path)), \(itemsArgument))"
        } else if let name = Self.nextPageHeaders.first(where: { !(response.head[$0] ?? "").isEmpty }) {
            let parameter = Self.item(Self.numberItems, of: request) ?? "page"
            declaration =
                ".header(\(SwiftLiteral.string(name)), parameter: \(SwiftLiteral.string(parameter)), \(itemsArgument))"
        } else if let cursor = members.first(where: Self.isCursor) {
            let from = "from: \(SwiftLiteral.string(cursor.path)), \(itemsArgument)"
            if let parameter = Self.item(Self.cursorItems, of: request) {
                declaration = ".cursor(\(SwiftLiteral.string(parameter)), \(from))"
            } else {
                note =
                    "\(cursor.path) may lead to the next page: declare pages: .cursor(\"ITEM\", \(from)), "
                    + "with the query item that takes it"
            }
        } else if let parameter = Self.item(Self.numberItems, of: request) {
            let lastArgument = last.map { "last: \(SwiftLiteral.string($0.path)), " } ?? ""
            declaration = ".number(\(SwiftLiteral.string(parameter)), \(lastArgument)\(itemsArgument))"
        } else if let offset = Self.item(Self.offsetItems, of: request),
            let limit = Self.item(Self.limitItems, of: request)
        {
            note = "pages by \(offset) and \(limit) can't be declared: call it with another \(offset) for each page"
        }
    }

    // MARK: What a response has

    /// Returns the members of an object, and those of the objects in it that describe pages, with paths to them. Keys
    /// with a dot are left out, because a path can't have them.
    private static func members(_ value: JSONValue) -> [Member] {
        var members: [Member] = []
        var open = [(path: "", value: value, level: 0)]
        while let (path, value, level) = open.popLast() {
            for (key, member) in value.members ?? [] where !key.contains(".") {
                let word = SwiftNames.words(key).joined()
                let memberPath = path.isEmpty ? key : "\(path).\(key)"
                members.append((memberPath, word, member))
                if level < 2, containers.contains(word), member.kind == .object {
                    open.append((memberPath, member, level + 1))
                }
            }
        }
        return members
    }

    /// Returns the path to the list of items: the response itself, or the longest list of objects in it; nil if there is
    /// none.
    private static func items(_ value: JSONValue, _ members: [Member]) -> String? {
        if value.elements != nil { return "" }
        let lists = members.filter { $0.value.elements?.first?.kind == .object }
        return lists.max { ($0.value.elements?.count ?? 0) < ($1.value.elements?.count ?? 0) }?.path
    }

    /// Returns whether a member holds the URL of the next page, also as `next.href`.
    private static func isLink(_ member: Member) -> Bool {
        guard let text = member.value.string else { return false }
        let isURL = text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("/")
        let isNext = linkWords.contains(member.word)
        return isURL && (isNext || member.word == "href" && member.path.lowercased().hasSuffix("next.href"))
    }

    private static func isCursor(_ member: Member) -> Bool {
        guard let text = member.value.string, !text.isEmpty else { return false }
        return cursorWords.contains(member.word)
    }

    /// Returns the name of the request's query item that is one of `words`.
    private static func item(_ words: Set<String>, of request: ImportedRequest) -> String? {
        request.query.first { words.contains(SwiftNames.words($0.name).joined()) }?.name
    }
}

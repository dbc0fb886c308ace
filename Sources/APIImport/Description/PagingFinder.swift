import EndpointKit
import JSONText

/// Finds out how an endpoint divides its list into pages, from a request and its response.
///
/// | Response or request | Declaration |
/// |---|---|
/// | header `Link: <…>; rel="next"` (RFC 8288) | `.link(items: "items")` |
/// | a member such as `next` that holds a URL | `.link(from: "next", items: "results")` |
/// | header `X-Next-Page: 2` | `.header("X-Next-Page", items: "")` |
/// | a member `next_cursor`, and a query item `cursor` | `.cursor("cursor", from: "next_cursor", items: "items")` |
/// | query items such as `offset` and `limit` | `.offset("offset", limit: "limit", total: "total", items: "results")` |
/// | a query item such as `page` | `.number("page", last: "total_pages", items: "results")` |
///
/// A note says what to do about pages that can't be declared from what was seen.
struct PagingFinder {
    /// The declaration in Swift; nil if no pages were noticed, or not enough to declare them.
    private(set) var declaration: String?
    /// Advice about pages that were noticed but are not declared.
    private(set) var note: String?

    private static let nextPageHeaders = ["X-Next-Page", "Next-Page"]
    /// A member of the response: the path to it, such as `meta.next_page`, its key as one word, `nextpage`, and its
    /// value.
    private typealias Member = (path: String, word: String, value: JSONValue)

    /// Finds the declaration of the pages that a response is one of.
    ///
    /// A member or header of the response counts more than the query of the request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - response: The response to it.
    ///   - document: The JSON of the response.
    init(_ request: ImportedRequest, _ response: Response, _ document: JSONDocument) {
        guard request.method == "GET", response.head.isSuccess else { return }
        let members = Self.members(JSONValue(document))
        guard let items = Self.items(JSONValue(document), members) else { return }
        let itemsArgument = "items: \(SwiftLiteral.string(items))"
        let responseDeclaration =
            Self.linkInHeader(response, items) ?? Self.linkInBody(members, itemsArgument)
            ?? Self.pageInHeader(response, request, itemsArgument)
        if let responseDeclaration {
            declaration = responseDeclaration
        } else if let cursor = members.first(where: Self.isCursor) {
            addCursor(cursor, request, itemsArgument)
        } else {
            addNumberOrOffset(request, members, itemsArgument)
        }
    }

    // MARK: Declarations

    /// Returns the declaration for a header `Link: <…>; rel="next"` (RFC 8288): `.link(items: "items")`.
    ///
    /// - Returns: The declaration; nil if there is no such header.
    private static func linkInHeader(_ response: Response, _ items: String) -> String? {
        let links = response.head.fields.filter { $0.name.isSameName(as: "Link") }.map(\.value)
        guard LinkHeader.target("next", in: links) != nil else { return nil }
        return items.isEmpty ? ".link()" : ".link(items: \(SwiftLiteral.string(items)))"
    }

    /// Returns the declaration for a member that holds the URL of the next page: `.link(from: "next", items: "items")`.
    ///
    /// - Returns: The declaration; nil if there is no such member.
    private static func linkInBody(_ members: [Member], _ itemsArgument: String) -> String? {
        guard let link = members.first(where: isLink) else { return nil }
        return ".link(from: \(SwiftLiteral.string(link.path)), \(itemsArgument))"
    }

    /// Returns the declaration for a header such as `X-Next-Page: 2`: `.header("X-Next-Page", parameter: "page", …)`.
    ///
    /// - Parameters:
    ///   - response: The response with the header.
    ///   - request: The request, whose query item such as `page` takes the number.
    ///   - itemsArgument: The last argument, such as `items: "items"`.
    /// - Returns: The declaration; nil if there is no such header.
    private static func pageInHeader(
        _ response: Response, _ request: ImportedRequest, _ itemsArgument: String
    ) -> String? {
        guard let name = nextPageHeaders.first(where: { !(response.head[$0] ?? "").isEmpty }) else { return nil }
        let parameter = SwiftLiteral.string(queryItem(calledLike: PageWords.numberItems, in: request) ?? "page")
        return ".header(\(SwiftLiteral.string(name)), parameter: \(parameter), \(itemsArgument))"
    }

    /// Declares pages by a member that identifies the next one, such as `next_cursor`.
    ///
    /// If the request has no query item to which the identifier belongs, a note says what to declare.
    ///
    /// - Parameters:
    ///   - cursor: The member.
    ///   - request: The request.
    ///   - itemsArgument: The last argument, such as `items: "items"`.
    private mutating func addCursor(_ cursor: Member, _ request: ImportedRequest, _ itemsArgument: String) {
        let from = "from: \(SwiftLiteral.string(cursor.path)), \(itemsArgument)"
        if let parameter = Self.queryItem(calledLike: PageWords.cursorItems, in: request) {
            declaration = ".cursor(\(SwiftLiteral.string(parameter)), \(from))"
            return
        }
        note =
            "\(cursor.path) may lead to the next page: declare pages: .cursor(\"ITEM\", \(from)), "
            + "with the query item that takes it"
    }

    /// Declares pages by a query item with the number of the page: `.number("page", items: "items")`.
    ///
    /// A query with an offset and a limit declares pages by these: `.offset("offset", limit: "limit", items: "items")`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - members: The members of the response, one of which may be the number of the last page.
    ///   - itemsArgument: The last argument, such as `items: "items"`.
    private mutating func addNumberOrOffset(
        _ request: ImportedRequest, _ members: [Member], _ itemsArgument: String
    ) {
        if let parameter = Self.queryItem(calledLike: PageWords.numberItems, in: request) {
            declaration = ".number(\(SwiftLiteral.string(parameter)), \(Self.lastArgument(members))\(itemsArgument))"
        } else if let offset = Self.queryItem(calledLike: PageWords.offsetItems, in: request),
            let limit = Self.queryItem(calledLike: PageWords.limitItems, in: request)
        {
            declaration = Self.offset(offset, limit, members, itemsArgument)
        }
    }

    /// Returns the argument with the path to the number of the last page: `last: "total_pages", `.
    ///
    /// The argument is empty if the response has no such number.
    private static func lastArgument(_ members: [Member]) -> String {
        let last = members.first { PageWords.lastPages.contains($0.word) && $0.value.integer(Int.self) != nil }
        return last.map { "last: \(SwiftLiteral.string($0.path)), " } ?? ""
    }

    /// Returns the declaration of pages that start after a number of items.
    ///
    /// `.offset("offset", limit: "limit", total: "total", items: "results")`
    ///
    /// - Parameters:
    ///   - offset: The name of the query item with the number of items before the page.
    ///   - limit: The name of the query item with the size of a page.
    ///   - members: The members of the response, one of which may be the number of all items.
    ///   - itemsArgument: The last argument, such as `items: "results"`.
    private static func offset(
        _ offset: String, _ limit: String, _ members: [Member], _ itemsArgument: String
    ) -> String {
        let total = members.first { PageWords.totals.contains($0.word) && $0.value.integer(Int.self) != nil }
        let totalArgument = total.map { "total: \(SwiftLiteral.string($0.path)), " } ?? ""
        let parameters = "\(SwiftLiteral.string(offset)), limit: \(SwiftLiteral.string(limit))"
        return ".offset(\(parameters), \(totalArgument)\(itemsArgument))"
    }

    // MARK: What a response has

    /// Returns the members of an object, and of the objects in it that describe pages, such as `meta`.
    ///
    /// Keys with a dot are left out, because a path with them would have another meaning.
    private static func members(_ value: JSONValue) -> [Member] {
        let deepestLevel = 2
        var members: [Member] = []
        var unread = [(path: "", value: value, level: 0)]
        while let (path, value, level) = unread.popLast() {
            for (key, member) in value.members ?? [] where !key.contains(".") {
                let word = PageWords.word(key)
                let memberPath = path.isEmpty ? key : "\(path).\(key)"
                members.append((memberPath, word, member))
                if level < deepestLevel, PageWords.containers.contains(word), member.kind == .object {
                    unread.append((memberPath, member, level + 1))
                }
            }
        }
        return members
    }

    /// Returns the path to the list of items: the longest list of objects, or `""` if the response is a list.
    ///
    /// - Returns: The path; nil if there is no list.
    private static func items(_ value: JSONValue, _ members: [Member]) -> String? {
        if value.elements != nil { return "" }
        let lists = members.filter { $0.value.elements?.first?.kind == .object }
        return lists.max { ($0.value.elements?.count ?? 0) < ($1.value.elements?.count ?? 0) }?.path
    }

    /// Whether a member holds the URL of the next page: `next`, or `href` in `{"next": {"href": …}}`.
    private static func isLink(_ member: Member) -> Bool {
        guard let text = member.value.string else { return false }
        let isURL = ["http://", "https://", "/"].contains { text.hasPrefix($0) }
        let isNext = PageWords.links.contains(member.word)
        let isReferenceToNext = member.word == "href" && member.path.lowercased().hasSuffix("next.href")
        return isURL && (isNext || isReferenceToNext)
    }

    /// Whether a member holds a text that identifies the next page.
    private static func isCursor(_ member: Member) -> Bool {
        guard let text = member.value.string, !text.isEmpty else { return false }
        return PageWords.cursors.contains(member.word)
    }

    /// Returns the name of the first query item that is called like one of some words; nil if there is none.
    ///
    /// - Parameters:
    ///   - words: The names as single words, such as `pagenumber` for `page_number`.
    ///   - request: The request.
    private static func queryItem(calledLike words: Set<String>, in request: ImportedRequest) -> String? {
        request.query.first { words.contains(PageWords.word($0.name)) }?.name
    }
}

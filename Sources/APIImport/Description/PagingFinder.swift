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

    /// The headers in which APIs send the number of the next page. The last page has no such header, or an empty one.
    private static let nextPageHeaders = ["X-Next-Page", "Next-Page"]

    /// A member of the response, or of an object in it that describes pages.
    private struct Member {
        /// The path to the member: `meta.next_page`.
        let path: String
        /// The key of the member as one word: `nextpage`.
        let word: String
        let value: JSONValue
    }

    /// Finds out how the endpoint divides its list into pages, and declares it.
    ///
    /// A member or header of the response counts more than the query of the request. Without a list in the response,
    /// nothing is declared.
    ///
    /// - Parameters:
    ///   - request: The request, with its query items.
    ///   - response: The response to it.
    ///   - document: The JSON of the response.
    init(_ request: ImportedRequest, response: Response, document: JSONDocument) {
        guard request.method == "GET", response.head.isSuccess else { return }
        let responseValue = JSONValue(document)
        let members = Self.pageMembers(of: responseValue)
        guard let itemsPath = Self.itemsPath(in: responseValue, members: members) else { return }
        let responsePaging =
            Self.linkInHeader(of: response) ?? Self.linkInBody(members) ?? Self.pageInHeader(of: response, to: request)
        if let responsePaging {
            declaration = responsePaging.text(itemsPath: itemsPath)
        } else if let cursor = members.first(where: Self.isCursor) {
            declareCursor(cursor, of: request, itemsPath: itemsPath)
        } else {
            let requestPaging =
                Self.pagesByNumber(of: request, members: members) ?? Self.pagesByOffset(of: request, members: members)
            declaration = requestPaging?.text(itemsPath: itemsPath)
        }
    }

    // MARK: Declarations

    /// Returns pages by a header `Link: <…>; rel="next"` (RFC 8288); nil if the response has no such header.
    private static func linkInHeader(of response: Response) -> PagingDeclaration? {
        let links = response.head.fields.filter { $0.name.isSameName(as: "Link") }.map(\.value)
        return LinkHeader.target("next", in: links) == nil ? nil : .linkHeader
    }

    /// Returns pages by a member that holds the URL of the next page; nil if there is no such member.
    private static func linkInBody(_ members: [Member]) -> PagingDeclaration? {
        guard let link = members.first(where: isLink) else { return nil }
        return .link(path: link.path)
    }

    /// Returns pages by a header such as `X-Next-Page: 2`; nil if the response has no such header.
    ///
    /// The query item `page` takes the number, unless the request has another one for it, such as `page_number`.
    private static func pageInHeader(of response: Response, to request: ImportedRequest) -> PagingDeclaration? {
        guard let name = nextPageHeaders.first(where: { !(response.head[$0] ?? "").isEmpty }) else { return nil }
        let parameter = queryItem(calledLike: PageWords.numberItems, in: request) ?? "page"
        return .header(name: name, parameter: parameter)
    }

    /// Declares pages by a member that identifies the next one, such as `next_cursor`.
    ///
    /// If the request has no query item that takes the identifier, ``note`` says what to declare instead.
    ///
    /// - Parameters:
    ///   - cursor: The member with the identifier of the next page.
    ///   - request: The request, which may have a query item for the identifier.
    ///   - itemsPath: The path to the list of items in the response.
    private mutating func declareCursor(_ cursor: Member, of request: ImportedRequest, itemsPath: String) {
        if let parameter = Self.queryItem(calledLike: PageWords.cursorItems, in: request) {
            let paging = PagingDeclaration.cursor(parameter: parameter, path: cursor.path)
            declaration = paging.text(itemsPath: itemsPath)
            return
        }
        let template = PagingDeclaration.cursor(parameter: "ITEM", path: cursor.path).text(itemsPath: itemsPath)
        note =
            "\(cursor.path) may lead to the next page: declare pages: \(template), with the query item that takes it"
    }

    /// Returns pages by a query item with the number of the page, such as `page`; nil if the request has none.
    ///
    /// - Parameters:
    ///   - request: The request, which may have such an item.
    ///   - members: The members of the response, one of which may be the number of the last page.
    private static func pagesByNumber(of request: ImportedRequest, members: [Member]) -> PagingDeclaration? {
        guard let parameter = queryItem(calledLike: PageWords.numberItems, in: request) else { return nil }
        return .number(parameter: parameter, lastPath: integerPath(calledLike: PageWords.lastPages, in: members))
    }

    /// Returns pages by query items such as `offset` and `limit`; nil unless the request has both.
    ///
    /// - Parameters:
    ///   - request: The request, which may have such items.
    ///   - members: The members of the response, one of which may be the number of all items.
    private static func pagesByOffset(of request: ImportedRequest, members: [Member]) -> PagingDeclaration? {
        guard let offset = queryItem(calledLike: PageWords.offsetItems, in: request),
            let limit = queryItem(calledLike: PageWords.limitItems, in: request)
        else { return nil }
        let totalPath = integerPath(calledLike: PageWords.totals, in: members)
        return .offset(parameter: offset, limitParameter: limit, totalPath: totalPath)
    }

    // MARK: What a response has

    /// Returns the path to the first member with an integer and one of some names; nil if there is none.
    ///
    /// - Parameters:
    ///   - words: The names as single words, such as `totalpages` for `total_pages`.
    ///   - members: The members of the response.
    private static func integerPath(calledLike words: Set<String>, in members: [Member]) -> String? {
        members.first { words.contains($0.word) && $0.value.integer(Int.self) != nil }?.path
    }

    /// Returns the members of a response, and those of the objects in it that describe pages, such as `meta`.
    ///
    /// `{"meta": {"next": 2}, "items": []}` → the members `meta`, `items` and `meta.next`
    ///
    /// Keys with a dot are left out, because the dot separates the keys of a path.
    private static func pageMembers(of response: JSONValue) -> [Member] {
        /// An object whose members are still to be collected.
        struct UnreadObject {
            let path: String
            let value: JSONValue
            /// The number of objects around it.
            let level: Int
        }
        // Links of HAL (Hypertext Application Language) are two levels deep: `{"_links": {"next": {"href": …}}}`.
        let deepestLevel = 2
        var members: [Member] = []
        var unreadObjects = [UnreadObject(path: "", value: response, level: 0)]
        while let object = unreadObjects.popLast() {
            for (key, value) in object.value.members ?? [] where !key.contains(".") {
                let path = object.path.isEmpty ? key : "\(object.path).\(key)"
                let member = Member(path: path, word: PageWords.word(key), value: value)
                members.append(member)
                let describesPages = value.kind == .object && PageWords.containers.contains(member.word)
                if describesPages, object.level < deepestLevel {
                    unreadObjects.append(UnreadObject(path: path, value: value, level: object.level + 1))
                }
            }
        }
        return members
    }

    /// Returns the path to the list of items: that of the longest list of objects.
    ///
    /// - Returns: The path; empty if the response itself is a list, and nil if there is no list.
    private static func itemsPath(in response: JSONValue, members: [Member]) -> String? {
        if response.elements != nil { return "" }
        let lists = members.filter { $0.value.elements?.first?.kind == .object }
        let longest = lists.max { ($0.value.elements?.count ?? 0) < ($1.value.elements?.count ?? 0) }
        return longest?.path
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

    /// Returns the name of the first query item with one of some names, in any style; nil if there is none.
    ///
    /// - Parameters:
    ///   - words: The names as single words, such as `pagenumber` for `page_number`.
    ///   - request: The request with the query.
    private static func queryItem(calledLike words: Set<String>, in request: ImportedRequest) -> String? {
        request.query.first { words.contains(PageWords.word($0.name)) }?.name
    }
}

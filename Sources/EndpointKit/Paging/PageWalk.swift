import JSONText

/// Follows the pages of a list, one request after the other.
package struct PageWalk: Sendable {
    /// A page: its response, the document in which the next page is looked for, and the one from which items are taken.
    package typealias Page = (response: Response, document: JSONValue, shown: JSONValue)

    /// The way from one page to the next.
    private enum NextPage {
        /// The query item `parameter` with another value.
        case parameter(String, value: String)
        /// A URL that the server wrote.
        case link(String)

        /// Returns the page whose query item has a number that is greater by `step`; nil beyond the greatest integer.
        static func next(_ parameter: String, _ number: Int, adding step: Int) -> NextPage? {
            let (nextNumber, overflow) = number.addingReportingOverflow(step)
            return overflow ? nil : .parameter(parameter, value: "\(nextNumber)")
        }
    }

    private let paging: Paging
    /// The request of the page to read next; nil after the last one.
    package private(set) var pending: Request?
    /// Why the page after the last one can't be requested. It is thrown after the items of that page have been
    /// returned.
    private var failure: PagingError?
    /// The number of the page that was requested last, from 1.
    private var number = 1
    /// The query items of ``pending`` that differ from those of the request before it. They are shown to a person, who
    /// can continue with them.
    package private(set) var next: [(name: String, value: String)] = []
    /// The URLs of all requests so far.
    private var requested: Set<String>
    /// Whether links to other origins are followed. The requests there have no credentials.
    private let followsOtherOrigins: Bool
    /// The items of the first request's query that hold credentials.
    private let credentials: [QueryItem]
    /// The body of the last page, if pages are counted.
    private var lastPage: [UInt8] = []
    /// How many pages in a row had no items.
    package private(set) var emptyPages = 0

    /// The number of pages in a row without items that end the walk, because a server may name a next page for ever.
    package static let maxEmptyPages = 10

    /// Creates the walk that starts with `request`.
    ///
    /// - Parameters:
    ///   - paging: How one page leads to the next.
    ///   - request: The request of the first page.
    ///   - followsOtherOrigins: Whether links to other origins are followed, without credentials.
    package init(_ paging: Paging, from request: Request, followsOtherOrigins: Bool = false) {
        self.paging = paging
        self.followsOtherOrigins = followsOtherOrigins
        pending = request
        requested = [request.identity]
        credentials = request.query.filter { !$0.content.secrets.isEmpty }
    }

    /// Requests the next page, and prepares the request of the page after it.
    ///
    /// If the page is fine but names no valid next page, its items are still returned. The error is kept for the next
    /// call of this function.
    ///
    /// - Parameter read: Sends a request and returns its page. Nil ends the walk, as for a response that is no page.
    /// - Returns: The list of the page's items. Nil after the last page, and after too many without items.
    /// - Throws: ``PagingError``, and the errors of `read`.
    package mutating func next(_ read: (Request) async throws -> Page?) async throws -> JSONValue? {
        if let failure { throw failure }
        guard let request = pending, emptyPages < Self.maxEmptyPages else { return nil }
        guard let page = try await read(request) else {
            end()
            return nil
        }
        let items = try items(of: page.shown)
        let isEmpty = items.elements?.count == 0
        emptyPages = isEmpty ? emptyPages + 1 : 0
        if paging.isCounted { try checkIsNew(page.response.body) }
        pending = nil
        do {
            pending = try self.request(after: request, page)
        } catch {
            failure = error
        }
        return items
    }

    /// Ends the walk: there is no next page.
    package mutating func end() {
        pending = nil
        failure = nil
    }

    /// Checks that a page differs from the one before it.
    ///
    /// A server that ignores the number of the page sends the same one again and again.
    private mutating func checkIsNew(_ body: [UInt8]) throws(PagingError) {
        if emptyPages == 0, body == lastPage { throw .repeatedPage(number) }
        lastPage = body
    }

    /// Returns the list of a page's items.
    private func items(of page: JSONValue) throws(PagingError) -> JSONValue {
        guard let list = page.value(at: paging.items), list.elements != nil else {
            throw .noList(path: paging.items)
        }
        return list
    }

    /// Returns the request of the page after `page`, and adds its URL to ``requested``.
    ///
    /// - Parameters:
    ///   - request: The request of `page`.
    ///   - page: The page that was read last.
    /// - Returns: The request. Nil if `page` is the last one.
    /// - Throws: ``PagingError`` for a page without a list, for a link that must not be followed, and for a URL that
    ///   was requested before, because then the pages would never end.
    private mutating func request(after request: Request, _ page: Page) throws(PagingError) -> Request? {
        let nextRequest: Request
        switch try nextPage(after: request, page) {
        case nil:
            return nil
        case .parameter(let name, let value):
            nextRequest = request.setting(QueryItem(name, value))
            next = [(name, value)]
        case .link(let link):
            nextRequest = try request.page(at: link, credentials, followsOtherOrigins: followsOtherOrigins)
            next = nextRequest.queryItems(notIn: request)
        }
        number += 1
        let isNew = requested.insert(nextRequest.identity).inserted
        guard isNew else { throw .repeatedPage(number) }
        return nextRequest
    }

    /// Finds out how to request the page after `page`, in the way that the endpoint declares.
    ///
    /// The ways are a page number, a number of items, a text or URL in the response, a header of any name, and the
    /// header `Link`.
    ///
    /// - Parameters:
    ///   - request: The request of `page`.
    ///   - page: The page that was read last.
    /// - Returns: The next page. Nil if `page` is the last one.
    /// - Throws: ``PagingError/noList(path:)`` if `page` has no list of items.
    private func nextPage(after request: Request, _ page: Page) throws(PagingError) -> NextPage? {
        // A page without a list is an error for every scheme, although only counted pages need the number of items.
        let itemCount = try items(of: page.document).elements?.count ?? 0
        let scheme = paging.scheme
        if let parameter = scheme.parameter, paging.way == .number {
            return numberedPage(parameter, after: request, page.document, isEmpty: itemCount == 0)
        }
        if let parameter = scheme.parameter, paging.way == .offset {
            return pageAtOffset(parameter, after: request, page.document, itemCount: itemCount)
        }
        if let morePath = scheme.more, page.document.value(at: morePath)?.bool == false { return nil }
        if let path = scheme.from { return nextPage(named: page.document.value(at: path)) }
        if let header = scheme.header { return nextPage(inHeader: page.response.head[header]) }
        let linkHeaders = page.response.head.fields.filter { $0.name.isSameName(as: "Link") }
        guard let link = LinkHeader.target("next", in: linkHeaders.map(\.value)) else { return nil }
        return .link(link)
    }

    /// Returns the page after the current one if pages are counted in a query item, such as `page=3` after `page=2`.
    ///
    /// The last page is the one whose number the response gives, or else the first one without items.
    ///
    /// - Parameters:
    ///   - parameter: The name of the query item with the page's number. A request without it asks for page 1.
    ///   - request: The request of the current page.
    ///   - document: The response, which may hold the number of the last page.
    ///   - isEmpty: Whether the current page has no items.
    /// - Returns: The next page. Nil if the current page is the last one.
    private func numberedPage(
        _ parameter: String, after request: Request, _ document: JSONValue, isEmpty: Bool
    ) -> NextPage? {
        let currentPage = request.integer(inQueryItem: parameter) ?? 1
        if let path = paging.scheme.last, let lastPage: Int = document.value(at: path)?.integer() {
            if currentPage >= lastPage { return nil }
        } else if isEmpty {
            return nil
        }
        return .next(parameter, currentPage, adding: 1)
    }

    /// Returns the page after the current one if a query item has the number of items before a page, such as
    /// `offset=40` after `offset=20`.
    ///
    /// - Parameters:
    ///   - parameter: The name of the query item. A request without it asks for the page at 0.
    ///   - request: The request of the current page.
    ///   - document: The response, which may hold the number of items of all pages.
    ///   - itemCount: The number of items of the current page.
    /// - Returns: The next page. Nil if the current page is the last one.
    private func pageAtOffset(
        _ parameter: String, after request: Request, _ document: JSONValue, itemCount: Int
    ) -> NextPage? {
        if itemCount == 0 { return nil }
        let offset = request.integer(inQueryItem: parameter) ?? 0
        // With a total of 3, no item is left after the first 3.
        if let path = paging.scheme.total, let total: Int = document.value(at: path)?.integer(),
            offset >= total - itemCount
        {
            return nil
        }
        return .next(parameter, offset, adding: itemCount)
    }

    /// Returns the next page that a value of the response names: a text or number for a query item, or a URL.
    ///
    /// - Parameter value: The value, such as `"cus_42"` or `"https://api.example.com/items?page=2"`.
    /// - Returns: The next page. Nil if there is no value, or an empty one, which means that there are no more pages.
    private func nextPage(named value: JSONValue?) -> NextPage? {
        guard let parameter = paging.scheme.parameter else {
            guard let link = value?.string, !link.isEmpty else { return nil }
            return .link(link)
        }
        guard let text = value?.string ?? value?.number, !text.isEmpty else { return nil }
        return .parameter(parameter, value: text)
    }

    /// Returns the next page that a header of the response names: a URL, or the text of a query item.
    ///
    /// - Parameter value: The header's value, such as `/items?page=2` or `2`.
    /// - Returns: The next page. Nil if there is no value, or an empty one.
    private func nextPage(inHeader value: String?) -> NextPage? {
        guard let value, !value.isEmpty else { return nil }
        let isURL = value.hasPrefix("/") || value.contains("://")
        guard let parameter = paging.scheme.parameter, !isURL else { return .link(value) }
        return .parameter(parameter, value: value)
    }
}

extension JSONValue {
    /// Returns the value at a path of keys with dots between them, such as `data.id`.
    ///
    /// A list on the way stands for its last element, so `data.id` is the id of the last item. An empty path is the
    /// value itself.
    package func value(at path: String) -> JSONValue? {
        var current = self
        for key in path.split(separator: ".") {
            var object: JSONValue? = current
            if let elements = current.elements { object = elements.last }
            guard let member = object?[String(key)] else { return nil }
            current = member
        }
        return current
    }
}

extension Request {
    /// The integer in the last query item of a name; nil if there is none, or another text.
    fileprivate func integer(inQueryItem name: String) -> Int? {
        query.last { $0.name == name }.flatMap { Int($0.value.description) }
    }

    /// Returns this request with a query item in place of all those of its name, or else at the end.
    fileprivate func setting(_ item: QueryItem) -> Request {
        var changed = self
        guard let index = query.firstIndex(where: { $0.name == item.name }) else {
            changed.query.append(item)
            return changed
        }
        changed.query = Array(query[..<index])
        changed.query.append(item)
        changed.query += query[(index + 1)...].filter { $0.name != item.name }
        return changed
    }

    /// Returns the items of this request's query that `previous` does not send, decoded and without secrets.
    fileprivate func queryItems(notIn previous: Request) -> [(name: String, value: String)] {
        let previousItems = Set(previous.query.map(\.redacted))
        var items: [(name: String, value: String)] = []
        for encodedItem in (redactedQuery ?? "").split(separator: "&") {
            if previousItems.contains(String(encodedItem)) { continue }
            let item = FormText.item(encodedItem)
            if let value = item.value { items.append((item.name, value)) }
        }
        return items
    }

    /// Returns the request of a page that a response links to.
    ///
    /// Within the origin that this request was sent to, credentials in the query are added again, because a server
    /// often leaves them out of its links. Another origin gets no credentials.
    ///
    /// - Parameters:
    ///   - link: The URI reference of the page, such as `?page=2`.
    ///   - credentials: Query items to add, except those whose names the link has, too.
    ///   - followsOtherOrigins: Whether the link may lead to another origin.
    /// - Throws: ``PagingError`` if the link is invalid, or leads to another origin but may not.
    fileprivate func page(
        at link: String, _ credentials: [QueryItem], followsOtherOrigins: Bool
    ) throws(PagingError) -> Request {
        let redactor = Redactor(self)
        let target: RedirectTarget
        do { target = try resolve(link, redactor) } catch { throw .invalidLink }
        var nextRequest = moved(to: target)
        if target.base.origin == base.origin {
            nextRequest.verbatimQuery = Self.query(target.query, adding: credentials)
            return nextRequest
        }
        let server = redactor.redact(target.base.text)
        guard followsOtherOrigins else { throw .otherOrigin(server) }
        nextRequest.verbatimQuery = target.query
        do {
            try prepare(&nextRequest, forOtherOriginAt: link, redactor)
        } catch {
            throw .credentialLeaves(server: server)
        }
        return nextRequest
    }

    /// Returns the query of a link with the credentials that it does not have: `page=2&key=abc` for `page=2`.
    ///
    /// - Parameters:
    ///   - linkQuery: The query of the link, encoded; nil if it has none.
    ///   - credentials: The items to add. One without a value is left out.
    /// - Returns: The encoded query. Nil if it would be empty.
    private static func query(_ linkQuery: String?, adding credentials: [QueryItem]) -> String? {
        var queryParts: [String] = []
        var linkNames: Set<Substring> = []
        if let linkQuery {
            queryParts.append(linkQuery)
            for item in linkQuery.split(separator: "&") { linkNames.insert(item.prefix { $0 != "=" }) }
        }
        for credential in credentials {
            let encodedName = PercentEncoding.encode(credential.name)
            if linkNames.contains(encodedName[...]) { continue }
            if let encodedItem = try? credential.revealed() { queryParts.append(encodedItem) }
        }
        return queryParts.isEmpty ? nil : queryParts.joined(separator: "&")
    }
}

extension Request {
    /// The URL with its secrets, by which a page is known again. The place in a list may be called a token, which is
    /// the name of a secret.
    fileprivate var identity: String { (try? revealedURL()) ?? urlWithRedactedQuery }
}

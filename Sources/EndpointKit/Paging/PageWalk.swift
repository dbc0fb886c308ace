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
    }

    private let paging: Paging
    /// The request of the page to read next; nil after the last one.
    package private(set) var pending: Request?
    /// Why the page after the last one can't be requested. It is thrown after the items of that page have been
    /// returned.
    private var failure: PagingError?
    /// The number of the page that was requested last, from 1.
    private var number = 1
    /// The query items of ``pending`` that differ from those of the request before it. A person continues with them.
    package private(set) var next: [(name: String, value: String)] = []
    /// The URLs of all requests so far, without secrets.
    private var requested: Set<String>
    /// The items of the first request's query that hold credentials.
    private let credentials: [QueryItem]
    /// The body of the last page, if pages are counted.
    private var lastPage: [UInt8] = []
    /// How many pages in a row had no items.
    package private(set) var emptyPages = 0

    /// The number of pages in a row without items that end the walk, because a server may name a next page for ever.
    package static let maxEmptyPages = 10

    /// Creates the walk that starts with `request`.
    package init(_ paging: Paging, from request: Request) {
        self.paging = paging
        pending = request
        requested = [request.urlWithRedactedQuery]
        credentials = request.query.filter { !$0.value.secrets.isEmpty }
    }

    /// Reads the next page.
    ///
    /// - Parameter read: Sends a request and returns its page.
    /// - Returns: The list of the page's items. Nil after the last page, and after too many without items.
    /// - Throws: ``PagingError``, and the errors of `read`.
    package mutating func next(_ read: (Request) async throws -> Page) async throws -> JSONValue? {
        if let failure { throw failure }
        guard let request = pending, emptyPages < Self.maxEmptyPages else { return nil }
        let page = try await read(request)
        let items = try items(of: page.shown)
        emptyPages = items.elements?.count == 0 ? emptyPages + 1 : 0
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

    /// Returns the request of the page after `page`, and notes it as requested.
    ///
    /// - Parameters:
    ///   - request: The request of `page`.
    ///   - page: The page that was read last.
    /// - Returns: The request. Nil if `page` is the last one.
    /// - Throws: ``PagingError`` for a page without a list, a link that must not be followed, and a request that was
    ///   made before.
    private mutating func request(after request: Request, _ page: Page) throws(PagingError) -> Request? {
        let following: Request
        switch try nextPage(after: request, page) {
        case nil:
            return nil
        case .parameter(let name, let value):
            following = request.setting(QueryItem(name, value))
            next = [(name, value)]
        case .link(let link):
            following = try request.page(at: link, credentials)
            next = following.queryItems(notIn: request)
        }
        number += 1
        let isNew = requested.insert(following.urlWithRedactedQuery).inserted
        guard isNew else { throw .repeatedPage(number) }
        return following
    }

    /// Finds out how the page after `page` is requested; nil if `page` is the last one.
    private func nextPage(after request: Request, _ page: Page) throws(PagingError) -> NextPage? {
        // A page without a list is an error for every scheme, although only counted pages need the number of items.
        let isEmpty = try items(of: page.document).elements?.count == 0
        let scheme = paging.scheme
        if let parameter = scheme.parameter, paging.isCounted {
            return countedPage(parameter, after: request, page.document, isEmpty: isEmpty)
        }
        if let more = scheme.more, page.document.value(at: more)?.bool == false { return nil }
        if let path = scheme.from { return nextPage(named: page.document.value(at: path)) }
        if let header = scheme.header { return nextPage(inHeader: page.response.head[header]) }
        let links = page.response.head.fields.filter { $0.name.isSameName(as: "Link") }
        return LinkHeader.target("next", in: links.map(\.value)).map { .link($0) }
    }

    /// Returns the page after the current one if pages have numbers; nil after the last page.
    ///
    /// The last page is the one that the response names, or else the first one without items.
    ///
    /// - Parameters:
    ///   - parameter: The query item with the page's number. A request without it asks for page 1.
    ///   - request: The request of the current page.
    ///   - document: The response, which may hold the number of the last page.
    ///   - isEmpty: Whether the current page has no items.
    private func countedPage(
        _ parameter: String, after request: Request, _ document: JSONValue, isEmpty: Bool
    ) -> NextPage? {
        let item = request.query.last { $0.name == parameter }
        let current = item.flatMap { Int($0.value.description) } ?? 1
        if let path = paging.scheme.last, let last: Int = document.value(at: path)?.integer() {
            if current >= last { return nil }
        } else if isEmpty {
            return nil
        }
        return .parameter(parameter, value: "\(current + 1)")
    }

    /// Returns the next page that a value of the response names: the text of a query item, or a URL.
    ///
    /// A number can be the text of a query item, but not a URL.
    private func nextPage(named value: JSONValue?) -> NextPage? {
        guard let parameter = paging.scheme.parameter else {
            guard let link = value?.string, !link.isEmpty else { return nil }
            return .link(link)
        }
        guard let text = value?.string ?? value?.number, !text.isEmpty else { return nil }
        return .parameter(parameter, value: text)
    }

    /// Returns the next page that a header of the response names: a URL, or the text of a query item.
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
        var value = self
        for key in path.split(separator: ".") {
            var object: JSONValue? = value
            if let elements = value.elements { object = elements.last }
            guard let member = object?[String(key)] else { return nil }
            value = member
        }
        return value
    }
}

extension Request {
    /// Returns this request with a query item in place of all those of its name, or else at the end.
    fileprivate func setting(_ item: QueryItem) -> Request {
        var copy = self
        guard let index = query.firstIndex(where: { $0.name == item.name }) else {
            copy.query.append(item)
            return copy
        }
        copy.query = Array(query[..<index])
        copy.query.append(item)
        copy.query += query[(index + 1)...].filter { $0.name != item.name }
        return copy
    }

    /// Returns the items of this request's query that `other` does not send, decoded and without secrets.
    fileprivate func queryItems(notIn other: Request) -> [(name: String, value: String)] {
        let known = Set(other.query.map(\.redacted))
        var items: [(name: String, value: String)] = []
        for text in (redactedQuery ?? "").split(separator: "&") where !known.contains(String(text)) {
            let item = FormText.item(text)
            if let value = item.value { items.append((item.name, value)) }
        }
        return items
    }

    /// Returns the request of a page that a response links to.
    ///
    /// - Parameters:
    ///   - link: The URI reference of the page.
    ///   - credentials: Items to add to the query unless the link repeats them.
    /// - Throws: ``PagingError`` if the link is invalid or leads to another origin.
    fileprivate func page(at link: String, _ credentials: [QueryItem]) throws(PagingError) -> Request {
        let redactor = Redactor(self)
        let target: RedirectTarget
        do { target = try resolve(link, redactor) } catch { throw .invalidLink }
        guard target.base.origin == base.origin else { throw .otherOrigin(redactor.redact(target.base.text)) }
        var next = moved(to: target)
        let itemsOfLink = (target.query ?? "").split(separator: "&")
        let namesOfLink = Set(itemsOfLink.map { $0.prefix { $0 != "=" } })
        var query: [String] = []
        if let queryOfLink = target.query { query.append(queryOfLink) }
        for item in credentials where !namesOfLink.contains(Substring(PercentEncoding.encode(item.name))) {
            if let text = try? item.revealed() { query.append(text) }
        }
        next.verbatimQuery = query.isEmpty ? nil : query.joined(separator: "&")
        return next
    }
}

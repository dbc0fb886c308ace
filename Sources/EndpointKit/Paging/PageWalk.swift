import JSONText

/// Follows the pages of a list, one request after the other.
package struct PageWalk: Sendable {
    /// A page that was received.
    package struct Page: Sendable {
        /// The response with the page.
        package let response: Response
        /// The document in which the next page is looked for.
        package let document: JSONValue
        /// The document from which the items are taken: ``document``, or what a model reads of it.
        package let shownDocument: JSONValue

        /// Creates a page of a response whose body has been parsed.
        package init(response: Response, document: JSONValue, shownDocument: JSONValue) {
            self.response = response
            self.document = document
            self.shownDocument = shownDocument
        }
    }

    /// How the request of the next page differs from the one before it.
    private enum NextPage {
        /// The query item `parameter` has another value.
        case parameter(String, value: String)
        /// The URL is one that the server wrote.
        case link(String)

        /// Returns the page whose query item `parameter` is greater by `increment` than `currentNumber`.
        ///
        /// - Returns: The page; nil if its number exceeds the greatest integer.
        static func after(_ currentNumber: Int, adding increment: Int, parameter: String) -> NextPage? {
            let (nextNumber, overflow) = currentNumber.addingReportingOverflow(increment)
            return overflow ? nil : .parameter(parameter, value: "\(nextNumber)")
        }
    }

    private let paging: Paging
    /// The request of the page to read next; nil after the last one.
    package private(set) var pendingRequest: Request?
    /// Why the page after the last one can't be requested. It is thrown after the items of that page have been
    /// returned.
    private var failure: PagingError?
    /// The number of the page of ``pendingRequest``, from 1.
    private var pageNumber = 1
    /// The query items of ``pendingRequest`` that differ from those of the request before it. They are shown to a
    /// person, who can continue with them.
    package private(set) var nextQueryItems: [(name: String, value: String)] = []
    /// The URLs of all requests so far.
    private var requestedURLs: Set<String>
    /// Whether links to other origins are followed. The requests there have no credentials.
    private let followsOtherOrigins: Bool
    /// The items of the first request's query that hold credentials.
    private let credentialItems: [QueryItem]
    /// The body of the page that was read last, if pages are counted.
    private var lastBody: [UInt8] = []
    /// How many pages in a row had no items.
    package private(set) var emptyPageCount = 0

    /// The number of pages in a row without items that end the walk, because a server may name a next page for ever.
    package static let maxEmptyPageCount = 10

    /// Creates the walk that starts with `request`.
    ///
    /// - Parameters:
    ///   - paging: How one page leads to the next.
    ///   - request: The request of the first page.
    ///   - followsOtherOrigins: Whether links to other origins are followed, without credentials.
    package init(_ paging: Paging, from request: Request, followsOtherOrigins: Bool = false) {
        self.paging = paging
        self.followsOtherOrigins = followsOtherOrigins
        pendingRequest = request
        requestedURLs = [request.identity]
        credentialItems = request.query.filter { !$0.content.secrets.isEmpty }
    }

    /// Requests the page of ``pendingRequest``, and prepares the request of the page after it.
    ///
    /// If the page is fine but names no valid next page, its items are still returned. The error is kept for the next
    /// call of this function.
    ///
    /// - Parameter read: Sends a request and returns its page. If it returns nil, because the response is no page, the
    ///   walk ends.
    /// - Returns: The list of the page's items. Nil after the last page, and after ``maxEmptyPageCount`` pages in a row
    ///   without items.
    /// - Throws: ``PagingError``, and the errors of `read`.
    package mutating func next(_ read: (Request) async throws -> Page?) async throws -> JSONValue? {
        if let failure { throw failure }
        guard let request = pendingRequest, emptyPageCount < Self.maxEmptyPageCount else { return nil }
        guard let page = try await read(request) else {
            end()
            return nil
        }
        let items = try listOfItems(in: page.shownDocument)
        let isEmpty = items.elements?.isEmpty == true
        emptyPageCount = isEmpty ? emptyPageCount + 1 : 0
        // A server that ignores the number of the page sends the same page again and again.
        if paging.isCounted { try checkIsNewBody(page.response.body) }
        advance(from: request, to: page)
        return items
    }

    /// Ends the walk: there is no next page.
    package mutating func end() {
        pendingRequest = nil
        failure = nil
    }

    /// Checks that a page with items differs from the page before it, and keeps its body for the next check.
    ///
    /// - Throws: ``PagingError/repeatedPage(_:)`` if the bodies are the same.
    private mutating func checkIsNewBody(_ body: [UInt8]) throws(PagingError) {
        if emptyPageCount == 0, body == lastBody { throw .repeatedPage(pageNumber) }
        lastBody = body
    }

    /// Returns the list of a page's items, at the path that the endpoint declares.
    ///
    /// - Throws: ``PagingError/noList(path:)`` if there is no list.
    private func listOfItems(in page: JSONValue) throws(PagingError) -> JSONValue {
        guard let list = page.value(at: paging.items), list.elements != nil else {
            throw .noList(path: paging.items)
        }
        return list
    }

    /// Sets ``pendingRequest`` to the request of the page after `page`, or to nil if `page` is the last one.
    ///
    /// If the next page can't be requested, sets ``failure`` to the reason. It is not thrown yet, because the items of
    /// `page` are still to be returned.
    ///
    /// - Parameters:
    ///   - request: The request of `page`.
    ///   - page: The page that has been read.
    private mutating func advance(from request: Request, to page: Page) {
        pendingRequest = nil
        do throws(PagingError) {
            guard let nextPage = try findNextPage(after: page, request: request) else { return }
            pendingRequest = try makeRequest(of: nextPage, after: request)
        } catch {
            failure = error
        }
    }

    /// Makes the request of the next page.
    ///
    /// Updates ``nextQueryItems``, ``pageNumber`` and ``requestedURLs`` to the new request.
    ///
    /// - Parameters:
    ///   - nextPage: How the request differs from the one before it.
    ///   - request: The request before it.
    /// - Throws: ``PagingError`` for a link that must not be followed, and for a URL that was requested before, because
    ///   then the pages would never end.
    private mutating func makeRequest(of nextPage: NextPage, after request: Request) throws(PagingError) -> Request {
        let nextRequest: Request
        switch nextPage {
        case .parameter(let name, let value):
            nextRequest = request.setting(QueryItem(name, value))
            nextQueryItems = [(name, value)]
        case .link(let link):
            nextRequest = try request.linkedPage(
                at: link, adding: credentialItems, followsOtherOrigins: followsOtherOrigins)
            nextQueryItems = nextRequest.queryItems(notIn: request)
        }
        pageNumber += 1
        let isNewURL = requestedURLs.insert(nextRequest.identity).inserted
        guard isNewURL else { throw .repeatedPage(pageNumber) }
        return nextRequest
    }

    /// Finds out how to request the page after `page`, in the way that the endpoint declares.
    ///
    /// - Parameters:
    ///   - page: The page that was read last.
    ///   - request: The request of `page`.
    /// - Returns: The next page. Nil if `page` is the last one.
    /// - Throws: ``PagingError/noList(path:)`` if `page` has no list of items.
    private func findNextPage(after page: Page, request: Request) throws(PagingError) -> NextPage? {
        // A page without a list is an error in every way of paging, although only counted pages need the number of
        // items.
        let itemCount = try listOfItems(in: page.document).elements?.count ?? 0
        let scheme = paging.scheme
        // The query item counts pages.
        if let parameter = scheme.parameter, paging.way == .number {
            let currentNumber = request.integer(inQueryItem: parameter) ?? 1
            let isLast = isLastPage(currentNumber, document: page.document, isEmpty: itemCount == 0)
            return isLast ? nil : .after(currentNumber, adding: 1, parameter: parameter)
        }
        // The query item counts items.
        if let parameter = scheme.parameter, paging.way == .offset {
            let offset = request.integer(inQueryItem: parameter) ?? 0
            let isLast = isLastOffset(offset, document: page.document, itemCount: itemCount)
            return isLast ? nil : .after(offset, adding: itemCount, parameter: parameter)
        }
        // The response names the next page. Some responses also have a boolean that is false on the last page.
        if let morePath = scheme.more, page.document.value(at: morePath)?.bool == false { return nil }
        if let path = scheme.from { return nextPage(named: page.document.value(at: path)) }
        if let header = scheme.header { return nextPage(inHeader: page.response.head[header]) }
        return nextPage(inLinkHeadersOf: page.response.head)
    }

    /// Returns the next page that a `Link` header with `rel="next"` names (RFC 8288); nil if there is none.
    private func nextPage(inLinkHeadersOf head: ResponseHead) -> NextPage? {
        let linkHeaders = head.fields.filter { $0.name.isSameName(as: "Link") }
        return LinkHeader.target("next", in: linkHeaders.map(\.value)).map(NextPage.link)
    }

    /// Returns whether a page that is counted by its number, such as `page=3`, is the last one.
    ///
    /// The last page is the one whose number the response gives, or else the first one without items.
    ///
    /// - Parameters:
    ///   - currentNumber: The number of the page.
    ///   - document: The response, which may contain the number of the last page.
    ///   - isEmpty: Whether the page has no items.
    private func isLastPage(_ currentNumber: Int, document: JSONValue, isEmpty: Bool) -> Bool {
        if let path = paging.scheme.last, let lastNumber: Int = document.value(at: path)?.integer() {
            return currentNumber >= lastNumber
        }
        return isEmpty
    }

    /// Returns whether a page that is counted by the number of items before it, such as `offset=40`, is the last one.
    ///
    /// The last page is the one that reaches the number of items of all pages, or else the first one without items.
    ///
    /// - Parameters:
    ///   - offset: The number of items before the page.
    ///   - document: The response, which may contain the number of items of all pages.
    ///   - itemCount: The number of items of the page.
    private func isLastOffset(_ offset: Int, document: JSONValue, itemCount: Int) -> Bool {
        if itemCount == 0 { return true }
        guard let path = paging.scheme.total, let total: Int = document.value(at: path)?.integer() else {
            return false
        }
        // The difference can't overflow, in contrast to a sum with an offset that the caller chose.
        return offset >= total - itemCount
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
    /// - Returns: The next page. Nil if there is no value, or an empty one, which means that there are no more pages.
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
    /// A list on the path stands for its last element, so `data.id` is the id of the last item of `data`.
    ///
    /// - Parameter path: The path. An empty one leads to this value itself.
    /// - Returns: The value; nil if there is none at the path.
    package func value(at path: String) -> JSONValue? {
        var current = self
        for key in path.split(separator: ".") {
            if let elements = current.elements {
                guard let lastElement = elements.last else { return nil }
                current = lastElement
            }
            guard let member = current[String(key)] else { return nil }
            current = member
        }
        return current
    }
}

extension Request {
    /// Returns the integer in the last query item of a name; nil if there is no such item, or its value is no integer.
    fileprivate func integer(inQueryItem name: String) -> Int? {
        guard let item = query.last(where: { $0.name == name }) else { return nil }
        return Int(item.value.description)
    }

    /// Returns this request with a query item in place of all those of its name, or else at the end.
    fileprivate func setting(_ item: QueryItem) -> Request {
        var changedRequest = self
        guard let index = query.firstIndex(where: { $0.name == item.name }) else {
            changedRequest.query.append(item)
            return changedRequest
        }
        let laterItems = query[(index + 1)...].filter { $0.name != item.name }
        changedRequest.query = query[..<index] + [item] + laterItems
        return changedRequest
    }

    /// Returns the items of this request's query that `previousRequest` does not send, decoded and without secrets.
    fileprivate func queryItems(notIn previousRequest: Request) -> [(name: String, value: String)] {
        let previousItems = Set(previousRequest.query.map(\.redacted))
        var newItems: [(name: String, value: String)] = []
        for encodedItem in (redactedQuery ?? "").split(separator: "&") {
            if previousItems.contains(String(encodedItem)) { continue }
            let item = FormText.item(encodedItem)
            if let value = item.value { newItems.append((item.name, value)) }
        }
        return newItems
    }

    /// Returns the request of a page that a response links to.
    ///
    /// Within the origin that this request was sent to, credentials in the query are added again, because a server
    /// often leaves them out of its links. Another origin gets no credentials.
    ///
    /// - Parameters:
    ///   - link: The URI reference of the page, such as `?page=2`.
    ///   - credentialItems: Query items with credentials to add, except those whose names the link has, too.
    ///   - followsOtherOrigins: Whether the link may lead to another origin.
    /// - Throws: ``PagingError`` if the link is invalid, or leads to another origin but may not.
    fileprivate func linkedPage(
        at link: String, adding credentialItems: [QueryItem], followsOtherOrigins: Bool
    ) throws(PagingError) -> Request {
        let redactor = Redactor(self)
        let target: RedirectTarget
        do { target = try resolve(link, redactor: redactor) } catch { throw .invalidLink }
        // The copy has the new server and path, but no query yet.
        var nextRequest = moved(to: target)
        if target.base.origin == base.origin {
            nextRequest.verbatimQuery = Self.query(target.query, adding: credentialItems)
            return nextRequest
        }
        let server = redactor.redact(target.base.text)
        guard followsOtherOrigins else { throw .otherOrigin(server) }
        nextRequest.verbatimQuery = target.query
        do {
            try removeCredentials(from: &nextRequest, location: link, redactor: redactor)
        } catch {
            // The server has repeated a secret in the link, or the body holds one. Neither can be removed.
            throw .credentialLeaves(server: server)
        }
        return nextRequest
    }

    /// Returns the query of a link with the credentials that it does not have: `page=2&key=abc` for `page=2`.
    ///
    /// - Parameters:
    ///   - linkQuery: The query of the link, encoded; nil if it has none.
    ///   - credentialItems: The items to add. One without a value is left out.
    /// - Returns: The encoded query; nil if it would be empty.
    private static func query(_ linkQuery: String?, adding credentialItems: [QueryItem]) -> String? {
        var encodedItems: [String] = []
        var linkNames: Set<Substring> = []
        if let linkQuery {
            encodedItems.append(linkQuery)
            for item in linkQuery.split(separator: "&") { linkNames.insert(item.prefix { $0 != "=" }) }
        }
        for credential in credentialItems {
            let encodedName = PercentEncoding.encode(credential.name)
            if linkNames.contains(encodedName[...]) { continue }
            if let encodedItem = try? credential.revealed() { encodedItems.append(encodedItem) }
        }
        return encodedItems.isEmpty ? nil : encodedItems.joined(separator: "&")
    }
}

extension Request {
    /// The URL with its secrets, by which a repeated page is recognised.
    ///
    /// A redacted URL would not do. Pages may differ only in an item such as `token=b`, whose name is that of a secret.
    fileprivate var identity: String { (try? revealedURL()) ?? urlWithRedactedQuery }
}

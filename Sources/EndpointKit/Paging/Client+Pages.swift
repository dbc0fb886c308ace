import JSONText

extension Client {
    /// Returns the pages of `call`, each decoded as the endpoint's model. A page is requested when it is asked for.
    ///
    ///     for try await page in client.pages(of: Movies.popular(page: 1), as: MoviePage.self) {
    ///         print(page.totalResults)
    ///     }
    ///
    /// Cancelling the task, or leaving the loop, ends the requests. Ten pages in a row without items end the sequence.
    ///
    /// - Parameters:
    ///   - call: A call of an endpoint that declares pages. The first page is the one that it asks for.
    ///   - page: The model that the endpoint declares.
    /// - Returns: The pages. Iterating throws the errors of ``send(_:as:)``.
    public func pages<Page: Decodable & Sendable, Call: API>(
        of call: Call, as page: Page.Type = Page.self
    ) -> PageSequence<Page, Call> {
        PageSequence(client: self, call: call)
    }

    /// Returns the items of all pages of `call`. A page is requested when its first item is asked for.
    ///
    ///     for try await movie in client.items(of: Movies.popular(page: 1), as: Movie.self) {
    ///         if !show(movie) { break }
    ///     }
    ///
    /// Only the items of a page are decoded. The endpoint's model is decoded too if it is ``Validated``, because such a
    /// page may report a failure. Cancelling the task, or leaving the loop, ends the requests. Ten pages in a row
    /// without items end the sequence.
    ///
    /// - Parameters:
    ///   - call: A call of an endpoint that declares pages. The first page is the one that it asks for.
    ///   - item: The type of an item.
    /// - Returns: The items. Iterating throws the errors of ``send(_:as:)``.
    public func items<Item: Decodable & Sendable, Call: API>(
        of call: Call, as item: Item.Type = Item.self
    ) -> ItemSequence<Item, Call> {
        ItemSequence(client: self, call: call)
    }
}

/// The pages of a call, as ``Client/pages(of:as:)`` returns them. Each iteration starts with the first page.
public struct PageSequence<Page: Decodable & Sendable, Call: API>: AsyncSequence, Sendable {
    let client: Client
    let call: Call

    /// Requests the pages one after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private var reader: PageReader<Call>

        fileprivate init(_ pages: PageSequence) {
            reader = PageReader(client: pages.client, call: pages.call)
        }

        /// Requests the next page and decodes it.
        ///
        /// - Returns: The page; nil after the last one.
        /// - Throws: The errors of ``Client/send(_:as:)``, and ``ResponseError/paging(_:)`` if a page does not lead to
        ///   the next one.
        public mutating func next() async throws -> Page? {
            try await PublicError.converting {
                let response = reader.endpoint.response
                try response.checkModel(Page.self)
                return try await reader.requestNext { page in
                    try response.decode(Page.self, from: page.document, coding: Call.api.coding, check: page.check)
                }
            }
        }
    }

    /// Returns an iterator that starts with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

/// The items of all pages of a call, as ``Client/items(of:as:)`` returns them. Each iteration starts with the first
/// page.
public struct ItemSequence<Item: Decodable & Sendable, Call: API>: AsyncSequence, Sendable {
    let client: Client
    let call: Call

    /// Requests a page when its first item is asked for.
    public struct Iterator: AsyncIteratorProtocol {
        private var reader: PageReader<Call>
        /// The items of the last page that have not been returned yet.
        private var itemsLeft: ArraySlice<Item> = []

        fileprivate init(_ items: ItemSequence) {
            reader = PageReader(client: items.client, call: items.call)
        }

        /// Returns the next item. After the last item of a page, requests pages until one has items.
        ///
        /// - Returns: The item; nil after the last page.
        /// - Throws: The errors of ``Client/send(_:as:)``, and ``ResponseError/paging(_:)`` if a page does not lead to
        ///   the next one.
        public mutating func next() async throws -> Item? {
            while itemsLeft.isEmpty {
                guard let items = try await requestItems() else { return nil }
                itemsLeft = items[...]
            }
            return itemsLeft.popFirst()
        }

        /// Requests the next page and decodes its items.
        ///
        /// - Returns: The items; nil after the last page.
        private mutating func requestItems() async throws -> [Item]? {
            try await PublicError.converting {
                let response = reader.endpoint.response
                return try await reader.requestNext { page in
                    if response.isValidated {
                        // The whole model is decoded only for its check of itself.
                        try response.decode(page.document, coding: Call.api.coding, check: page.check)
                    }
                    return try Call.api.coding.decode(
                        [Item].self, from: page.items.document, at: page.items.slot, check: page.check)
                }
            }
        }
    }

    /// Returns an iterator that starts with the first item of the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

/// Requests the pages of a call one after the other.
private struct PageReader<Call: API>: Sendable {
    /// A page that has been parsed.
    struct Page {
        /// The whole response.
        let document: JSONDocument
        /// The list of the page's items in ``document``.
        let items: JSONValue
        /// Is called regularly while decoding. It throws once the time of the page's request has passed.
        let check: () throws -> Void
    }

    private let client: Client
    private let call: Call
    /// The endpoint of the call.
    let endpoint: Endpoint
    /// The walk after the page that was read last; nil before the first page.
    private var walk: PageWalk?

    /// Creates a reader that starts with the first page of `call`.
    init(client: Client, call: Call) {
        self.client = client
        self.call = call
        endpoint = call.placedEndpoint
    }

    /// Requests the next page and decodes it. After a success, advances ``walk`` to the page.
    ///
    /// - Parameter decode: Decodes the page.
    /// - Returns: The value that `decode` returns. Nil after the last page.
    /// - Throws: ``RequestError``, ``PagingError``, and the errors of reading the response. Then the next call of this
    ///   function requests the same page again.
    mutating func requestNext<Value>(_ decode: (Page) throws -> Value) async throws -> Value? {
        try Task.checkCancellation()
        guard let paging = endpoint.pages else { throw RequestError.pagesNotDeclared }
        // The time limit holds for each page, from its request to its decoding.
        let client = client.forOneCall()
        // This request has the current credentials, which may have been renewed since the page before.
        let firstRequest = try await client.buildRequest(of: call)
        var nextWalk = walk ?? PageWalk(paging, from: firstRequest)
        var receivedPage: ReceivedPage?
        let items = try await nextWalk.next { request in
            let page = try await receivePage(request.updatingCredentials(from: firstRequest), client: client)
            // The walk returns only the items. The whole page is kept for decoding it below.
            receivedPage = page
            let document = JSONValue(page.document)
            return PageWalk.Page(response: page.response, document: document, shownDocument: document)
        }
        guard let items, let receivedPage else { return nil }
        let page = Page(document: receivedPage.document, items: items, check: receivedPage.checkTimeLimit)
        let value = try decode(page)
        walk = nextWalk
        return value
    }

    /// A page whose list of items has not been looked for yet.
    private struct ReceivedPage {
        let response: Response
        /// The response's body.
        let document: JSONDocument
        /// Throws once the time of the page's request has passed.
        let checkTimeLimit: () throws -> Void
    }

    /// Sends the request of a page, and parses the body of the response.
    private func receivePage(_ request: Request, client: Client) async throws -> ReceivedPage {
        let limit = client.decodingLimit(server: request.base)
        let response = try await client.successfulResponse(to: request, of: call)
        let checkTimeLimit = limit.check()
        let document = try endpoint.response.document(response.body, response.head, check: checkTimeLimit)
        return ReceivedPage(response: response, document: document, checkTimeLimit: checkTimeLimit)
    }
}

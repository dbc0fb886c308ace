import JSONText

extension Client {
    /// Returns the items of all pages of `call`. A page is requested when its first item is asked for.
    ///
    ///     for try await movie in client.items(of: Movies.popular(page: 1), as: Movie.self) { … }
    ///
    /// Of each page, only the items are decoded. The endpoint's model is decoded too if it is ``Validated``, because
    /// such a page may report a failure. Ten pages in a row without items end the sequence.
    ///
    /// - Parameters:
    ///   - call: A call of an endpoint that declares pages.
    ///   - item: The type of an item.
    /// - Returns: The items. Iterating throws the errors of ``send(_:as:)``.
    public func items<Item: Decodable & Sendable, Call: API>(
        of call: Call, as item: Item.Type
    ) -> some AsyncSequence<Item, any Error> & Sendable {
        PagedItems<Item, Call>(client: self, call: call)
    }
}

/// The items of all pages of a call, as an asynchronous sequence; each iteration starts with the first page.
private struct PagedItems<Item: Decodable & Sendable, Call: API>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let client: Client
    private let call: Call
    /// The walk so far; nil before the first page.
    private var walk: PageWalk?
    /// The items of the last page that have not been returned yet.
    private var items: ArraySlice<Item> = []

    init(client: Client, call: Call) {
        self.client = client
        self.call = call
    }

    func makeAsyncIterator() -> PagedItems { self }

    /// Returns the next item, requesting pages until one has items; nil after the last page.
    mutating func next() async throws -> Item? {
        while items.isEmpty {
            guard let page = try await PublicError.converting({ try await nextPage() }) else { return nil }
            items = page[...]
        }
        return items.popFirst()
    }

    /// Requests the next page and decodes its items.
    ///
    /// - Returns: The page's items. Nil after the last page.
    /// - Throws: ``RequestError``, ``PagingError``, and the errors of reading the response. Then this page is requested again by the
    ///   next call of this function, because the walk goes on only after a success.
    private mutating func nextPage() async throws -> [Item]? {
        let client = client
        let endpoint = call.placedEndpoint
        guard let paging = endpoint.pages else { throw RequestError.pagesNotDeclared }
        var walk = try self.walk ?? PageWalk(paging, from: call.request(client.options))
        // The time limit of a page's request also applies to decoding its items.
        var checkTimeLimit: () throws -> Void = {}
        let list = try await walk.next { request in
            let limit = DecodingLimit(maxTime: client.transfer.maxTime, server: request.base)
            let response = try await client.success(request, of: Call.self)
            checkTimeLimit = limit.check()
            return try Self.parse(response, of: endpoint, checkTimeLimit: checkTimeLimit)
        }
        guard let list else { return nil }
        let items = try Call.api.coding.decode([Item].self, from: list.document, at: list.slot, check: checkTimeLimit)
        self.walk = walk
        return items
    }

    /// Parses the response for a page.
    ///
    /// - Parameters:
    ///   - response: A response with a status of success.
    ///   - endpoint: The endpoint of the call.
    ///   - checkTimeLimit: Called regularly. It throws once the time of the page's request has passed.
    /// - Throws: `JSONSyntaxError`, or ``ReportedFailure`` if the page itself reports a failure.
    private static func parse(
        _ response: Response, of endpoint: Endpoint, checkTimeLimit: @escaping () throws -> Void
    ) throws -> PageWalk.Page {
        let document = try endpoint.response.document(response.body, response.head, check: checkTimeLimit)
        if endpoint.response.isValidated {
            // The model is needed only for its check of itself. The items are decoded later, without the rest.
            try endpoint.response.decode(document, coding: Call.api.coding, check: checkTimeLimit)
        }
        return (response: response, document: JSONValue(document), shown: JSONValue(document))
    }
}

import JSONText

extension Client {
    /// The items of all pages of `call`, each page requested when its first item is asked for; ten pages in a row without items end them.
    ///
    ///     for try await movie in client.items(of: Movies.popular(page: 1), as: Movie.self) { … }
    ///
    /// Iterating throws `PagingError`, and what ``send(_:as:)`` does.
    public func items<Item: Decodable & Sendable, Call: API>(
        of call: Call, as item: Item.Type
    ) -> some AsyncSequence<Item, any Error> & Sendable {
        PagedItems<Item, Call>(client: self, call: call)
    }
}

/// The items of all pages of a call, as an asynchronous sequence; each iteration starts with the first page.
private struct PagedItems<Item: Decodable & Sendable, Call: API>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let client: Client
    let call: Call
    private var walk: PageWalk?
    private var items: ArraySlice<Item> = []

    init(client: Client, call: Call) { (self.client, self.call) = (client, call) }

    func makeAsyncIterator() -> PagedItems { self }

    mutating func next() async throws -> Item? {
        while items.isEmpty {
            let (client, endpoint) = (client, call.resolvedEndpoint)
            guard let paging = endpoint.pages else { throw PagingError.notDeclared }
            var walk = try self.walk ?? PageWalk(paging, from: call.request(client.request))
            var check: () throws -> Void = {}
            let page = try await walk.next { request in
                let limit = DecodingLimit(maxTime: client.transfer.maxTime, server: request.base)
                let response = try await client.success(request, of: Call.self)
                check = limit.check()
                let document = try endpoint.response.document(response.body, response.head, check: check)
                try endpoint.response.decode(document, coding: Call.coding, check: check)
                return (response, JSONValue(document), JSONValue(document))
            }
            guard let page else { return nil }
            items = try Call.coding.decode([Item].self, from: page.document(), check: check)[...]
            self.walk = walk
        }
        return items.popFirst()
    }
}

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
        PagedItems<Item> { [self] in
            let endpoint = call.resolvedEndpoint
            guard let paging = endpoint.pages else { throw PagingError.notDeclared }
            let first = try call.request(request)
            return PagedItems<Item>.Source(
                walk: PageWalk(paging, from: first),
                read: { request in
                    let response = try await success(request, of: Call.self)
                    let document = try endpoint.response.document(response.body, response.head)
                    try endpoint.response.decode(document, coding: Call.coding)
                    return PageWalk.Page(response, JSONValue(document))
                },
                decode: { try Call.coding.decode([Item].self, from: $0.document()) })
        }
    }
}

/// The items of all pages of a call, as an asynchronous sequence; each iteration starts with the first page.
private struct PagedItems<Item: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// What the pages are requested and decoded with.
    struct Source: Sendable {
        var walk: PageWalk
        let read: @Sendable (Request) async throws -> PageWalk.Page
        let decode: @Sendable (JSONValue) throws -> [Item]
    }

    private let start: @Sendable () throws -> Source
    private var source: Source?
    private var items: ArraySlice<Item> = []

    init(_ start: @escaping @Sendable () throws -> Source) { self.start = start }

    func makeAsyncIterator() -> PagedItems { self }

    mutating func next() async throws -> Item? {
        while items.isEmpty {
            var source = try self.source ?? start()
            guard let page = try await source.walk.next(source.read) else { return nil }
            items = try source.decode(page)[...]
            self.source = source
        }
        return items.popFirst()
    }
}

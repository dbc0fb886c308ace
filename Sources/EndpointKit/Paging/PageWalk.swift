import JSONText

/// Follows the pages of a list, one request after the other.
package struct PageWalk: Sendable {
    /// A page, and what its items are taken from.
    package typealias Page = (response: Response, document: JSONValue, shown: JSONValue)

    private let paging: Paging
    /// The request of the page to read next; nil after the last one.
    package private(set) var pending: Request?
    /// Why the page after the last one can't be requested: that page's items come first.
    private var failure: PagingError?
    /// The number of the page that was requested last, from 1.
    private var number = 1
    /// What the next request sets in its query, to go on from there by hand.
    package private(set) var next: [(name: String, value: String)] = []
    private var requested: Set<String>
    /// The items of the first request's query that hold credentials.
    private let credentials: [QueryItem]
    private var lastPage: [UInt8] = []
    /// How many pages in a row had no items.
    package private(set) var emptyPages = 0

    /// So many pages in a row without items end the walk: a server may name a next page for ever.
    package static let maxEmptyPages = 10

    /// The walk that starts with `request`.
    package init(_ paging: Paging, from request: Request) {
        self.paging = paging
        pending = request
        requested = [request.urlWithRedactedQuery]
        credentials = request.query.filter { !$0.value.secrets.isEmpty }
    }

    /// The items of the next page, which `read` requests; nil after the last one, and after too many without items. Throws
    /// ``PagingError``, and what `read` does.
    package mutating func next(_ read: (Request) async throws -> Page) async throws -> JSONValue? {
        if let failure { throw failure }
        guard let request = pending, emptyPages < Self.maxEmptyPages else { return nil }
        let page = try await read(request)
        let items = try items(of: page.shown)
        emptyPages = items.elements?.count == 0 ? emptyPages + 1 : 0
        // A server that ignores the query item sends the same page again and again.
        if paging.isCounted {
            if emptyPages == 0, page.response.body == lastPage { throw PagingError.repeatedPage(number) }
            lastPage = page.response.body
        }
        pending = nil
        do { pending = try self.request(after: request, page) } catch { failure = error }
        return items
    }

    package mutating func end() { (pending, failure) = (nil, nil) }

    private func items(of page: JSONValue) throws(PagingError) -> JSONValue {
        guard let list = page.value(at: paging.items), list.elements != nil else {
            throw .noList(path: paging.items)
        }
        return list
    }

    /// The request of the page after the one that `request` got; nil after the last one.
    private mutating func request(after request: Request, _ page: Page) throws(PagingError) -> Request? {
        let isEmpty = try items(of: page.document).elements?.count == 0
        guard let following = try following(request, page.response.head, page.document, isEmpty: isEmpty) else {
            return nil
        }
        number += 1
        guard requested.insert(following.urlWithRedactedQuery).inserted else { throw .repeatedPage(number) }
        return following
    }

    private mutating func following(
        _ request: Request, _ head: ResponseHead, _ page: JSONValue, isEmpty: Bool
    ) throws(PagingError) -> Request? {
        let scheme = paging.scheme
        if let parameter = scheme.parameter, paging.isCounted {
            let current = request.query.last { $0.name == parameter }.flatMap { Int($0.value.description) } ?? 1
            let last = scheme.last.flatMap { page.value(at: $0)?.integer() }
            return last.map { current >= $0 } ?? isEmpty ? nil : set(parameter, "\(current + 1)", in: request)
        }
        if scheme.more.flatMap({ page.value(at: $0)?.bool }) == false { return nil }
        var value: String?
        if let path = scheme.from {
            let found = page.value(at: path)
            value = found?.string ?? (scheme.parameter == nil ? nil : found?.number)
        } else if let name = scheme.header {
            value = head[name]
        } else {
            let links = head.fields.filter { $0.name.isSameName(as: "Link") }.map(\.value)
            return try LinkHeader.target("next", in: links).map { link throws(PagingError) in
                try follow(link, from: request)
            }
        }
        guard let value, !value.isEmpty else { return nil }
        let isURL = scheme.header != nil && (value.hasPrefix("/") || value.contains("://"))
        guard let parameter = scheme.parameter, !isURL else { return try follow(value, from: request) }
        return set(parameter, value, in: request)
    }

    private mutating func set(_ name: String, _ value: String, in request: Request) -> Request {
        next = [(name, value)]
        var following = request
        let item = QueryItem(name, value)
        if let index = following.query.firstIndex(where: { $0.name == name }) {
            following.query[index] = item
            following.query.removeSubrange((index + 1)...)
            following.query += request.query[(index + 1)...].filter { $0.name != name }
        } else {
            following.query.append(item)
        }
        return following
    }

    private mutating func follow(_ link: String, from request: Request) throws(PagingError) -> Request {
        let following = try request.page(at: link, credentials)
        let known = Set(request.query.map(\.redacted))
        next = (following.redactedQuery ?? "").split(separator: "&").compactMap { item in
            guard !known.contains(String(item)), case (let name, let value?) = FormText.item(item) else { return nil }
            return (name, value)
        }
        return following
    }
}

extension JSONValue {
    /// The value at a path of keys with dots between them, of lists that of the last element; the value itself for an empty path.
    package func value(at path: String) -> JSONValue? {
        path.split(separator: ".").reduce(self as JSONValue?) { value, key in
            (value?.elements.map { Array($0).last } ?? value)?[String(key)]
        }
    }
}

extension Request {
    /// The request for the page that a response links to, with the same credentials. Throws ``PagingError``.
    fileprivate func page(at link: String, _ credentials: [QueryItem]) throws(PagingError) -> Request {
        let redactor = Redactor(self)
        let target: Target
        do { target = try resolve(link, redactor) } catch { throw .invalidLink }
        guard target.base.origin == base.origin else { throw .otherOrigin(redactor.redact(target.base.text)) }
        var next = moved(to: target)
        // A link need not repeat the credentials.
        let names = Set((target.query ?? "").split(separator: "&").map { $0.prefix { $0 != "=" } })
        let missing = credentials.filter { !names.contains(Substring(PercentEncoding.encode($0.name))) }
        let sent = [target.query].compactMap(\.self) + missing.compactMap { try? $0.revealed() }
        next.verbatimQuery = sent.isEmpty ? nil : sent.joined(separator: "&")
        return next
    }
}

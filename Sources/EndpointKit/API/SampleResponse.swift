import JSONText

extension Endpoint {
    /// The recorded sample as a response, or nil if there is none.
    ///
    /// 200 with the sample's content type and length; 204 for an endpoint without a response body.
    package var sampleResponse: Response? { sample.map { response($0.bytes, $0.contentType) } }

    /// The page of the sample's list that `query` asks for, or nil if there is no sample.
    ///
    /// The items are dealt out over three pages, or fewer if there are fewer items; page numbers, totals and what leads to the next page match.
    /// If it is not dealt out, the whole sample gets the number of the page. An endpoint without pages responds with its ``sampleResponse``.
    /// Secrets are not repeated.
    package func samplePage(_ query: [QueryItem], isDealt: Bool = true) -> Response? {
        guard let sample, let pages, method != .head,
            let page = SamplePage(pages, of: sample.bytes, query, isDealt: isDealt)
        else { return sampleResponse }
        var response = response(page.text, sample.contentType)
        response.head.fields += page.link.map { [$0] } ?? []
        return response
    }

    private func response(_ bytes: [UInt8], _ contentType: String) -> Response {
        let body = method == .head ? [] : bytes
        guard !body.isEmpty || !isBodiless else {
            return Response(head: ResponseHead(status: 204, reason: "No Content"), body: [])
        }
        var fields: [ResponseHead.Field] = []
        if !contentType.isEmpty { fields.append(.init("Content-Type", contentType)) }
        fields.append(.init("Content-Length", String(body.count)))
        return Response(head: ResponseHead(status: 200, reason: "OK", fields: fields), body: body)
    }

    /// Whether a successful response is 204 unless said otherwise.
    package var isBodiless: Bool { response.kind == .empty && method != .head }
}

/// One page of a sample's list.
private struct SamplePage {
    private static let maxPages = 3
    /// Names of members beside a list, or beside the number of pages, that count all items.
    private static let totals = ["total", "total-count", "total-items", "total-results"]

    private(set) var text: [UInt8]
    /// The header that leads to the next page; nil if the body does, or if there is none.
    private(set) var link: ResponseHead.Field?
    private var changes: [(range: Range<Int>, text: String)] = []

    /// Nil if the sample is not JSON, or has no list or no cursor where the endpoint declares them.
    init?(_ paging: Paging, of sample: [UInt8], _ query: [QueryItem], isDealt: Bool) {
        guard let root = try? JSONValue(text: sample), let list = root.value(at: paging.items),
            let items = list.elements.map({ Array($0) })
        else { return nil }
        text = sample
        let query = query.filter { !$0.value.holdsSecrets }
        let count = max(1, min(Self.maxPages, items.count))
        func number(_ parameter: String) -> Int {
            max(1, query.last { $0.name == parameter }.flatMap { Int($0.value.description) } ?? 1)
        }
        let scheme = paging.scheme
        var (page, start) = (number(scheme.parameter ?? "page"), 0)
        if let parameter = scheme.parameter, paging.isCounted { set(root[parameter], to: page) }
        guard isDealt else {
            makeChanges()
            return
        }
        var nextLink: String {
            let others = query.filter { $0.name != "page" } + [QueryItem("page", "\(min(page, count) + 1)")]
            return "?" + others.map(\.redacted).joined(separator: "&")
        }
        set(scheme.last.flatMap { root.value(at: $0) }, to: count)
        if let path = scheme.from, let parameter = scheme.parameter {
            let itemPath = paging.items.isEmpty ? "" : paging.items + "."
            if path.hasPrefix(itemPath) {
                let inItem = String(path.dropFirst(itemPath.count))
                let after = query.last { $0.name == parameter }?.value.description
                let last = items.firstIndex { $0.value(at: inItem).map(\.text) == after }
                start = after == nil ? 0 : last.map { $0 + 1 } ?? 0
                page = (1...count).first { start < $0 * items.count / count } ?? count + 1
            } else {
                guard let cursor = root.value(at: path), cursor.elements == nil, cursor.members == nil else {
                    return nil
                }
                let next = page < count ? "\(page + 1)" : cursor.number == nil ? "" : "null"
                replace(cursor, with: cursor.number == nil ? "\"\(next)\"" : next)
            }
        } else if let path = scheme.from {
            guard let link = root.value(at: path), link.isNull || link.string != nil else { return nil }
            if page < count || !link.isNull {
                replace(link, with: JSONValue(page < count ? nextLink : "").description)
            }
        } else if let name = scheme.header {
            link = .init(name, "\(min(page, count) + 1)")
        } else if !paging.isCounted {
            link = .init("Link", "<\(nextLink)>; rel=\"next\"")
        }
        if let more = scheme.more.flatMap({ root.value(at: $0) }), more.bool != nil {
            replace(more, with: "\(page < count)")
        }
        if page >= count { link = nil }
        for path in [paging.items] + paging.valuePaths {
            let parent = path.split(separator: ".").dropLast().joined(separator: ".")
            guard let members = root.value(at: parent)?.members else { continue }
            for (key, value) in members where Self.totals.contains(KebabCase.text(key)) {
                set(value, to: items.count)
            }
        }
        let (from, to) = page > count ? (0, 0) : ((page - 1) * items.count / count, page * items.count / count)
        let dealt = items[max(from, min(start, to))..<to]
        if let first = dealt.first, let last = dealt.last {
            changes.append((items[0].written.startIndex..<first.written.startIndex, ""))
            changes.append((last.written.endIndex..<items[items.count - 1].written.endIndex, ""))
        } else {
            replace(list, with: "[]")
        }
        makeChanges()
    }

    private mutating func makeChanges() {
        for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            text.replaceSubrange(change.range, with: change.text.utf8)
        }
    }

    private mutating func set(_ old: JSONValue?, to number: Int) {
        if let old, old.number != nil { replace(old, with: "\(number)") }
    }

    private mutating func replace(_ old: JSONValue, with text: String) {
        let range = old.written.startIndex..<old.written.endIndex
        if !changes.contains(where: { $0.range.overlaps(range) }) { changes.append((range, text)) }
    }
}

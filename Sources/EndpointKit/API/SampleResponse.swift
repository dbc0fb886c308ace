import JSONText

extension Endpoint {
    /// The recorded sample as a response, or nil if there is none.
    ///
    /// 200 with the sample's content type and length; 204 for an endpoint without a response body.
    package var sampleResponse: Response? { sampleResponse(query: []) }

    /// The sample as the response to a request with that query, or nil if there is none.
    ///
    /// An endpoint with pages responds with the page that the query asks for: a page number in the body becomes that number. Other lists
    /// have two pages, or one and an empty one, so that a client that follows them comes to an end. Secrets are not repeated.
    package func sampleResponse(query: [QueryItem]) -> Response? {
        guard let sample else { return nil }
        var body = method == .head ? [] : sample.bytes
        guard !body.isEmpty || !isBodiless else {
            return Response(head: ResponseHead(status: 204, reason: "No Content"), body: [])
        }
        let link = pages?.turn(&body, to: query.filter { !$0.value.holdsSecrets })
        var fields: [ResponseHead.Field] = []
        if !sample.contentType.isEmpty { fields.append(.init("Content-Type", sample.contentType)) }
        fields.append(.init("Content-Length", String(body.count)))
        if let link { fields.append(link) }
        return Response(head: ResponseHead(status: 200, reason: "OK", fields: fields), body: body)
    }

    /// Whether a successful response is 204 unless said otherwise.
    package var isBodiless: Bool { response.kind == .empty && method != .head }
}

extension Paging {
    /// Makes the body of a sample the page that `query` asks for, and returns the header that leads to the next page; nil if the body does,
    /// or if there is none.
    fileprivate func turn(_ sample: inout [UInt8], to query: [QueryItem]) -> ResponseHead.Field? {
        func value(_ parameter: String) -> String? { query.last { $0.name == parameter }?.value.description }
        switch scheme {
        case .number(let parameter, _):
            let number = value(parameter).flatMap { Int($0) } ?? 1
            // Without its number, the second page would look like the first one: it is the empty one after the end.
            if !Self.replace(parameter, with: "\(number)", in: &sample), number > 1 {
                _ = Self.replace(items, with: "[]", in: &sample)
            }
            return nil
        case .cursor(let parameter, let path):
            if value(parameter) != nil { _ = Self.replace(path, with: "\"\"", in: &sample) }
            return nil
        case .link:
            guard value("page").flatMap({ Int($0) }) ?? 1 <= 1 else { return nil }
            let next = (query.filter { $0.name != "page" } + [QueryItem("page", "2")]).map(\.redacted)
            return .init("Link", "<?\(next.joined(separator: "&"))>; rel=\"next\"")
        case .header(let name, let parameter):
            return value(parameter) == nil ? .init(name, "2") : nil
        }
    }

    /// Puts another value at that path of `text`; false, without a change, unless it has a value of the same kind there.
    private static func replace(_ path: String, with value: String, in text: inout [UInt8]) -> Bool {
        guard let root = (try? JSONDocument(text)).map({ JSONValue($0) }), let old = root.value(at: path) else {
            return false
        }
        let isSameKind =
            switch value.first {
            case "[": old.elements != nil
            case "\"": old.string != nil
            default: old.number != nil
            }
        guard isSameKind else { return false }
        text = Array(text[..<old.written.startIndex] + value.utf8 + text[old.written.endIndex...])
        return true
    }
}

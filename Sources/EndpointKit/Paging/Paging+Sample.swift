import JSONText

extension Paging {
    /// A page that is made from a sample.
    package struct SamplePage: Equatable {
        package let body: [UInt8]
        /// The header that leads to the next page; nil if the body does, or if there is none.
        package let header: ResponseHead.Field?
    }

    /// The sample as the page that a request asks for.
    ///
    /// A page number in the body becomes the one that was asked for; other lists have two pages, or one and an empty one, so that a client
    /// that follows them comes to an end.
    ///
    /// - Parameters:
    ///   - query: The request's query as it was sent; nil if it has none.
    ///   - items: The same, decoded.
    package func page(of sample: [UInt8], query: String?, items: [(name: String, value: String)]) -> SamplePage {
        func value(_ parameter: String) -> String? { items.last { $0.name == parameter }?.value }
        switch scheme {
        case .number(let parameter, _):
            let number = value(parameter).flatMap { Int($0) } ?? 1
            if let body = Self.replacing(parameter, with: "\(number)", in: sample) {
                return SamplePage(body: body, header: nil)
            }
            // Without its number, the second page would look like the first one: it is the empty one after the end.
            let end = number > 1 ? Self.replacing(self.items, with: "[]", in: sample) : nil
            return SamplePage(body: end ?? sample, header: nil)
        case .cursor(let parameter, let path):
            let end = value(parameter) != nil ? Self.replacing(path, with: "\"\"", in: sample) : nil
            return SamplePage(body: end ?? sample, header: nil)
        case .link:
            let next = [query, "page=2"].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "&")
            let isLast = value("page").flatMap { Int($0) } ?? 1 > 1
            return SamplePage(body: sample, header: isLast ? nil : .init("Link", "<?\(next)>; rel=\"next\""))
        case .header(let name, let parameter):
            return SamplePage(body: sample, header: value(parameter) == nil ? .init(name, "2") : nil)
        }
    }

    /// `text` with another value at that path; nil unless it has a value of the same kind there.
    private static func replacing(_ path: String, with value: String, in text: [UInt8]) -> [UInt8]? {
        guard let root = (try? JSONDocument(text)).map({ JSONValue($0) }), let old = root.value(at: path) else {
            return nil
        }
        let isSameKind =
            switch value.first {
            case "[": old.elements != nil
            case "\"": old.string != nil
            default: old.number != nil
            }
        guard isSameKind else { return nil }
        return Array(text[..<old.written.startIndex] + value.utf8 + text[old.written.endIndex...])
    }
}

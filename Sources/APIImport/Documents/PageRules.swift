import EndpointKit

/// Finds out how a list is divided into pages, as far as the names of parameters and fields tell.
struct PageRules {
    private let operation: ImportedOperation
    /// The fields of the response; empty if it is a list.
    private let fields: [InferredModel.Property]

    init(_ operation: ImportedOperation) {
        self.operation = operation
        fields = operation.response?.unwrapped.type.model?.fields ?? []
    }

    /// The usual keys of a list of items.
    private static let listKeys = ["data", "items", "results"]

    /// The Swift text of the pages, such as `.number("page", items: "results")`; nil if there are none.
    var paging: String? {
        guard operation.method == "GET", let items = itemsKey else { return nil }
        if operation.hasLinkHeader { return items.isEmpty ? ".link()" : ".link(items: \"\(items)\")" }
        if let cursor = lastItemCursor(items) { return cursor }
        if let next = field("next_page_uri", "next_page_url", "nextPageUrl") {
            return ".link(from: \"\(next)\", items: \"\(items)\")"
        }
        if let cursor = tokenCursor(items) { return cursor }
        guard let page = parameter("page", isInteger: true) else { return nil }
        let last = field("total_pages", "totalPages", "page_count", "last_page").map { "last: \"\($0)\", " } ?? ""
        return ".number(\"\(page)\", \(last)items: \"\(items)\")"
    }

    /// The key of the list of items; empty if the response is the list itself, and nil if there is none.
    private var itemsKey: String? {
        guard let response = operation.response?.unwrapped.type else { return nil }
        if case .array = response { return "" }
        guard let list, list.key.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }) else { return nil }
        return list.key
    }

    /// The field with the items: `data`, `items` or `results`, or else the first list.
    ///
    /// The field is nil if the response has no list, or more than two, because then nothing tells which one is meant.
    private var list: InferredModel.Property? {
        let lists = fields.filter { if case .array = $0.type { true } else { false } }
        if lists.count > 2 { return nil }
        return lists.first { Self.listKeys.contains($0.key) } ?? lists.first
    }

    /// Returns the first of some keys that is a field of the response; nil if none is.
    private func field(_ keys: String...) -> String? { keys.first { key in fields.contains { $0.key == key } } }

    /// Returns the first of some keys that is a parameter of the query; nil if none is.
    private func parameter(_ keys: String..., isInteger: Bool = false) -> String? {
        keys.first { key in
            operation.text.parameters.contains { parameter in
                parameter.place == .query && parameter.key == key && (!isInteger || parameter.type == .integer)
            }
        }
    }

    /// Returns the Swift text of pages that go on after the identifier of the last item, as Stripe has them.
    ///
    /// - Returns: The text; nil unless there are a parameter `starting_after`, a field `has_more`, and an `id` in each
    ///   item.
    private func lastItemCursor(_ items: String) -> String? {
        let itemFields = list?.type.leaf.model?.fields ?? []
        guard let after = parameter("starting_after"), let more = field("has_more"),
            itemFields.contains(where: { $0.key == "id" })
        else { return nil }
        return ".cursor(\"\(after)\", from: \"\(items).id\", more: \"\(more)\", items: \"\(items)\")"
    }

    /// Returns the Swift text of pages that go on with a token of the response, such as `next_page_token`.
    ///
    /// - Returns: The text; nil if the response has no such field, or the query no parameter for the token.
    private func tokenCursor(_ items: String) -> String? {
        let next = field(
            "next_page_token", "nextPageToken", "next_cursor", "nextCursor", "next_token", "nextToken")
        let cursor = parameter("page_token", "pageToken", "cursor", "next_token", "nextToken", "next_cursor")
        guard let next, let cursor else { return nil }
        return ".cursor(\"\(cursor)\", from: \"\(next)\", items: \"\(items)\")"
    }
}

import EndpointKit
import JSONText

/// Finds out how an operation divides its list into pages, by the names of its parameters and of the response's fields.
///
/// ``PageWords`` has these names.
struct PageRules {
    /// A field of the response.
    private struct Field {
        /// The path to the field: `meta.next_page`.
        let path: String
        /// The key of the field as one word: `nextpage`.
        let word: String
        let type: InferredType
    }

    /// Objects inside of more objects than this are not searched for fields that lead to the next page.
    private static let maxDepth = 2
    /// The usual keys of a list of items.
    private static let listKeys = ["data", "items", "results"]

    private let operation: ImportedOperation
    /// The fields of the response; empty if it is a list.
    private let fields: [InferredModel.Property]
    /// The fields of the response, and those of the objects in it that describe pages.
    private let pageFields: [Field]

    init(_ operation: ImportedOperation) {
        self.operation = operation
        let model = operation.response?.unwrapped.type.model
        fields = model?.fields ?? []
        pageFields = model.map { Self.pageFields(of: $0, path: "", depth: 0) } ?? []
    }

    /// Returns the fields of a model. A field that describes pages, such as `meta`, is followed by the fields in it.
    ///
    /// - Parameters:
    ///   - model: The model of the response, or of an object in it.
    ///   - path: The path to the model, with a dot at its end; empty for the response.
    ///   - depth: The number of models around it.
    private static func pageFields(of model: InferredModel, path: String, depth: Int) -> [Field] {
        var fields: [Field] = []
        for property in model.fields where isPathStep(property.key) {
            let field = Field(path: path + property.key, word: PageWords.word(property.key), type: property.type)
            fields.append(field)
            let describesPages = PageWords.containers.contains(field.word)
            if describesPages, depth < maxDepth, let innerModel = property.type.model {
                fields += pageFields(of: innerModel, path: field.path + ".", depth: depth + 1)
            }
        }
        return fields
    }

    /// Whether a key can be a step of a path such as `meta.next_page`.
    private static func isPathStep(_ key: String) -> Bool {
        key.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
    }

    // MARK: Pages

    /// The declaration of the pages in Swift, such as `.number("page", items: "results")`; nil if there are none.
    ///
    /// The first way of dividing a list counts whose parameters and fields the operation has.
    var paging: String? {
        guard operation.method == "GET", let itemsKey else { return nil }
        let declaration =
            linkHeader ?? pagesAfterLastItem(itemsKey: itemsKey) ?? pagesByLink ?? pagesByToken ?? pagesByNumber
            ?? pagesByOffset
        return declaration?.text(itemsPath: itemsKey)
    }

    /// Pages by a header `Link` (RFC 8288); nil if no response has this header.
    private var linkHeader: PagingDeclaration? { operation.hasLinkHeader ? .linkHeader : nil }

    /// Returns pages that begin after the identifier of the last item, as Stripe has them.
    ///
    /// `.cursor("starting_after", from: "data.id", more: "has_more", items: "data")`
    ///
    /// - Parameter itemsKey: The key of the list of items.
    /// - Returns: The declaration; nil unless there are a parameter `starting_after`, a field `has_more`, and an `id`
    ///   in each item.
    private func pagesAfterLastItem(itemsKey: String) -> PagingDeclaration? {
        let itemFields = list?.type.leaf.model?.fields ?? []
        // Names are compared as single words, without the `_` of `starting_after`.
        guard let parameter = queryParameter(calledLike: ["startingafter"]),
            let morePath = fieldPath(calledLike: ["hasmore"], kind: .boolean),
            itemFields.contains(where: { $0.key == "id" })
        else { return nil }
        return .cursor(parameter: parameter, path: "\(itemsKey).id", morePath: morePath)
    }

    /// Pages by a field that holds the URL of the next one, such as `next_url`; nil if there is no such field.
    ///
    /// A field called `next` does not count, because it may hold a text that is no URL.
    private var pagesByLink: PagingDeclaration? {
        let unambiguousWords = PageWords.links.subtracting(PageWords.cursors)
        guard let path = fieldPath(calledLike: unambiguousWords, kind: .string) else { return nil }
        return .link(path: path)
    }

    /// Pages by a field that identifies the next one, such as `next_page_token`.
    ///
    /// It is nil if there is no such field, or no parameter that takes its value. A field called `next` does not count,
    /// because it may hold a URL.
    private var pagesByToken: PagingDeclaration? {
        let unambiguousWords = PageWords.cursors.subtracting(PageWords.links)
        guard let path = fieldPath(calledLike: unambiguousWords, kind: .string),
            let parameter = queryParameter(calledLike: PageWords.cursorItems)
        else { return nil }
        return .cursor(parameter: parameter, path: path)
    }

    /// Pages with numbers: `.number("page", items: "results")`; nil if no parameter is the number of a page.
    private var pagesByNumber: PagingDeclaration? {
        guard let parameter = queryParameter(calledLike: PageWords.numberItems, type: .integer) else { return nil }
        return .number(parameter: parameter, lastPath: fieldPath(calledLike: PageWords.lastPages, kind: .number))
    }

    /// Pages that begin after a number of items: `.offset("offset", limit: "limit", items: "results")`.
    ///
    /// It is nil unless one parameter is that number, and another one is the number of items of a page.
    private var pagesByOffset: PagingDeclaration? {
        guard let offset = queryParameter(calledLike: PageWords.offsetItems, type: .integer),
            let limit = queryParameter(calledLike: PageWords.limitItems, type: .integer)
        else { return nil }
        let totalPath = fieldPath(calledLike: PageWords.totals, kind: .number)
        return .offset(parameter: offset, limitParameter: limit, totalPath: totalPath)
    }

    // MARK: Fields and parameters

    /// The key of the list of items; empty if the response is the list itself, and nil if there is none.
    private var itemsKey: String? {
        guard let response = operation.response?.unwrapped.type else { return nil }
        if case .array = response { return "" }
        guard let list, Self.isPathStep(list.key) else { return nil }
        return list.key
    }

    /// The field with the items: `data`, `items` or `results`, or else the first list.
    ///
    /// It is nil if the response has no list, or more than two: nothing then tells which one has the items.
    private var list: InferredModel.Property? {
        let lists = fields.filter { if case .array = $0.type { true } else { false } }
        if lists.count > 2 { return nil }
        return lists.first { Self.listKeys.contains($0.key) } ?? lists.first
    }

    /// Returns the path to the first field with one of some names, and with values of a kind; nil if there is none.
    ///
    /// - Parameters:
    ///   - words: The names as single words, such as `nextpage` for `next_page`.
    ///   - kind: The kind of the values in JSON.
    private func fieldPath(calledLike words: Set<String>, kind: JSONDocument.Kind) -> String? {
        pageFields.first { words.contains($0.word) && $0.type.jsonKind == kind }?.path
    }

    private var queryParameters: [EndpointText.Parameter] { operation.text.parameters.filter { $0.place == .query } }

    /// Returns the key of the first query parameter with one of some names; nil if there is none.
    ///
    /// - Parameters:
    ///   - words: The names as single words, such as `pagenumber` for `page_number`.
    ///   - type: The type that the parameter must have; nil if it may have any.
    private func queryParameter(calledLike words: Set<String>, type: InferredType? = nil) -> String? {
        let matchingParameter = queryParameters.first { parameter in
            let hasType = type == nil || parameter.type == type
            return hasType && words.contains(PageWords.word(parameter.key))
        }
        return matchingParameter?.key
    }
}

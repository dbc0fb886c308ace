/// A way in which an endpoint divides its list into pages, as Swift declares it with the argument `pages:`.
///
/// A path leads to a member of the response: `meta.next`. A parameter is the name of a query item.
enum PagingDeclaration {
    /// The header `Link: <…>; rel="next"` of the response has the URL of the next page (RFC 8288).
    case linkHeader
    /// A member of the response holds the URL of the next page.
    case link(path: String)
    /// A header of the response holds the number of the next page, which the query item takes.
    case header(name: String, parameter: String)
    /// A member of the response holds a text that identifies the next page, which the query item takes.
    ///
    /// Another member may say whether there is a next page. Without one, `morePath` is nil.
    case cursor(parameter: String, path: String, morePath: String? = nil)
    /// A query item holds the number of the page. `lastPath` leads to the number of the last page; nil without one.
    case number(parameter: String, lastPath: String?)
    /// Query items hold the number of items before the page, and the number of items of a page.
    ///
    /// `totalPath` leads to the number of all items; nil if the response does not have it.
    case offset(parameter: String, limitParameter: String, totalPath: String?)

    /// Returns the declaration in Swift: `.cursor("cursor", from: "next_cursor", items: "results")`.
    ///
    /// - Parameter itemsPath: The path to the list of items; empty if the response itself is the list.
    func text(itemsPath: String) -> String {
        let function: String
        var arguments: [String]
        switch self {
        case .linkHeader:
            // Without arguments, `.link()` means the header, and takes the whole response as the list of items.
            if itemsPath.isEmpty { return ".link()" }
            function = "link"
            arguments = []
        case .link(let path):
            function = "link"
            arguments = [Self.argument("from", value: path)]
        case .header(let name, let parameter):
            function = "header"
            arguments = [SwiftLiteral.string(name), Self.argument("parameter", value: parameter)]
        case .cursor(let parameter, let path, let morePath):
            function = "cursor"
            arguments = [SwiftLiteral.string(parameter), Self.argument("from", value: path)]
            if let morePath { arguments.append(Self.argument("more", value: morePath)) }
        case .number(let parameter, let lastPath):
            function = "number"
            arguments = [SwiftLiteral.string(parameter)]
            if let lastPath { arguments.append(Self.argument("last", value: lastPath)) }
        case .offset(let parameter, let limitParameter, let totalPath):
            function = "offset"
            arguments = [SwiftLiteral.string(parameter), Self.argument("limit", value: limitParameter)]
            if let totalPath { arguments.append(Self.argument("total", value: totalPath)) }
        }
        arguments.append(Self.argument("items", value: itemsPath))
        return ".\(function)(\(arguments.joined(separator: ", ")))"
    }

    /// Returns an argument whose value is a string literal: `items: "results"`.
    private static func argument(_ label: String, value: String) -> String {
        "\(label): \(SwiftLiteral.string(value))"
    }
}

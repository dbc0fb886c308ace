import JSONText

/// An operation of GraphQL that a request asks for. All of a server's operations have one URL (GraphQL over HTTP,
/// section 5.4).
///
///     {"operationName": "Users", "query": "query Users { users { id } }", "variables": {"first": 10}}
struct GraphQLOperation: Hashable {
    /// The text of the query, mutation or subscription.
    let query: String
    /// The words of its name, or of its first field without a name.
    let words: [String]

    private static let keys: Set<String> = ["extensions", "operationName", "query", "variables"]

    /// Finds the operation in the members of a JSON body; nil if they are no request of GraphQL.
    init?(_ members: [(key: String, value: JSONValue)]) {
        let byKey = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        guard Set(byKey.keys).isSubset(of: Self.keys), let query = byKey["query"]?.string else { return nil }
        let text = query.unicodeScalars.drop { $0.properties.isWhitespace }
        let keyword = String(text.prefix(while: Self.isNamePart))
        guard text.first == "{" || ["fragment", "mutation", "query", "subscription"].contains(keyword) else {
            return nil
        }
        self.query = query
        let name = byKey["operationName"]?.string ?? Self.firstName(text.dropFirst(keyword.unicodeScalars.count))
        words = SwiftNames.words(name)
    }

    /// Returns the name of an operation, or of its first field if it has none: `Users` of ` Users { users }`, and `users`
    /// of `($first: Int) { users }`.
    private static func firstName(_ text: Substring.UnicodeScalarView) -> String {
        let start = text.drop { $0.properties.isWhitespace }
        let isNamed = start.first.map(isNamePart) ?? false
        let name = isNamed ? start : start.drop { $0 != "{" }.drop { !isNamePart($0) }
        return String(name.prefix(while: isNamePart))
    }

    /// A letter, digit or `_` (GraphQL, section 2.1.9).
    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}

import JSONText

/// The GraphQL operation in a request. All operations of a server have the same URL (GraphQL over HTTP, section 5.4).
///
///     {"operationName": "Users", "query": "query Users { users { id } }", "variables": {"first": 10}}
struct GraphQLOperation: Hashable {
    /// The text of the query, mutation or subscription.
    let query: String
    /// The words of the operation's name, or else of its first field.
    let words: [String]

    /// The keys that the body of a request for an operation can have.
    private static let keys: Set<String> = ["extensions", "operationName", "query", "variables"]

    /// Finds the operation in the members of a JSON body. Fails if the body is no request for a GraphQL operation.
    init?(_ members: [(key: String, value: JSONValue)]) {
        // If a key comes twice, its first value counts.
        let valuesByKey = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        let hasOnlyKnownKeys = Set(valuesByKey.keys).isSubset(of: Self.keys)
        guard hasOnlyKnownKeys, let query = valuesByKey["query"]?.string else { return nil }
        let text = query.unicodeScalars.drop { $0.properties.isWhitespace }
        let keyword = String(text.prefix(while: Self.isNamePart))
        // A query without a keyword begins with its fields: `{ user { name } }`.
        let beginsLikeOperation =
            text.first == "{" || ["fragment", "mutation", "query", "subscription"].contains(keyword)
        guard beginsLikeOperation else { return nil }
        self.query = query
        let textAfterKeyword = text.dropFirst(keyword.unicodeScalars.count)
        let name = valuesByKey["operationName"]?.string ?? Self.firstName(textAfterKeyword)
        words = SwiftNames.words(name)
    }

    /// Returns the name of an operation, or else the name of its first field.
    ///
    /// ` Users { users }` → `Users`, `($first: Int) { users }` → `users`
    ///
    /// - Parameter text: The operation, without the keyword at its start.
    private static func firstName(_ text: Substring.UnicodeScalarView) -> String {
        let start = text.drop { $0.properties.isWhitespace }
        let isNamed = start.first.map(isNamePart) ?? false
        let name = isNamed ? start : start.drop { $0 != "{" }.drop { !isNamePart($0) }
        return String(name.prefix(while: isNamePart))
    }

    /// Whether a scalar can be in a name: a letter, a digit or `_` (GraphQL, section 2.1.9).
    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}

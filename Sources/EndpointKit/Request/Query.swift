#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One `name=value` of a query or a form.
public struct QueryItem: Sendable, Hashable {
    /// The name, not yet percent-encoded.
    public var name: String
    /// The value, not yet percent-encoded.
    public var value: SensitiveText

    /// An item of that name and value, both encoded when they are sent.
    package init(_ name: String, _ value: SensitiveText) {
        self.name = name
        self.value = value
    }

    /// An item whose value holds no secret.
    public init(_ name: String, _ value: String) {
        self.init(name, SensitiveText(value))
    }

    /// `name=value`, percent-encoded, with `(redacted)` in place of secrets.
    package var redacted: String {
        encodedName
            + value.pieces.map { piece in
                let text = SensitiveText([piece]).description
                return piece.isSecret ? text : PercentEncoding.encode(text)
            }.joined()
    }

    /// `name=value`, percent-encoded. Throws ``MissingCredential`` if a secret has no value.
    package func revealed() throws(MissingCredential) -> String {
        encodedName + PercentEncoding.encode(try value.reveal())
    }

    private var encodedName: String { PercentEncoding.encode(name) + "=" }
}

extension Endpoint {
    /// A query or form in declaration order; nil values are omitted, and an array repeats its name.
    ///
    ///     query: ["page": page, "match[]": ["up", "node_load1"], "ids": ids.joined(by: ","), "filter": ["colour": "red"]]
    ///
    /// A dictionary becomes `filter[colour]=red`; `Query(dictionary)` takes its keys as names. Everything except unreserved characters is
    /// percent-encoded, including `+` and space, so that servers decode the same text whether they treat `+` as a space or not.
    public struct Query: Sendable, ExpressibleByDictionaryLiteral {
        /// The values of a literal stay as they are until they are needed: a listing does without their texts.
        private enum Content {
            case items([QueryItem])
            case literal([(String, (any ParameterValue)?)])
        }

        private var content: Content

        /// The items; a name may occur more than once.
        package var items: [QueryItem] {
            get {
                switch content {
                case .items(let items): items
                case .literal(let elements): elements.flatMap { name, value in value?.queryItems(named: name) ?? [] }
                }
            }
            set { content = .items(newValue) }
        }

        /// These items, in that order.
        package init(_ items: [QueryItem] = []) { content = .items(items) }

        /// An item for each key, sorted by their names; none for nil.
        public init(_ dictionary: [String: some ParameterValue]?) {
            self.init((dictionary ?? [:]).sorted { $0.key < $1.key }.flatMap { $0.value.queryItems(named: $0.key) })
        }

        /// The items of a literal `[name: value]`: none for nil, one per element for an array.
        public init(dictionaryLiteral elements: (String, (any ParameterValue)?)...) {
            content = .literal(elements)
        }

        /// The items of both, one after the other.
        package static func + (one: Query, other: Query) -> Query { Query(one.items + other.items) }
    }
}

/// One `name=value` of a query or a form.
public struct QueryItem: Sendable, Hashable {
    /// The name, not yet percent-encoded.
    package var name: String
    /// The value, not yet percent-encoded.
    package var value: SensitiveText

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
        /// The values stay as they are until they are needed: a listing does without their texts.
        private let elements: [(name: String, value: any ParameterValue)]

        /// The items in requests of an API with that coding; a name may occur more than once.
        package func items(_ coding: Coding) -> [QueryItem] {
            elements.flatMap { $0.value.queryItems(named: $0.name, coding: coding) }
        }

        private init(_ elements: [(name: String, value: any ParameterValue)]) { self.elements = elements }

        package init(_ items: [QueryItem]) {
            elements = items.map { item in (item.name, MadeItems { _, _ in [item] }) }
        }

        /// An item for each key, sorted by their names; none for nil.
        public init(_ dictionary: [String: some ParameterValue]?) {
            elements = (dictionary ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }

        /// The items of a literal `[name: value]`: none for nil, one per element for an array.
        public init(dictionaryLiteral elements: (String, (any ParameterValue)?)...) {
            self.elements = elements.compactMap { name, value in value.map { (name, $0) } }
        }

        package static func + (one: Query, other: Query) -> Query { Query(one.elements + other.elements) }
    }
}

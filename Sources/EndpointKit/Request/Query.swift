import JSONText

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

extension QueryItem {
    /// The items of a value: one for a scalar, one for each element of a list of scalars, `name[key]` for what is nested.
    static func items(
        _ name: String, _ value: any Encodable & Sendable, _ coding: Coding, isIndexed: Bool
    ) throws -> [QueryItem] {
        // To find out that one of these conforms to a protocol takes longer.
        if type(of: value) == String.self, let value = value as? String { return [QueryItem(name, value)] }
        if type(of: value) == Int.self, let value = value as? Int { return [QueryItem(name, "\(value)")] }
        if let value = value as? any ScalarParameter { return [QueryItem(name, value.parameterText(coding))] }
        guard let list = value as? [any ScalarParameter] else {
            return items(name, try JSONValue(text: coding.encode(value)), isIndexed: isIndexed)
        }
        return list.enumerated().map { index, element in
            QueryItem(isIndexed ? "\(name)[\(index)]" : name, element.parameterText(coding))
        }
    }

    /// The items of a value in JSON: `items[0][price]` for what is nested. Without a name, those of its members.
    ///
    /// A list of scalars repeats its name unless `isIndexed`; one with lists or objects in it always has the positions.
    package static func items(_ name: String?, _ value: JSONValue, isIndexed: Bool) -> [QueryItem] {
        var items: [QueryItem] = []
        // Without recursion, because the value may be nested deeply; the last one is the next.
        var open = [(name: name, value: value)]
        while let (name, value) = open.popLast() {
            if let members = value.members {
                open += members.map { key, value in (name.map { "\($0)[\(key)]" } ?? key, value) }.reversed()
            } else if let elements = value.elements {
                let hasPositions = isIndexed || elements.contains { $0.members != nil || $0.elements != nil }
                open += elements.enumerated().map { index, value in
                    (hasPositions ? "\(name ?? "")[\(index)]" : name, value)
                }.reversed()
            } else {
                items.append(QueryItem(name ?? "", value.isNull ? "" : value.text))
            }
        }
        return items
    }
}

extension QueryItem {
    /// Deeper names are taken as they are: a hostile one could have any number of keys.
    private static let maxKeys = 64

    /// The keys of a name such as `items[0][price]`: `items`, `0`, `price`; the name itself if it has another form.
    package static func keys(of name: String) -> [String] {
        let parts = name.utf8.split(separator: UInt8(ascii: "["), omittingEmptySubsequences: false)
        let inner = parts.dropFirst()
        guard parts.count <= maxKeys, inner.allSatisfy({ $0.last == UInt8(ascii: "]") }) else { return [name] }
        return parts.prefix(1).map { String(Substring($0)) } + inner.map { String(Substring($0.dropLast())) }
    }
}

extension Endpoint {
    /// A query or form in declaration order; nil values are omitted, and an array repeats its name.
    ///
    ///     query: ["page": page, "match[]": ["up", "node_load1"], "ids": ids.joined(by: ","), "filter": ["colour": "red"]]
    ///
    /// What is nested has its keys in brackets: `filter[colour]=red`, `items[0][price]=5`. Everything except unreserved characters is
    /// percent-encoded, including `+` and space, so that servers decode the same text whether they treat `+` as a space or not.
    public struct Query: Sendable, ExpressibleByDictionaryLiteral {
        /// The values stay as they are until they are needed: a listing does without their texts.
        private let parts: [@Sendable (_ coding: Coding, _ isIndexed: Bool) throws -> [QueryItem]]

        /// The items in requests of an API with that coding; a name may occur more than once. Throws `EncodingError`.
        package func items(_ coding: Coding) throws -> [QueryItem] { try parts.flatMap { try $0(coding, false) } }

        package init(_ items: [QueryItem]) { parts = [{ _, _ in items }] }

        /// The members of a dictionary or structure as items, in the order of its JSON; none for nil.
        public init(_ value: (some Encodable & Sendable)?) {
            parts = [value].compactMap(\.self).map { value in
                { coding, isIndexed in
                    let json = try JSONValue(text: coding.encode(value))
                    if json.members != nil { return QueryItem.items(nil, json, isIndexed: isIndexed) }
                    let problem = "A query or form is made of a value with names, such as a structure or dictionary."
                    throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: problem))
                }
            }
        }

        /// The items of a literal `[name: value]`: none for nil, one per element for an array of scalars.
        public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
            var parts: [@Sendable (Coding, Bool) throws -> [QueryItem]] = []
            for case (let name, let value?) in elements {
                parts.append { try QueryItem.items(name, value, $0, isIndexed: $1) }
            }
            self.parts = parts
        }

        private init(parts: [@Sendable (Coding, Bool) throws -> [QueryItem]]) { self.parts = parts }

        /// The same items with the positions of all arrays: `expand[0]=customer&expand[1]=charges`.
        public static func indexed(_ query: Query) -> Query {
            Query(parts: query.parts.map { part in { coding, _ in try part(coding, true) } })
        }

        /// The items of both.
        public static func + (one: Query, other: Query) -> Query { Query(parts: one.parts + other.parts) }
    }
}

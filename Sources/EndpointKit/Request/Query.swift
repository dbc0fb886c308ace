import JSONText

/// One `name=value` of a query or a form.
public struct QueryItem: Sendable, Hashable {
    /// The name, not percent-encoded.
    public var name: String
    /// The value, not percent-encoded. Its secrets are kept apart from its text.
    package var content: SensitiveText
    /// The whole item as it is sent, if its delimiters must not be percent-encoded: `color=blue,black`. It holds no
    /// secret. Nil if name and value are encoded when the item is sent.
    package private(set) var encodedText: String?

    /// Creates an item whose name and value are percent-encoded when they are sent.
    package init(_ name: String, _ content: SensitiveText) {
        self.name = name
        self.content = content
    }

    /// Creates an item whose value holds no secret. Name and value are percent-encoded when they are sent.
    public init(_ name: String, _ value: String) {
        self.init(name, SensitiveText(value))
    }

    /// Creates an item from text that is percent-encoded already, so that delimiters such as `,` stay as they are.
    ///
    ///     QueryItem("color", "blue,black", encodedText: "color=blue,black")
    ///
    /// - Parameters:
    ///   - name: The name, not percent-encoded.
    ///   - value: The value, not percent-encoded, for whatever shows or compares it.
    ///   - encodedText: The item as it is sent.
    package init(_ name: String, _ value: String, encodedText: String) {
        self.init(name, SensitiveText(value))
        self.encodedText = encodedText
    }

    /// The value, not percent-encoded, with `(redacted)` in place of secrets.
    public var value: String { content.description }

    /// `name=value`, percent-encoded, with `(redacted)` in place of secrets.
    package var redacted: String {
        if let encodedText { return encodedText }
        var item = encodedName
        for piece in content.pieces {
            let text = SensitiveText([piece]).description
            item += piece.isSecret ? text : PercentEncoding.encode(text)
        }
        return item
    }

    /// The item as ``redacted`` shows it, with `(redacted)` also in place of secrets that were given as plain text, if
    /// ``SecretRules`` finds them.
    var redactedByRules: String { content.holdsSecrets ? redacted : SecretRules.redacted(query: redacted) }

    /// Returns `name=value` as it is sent, percent-encoded.
    ///
    /// - Throws: ``MissingCredential`` if a secret has no value.
    package func revealed() throws(MissingCredential) -> String {
        if let encodedText { return encodedText }
        return encodedName + PercentEncoding.encode(try content.reveal())
    }

    /// The name, percent-encoded, and the `=` after it.
    private var encodedName: String { PercentEncoding.encode(name) + "=" }
}

extension QueryItem {
    /// Returns the items that a parameter has in a query.
    ///
    ///     page: 2                   →    page=2
    ///     tags: ["a", "b"]          →    tags=a&tags=b, or tags[0]=a&tags[1]=b if `isIndexed`
    ///     pet: {"name": "Rex"}      →    pet[name]=Rex
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - value: The value of the parameter.
    ///   - coding: How the API writes JSON and dates.
    ///   - isIndexed: Whether the elements of lists have their positions: `name[0]`.
    /// - Throws: `EncodingError` for a value without a JSON form.
    static func items(
        _ name: String, _ value: any Encodable & Sendable, coding: Coding, isIndexed: Bool
    ) throws -> [QueryItem] {
        // The most frequent types come first, because a test for conformance to a protocol takes longer.
        if type(of: value) == String.self, let text = value as? String { return [QueryItem(name, text)] }
        if type(of: value) == Int.self, let number = value as? Int { return [QueryItem(name, "\(number)")] }
        if let scalar = value as? any ScalarParameter { return [QueryItem(name, scalar.parameterText(coding))] }
        guard let list = value as? [any ScalarParameter] else {
            let json = try JSONValue(text: coding.encode(value))
            return items(name, json, isIndexed: isIndexed)
        }
        return list.enumerated().map { index, element in
            let elementName = isIndexed ? "\(name)[\(index)]" : name
            return QueryItem(elementName, element.parameterText(coding))
        }
    }

    /// Returns the query items of a value in JSON, which may be nested.
    ///
    ///     cart: {"items": [{"price": 5}], "note": null}    →    cart[items][0][price]=5, cart[note]=
    ///     ids: [7, 8]                                      →    ids=7, ids=8
    ///
    /// - Parameters:
    ///   - name: The name of the parameter. Nil makes each of the value's members a parameter.
    ///   - value: The value of the parameter.
    ///   - isIndexed: Whether the elements of a list of scalars have their positions: `ids[0]=7`. A list that has lists
    ///     or objects in it always has the positions.
    package static func items(_ name: String?, _ value: JSONValue, isIndexed: Bool) -> [QueryItem] {
        var items: [QueryItem] = []
        // A stack in place of recursion, because the value may be nested deeply. Its last entry is handled next, so the
        // first part of a value is put on it last.
        var stack = [(name: name, value: value)]
        while let (name, value) = stack.popLast() {
            if let parts = namedParts(of: value, name: name, isIndexed: isIndexed) {
                stack += parts.reversed()
            } else {
                // Only a scalar that is not a member of anything has no name. Its item has an empty one.
                items.append(QueryItem(name ?? "", value.isNull ? "" : value.text))
            }
        }
        return items
    }

    /// Returns the members of an object, or the elements of a list, each with its name in a query.
    ///
    ///     cart: {"size": 5}    →    cart[size]: 5
    ///     ids: [7, 8]          →    ids: 7, ids: 8, or ids[0]: 7, ids[1]: 8 if `isIndexed`
    ///
    /// - Parameters:
    ///   - value: The value of a parameter, or a part of it.
    ///   - name: The name of the value; nil for a value whose members are the parameters.
    ///   - isIndexed: Whether the elements of a list of scalars have their positions.
    /// - Returns: The parts in order. Nil for a value that is neither an object nor a list.
    private static func namedParts(
        of value: JSONValue, name: String?, isIndexed: Bool
    ) -> [(name: String?, value: JSONValue)]? {
        if let members = value.members {
            return members.map { key, member in
                let memberName = if let name { "\(name)[\(key)]" } else { key }
                return (name: memberName, value: member)
            }
        }
        guard let elements = value.elements else { return nil }
        let hasPositions = isIndexed || elements.contains { $0.members != nil || $0.elements != nil }
        return elements.enumerated().map { index, element in
            let elementName = hasPositions ? "\(name ?? "")[\(index)]" : name
            return (name: elementName, value: element)
        }
    }
}

extension QueryItem {
    /// The greatest number of keys that a name is split into. A hostile name could have any number.
    private static let maxKeys = 64

    /// Returns the keys of a name such as `items[0][price]`: `items`, `0`, `price`.
    ///
    /// - Returns: The keys. The name itself if it has another form, or more than 64 keys.
    package static func keys(of name: String) -> [String] {
        let bracketedKeys = name.utf8.split(separator: UInt8(ascii: "["), omittingEmptySubsequences: false)
        guard let firstKey = bracketedKeys.first, bracketedKeys.count <= maxKeys else { return [name] }
        var keys = [String(Substring(firstKey))]
        for bracketedKey in bracketedKeys.dropFirst() {
            guard bracketedKey.last == UInt8(ascii: "]") else { return [name] }
            keys.append(String(Substring(bracketedKey.dropLast())))
        }
        return keys
    }
}

extension Endpoint {
    /// A query or form in declaration order. A value that is nil is omitted, and an array repeats its name.
    ///
    ///     query: [
    ///         "page": page, "match[]": ["up", "node_load1"], "ids": ids.joined(by: ","), "filter": ["colour": "red"],
    ///     ]
    ///
    /// A nested value has its keys in brackets: `filter[colour]=red`, `items[0][price]=5`. Everything except unreserved
    /// characters is percent-encoded, including `+` and space, so that servers decode the same text whether they treat
    /// `+` as a space or not.
    public struct Query: Sendable, ExpressibleByDictionaryLiteral {
        /// Makes the items of one parameter. It is called only for a request, because a listing of endpoints does
        /// without the items.
        private typealias ItemMaker = @Sendable (_ coding: Coding, _ isIndexed: Bool) throws -> [QueryItem]

        /// The functions that make the items, in the order of the items.
        private let itemMakers: [ItemMaker]

        /// Returns the items in order. A name may occur more than once.
        ///
        /// - Parameter coding: How the API writes JSON and dates.
        /// - Throws: `EncodingError` for a value without a JSON form.
        package func items(_ coding: Coding) throws -> [QueryItem] {
            try itemMakers.flatMap { makeItems in try makeItems(coding, false) }
        }

        /// Creates a query of finished items.
        package init(_ items: [QueryItem]) { itemMakers = [{ _, _ in items }] }

        /// Creates a query with an item for each field of a structure, or each key of a dictionary.
        ///
        ///     Query(Filter(colour: "red", size: 2))    →    colour=red&size=2
        ///
        /// The value is encoded only when a request is made. Then a value of another kind, such as a number, is an
        /// `EncodingError`.
        ///
        /// - Parameter value: The structure or dictionary. Nil makes an empty query.
        public init(_ value: (some Encodable & Sendable)?) {
            guard let value else {
                itemMakers = []
                return
            }
            let makeItems: ItemMaker = { coding, isIndexed in
                let json = try JSONValue(text: coding.encode(value))
                if json.members != nil { return QueryItem.items(nil, json, isIndexed: isIndexed) }
                let problem = "A query or form is made of a value with names, such as a structure or dictionary."
                throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: problem))
            }
            itemMakers = [makeItems]
        }

        /// Creates a query from a literal `[name: value]`.
        ///
        /// A value that is nil has no item. An array of scalars has one item for each element.
        public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
            // The values are encoded only when a request is made, with the coding of its API.
            var itemMakers: [ItemMaker] = []
            for case (let name, let value?) in elements {
                itemMakers.append { coding, isIndexed in
                    try QueryItem.items(name, value, coding: coding, isIndexed: isIndexed)
                }
            }
            self.itemMakers = itemMakers
        }

        private init(itemMakers: [ItemMaker]) { self.itemMakers = itemMakers }

        /// Returns a query with the positions of all array elements: `expand[0]=customer&expand[1]=charges`.
        public static func indexed(_ query: Query) -> Query {
            var indexedMakers: [ItemMaker] = []
            for makeItems in query.itemMakers {
                indexedMakers.append { coding, _ in try makeItems(coding, true) }
            }
            return Query(itemMakers: indexedMakers)
        }

        /// Returns a query with the items of both queries, in order.
        public static func + (left: Query, right: Query) -> Query {
            Query(itemMakers: left.itemMakers + right.itemMakers)
        }
    }
}

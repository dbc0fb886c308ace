/// One `name=value` of a query or a form.
public struct QueryItem: Sendable, Hashable {
    public var name: String
    public var value: SensitiveText

    public init(_ name: String, _ value: SensitiveText) {
        self.name = name
        self.value = value
    }

    public init(_ name: String, _ value: String) {
        self.init(name, SensitiveText(value))
    }

    /// `name=value`, percent-encoded, with `(redacted)` where a secret stands.
    public var redacted: String {
        encodedName
            + value.pieces.map { piece in
                if case .text(let text) = piece { PercentEncoding.encode(text) } else { "(redacted)" }
            }.joined()
    }

    /// `name=value`, percent-encoded. Throws ``MissingCredential`` where a secret has no value.
    public func revealed() throws(MissingCredential) -> String {
        encodedName + PercentEncoding.encode(try value.reveal())
    }

    private var encodedName: String { PercentEncoding.encode(name) + "=" }
}

/// A query or form in the order it is declared; nil values are left out, an array repeats its name.
///
///     query: ["page": page, "match[]": ["up", "node_load1"]]
///
/// Everything but unreserved characters is percent-encoded, `+` and space included, so that a server that reads `+` as a
/// space and one that does not both read back the same text.
public struct Query: Sendable, ExpressibleByDictionaryLiteral {
    public var items: [QueryItem]

    public init(_ items: [QueryItem] = []) { self.items = items }

    public init(dictionaryLiteral elements: (String, (any ParameterValue)?)...) {
        items = elements.flatMap { name, value in (value?.parameterTexts ?? []).map { QueryItem(name, $0) } }
    }
}

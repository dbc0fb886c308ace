import EndpointKit
import JSONText
import OpenAPI

/// The values that a schema lists, if all of them are texts or all are integers.
///
/// A schema lists values with `enum` or `const`, or with alternatives that do:
///
///     {"enum": ["on", "off"]}
///     {"oneOf": [{"const": 0, "title": "INHERIT"}, {"const": 1, "title": "ALWAYS"}]}
struct ListedValues {
    /// The deepest nesting of alternatives in alternatives whose values are collected.
    private static let maxDepth = 4

    /// The texts of the values. A number is written as in Swift.
    private(set) var texts: [String]
    /// The names that the document gives to the values, in their order; empty if it names none.
    private(set) var names: [String] = []
    let areIntegers: Bool
    /// Whether null is listed too.
    private(set) var isNullable = false

    /// Reads the values that a schema lists.
    ///
    /// Fails if the schema lists no values, allows other values too, or lists values that are of different kinds.
    ///
    /// - Parameters:
    ///   - facts: The keywords of the schema.
    ///   - schema: The schema, which may name the values.
    ///   - document: The document of the schema.
    init?(_ facts: SchemaKeywords, _ schema: JSONValue, _ document: OpenAPIDocument) {
        self.init(facts, schema, document, depth: 0)
    }

    /// Reads the values that a schema lists, which is an alternative in `depth` other schemas.
    private init?(_ facts: SchemaKeywords, _ schema: JSONValue, _ document: OpenAPIDocument, depth: Int) {
        if let values = facts.values {
            self.init(values, types: facts.types, names: Self.names(schema))
        } else if let alternatives = facts.alternatives, depth < Self.maxDepth, facts.properties.isEmpty {
            self.init(alternatives: alternatives, document, depth: depth + 1)
        } else {
            return nil
        }
        isNullable = isNullable || facts.isNullable
    }

    /// Reads the values of `enum` or `const`.
    ///
    /// Documents put integers in quotes, and leave texts such as `on` or `1` without quotes. So the named type decides
    /// what the values are.
    ///
    /// Fails if there is no value other than null, or if the values are neither all texts nor all integers.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - types: The types that the schema names; nil if it names none.
    ///   - names: The names of the values in the document; empty if it has none.
    private init?(_ values: [JSONValue], types: [String]?, names: [String]) {
        let scalars = values.filter { !$0.isNull }
        let areScalars = scalars.allSatisfy { $0.members == nil && $0.elements == nil }
        guard !scalars.isEmpty, areScalars, let kind = Self.kind(of: scalars, types: types) else { return nil }
        areIntegers = kind == .integers
        let texts = scalars.map { value in
            let text = kind == .texts ? value.string : Self.integerText(value)
            return text ?? value.description
        }
        // A value that is listed twice would be two cases with the same value.
        let distinctTexts = zip(texts, texts.indices).grouped { $0.0 }
        self.texts = distinctTexts.map(\.key)
        if names.count == values.count, scalars.count == values.count {
            self.names = distinctTexts.map { group in names[group.elements[0].1] }
        }
        isNullable = scalars.count < values.count
    }

    /// The kind of all listed values.
    private enum Kind { case texts, integers }

    /// Returns the kind of some values; nil if they are of different kinds, or of any other kind.
    private static func kind(of scalars: [JSONValue], types: [String]?) -> Kind? {
        if let types {
            if types == ["string"] { return .texts }
            return types == ["integer"] ? .integers : nil
        }
        if scalars.allSatisfy({ $0.kind == .string }) { return .texts }
        let areNumbers = scalars.allSatisfy { integerText($0) != nil || $0.kind == .number }
        return areNumbers ? .integers : nil
    }

    /// Collects the values that alternatives list. Their titles are the names if each has one value and a title.
    ///
    /// Fails if an alternative other than null lists no values, if all are null, or if some list texts and others list
    /// integers.
    ///
    /// - Parameters:
    ///   - alternatives: The alternatives (`oneOf`, `anyOf`).
    ///   - document: The document with the alternatives.
    ///   - depth: The number of schemas around the alternatives that are alternatives themselves.
    private init?(alternatives: [JSONValue], _ document: OpenAPIDocument, depth: Int) {
        var lists: [ListedValues] = []
        var titles: [String] = []
        var hasNull = false
        for alternative in alternatives {
            let facts = document.keywords(ofAll: [alternative])
            if facts.isOnlyNull {
                hasNull = true
                continue
            }
            guard let list = ListedValues(facts, alternative, document, depth: depth) else { return nil }
            lists.append(list)
            if list.texts.count == 1, let title = alternative["title"]?.string { titles.append(title) }
        }
        guard let first = lists.first, lists.allSatisfy({ $0.areIntegers == first.areIntegers }) else { return nil }
        areIntegers = first.areIntegers
        let groups = lists.flatMap(\.texts).grouped { $0 }
        texts = groups.map(\.key)
        if titles.count == texts.count, lists.count == texts.count { names = titles }
        isNullable = hasNull || lists.contains(where: \.isNullable)
    }

    /// Returns the text of an integer: `1`, `"1"` and `1.0` → `1`.
    ///
    /// - Returns: The text; nil for any other value, and for an integer that does not fit an `Int`.
    private static func integerText(_ value: JSONValue) -> String? {
        if let integer = value.integer(Int.self) ?? value.string.flatMap({ Int($0) }) { return "\(integer)" }
        return nil
    }

    /// Returns the names of an enum's values in the extensions of common generators; empty if there are none.
    private static func names(_ schema: JSONValue) -> [String] {
        let names = schema["x-enum-varnames"] ?? schema["x-enumNames"]
        return names?.elements?.compactMap(\.string) ?? []
    }
}

extension SchemaKeywords {
    /// Whether null is the only value.
    var isOnlyNull: Bool {
        if let types { return types == ["null"] }
        if let values { return values.allSatisfy(\.isNull) }
        return isAny && isNullable
    }
}

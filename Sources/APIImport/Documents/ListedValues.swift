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
    private(set) var texts: [String] = []
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
    ///   - keywords: The keywords of the schema.
    ///   - schema: The schema, which may name the values.
    ///   - document: The document of the schema.
    init?(_ keywords: SchemaKeywords, of schema: JSONValue, document: OpenAPIDocument) {
        self.init(keywords, of: schema, document: document, depth: 0)
    }

    /// Reads the values that a schema lists. The `depth` is above 0 for a schema that is an alternative of another one.
    private init?(_ keywords: SchemaKeywords, of schema: JSONValue, document: OpenAPIDocument, depth: Int) {
        if let values = keywords.values {
            self.init(values, types: keywords.types, names: Self.names(in: schema))
        } else if let alternatives = keywords.alternatives, depth < Self.maxDepth, keywords.properties.isEmpty {
            self.init(alternatives: alternatives, document: document, depth: depth + 1)
        } else {
            return nil
        }
        isNullable = isNullable || keywords.isNullable
    }

    /// Reads the values of `enum` or `const`.
    ///
    /// Some documents put integers in quotes, and leave texts such as `on` or `1` without quotes. So the `type` of the
    /// schema decides whether the values are texts or integers, if it has one.
    ///
    /// Fails if there is no value other than null, or if the values are neither all texts nor all integers.
    ///
    /// - Parameters:
    ///   - values: The values, in the order of the document.
    ///   - types: The types that the schema names; nil if it names none.
    ///   - names: The names of the values in the document; empty if it has none.
    private init?(_ values: [JSONValue], types: [String]?, names: [String]) {
        let scalars = values.filter { !$0.isNull }
        let areScalars = scalars.allSatisfy { $0.members == nil && $0.elements == nil }
        guard !scalars.isEmpty, areScalars, let kind = Self.kind(of: scalars, types: types) else { return nil }
        areIntegers = kind == .integers
        isNullable = scalars.count < values.count
        // With null among the values, nothing tells which name is that of null.
        let isEachNamed = names.count == values.count && !isNullable
        var earlierTexts: Set<String> = []
        for (index, value) in scalars.enumerated() {
            let kindText = kind == .texts ? value.string : Self.integerText(value)
            // A text without quotes, such as `1`, and a number that fits no `Int` stay as they are written.
            let text = kindText ?? value.description
            // A value that is listed twice would be two cases with the same value.
            guard earlierTexts.insert(text).inserted else { continue }
            self.texts.append(text)
            if isEachNamed { self.names.append(names[index]) }
        }
    }

    /// The kind of all listed values.
    private enum Kind { case texts, integers }

    /// Returns whether all values are texts, or all are integers; nil if neither is the case.
    ///
    /// - Parameters:
    ///   - scalars: The values. They are looked at only if the schema names no types.
    ///   - types: The types that the schema names; nil if it names none.
    private static func kind(of scalars: [JSONValue], types: [String]?) -> Kind? {
        switch types {
        case ["string"]?: return .texts
        case ["integer"]?: return .integers
        // Values of another type, or of several types, are neither.
        case _?: return nil
        case nil: break
        }
        if scalars.allSatisfy({ $0.kind == .string }) { return .texts }
        // Texts such as `"1"` and numbers with fractions count as integers here. `SchemaTypes` notices if a value fits
        // no `Int`.
        let areNumbers = scalars.allSatisfy { integerText($0) != nil || $0.kind == .number }
        return areNumbers ? .integers : nil
    }

    /// Collects the values that alternatives list.
    ///
    /// If each alternative has one value and a title, the titles are the names of the values.
    ///
    /// Fails if an alternative other than null lists no values, if all alternatives are null, or if some list texts and
    /// others list integers.
    ///
    /// - Parameters:
    ///   - alternatives: The alternatives (`oneOf`, `anyOf`).
    ///   - document: The document with the alternatives.
    ///   - depth: The number of schemas around the alternatives that are alternatives themselves.
    private init?(alternatives: [JSONValue], document: OpenAPIDocument, depth: Int) {
        var lists: [ListedValues] = []
        var titles: [String] = []
        var hasNull = false
        for alternative in alternatives {
            let keywords = document.keywords(ofAll: [alternative])
            if keywords.isOnlyNull {
                hasNull = true
                continue
            }
            guard let list = ListedValues(keywords, of: alternative, document: document, depth: depth) else {
                return nil
            }
            lists.append(list)
            if list.texts.count == 1, let title = alternative["title"]?.string { titles.append(title) }
        }
        guard let first = lists.first, lists.allSatisfy({ $0.areIntegers == first.areIntegers }) else { return nil }
        areIntegers = first.areIntegers
        texts = lists.flatMap(\.texts).withoutRepetitions
        let isEachNamed = titles.count == texts.count && lists.count == texts.count
        if isEachNamed { names = titles }
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
    private static func names(in schema: JSONValue) -> [String] {
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

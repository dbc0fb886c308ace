import EndpointKit
import JSONText

/// What values a schema allows, as far as two documents are compared by it.
struct OpenAPIFacts {
    /// Kinds of JSON, and `integer`; empty if any value is allowed.
    private(set) var kinds: Set<String> = []
    /// The scalars that are listed.
    private(set) var values: [String] = []
    /// Whether scalars are allowed that are not listed.
    private(set) var isOpen = false
    /// Whether it is one constant.
    private(set) var isConstant = false
    /// The schemas of an array's elements, and of a dictionary's values.
    private(set) var (items, members): ([JSONValue], [JSONValue]) = ([], [])
    /// The keys of an object in order.
    private(set) var keys: [String] = []
    private(set) var properties: [String: [JSONValue]] = [:]
    private(set) var required: Set<String> = []
    /// Whether it says which keys are required; many documents say it of no object.
    private(set) var saysRequired = false

    private static let deepestLevel = 32
    static let scalars: Set = ["boolean", "integer", "number", "string"]

    var isAny: Bool { kinds.isEmpty }
    var isObject: Bool { !properties.isEmpty }

    private init() {}

    /// What any of `schemas` allows. Throws ``OpenAPIError``.
    init(_ schemas: [JSONValue], in document: OpenAPIDocument, depth: Int = 0) throws {
        self.init()
        guard let first = schemas.first else { return }
        self = try OpenAPIFacts(first, document, depth)
        for schema in schemas.dropFirst() { self = try or(OpenAPIFacts(schema, document, depth)) }
    }

    private init(_ value: JSONValue, _ document: OpenAPIDocument, _ depth: Int) throws {
        let schema = try document.resolved(value)
        guard depth < Self.deepestLevel, schema.kind == .object else { return }
        let types = schema["type"].map { $0.elements ?? [$0] } ?? []
        kinds = Set(types.compactMap { $0.string == "file" ? "string" : $0.string })
        isOpen = !kinds.isDisjoint(with: Self.scalars)
        if let listed = schema["enum"]?.elements ?? schema["const"].map({ [$0] }) {
            isConstant = schema["const"] != nil
            isOpen = false
            values = listed.filter { !$0.isNull }.map { $0.string ?? $0.description }
            let kinds = Set(
                listed.map { $0.isNull ? "null" : $0.string != nil ? "string" : $0.bool == nil ? "number" : "boolean" })
            self.kinds = kinds == ["number"] && self.kinds == ["integer"] ? ["integer"] : kinds
        }
        keys = try document.members(schema["properties"]).map(\.key)
        properties = try document.members(schema["properties"]).reduce(into: [:]) { $0[$1.key] = [$1.value] }
        required = Set(schema["required"]?.elements?.compactMap(\.string) ?? [])
        saysRequired = schema["required"] != nil
        items = schema["items"].map { [$0] } ?? []
        members = schema["additionalProperties"].map { $0.kind == .object ? [$0] : [] } ?? []
        if kinds.isEmpty, !keys.isEmpty || !members.isEmpty { kinds = ["object"] }
        if kinds.isEmpty, !items.isEmpty { kinds = ["array"] }
        for part in try document.elements(schema["allOf"]) { self = and(try OpenAPIFacts(part, document, depth + 1)) }
        let alternatives = try document.elements(schema["oneOf"] ?? schema["anyOf"])
        if !alternatives.isEmpty { self = and(try OpenAPIFacts(alternatives, in: document, depth: depth + 1)) }
        let isNullable = schema["nullable"]?.bool == true || schema["x-nullable"]?.bool == true
        if isNullable, !kinds.isEmpty { kinds.insert("null") }
    }

    /// What both allow; where they contradict each other, what this one does.
    private func and(_ other: OpenAPIFacts) -> OpenAPIFacts {
        if other.isAny { return self }
        if isAny {
            var result = other
            result.required.formUnion(required)
            result.saysRequired = saysRequired || other.saysRequired
            return result
        }
        var result = merged(other)
        let common = kinds.intersection(other.kinds)
        result.kinds = common.isEmpty ? kinds : common
        result.isOpen = isOpen && other.isOpen
        result.required = required.union(other.required)
        return result
    }

    private func or(_ other: OpenAPIFacts) -> OpenAPIFacts {
        if isAny || other.isAny { return isAny ? self : other }
        var result = merged(other)
        result.kinds = kinds.union(other.kinds)
        result.isOpen = isOpen || other.isOpen
        let (isOne, isOther) = (kinds.contains("object"), other.kinds.contains("object"))
        result.required = isOne && isOther ? required.intersection(other.required) : isOne ? required : other.required
        return result
    }

    private func merged(_ other: OpenAPIFacts) -> OpenAPIFacts {
        var result = self
        result.values += other.values.filter { !values.contains($0) }
        result.isConstant = isConstant && other.isConstant
        result.items += other.items
        result.members += other.members
        result.keys += other.keys.filter { properties[$0] == nil }
        result.saysRequired = saysRequired || other.saysRequired
        result.properties.merge(other.properties) { $0 + $1 }
        return result
    }

    /// In words: `integer or null`, `one of a, b`.
    var text: String {
        if isAny { return "any JSON" }
        let order = ["boolean", "integer", "number", "string", "array", "object", "null"]
        let isListed = !isOpen && !values.isEmpty
        var texts = order.filter { kinds.contains($0) && !(isListed && Self.scalars.contains($0)) }
        if isListed { texts.insert("one of " + values.prefix(20).joined(separator: ", "), at: 0) }
        return texts.joined(separator: " or ")
    }
}

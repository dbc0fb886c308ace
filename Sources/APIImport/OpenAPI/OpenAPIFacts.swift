import EndpointKit
import JSONText

/// What values a schema allows, with what it is made of.
struct OpenAPIFacts {
    /// Kinds of JSON, and `integer`; empty if any value is allowed.
    private(set) var kinds: Set<String> = []
    /// The scalars that are listed.
    private(set) var values: [String] = []
    /// Whether scalars are allowed that are not listed.
    private(set) var isOpen = false
    /// Whether it has properties, of its own or of all that it is, not of alternatives.
    private(set) var isStructure = false
    /// The schemas of an array's elements, and of a dictionary's values.
    private(set) var (items, members): ([JSONValue], [JSONValue]) = ([], [])
    /// The keys of an object in order.
    private(set) var keys: [String] = []
    private(set) var properties: [String: [JSONValue]] = [:]
    private(set) var required: Set<String> = []

    /// A schema with more in one another is refused: what is left out of it would be told nowhere.
    fileprivate static let deepestLevel = 128
    static let scalars: Set = ["boolean", "integer", "number", "string"]

    var isAny: Bool { kinds.isEmpty }
    var isNullable: Bool { kinds.contains("null") }
    /// Whether no value has another kind than a structure's.
    var isOnlyStructure: Bool { isStructure && kinds.subtracting(["null"]).count < 2 }

    fileprivate init() {}

    fileprivate init(_ schema: JSONValue, _ document: OpenAPIDocument, _ depth: Int) throws {
        var isNullable = false
        var hasProperties = false
        var listed: [JSONValue]?
        var all: [JSONValue] = []
        var alternatives: [JSONValue] = []
        let members = schema.members ?? []
        for (key, value) in members {
            switch key {
            case "type":
                kinds = Set((value.elements ?? [value]).compactMap(\.string).map { $0 == "file" ? "string" : $0 })
            case "enum": listed = value.elements
            case "const": listed = [value]
            case "properties":
                hasProperties = true
                for (key, property) in try document.members(value) where properties[key] == nil {
                    keys.append(key)
                    properties[key] = [property]
                }
            case "required": required = Set(value.elements?.compactMap(\.string) ?? [])
            case "items": items = [value]
            case "additionalProperties" where value.kind == .object: self.members = [value]
            case "patternProperties" where value.members?.count == 1 && self.members.isEmpty:
                self.members = value.members?.map(\.value) ?? []
            case "allOf": all = try document.elements(value)
            case "oneOf", "anyOf": alternatives = try document.elements(value)
            case "nullable", "x-nullable": isNullable = isNullable || value.bool == true
            default: break
            }
        }
        isOpen = !kinds.isDisjoint(with: Self.scalars)
        if let listed {
            isOpen = false
            let known = kinds
            kinds = []
            for value in listed {
                let text = value.string ?? value.integer(Int.self).map { "\($0)" } ?? value.description
                var kind = value.kind.rawValue
                if kind == "number", known.isEmpty ? Int(text) != nil : known.contains("integer") { kind = "integer" }
                // Documents put numbers in quotes, and leave texts without.
                if Self.scalars.contains(kind), !known.contains(kind) {
                    kind =
                        Int(text) != nil && known.contains("integer")
                        ? "integer" : known.contains("string") ? "string" : kind
                }
                kinds.insert(kind)
                if Self.scalars.contains(kind) { values.append(text) }
            }
        }
        if kinds.isEmpty, hasProperties || !self.members.isEmpty || !required.isEmpty { kinds = ["object"] }
        if kinds.isEmpty, !items.isEmpty { kinds = ["array"] }
        let parts = try all.map { try document.facts([$0], depth + 1) }
        let isStructure = !properties.isEmpty || parts.contains(where: \.isStructure)
        and(parts, areFirst: true)
        self.isStructure = isStructure
        // An alternative may be this one and more.
        document.facts[schema.inferenceSlot] = self
        if !alternatives.isEmpty { and([try document.facts(alternatives, depth + 1)], areFirst: false) }
        self.isStructure = isStructure
        if isNullable, !kinds.isEmpty || members.count == 1 { kinds.insert("null") }
        omitRepeated()
    }

    /// The schema of a property: of several, the last that says more than its description.
    func property(_ key: String) -> JSONValue? {
        properties[key]?.last { $0["type"] != nil || $0["$ref"] != nil } ?? properties[key]?.first
    }

    /// Leaves what all of `others` allow too; where they contradict each other, the later ones count, and what it allows itself above all.
    private mutating func and(_ others: [OpenAPIFacts], areFirst: Bool) {
        let others = others.filter { !$0.isAny }
        let all = isAny ? others : areFirst ? others + [self] : [self] + others
        guard !others.isEmpty, var result = all.first else { return }
        for part in all.dropFirst() { result.add(part) }
        for part in others.reversed() {
            let common = kinds.intersection(part.kinds)
            isOpen = part.isOpen && (isAny || isOpen)
            kinds = isAny ? part.kinds : common.isEmpty ? kinds : common
            required.formUnion(part.required)
        }
        (result.kinds, result.isOpen, result.required) = (kinds, isOpen, required)
        let lists = all.filter { !$0.isOpen && !$0.values.isEmpty }.map { Set($0.values) }
        let common = result.values.filter { value in lists.allSatisfy { $0.contains(value) } }
        if !common.isEmpty { result.values = common }
        self = result
    }

    /// What any of them allows.
    fileprivate static func any(of all: [OpenAPIFacts]) -> OpenAPIFacts {
        guard var result = all.first(where: \.isAny) ?? all.first else { return OpenAPIFacts() }
        for other in all.dropFirst() where !result.isAny {
            let (isOne, isOther) = (result.kinds.contains("object"), other.kinds.contains("object"))
            if !isOne {
                result.required = other.required
            } else if isOther {
                result.required.formIntersection(other.required)
            }
            result.add(other)
            result.kinds.formUnion(other.kinds)
            result.isOpen = result.isOpen || other.isOpen
        }
        result.omitRepeated()
        return result
    }

    /// Leaves each value and each schema once, the schemas where they are last: what is named twice on each of many levels would be too much.
    private mutating func omitRepeated() {
        func distinct(_ schemas: [JSONValue]) -> [JSONValue] {
            schemas.reversed().grouped(by: \.inferenceSlot).map { $0.elements[0] }.reversed()
        }
        values = values.grouped(by: \.self).map(\.key)
        (items, members) = (distinct(items), distinct(members))
        for (key, schemas) in properties where schemas.count > 1 { properties[key] = distinct(schemas) }
    }

    /// Takes what the other one is made of too.
    private mutating func add(_ other: OpenAPIFacts) {
        values += other.values
        items += other.items
        members += other.members
        keys += other.keys.filter { properties[$0] == nil }
        for (key, schemas) in other.properties { properties[key, default: []] += schemas }
    }

    /// The kinds in an order of their own; then those that are none.
    var orderedKinds: [String] {
        let order = ["boolean", "integer", "number", "string", "array", "object", "null"]
        return order.filter(kinds.contains) + kinds.subtracting(order).sorted()
    }
}

extension OpenAPIDocument {
    /// What any of `schemas` allows. Throws ``OpenAPIError``.
    func facts(_ schemas: [JSONValue], _ depth: Int = 0) throws -> OpenAPIFacts {
        OpenAPIFacts.any(of: try schemas.map { try facts(of: $0, depth) })
    }

    /// Each schema is read once: those that name two others each would double the work from one to the next. One that is met
    /// while what is common to its alternatives is read, may be anything there.
    private func facts(of schema: JSONValue, _ depth: Int) throws -> OpenAPIFacts {
        let target = try resolved(schema)
        guard target.kind == .object else { return OpenAPIFacts() }
        guard depth < OpenAPIFacts.deepestLevel else { throw error(target, "it is nested too deeply") }
        let slot = target.inferenceSlot
        if let known = facts[slot] { return known }
        kept[ObjectIdentifier(target.document)] = target.document
        facts[slot] = OpenAPIFacts()
        let read = try OpenAPIFacts(target, self, depth)
        facts[slot] = read
        return read
    }
}

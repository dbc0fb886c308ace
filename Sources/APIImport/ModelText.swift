import JSONText

/// The Swift text of models.
struct ModelText {
    let models: [InferredModel]
    let names: ModelNames
    let fieldNames: [String: String]
    /// Whether objects are classes that decode themselves with keys of one type: hundreds of structures with `CodingKeys` take minutes to build.
    var areClasses = false

    /// The type in what requests are made of.
    func typeText(_ type: InferredType) -> String { type.text { names[$0] } }

    /// The type in a model: an enum in responses may have values that nobody knows yet.
    private func typeText(_ type: InferredType, in model: InferredModel) -> String {
        type.text {
            if model.isReceived, case .values = models[$0].form { "Open<\(names[$0])>" } else { names[$0] }
        }
    }

    func declaration(_ model: Int) -> InferredModels.Declaration {
        let name = names[model]
        let model = models[model]
        var imports = model.parts.reduce(into: Set<String>()) { $0.formUnion($1.imports) }
        let isOpen = model.isReceived && model.parts.flatMap(\.models).contains { models[$0].isText }
        if isOpen || model.fields.contains(where: model.sendsNull) { imports.insert("EndpointKit") }
        let declared: SwiftLine
        switch model.form {
        case .structure(let fields): declared = structure(name, fields, model)
        case .kinds(let types): declared = kinds(name, types, model)
        case .tagged(let key, let cases):
            declared = tagged(name, key, cases, model)
            imports.insert("EndpointKit")
        case .values(let values):
            declared = .block(
                "public enum \(name): String, Codable, CaseIterable, Sendable",
                Self.cases(values).map { key($0.name, $0.value) })
        }
        return InferredModels.Declaration(
            name: name, lines: (model.summary.isEmpty ? [] : [.comment(model.summary)]) + [declared], imports: imports,
            isLoose: model.parts.contains { $0.reasonForJSON != nil })
    }

    // MARK: Structures

    /// A field as it is declared.
    private struct Member {
        let name: String
        let key: String
        /// Without `?`.
        let type: String
        let isOptional: Bool

        var quoted: String { SwiftNames.quoted(name) }
        var declared: String { type + (isOptional ? "?" : "") }
    }

    /// Names with a meaning of their own where a value is made or decoded.
    private static let unusable: Set<String> = [
        "self", "Type", "Protocol", "init", "let", "var", "inout", "fields", "decoder", "encoder",
    ]

    /// The properties of a structure in their order.
    func propertyNames(_ model: Int) -> [String] {
        members(names[model], models[model].fields, models[model]).map(\.name)
    }

    private func members(_ name: String, _ fields: [InferredModel.Field], _ model: InferredModel) -> [Member] {
        var table = NameTable()
        return fields.map { field in
            let chosen = fieldNames["\(name).\(field.sentKey)"] ?? fieldNames[field.sentKey]
            var own = chosen ?? SwiftNames.memberName(SwiftNames.words(field.sentKey))
            if model.isSent || areClasses, Self.unusable.contains(own) { own += "Value" }
            let (type, isNull) = field.type.unwrapped
            let text = typeText(type, in: model)
            return Member(
                name: table.unique(own), key: field.key, type: model.sendsNull(field) ? "Nullable<\(text)>" : text,
                isOptional: field.isOptional || isNull || field.isReadOnly && model.isSent)
        }
    }

    private func structure(_ name: String, _ fields: [InferredModel.Field], _ model: InferredModel) -> SwiftLine {
        let members = members(name, fields, model)
        let isClass = areClasses || model.holdsItself
        var lines: [SwiftLine] = []
        for (member, field) in zip(members, fields) {
            if !field.summary.isEmpty { lines.append(.comment(field.summary)) }
            if let reason = field.type.reasonForJSON { lines.append(.comment(SwiftNames.sentence([reason]) + ".")) }
            let keyword = model.isSent && !isClass ? "var" : "let"
            lines.append("public \(keyword) \(member.quoted): \(member.declared)")
        }
        if model.isSent {
            let parameters = members.map { "\($0.name): \($0.declared)\($0.isOptional ? " = nil" : "")" as SwiftText }
            lines += ["", .text(.list("public init(", parameters, ") {"))]
            lines += [.indented(members.map { "self.\($0.quoted) = \($0.quoted)" }), "}"]
        }
        if areClasses {
            lines += coding(members, isSent: model.isSent)
        } else if members.contains(where: { $0.name != $0.key }) {
            lines += ["", .block("private enum CodingKeys: String, CodingKey", members.map { key($0.name, $0.key) })]
        }
        let conformance = model.isSent ? "Codable" : "Decodable"
        return .block("public \(isClass ? "final class" : "struct") \(name): \(conformance), Sendable", lines)
    }

    /// Decoding, and encoding, with keys of one type.
    private func coding(_ members: [Member], isSent: Bool) -> [SwiftLine] {
        func calls(_ start: (Member) -> String, _ value: (Member) -> String) -> [SwiftLine] {
            members.map { member in
                let items: [SwiftText] = ["\(value(member))", "forKey: \(SwiftText.literal(member.key))"]
                return .text(.list(start(member) + (member.isOptional ? "IfPresent(" : "("), items, ")"))
            }
        }
        let container = "try decoder.container(keyedBy: FieldKey.self)"
        let decoding = calls({ "\($0.quoted) = try fields.decode" }, { "\($0.type).self" })
        let start: [SwiftLine] = members.isEmpty ? [] : ["let fields = \(container)"]
        let lines: [SwiftLine] = ["", .block(Self.decoding, start + decoding)]
        guard isSent else { return lines }
        let encoder: SwiftLine = "\(members.isEmpty ? "_" : "var fields") = encoder.container(keyedBy: FieldKey.self)"
        return lines + ["", .block(Self.encoding, [encoder] + calls({ _ in "try fields.encode" }, \.quoted))]
    }

    private static let decoding: SwiftText = "public init(from decoder: any Decoder) throws"
    private static let encoding: SwiftText = "public func encode(to encoder: any Encoder) throws"

    /// A case with a text.
    private func key(_ name: String, _ text: String) -> SwiftLine {
        let start = "case \(SwiftNames.quoted(name))"
        return name == text ? "\(start)" : "\(start) = \(SwiftText.literal(text))"
    }

    /// The cases of an enum of texts with their texts.
    static func cases(_ values: [String]) -> [(name: String, value: String)] {
        var table = NameTable(["init", "self", "Type", "allCases", "rawValue"])
        return values.map { value in
            let words = SwiftNames.words(value)
            let isAscending = !value.hasPrefix("-")
            let name = SwiftNames.memberName(isAscending || words.first == "minus" ? words : ["minus"] + words)
            return (table.unique(words.isEmpty && value.isEmpty ? "empty" : name), value)
        }
    }

    // MARK: Enums

    private func kinds(_ name: String, _ types: [InferredType], _ model: InferredModel) -> SwiftLine {
        let cases = zip(kindCases(types), types).map { (name: $0, type: typeText($1, in: model)) }
        var lines: [SwiftLine] = ["let container = try decoder.singleValueContainer()"]
        for (index, one) in cases.enumerated() {
            let isLast = index == cases.count - 1
            let decoded = "container.decode(\(one.type).self)"
            let start = index == 0 ? "" : "} else "
            lines.append(isLast ? "\(start){" : "\(start)if let value = try? \(decoded) {")
            let value: SwiftText = isLast ? "try \(decoded)" : "value"
            lines.append(.indented([.text(.list("self = .\(one.name)(", [value], ")"))]))
        }
        return self.enum(name, cases, [.block(Self.decoding, lines + ["}"])], model)
    }

    /// An enum, each of whose cases has one value.
    private func `enum`(
        _ name: String, _ cases: [(name: String, type: String)], _ lines: [SwiftLine], _ model: InferredModel
    ) -> SwiftLine {
        var all = cases.map { "case \(SwiftNames.quoted($0.name))(\($0.type))" as SwiftLine } + [""] + lines
        if model.isSent {
            let arms = cases.map { "case .\($0.name)(let value): try value.encode(to: encoder)" as SwiftLine }
            all += ["", .block(Self.encoding, ["switch self {"] + arms + ["}"])]
        }
        return .block("public enum \(name): \(model.isSent ? "Codable" : "Decodable"), Sendable", all)
    }

    /// Names for the alternatives of a value: their kinds, of several objects their types.
    func kindCases(_ types: [InferredType]) -> [String] {
        var table = NameTable(["init", "self", "Type"])
        let isOne = types.count { $0.jsonKind(models) == .object } < 2
        return types.map { type in
            let name = isOne ? nil : type.model.map { SwiftNames.memberName(SwiftNames.words(names[$0])) }
            let kind =
                switch type {
                case .integer: "integer"
                case .date: "date"
                default: type.jsonKind(models)?.rawValue ?? "value"
                }
            return table.unique(name ?? kind)
        }
    }

    /// Names for the alternatives that texts tell apart.
    func taggedCases(_ tags: [String]) -> [String] {
        var table = NameTable(["unknown", "init", "self", "Type"])
        return tags.map { table.unique(SwiftNames.memberName(SwiftNames.words($0))) }
    }

    private func tagged(
        _ name: String, _ key: String, _ cases: [InferredModel.Tagged], _ model: InferredModel
    ) -> SwiftLine {
        let own = zip(taggedCases(cases.map(\.tag)), cases).map { (name: $0, type: names[$1.model]) }
        let keyName = SwiftNames.memberName(SwiftNames.words(key))
        var lines: [SwiftLine] = [
            "let container = try decoder.container(keyedBy: CodingKeys.self)",
            "switch try? container.decode(String.self, forKey: .\(SwiftNames.quoted(keyName))) {",
        ]
        for (one, tag) in zip(own, cases.map(\.tag)) {
            let value: SwiftText = "try \(one.type)(from: decoder)"
            lines += [
                "case \(SwiftLiteral.string(tag)):", .indented([.text(.list("self = .\(one.name)(", [value], ")"))]),
            ]
        }
        lines += ["default: self = .unknown(try JSONValue(from: decoder))", "}"]
        let keys = SwiftLine.block("private enum CodingKeys: String, CodingKey", [self.key(keyName, key)])
        return self.enum(
            name, own + [("unknown", "JSONValue")], [keys, "", .block(Self.decoding, lines)], model)
    }
}

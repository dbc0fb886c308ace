import JSONText

/// The Swift text of models.
struct ModelText {
    let models: [InferredModel]
    let names: ModelNames
    let fieldNames: [String: String]
    /// Whether objects are classes that decode themselves with keys of one type: hundreds of structures with `CodingKeys` take minutes to build.
    var areClasses = false
    /// How far the text will be indented.
    var margin = 0

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
        let summary = model.summary.isEmpty ? "" : SwiftLiteral.comment(model.summary, margin: margin)
        var text =
            switch model.form {
            case .structure(let fields): structure(name, fields, model)
            case .kinds(let types): kinds(name, types, model)
            case .tagged(let key, let cases): tagged(name, key, cases, model)
            case .values(let values): Self.values(name, values)
            }
        text = summary + text
        if case .tagged = model.form { imports.insert("EndpointKit") }
        if text.utf8.contains(UInt8(ascii: "<")) { imports.insert("EndpointKit") }
        if margin > 0 {
            let space = String(repeating: " ", count: margin)
            text = text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : space + $0 }.joined(separator: "\n")
        }
        let isLoose = model.parts.contains { $0.reasonForJSON != nil }
        return InferredModels.Declaration(name: name, text: text, imports: imports, isLoose: isLoose)
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

    private func structure(_ name: String, _ fields: [InferredModel.Field], _ model: InferredModel) -> String {
        let members = members(name, fields, model)
        let isClass = areClasses || model.holdsItself
        let conformance = model.isSent ? "Codable" : "Decodable"
        var text = "public \(isClass ? "final class" : "struct") \(name): \(conformance), Sendable {\n"
        for (member, field) in zip(members, fields) {
            if !field.summary.isEmpty { text += SwiftLiteral.comment(field.summary, indent: 4, margin: margin) }
            if let reason = field.type.reasonForJSON {
                text += SwiftLiteral.comment(SwiftNames.sentence([reason]) + ".", indent: 4, margin: margin)
            }
            text += "    public \(model.isSent && !isClass ? "var" : "let") \(member.quoted): \(member.declared)\n"
        }
        if model.isSent { text += initializer(members) }
        if areClasses {
            text += coding(members, isSent: model.isSent)
        } else if members.contains(where: { $0.name != $0.key }) {
            text += "\n    private enum CodingKeys: String, CodingKey {\n"
            for member in members { text += codingKey(member.name, member.key) }
            text += "    }\n"
        }
        return text + "}\n"
    }

    /// ``SwiftText/list(_:_:_:indent:column:)`` for text that will be indented.
    private func list(_ open: String, _ items: [String], _ close: String, indent: Int, column: Int = 0) -> String {
        let text = SwiftText.list(open, items, close, indent: indent + margin, column: column)
        return text.replacingBytes(of: "\n" + String(repeating: " ", count: margin), with: "\n")
    }

    private func initializer(_ members: [Member]) -> String {
        let parameters = members.map { "\($0.name): \($0.declared)\($0.isOptional ? " = nil" : "")" }
        let list = list("public init(", parameters, ")", indent: 4, column: 2)
        let start = list.contains("\n") ? "\n    " + list.dropLast() + "\n    ) {\n" : "\n    \(list) {\n"
        return start + members.map { "        self.\($0.quoted) = \($0.quoted)\n" }.joined() + "    }\n"
    }

    /// Decoding, and encoding, with keys of one type.
    private func coding(_ members: [Member], isSent: Bool) -> String {
        func call(_ start: String, _ member: Member, _ value: String) -> String {
            let name = "\(start)\(member.isOptional ? "IfPresent" : "")("
            let key = SwiftLiteral.string(member.key, column: margin + 24, indent: 16)
            return "        \(list(name, [value, "forKey: \(key)"], ")", indent: 8))\n"
        }
        var text = "\n    public init(from decoder: any Decoder) throws {\n"
        text += members.isEmpty ? "" : "        let fields = try decoder.container(keyedBy: FieldKey.self)\n"
        for member in members { text += call("\(member.quoted) = try fields.decode", member, "\(member.type).self") }
        guard isSent else { return text + "    }\n" }
        text += "    }\n\n    public func encode(to encoder: any Encoder) throws {\n"
        text += "        \(members.isEmpty ? "_" : "var fields") = encoder.container(keyedBy: FieldKey.self)\n"
        for member in members { text += call("try fields.encode", member, member.quoted) }
        return text + "    }\n"
    }

    private func codingKey(_ name: String, _ key: String) -> String {
        let start = "        case \(SwiftNames.quoted(name))"
        guard name != key else { return start + "\n" }
        return "\(start) = \(SwiftLiteral.string(key, column: margin + start.utf8.count + 3, indent: 8))\n"
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

    private static func values(_ name: String, _ values: [String]) -> String {
        var text = "public enum \(name): String, Codable, CaseIterable, Sendable {\n"
        for (name, value) in cases(values) {
            let (start, literal) = ("    case \(SwiftNames.quoted(name))", SwiftLiteral.string(value))
            let fits = start.count + literal.count + 8 <= SwiftLiteral.lineLength
            text += name == value ? start : "\(start) =\(fits ? " " : "\n        ")\(literal)"
            text += "\n"
        }
        return text + "}\n"
    }

    // MARK: Enums

    private func kinds(_ name: String, _ types: [InferredType], _ model: InferredModel) -> String {
        var text = "public enum \(name): \(model.isSent ? "Codable" : "Decodable"), Sendable {\n"
        let cases = kindCases(types)
        for (type, name) in zip(types, cases) {
            text += "    case \(SwiftNames.quoted(name))(\(typeText(type, in: model)))\n"
        }
        text += "\n    public init(from decoder: any Decoder) throws {\n"
        text += "        let container = try decoder.singleValueContainer()\n"
        for (index, type) in types.enumerated() {
            let decode = "container.decode(\(typeText(type, in: model)).self)"
            if index < types.count - 1 {
                text += index == 0 ? "        if" : " else if"
                text += " let value = try? \(decode) {\n            self = .\(cases[index])(value)\n        }"
            } else {
                let value = list("self = .\(cases[index])(", ["try \(decode)"], ")", indent: 12)
                text += " else {\n            \(value)\n        }\n"
            }
        }
        return text + "    }\n" + (model.isSent ? encoding(cases) : "") + "}\n"
    }

    /// `encode(to:)` of an enum, each of whose cases has one value.
    private func encoding(_ cases: [String]) -> String {
        "\n    public func encode(to encoder: any Encoder) throws {\n        switch self {\n"
            + cases.map { "        case .\($0)(let value): try value.encode(to: encoder)\n" }.joined()
            + "        }\n    }\n"
    }

    /// Names for the alternatives of a value: their kinds, of several objects their types.
    func kindCases(_ types: [InferredType]) -> [String] {
        var table = NameTable(["init", "self", "Type"])
        let isOne = types.count { Self.kindName($0) == "object" } < 2
        return types.map { type in
            let name = type.model.map { SwiftNames.memberName(SwiftNames.words(names[$0])) }
            return table.unique(isOne ? Self.kindName(type, models) : name ?? Self.kindName(type))
        }
    }

    private static func kindName(_ type: InferredType, _ models: [InferredModel] = []) -> String {
        switch type {
        case .model(let model) where models.indices.contains(model) && models[model].isText: "string"
        case .bool: "boolean"
        case .integer: "integer"
        case .decimal, .double: "number"
        case .string: "string"
        case .date: "date"
        case .array: "array"
        case .dictionary, .model: "object"
        case .unknown, .json, .optional: "value"
        }
    }

    /// Names for the alternatives that texts tell apart.
    func taggedCases(_ tags: [String]) -> [String] {
        var table = NameTable(["unknown", "init", "self", "Type"])
        return tags.map { table.unique(SwiftNames.memberName(SwiftNames.words($0))) }
    }

    private func tagged(
        _ name: String, _ key: String, _ cases: [(tag: String, model: Int)], _ model: InferredModel
    ) -> String {
        let cases = zip(taggedCases(cases.map(\.tag)), cases).map { own, one in
            (name: SwiftNames.quoted(own), tag: SwiftLiteral.string(one.tag), type: names[one.model])
        }
        let keyName = SwiftNames.memberName(SwiftNames.words(key))
        var text = "public enum \(name): \(model.isSent ? "Codable" : "Decodable"), Sendable {\n"
        for one in cases { text += "    case \(one.name)(\(one.type))\n" }
        text += SwiftLiteral.comment("Any other, as it is.", indent: 4, margin: margin)
        text += "    case unknown(JSONValue)\n\n    private enum CodingKeys: String, CodingKey {\n"
        text += codingKey(keyName, key)
        text += "    }\n\n    public init(from decoder: any Decoder) throws {\n"
        text += "        let container = try decoder.container(keyedBy: CodingKeys.self)\n"
        text += "        switch try? container.decode(String.self, forKey: .\(SwiftNames.quoted(keyName))) {\n"
        for one in cases {
            let start = "        case \(one.tag):"
            let value = "self = .\(one.name)(try \(one.type)(from: decoder))"
            let fits = margin + start.count + 1 + value.count <= SwiftLiteral.lineLength
            let call = list("self = .\(one.name)(", ["try \(one.type)(from: decoder)"], ")", indent: 12)
            text += "\(start)\(fits ? " \(value)" : "\n            \(call)")\n"
        }
        text += "        default: self = .unknown(try JSONValue(from: decoder))\n        }\n    }\n"
        return text + (model.isSent ? encoding(cases.map(\.name) + ["unknown"]) : "") + "}\n"
    }
}

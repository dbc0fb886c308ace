import JSONText

/// The Swift text of models.
struct ModelText {
    let models: [InferredModel]
    let names: ModelNames
    let fieldNames: [String: String]

    func typeText(_ type: InferredType) -> String { type.text { names[$0] } }

    func declaration(_ model: Int) -> InferredModels.Declaration {
        let name = names[model]
        var imports = models[model].parts.reduce(into: Set<String>()) { $0.formUnion($1.imports) }
        let text =
            switch models[model].form {
            case .structure(let fields): structure(name, fields)
            case .kinds(let types): kinds(name, types)
            case .tagged(let key, let cases): tagged(name, key, cases)
            }
        if case .tagged = models[model].form { imports.insert("EndpointKit") }
        let isLoose = models[model].parts.contains { $0.reasonForJSON != nil }
        return InferredModels.Declaration(name: name, text: text, imports: imports, isLoose: isLoose)
    }

    // MARK: Structures

    private func structure(_ name: String, _ fields: [InferredModel.Field]) -> String {
        var table = NameTable()
        let fields = fields.map { field in
            let chosen = fieldNames["\(name).\(field.sentKey)"] ?? fieldNames[field.sentKey]
            let own = table.unique(chosen ?? SwiftNames.memberName(SwiftNames.words(field.sentKey)))
            return (name: own, field: field)
        }
        var text = "public struct \(name): Decodable, Sendable {\n"
        for (name, field) in fields {
            let type = field.isOptional ? .optional(field.type) : field.type
            if let reason = field.type.reasonForJSON {
                text += SwiftLiteral.comment("\(reason.prefix(1).uppercased())\(reason.dropFirst()).", indent: 4)
            }
            text += "    public let \(SwiftNames.quoted(name)): \(typeText(type))\n"
        }
        if fields.contains(where: { $0.name != $0.field.key }) {
            text += "\n    private enum CodingKeys: String, CodingKey {\n"
            for (name, field) in fields { text += codingKey(name, field.key) }
            text += "    }\n"
        }
        return text + "}\n"
    }

    private func codingKey(_ name: String, _ key: String) -> String {
        let start = "        case \(SwiftNames.quoted(name))"
        guard name != key else { return start + "\n" }
        return "\(start) = \(SwiftLiteral.string(key, column: start.utf8.count + 3, indent: 8))\n"
    }

    // MARK: Enums

    private func kinds(_ name: String, _ types: [InferredType]) -> String {
        var text = "public enum \(name): Decodable, Sendable {\n"
        for type in types { text += "    case \(Self.kindName(type))(\(typeText(type)))\n" }
        text += "\n    public init(from decoder: any Decoder) throws {\n"
        text += "        let container = try decoder.singleValueContainer()\n"
        for (index, type) in types.enumerated() {
            let decode = "container.decode(\(typeText(type)).self)"
            if index < types.count - 1 {
                text += index == 0 ? "        if" : " else if"
                text += " let value = try? \(decode) {\n            self = .\(Self.kindName(type))(value)\n        }"
            } else {
                text += " else {\n            self = .\(Self.kindName(type))(try \(decode))\n        }\n"
            }
        }
        return text + "    }\n}\n"
    }

    private static func kindName(_ type: InferredType) -> String {
        switch type {
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

    private func tagged(
        _ name: String, _ key: String, _ cases: [(tag: String, model: Int)]
    ) -> String {
        var table = NameTable(["unknown"])
        let cases = cases.map { tag, model in
            (
                name: SwiftNames.quoted(table.unique(SwiftNames.memberName(SwiftNames.words(tag)))),
                tag: SwiftLiteral.string(tag), type: names[model]
            )
        }
        let keyName = SwiftNames.memberName(SwiftNames.words(key))
        var text = "public enum \(name): Decodable, Sendable {\n"
        for one in cases { text += "    case \(one.name)(\(one.type))\n" }
        text += SwiftLiteral.comment("Any other, as it is.", indent: 4)
        text += "    case unknown(JSONValue)\n\n    private enum CodingKeys: String, CodingKey {\n"
        text += codingKey(keyName, key)
        text += "    }\n\n    public init(from decoder: any Decoder) throws {\n"
        text += "        let container = try decoder.container(keyedBy: CodingKeys.self)\n"
        text += "        switch try? container.decode(String.self, forKey: .\(SwiftNames.quoted(keyName))) {\n"
        for one in cases {
            let start = "        case \(one.tag):"
            let value = "self = .\(one.name)(try \(one.type)(from: decoder))"
            let fits = start.count + 1 + value.count <= SwiftLiteral.lineLength
            text += "\(start)\(fits ? " " : "\n            ")\(value)\n"
        }
        return text + "        default: self = .unknown(try JSONValue(from: decoder))\n        }\n    }\n}\n"
    }
}

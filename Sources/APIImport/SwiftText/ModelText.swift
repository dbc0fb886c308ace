import EndpointKit
import JSONText

/// The Swift text of models that have names.
struct ModelText {
    /// Names of properties by their keys in JSON, or by type and key.
    private let fieldNames: [String: String]
    private let coding: Coding
    /// The models that contain themselves. They become final classes, because a structure can't contain itself.
    private let recursive: Set<InferredModel>

    /// Names the properties, alternatives and values of `models`.
    init(_ models: [InferredModel], fieldNames: [String: String], coding: Coding = Coding()) {
        self.fieldNames = fieldNames
        self.coding = coding
        recursive = InferredModel.recursive(among: models)
        for model in models { model.labels = labels(model) }
    }

    /// Returns the declaration of a model, with its comment and the modules that it needs.
    ///
    /// The model becomes a structure or a class, an enum with associated values, or an enum with raw values.
    func declaration(_ model: InferredModel) -> InferredModels.Declaration {
        var imports = Set(model.parts.compactMap(\.module))
        let isOpen = model.isReceived && model.held.contains(where: \.isListed)
        if isOpen || model.hasOthers || model.fields.contains(where: model.sendsNull) {
            imports.insert("EndpointKit")
        }
        let declared: SwiftLine
        switch model.form {
        case .structure(let fields): declared = structure(model, fields)
        case .union(let all, let key):
            declared = union(model, all, key)
            if key != nil { imports.insert("EndpointKit") }
        case .values(let values, let areIntegers):
            let type = areIntegers ? "Int" : "String"
            let head: SwiftText = "public enum \(model.name): \(type), Codable, CaseIterable, Sendable"
            declared = .block(
                head,
                zip(model.labels, values).map {
                    areIntegers ? "case \($0) = \(RequestValue.grouped($1))" : Self.key($0, $1)
                })
        }
        return InferredModels.Declaration(
            name: model.name, lines: (model.summary.isEmpty ? [] : [.comment(model.summary)]) + [declared],
            imports: imports, isLoose: model.parts.contains { $0.reasonForJSON != nil })
    }

    // MARK: Names

    /// Names that the members of an enum can't have.
    private static let reservedInEnums = ["init", "self", "Type"]

    /// Returns the Swift names of a model's properties, alternatives or values, in their order, each once.
    private func labels(_ model: InferredModel) -> [String] {
        var table: NameTable
        let names: [String]
        switch model.form {
        case .structure(let fields):
            table = NameTable(model.hasOthers ? [Self.othersName] : [])
            names = fields.map { propertyName($0, of: model) }
        case .values(let values, _):
            table = NameTable(Self.reservedInEnums + ["allCases", "rawValue"])
            let hasNames = !model.valueNames.isEmpty
            names = hasNames ? model.valueNames.map(Self.memberName) : values.map(Self.valueName)
        case .union(let alternatives, nil):
            table = NameTable(Self.reservedInEnums)
            names = Self.kindNames(alternatives)
        case .union(let alternatives, _):
            table = NameTable(Self.reservedInEnums + ["unknown"])
            names = alternatives.map { Self.memberName($0.tag) }
        }
        return names.map { name in
            // In an optional enum, `.none` would be nil.
            let isAmbiguous = name == "none" && model.fields.isEmpty
            return table.unique(isAmbiguous ? "noneValue" : name)
        }
    }

    /// Returns the name of a property: the one that people chose, or else that of its key.
    private func propertyName(_ field: InferredModel.Property, of model: InferredModel) -> String {
        let chosen = fieldNames["\(model.name).\(field.key)"] ?? fieldNames[field.key]
        let name = chosen ?? Self.memberName(field.key)
        return model.isSent && SwiftNames.unusableLabels.contains(name) ? name + "Value" : name
    }

    /// Returns a text as the name of a member: `first_name` → `firstName`.
    private static func memberName(_ text: String) -> String { SwiftNames.memberName(SwiftNames.words(text)) }

    /// Returns the name of a case for a listed value. A minus sign, as of a descending order, is a word: `-created` →
    /// `minusCreated`.
    private static func valueName(_ value: String) -> String {
        if value.isEmpty { return "empty" }
        let words = SwiftNames.words(value)
        let hasUnnamedMinus = value.hasPrefix("-") && words.first != "minus"
        return SwiftNames.memberName(hasUnnamedMinus ? ["minus"] + words : words)
    }

    /// Returns the names of alternatives that are told apart by their kinds: `string`, `integer`, `object`. Several
    /// objects are named after their models.
    private static func kindNames(_ alternatives: [InferredModel.Alternative]) -> [String] {
        let objectCount = alternatives.count { $0.type.jsonKind == .object }
        return alternatives.map { alternative in
            if objectCount > 1, let model = alternative.type.model { return memberName(model.name) }
            switch alternative.type {
            case .integer: return "integer"
            case .date: return "date"
            default: return alternative.type.jsonKind?.rawValue ?? "value"
            }
        }
    }

    /// Returns a case whose raw value is a text: `case name`, or `case firstName = "first_name"`.
    private static func key(_ name: String, _ text: String) -> SwiftLine {
        let start = "case \(SwiftNames.quoted(name))"
        return name == text ? "\(start)" : "\(start) = \(SwiftText.literal(text))"
    }

    // MARK: Structures

    /// A field as it is declared.
    private struct Member {
        let name: String
        let key: String
        /// Without `?`.
        let type: String
        let field: InferredModel.Property

        var isOptional: Bool { field.isOptional }
        var quoted: String { SwiftNames.quoted(name) }
        var declared: String { type + (isOptional ? "?" : "") }

        /// `self.name = name`
        var assignment: SwiftLine { "self.\(quoted) = \(quoted)" }
    }

    /// The property for the members of an object that are none of its fields.
    private static let othersName = "additionalProperties"

    /// Returns a structure, or a class if the model contains itself.
    private func structure(_ model: InferredModel, _ fields: [InferredModel.Property]) -> SwiftLine {
        let isClass = recursive.contains(model)
        let members = zip(model.labels, fields).map { name, field in
            let text = field.type.text(isOpen: model.isReceived)
            return Member(
                name: name, key: coding.modelKey(field.key),
                type: model.sendsNull(field) ? "Nullable<\(text)>" : text, field: field)
        }
        var lines = members.flatMap { declaration(of: $0, in: model, isClass: isClass) }
        let others = model.hasOthers ? model.others?.text(isOpen: model.isReceived) : nil
        if let others {
            let keyword = model.isSent && !isClass ? "var" : "let"
            lines += [
                .comment("The members that have no property of their own."),
                "public \(keyword) \(Self.othersName): [String: \(others)]",
            ]
        }
        if model.isSent { lines += initializer(members, model, others, isClass: isClass) }
        if others != nil || members.contains(where: { $0.name != $0.key }) {
            let keys = members.map { Self.key($0.name, $0.key) }
            let head: SwiftText = "private enum CodingKeys: String, CodingKey\(others == nil ? "" : ", CaseIterable")"
            lines += ["", .block(head, keys)]
        }
        if others != nil {
            lines += ["", .block(Self.decoding, decodingLines(members))]
            if model.isSent { lines += ["", .block(Self.encoding, encodingLines(members))] }
        }
        let kind = isClass ? "final class" : "struct"
        return .block("public \(kind) \(model.name): \(Self.conformance(model)), Sendable", lines)
    }

    /// Returns the declaration of a property, with its comment.
    ///
    /// A deprecated property has the attribute `@available(*, deprecated)`. If generated code would use the property,
    /// the compiler would warn of that use, so the comment says "Deprecated." instead.
    private func declaration(of member: Member, in model: InferredModel, isClass: Bool) -> [SwiftLine] {
        let field = member.field
        // An initializer without a default value, and coding by hand, name the property.
        let isInInitializer = model.isSent && (!member.isOptional || isClass)
        let isUsed = isInInitializer || model.hasOthers
        let hasAttribute = field.isDeprecated && !isUsed
        var comments = [field.summary]
        if let reason = field.type.reasonForJSON { comments.append(SwiftNames.sentence([reason]) + ".") }
        if field.isDeprecated, !hasAttribute { comments.append("Deprecated.") }
        // An app changes what it sends. A class is only shared safely between tasks if nothing changes it.
        let keyword = model.isSent && !isClass ? "var" : "let"
        var lines = comments.filter { !$0.isEmpty }.map { SwiftLine.comment($0) }
        if hasAttribute { lines.append("@available(*, deprecated)") }
        return lines + ["public \(keyword) \(member.quoted): \(member.declared)"]
    }

    /// Returns the initializer of a model of requests.
    private func initializer(
        _ members: [Member], _ model: InferredModel, _ others: String?, isClass: Bool
    ) -> [SwiftLine] {
        let given = members.filter { model.isInInitializer($0.field) }
        var parameters = given.map { "\($0.name): \($0.declared)\($0.isOptional ? " = nil" : "")" as SwiftText }
        var assignments = given.map(\.assignment)
        if isClass {
            let absent = members.filter { !model.isInInitializer($0.field) }
            assignments += absent.map { "self.\($0.quoted) = nil" }
        }
        if let others {
            parameters.append("\(Self.othersName): [String: \(others)] = [:]")
            assignments.append("self.\(Self.othersName) = \(Self.othersName)")
        }
        return ["", .text(.list("public init(", parameters, ") {")), .indented(assignments), "}"]
    }

    /// Returns the lines that decode a structure with further members.
    private func decodingLines(_ members: [Member]) -> [SwiftLine] {
        ["let container = try decoder.container(keyedBy: CodingKeys.self)"]
            + members.map { member in
                let method = member.isOptional ? "decodeIfPresent" : "decode"
                return .text(
                    .list(
                        "self.\(member.quoted) = try container.\(method)(",
                        ["\(member.type).self", "forKey: .\(member.quoted)"], ")"))
            } + ["self.\(Self.othersName) = try decoder.additionalProperties(besides: CodingKeys.self)"]
    }

    /// Returns the lines that encode a structure with further members.
    private func encodingLines(_ members: [Member]) -> [SwiftLine] {
        ["var container = encoder.container(keyedBy: CodingKeys.self)"]
            + members.map { member in
                let method = member.isOptional ? "encodeIfPresent" : "encode"
                return .text(
                    .list("try container.\(method)(", ["self.\(member.quoted)", "forKey: .\(member.quoted)"], ")"))
            } + ["try self.\(Self.othersName).encode(to: encoder)"]
    }

    private static let decoding: SwiftText = "public init(from decoder: any Decoder) throws"
    private static let encoding: SwiftText = "public func encode(to encoder: any Encoder) throws"

    /// Returns the protocol of a model: models that are only received are never encoded.
    private static func conformance(_ model: InferredModel) -> String { model.isSent ? "Codable" : "Decodable" }

    // MARK: Enums

    /// A case of an enum, with its value.
    private struct UnionCase {
        let name: String
        /// The type of the value.
        let type: String

        /// `case circle(Circle)`
        var declaration: SwiftLine { "case \(SwiftNames.quoted(name))(\(type))" }

        /// `case .circle(let value): try value.encode(to: encoder)`
        var encoding: SwiftLine { "case .\(name)(let value): try value.encode(to: encoder)" }

        /// Returns the line that decodes the case: `self = .circle(try Circle(from: decoder))`.
        func assignment(_ value: SwiftText) -> SwiftLine {
            .indented([.text(.list("self = .\(name)(", [value], ")"))])
        }
    }

    /// Returns an enum, each of whose cases has one value.
    ///
    /// With a key, the enum also has a case for values whose text under the key is not known.
    private func union(
        _ model: InferredModel, _ alternatives: [InferredModel.Alternative], _ key: String?
    ) -> SwiftLine {
        var cases = zip(model.labels, alternatives).map { label, alternative in
            UnionCase(name: label, type: alternative.type.text(isOpen: model.isReceived))
        }
        var members: [SwiftLine] = []
        let decoding: [SwiftLine]
        if let key {
            let keyName = SwiftNames.memberName(SwiftNames.words(key))
            decoding = Self.decodingByTag(cases, alternatives.map(\.tag), keyName)
            cases.append(UnionCase(name: "unknown", type: "JSONValue"))
            let keys = Self.key(keyName, coding.modelKey(key))
            members = [.block("private enum CodingKeys: String, CodingKey", [keys]), ""]
        } else {
            decoding = Self.decodingByType(cases)
        }
        members.append(.block(Self.decoding, decoding))
        if model.isSent {
            members += ["", .block(Self.encoding, ["switch self {"] + cases.map(\.encoding) + ["}"])]
        }
        let head: SwiftText = "public enum \(model.name): \(Self.conformance(model)), Sendable"
        return .block(head, cases.map(\.declaration) + [""] + members)
    }

    /// Returns the lines that decode the case with the text under a key, and `unknown` for any other text.
    private static func decodingByTag(_ cases: [UnionCase], _ tags: [String], _ keyName: String) -> [SwiftLine] {
        var lines: [SwiftLine] = [
            "let container = try decoder.container(keyedBy: CodingKeys.self)",
            "switch try? container.decode(String.self, forKey: .\(SwiftNames.quoted(keyName))) {",
        ]
        for (unionCase, tag) in zip(cases, tags) {
            lines.append("case \(SwiftLiteral.string(tag)):")
            lines.append(unionCase.assignment("try \(unionCase.type)(from: decoder)"))
        }
        return lines + ["default: self = .unknown(try JSONValue(from: decoder))", "}"]
    }

    /// Returns the lines that decode the first case whose type fits. The error is that of the last case.
    private static func decodingByType(_ cases: [UnionCase]) -> [SwiftLine] {
        var lines: [SwiftLine] = ["let container = try decoder.singleValueContainer()"]
        var start = ""
        for unionCase in cases.dropLast() {
            lines.append("\(start)if let value = try? container.decode(\(unionCase.type).self) {")
            lines.append(unionCase.assignment("value"))
            start = "} else "
        }
        guard let last = cases.last else { return lines }
        let value: SwiftText = "try container.decode(\(last.type).self)"
        return lines + ["\(start){", last.assignment(value), "}"]
    }
}

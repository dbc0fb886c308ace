import EndpointKit
import JSONText

/// Writes the Swift declarations of models, all of which have names.
struct ModelText {
    /// The names that people chose for properties.
    ///
    /// The key is that of the property in JSON, `vote_average`, for all models, or has the name of one model before it:
    /// `Movie.vote_average`.
    private let fieldNames: [String: String]
    private let coding: Coding
    /// The models that contain themselves. They become final classes, because a structure can't contain itself.
    private let recursiveModels: Set<InferredModel>

    /// Creates the writer, and sets the ``InferredModel/memberNames`` of each model: the Swift names of its properties,
    /// alternatives or listed values.
    ///
    /// - Parameters:
    ///   - models: The models, which are changed in place.
    ///   - fieldNames: The names that people chose for properties. The key is `vote_average`, as in JSON, for all
    ///     models, or `Movie.vote_average` for one model.
    ///   - coding: How the API converts between the keys in JSON and the names of properties, such as from snake case.
    init(_ models: [InferredModel], fieldNames: [String: String], coding: Coding = Coding()) {
        self.fieldNames = fieldNames
        self.coding = coding
        recursiveModels = InferredModel.recursive(among: models)
        for model in models { model.memberNames = memberNames(of: model) }
    }

    /// Returns the declaration of a model, with its comment and the modules that it needs.
    func declaration(_ model: InferredModel) -> InferredModels.Declaration {
        let comment: [SwiftLine] = model.summary.isEmpty ? [] : [.comment(model.summary)]
        let declaration: SwiftLine
        switch model.form {
        case .structure(let fields):
            declaration = structureDeclaration(of: model, fields: fields)
        case .union(let alternatives, let tagKey):
            declaration = unionDeclaration(of: model, alternatives: alternatives, tagKey: tagKey)
        case .values(let values, let areIntegers):
            declaration = Self.enumDeclaration(of: model, values: values, areIntegers: areIntegers)
        }
        // A declaration is loose if one of its types had to become `JSONValue`.
        return InferredModels.Declaration(
            name: model.name, lines: comment + [declaration], imports: Self.imports(of: model),
            isLoose: model.containedTypes.contains { $0.reasonForJSON != nil })
    }

    /// Returns the modules that the declaration of a model needs: `Foundation` for dates and decimal numbers, and
    /// `EndpointKit` for types such as `JSONValue` and `Nullable`.
    private static func imports(of model: InferredModel) -> Set<String> {
        var imports = Set(model.containedTypes.compactMap(\.module))
        // An enum in a response is declared as `OpenEnum`.
        let hasOpenEnum = model.isReceived && model.containedModels.contains(where: \.isListed)
        let hasNullable = model.fields.contains(where: model.sendsNull)
        // A union by a tag has the case `unknown(JSONValue)`.
        let hasUnknownCase = if case .union(_, key: _?) = model.form { true } else { false }
        if hasOpenEnum || hasNullable || hasUnknownCase || model.hasAdditionalProperties {
            imports.insert("EndpointKit")
        }
        return imports
    }

    // MARK: Names

    /// The names that the cases of an enum can't have.
    private static let reservedInEnums = ["init", "self", "Type"]

    /// Returns the Swift names of a model's properties, alternatives or listed values, in their order.
    ///
    /// `first_name`, `id` → `firstName`, `id`. A name that comes twice gets a number, and so does one that the
    /// declaration itself uses, such as `rawValue`.
    private func memberNames(of model: InferredModel) -> [String] {
        let reservedNames: [String]
        let derivedNames: [String]
        switch model.form {
        case .structure(let fields):
            reservedNames = model.hasAdditionalProperties ? [Self.additionalProperties] : []
            derivedNames = fields.map { propertyName($0, of: model) }
        case .values(let values, _):
            reservedNames = Self.reservedInEnums + ["allCases", "rawValue"]
            let hasNames = !model.valueNames.isEmpty
            derivedNames = hasNames ? model.valueNames.map(Self.memberName) : values.map(Self.valueName)
        case .union(let alternatives, key: nil):
            reservedNames = Self.reservedInEnums
            derivedNames = Self.kindNames(alternatives)
        case .union(let alternatives, key: _?):
            reservedNames = Self.reservedInEnums + ["unknown"]
            derivedNames = alternatives.map { Self.memberName($0.tag) }
        }
        var takenNames = NameTable(reservedNames)
        return derivedNames.map { name in
            // In an optional enum, `.none` would be nil.
            let isAmbiguous = name == "none" && model.fields.isEmpty
            return takenNames.unique(isAmbiguous ? "noneValue" : name)
        }
    }

    /// Returns the name of a property: the one that people chose, or else the one that its key makes.
    private func propertyName(_ field: InferredModel.Property, of model: InferredModel) -> String {
        let chosenName = fieldNames["\(model.name).\(field.key)"] ?? fieldNames[field.key]
        let name = chosenName ?? Self.memberName(field.key)
        // The names are labels of the initializer, which only models of requests have.
        let isUnusable = model.isSent && SwiftNames.unusableLabels.contains(name)
        return isUnusable ? name + "Value" : name
    }

    /// Returns the name of a property or case for a text: `first_name` → `firstName`.
    private static func memberName(_ text: String) -> String { SwiftNames.memberName(SwiftNames.words(text)) }

    /// Returns the name of the case for a listed value: `in-stock` → `inStock`.
    ///
    /// A minus sign at the start is a word, because it often stands for a descending order: `-created` →
    /// `minusCreated`.
    private static func valueName(_ value: String) -> String {
        if value.isEmpty { return "empty" }
        let words = SwiftNames.words(value)
        let hasUnnamedMinus = value.hasPrefix("-") && words.first != "minus"
        return SwiftNames.memberName(hasUnnamedMinus ? ["minus"] + words : words)
    }

    /// Returns the names of alternatives that are told apart by their kinds in JSON: `string`, `integer`, `object`.
    ///
    /// If there are several objects, each is named after its model: `cat`, `dog`.
    private static func kindNames(_ alternatives: [InferredModel.Alternative]) -> [String] {
        let hasSeveralObjects = alternatives.count { $0.type.jsonKind == .object } > 1
        return alternatives.map { alternative in
            if hasSeveralObjects, let model = alternative.type.model { return memberName(model.name) }
            switch alternative.type {
            case .integer: return "integer"
            case .date: return "date"
            default: return alternative.type.jsonKind?.rawValue ?? "value"
            }
        }
    }

    /// Returns a case with a text as its raw value: `case name`, or `case firstName = "first_name"`.
    private static func textCase(_ name: String, rawValue: String) -> SwiftLine {
        let start = "case \(SwiftNames.identifier(name))"
        return name == rawValue ? "\(start)" : "\(start) = \(SwiftText.literal(rawValue))"
    }

    // MARK: Structures

    /// A property of a structure that is declared.
    private struct Member {
        let name: String
        /// The key in JSON, as the API's coding of keys converts it.
        let key: String
        /// The type without `?`.
        let type: String
        let field: InferredModel.Property

        var isOptional: Bool { field.isOptional }
        /// The name, in backticks if it is a keyword.
        var identifier: String { SwiftNames.identifier(name) }
        /// The type with `?` if it is optional.
        var declaredType: String { type + (isOptional ? "?" : "") }

        /// The line of an initializer: `self.name = name`.
        var assignment: SwiftLine { "self.\(identifier) = \(identifier)" }
    }

    /// The name of the property for the members of an object that are not among its fields.
    private static let additionalProperties = "additionalProperties"

    /// Returns the declaration of a structure, or of a final class if the model contains itself.
    ///
    /// A model may have additional properties: the members of an object for which it has no field. Then the declaration
    /// has code that decodes them, and that encodes them if the model is part of requests.
    ///
    ///     public struct Movie: Decodable, Sendable {
    ///         public let title: String
    ///     }
    private func structureDeclaration(
        of model: InferredModel, fields: [InferredModel.Property]
    ) -> SwiftLine {
        let isClass = recursiveModels.contains(model)
        let members = zip(model.memberNames, fields).map { name, field in member(named: name, for: field, of: model) }
        var lines = members.flatMap { propertyLines(of: $0, in: model, isClass: isClass) }
        // The type of the values in `additionalProperties`; nil if the structure does not declare that property.
        var additionalValueType: String?
        if model.hasAdditionalProperties {
            additionalValueType = model.additionalProperties?.text(isOpen: model.isReceived)
        }
        if let additionalValueType {
            let keyword = Self.propertyKeyword(in: model, isClass: isClass)
            lines += [
                .comment("The members that have no property of their own."),
                "public \(keyword) \(Self.additionalProperties): [String: \(additionalValueType)]",
            ]
        }
        if model.isSent {
            lines += initializerLines(
                of: model, members: members, additionalValueType: additionalValueType, isClass: isClass)
        }
        lines += Self.codingKeys(members, isListNeeded: additionalValueType != nil)
        if additionalValueType != nil {
            lines += ["", .block(Self.decoding, decodingLines(members))]
            if model.isSent { lines += ["", .block(Self.encoding, encodingLines(members))] }
        }
        let kind = isClass ? "final class" : "struct"
        return .block("public \(kind) \(model.name): \(Self.conformance(model)), Sendable", lines)
    }

    /// Returns the keyword with which properties are declared: `var` or `let`.
    ///
    /// An app changes what it sends. A class is only shared safely between tasks if nothing changes it.
    private static func propertyKeyword(in model: InferredModel, isClass: Bool) -> String {
        model.isSent && !isClass ? "var" : "let"
    }

    /// Returns the property that is declared for a field.
    private func member(
        named name: String, for field: InferredModel.Property, of model: InferredModel
    ) -> Member {
        let type = field.type.text(isOpen: model.isReceived)
        return Member(
            name: name, key: coding.modelKey(field.key),
            type: model.sendsNull(field) ? "Nullable<\(type)>" : type, field: field)
    }

    /// Returns the lines of the enum `CodingKeys`; none if all properties are called like their keys.
    ///
    /// - Parameters:
    ///   - members: The properties, with their keys.
    ///   - isListNeeded: Whether the generated code needs the list of all keys. With it, the code finds the members of
    ///     an object that have no property.
    private static func codingKeys(_ members: [Member], isListNeeded: Bool) -> [SwiftLine] {
        let hasOtherKey = members.contains { $0.name != $0.key }
        if !isListNeeded, !hasOtherKey { return [] }
        let protocols = isListNeeded ? "CodingKey, CaseIterable" : "CodingKey"
        let cases = members.map { textCase($0.name, rawValue: $0.key) }
        return ["", .block("private enum CodingKeys: String, \(protocols)", cases)]
    }

    /// Returns the lines that declare a property, with its comment: `public let title: String?`.
    ///
    /// A deprecated property has the attribute `@available(*, deprecated)`. If other lines of the structure use the
    /// property, the compiler would warn of that use, so the comment says "Deprecated." instead.
    ///
    /// - Parameters:
    ///   - member: The property to declare.
    ///   - model: The structure that has the property.
    ///   - isClass: Whether the structure is declared as a class.
    private func propertyLines(of member: Member, in model: InferredModel, isClass: Bool) -> [SwiftLine] {
        let field = member.field
        // The initializer of a structure has no line for a deprecated property that is optional. That of a class sets
        // it to nil.
        let isSetByInitializer = model.isSent && (!member.isOptional || isClass)
        // With additional properties, the structure has code that decodes and encodes each property.
        let isUsedByCode = isSetByInitializer || model.hasAdditionalProperties
        let hasAttribute = field.isDeprecated && !isUsedByCode
        var comments = [field.summary]
        // The comment says why the type is only `JSONValue`.
        if let reason = field.type.reasonForJSON { comments.append(SwiftNames.sentence([reason]) + ".") }
        if field.isDeprecated, !hasAttribute { comments.append("Deprecated.") }
        let keyword = Self.propertyKeyword(in: model, isClass: isClass)
        var lines = comments.filter { !$0.isEmpty }.map { SwiftLine.comment($0) }
        if hasAttribute { lines.append("@available(*, deprecated)") }
        return lines + ["public \(keyword) \(member.identifier): \(member.declaredType)"]
    }

    /// Returns the lines of the initializer that a model of requests has.
    ///
    ///     public init(name: String, tag: String? = nil) {
    ///         self.name = name
    ///         self.tag = tag
    ///     }
    ///
    /// - Parameters:
    ///   - model: The structure that gets the initializer.
    ///   - members: The properties of the structure.
    ///   - additionalValueType: The type of the values in `additionalProperties`; nil if there is no such property.
    ///   - isClass: Whether the model is a class, which has to set the properties that are no parameters to nil.
    private func initializerLines(
        of model: InferredModel, members: [Member], additionalValueType: String?, isClass: Bool
    ) -> [SwiftLine] {
        let initializedMembers = members.filter { model.isInInitializer($0.field) }
        var parameters: [SwiftText] = initializedMembers.map { member in
            let defaultValue = member.isOptional ? " = nil" : ""
            return "\(member.name): \(member.declaredType)\(defaultValue)"
        }
        var assignments = initializedMembers.map(\.assignment)
        if isClass {
            let otherMembers = members.filter { !model.isInInitializer($0.field) }
            assignments += otherMembers.map { "self.\($0.identifier) = nil" }
        }
        if let additionalValueType {
            let name = Self.additionalProperties
            parameters.append("\(name): [String: \(additionalValueType)] = [:]")
            assignments.append("self.\(name) = \(name)")
        }
        return ["", .text(.list("public init(", parameters, ") {")), .indented(assignments), "}"]
    }

    /// Returns the lines that decode a structure with additional properties: members of an object that have no property
    /// of their own.
    ///
    ///     let container = try decoder.container(keyedBy: CodingKeys.self)
    ///     self.name = try container.decode(String.self, forKey: .name)
    ///     self.additionalProperties = try decoder.additionalProperties(besides: CodingKeys.self)
    private func decodingLines(_ members: [Member]) -> [SwiftLine] {
        var lines: [SwiftLine] = ["let container = try decoder.container(keyedBy: CodingKeys.self)"]
        for member in members {
            let method = member.isOptional ? "decodeIfPresent" : "decode"
            let call = "self.\(member.identifier) = try container.\(method)("
            lines.append(.text(.list(call, ["\(member.type).self", "forKey: .\(member.identifier)"], ")")))
        }
        let name = Self.additionalProperties
        return lines + ["self.\(name) = try decoder.additionalProperties(besides: CodingKeys.self)"]
    }

    /// Returns the lines that encode a structure with additional properties: members of an object that have no property
    /// of their own.
    ///
    ///     var container = encoder.container(keyedBy: CodingKeys.self)
    ///     try container.encode(self.name, forKey: .name)
    ///     try self.additionalProperties.encode(to: encoder)
    private func encodingLines(_ members: [Member]) -> [SwiftLine] {
        var lines: [SwiftLine] = ["var container = encoder.container(keyedBy: CodingKeys.self)"]
        for member in members {
            let method = member.isOptional ? "encodeIfPresent" : "encode"
            let arguments: [SwiftText] = ["self.\(member.identifier)", "forKey: .\(member.identifier)"]
            lines.append(.text(.list("try container.\(method)(", arguments, ")")))
        }
        return lines + ["try self.\(Self.additionalProperties).encode(to: encoder)"]
    }

    private static let decoding: SwiftText = "public init(from decoder: any Decoder) throws"
    private static let encoding: SwiftText = "public func encode(to encoder: any Encoder) throws"

    /// Returns the protocol that a model conforms to. A model that only responses have is never encoded.
    private static func conformance(_ model: InferredModel) -> String { model.isSent ? "Codable" : "Decodable" }

    // MARK: Enums

    /// Returns the declaration of an enum of listed values.
    ///
    ///     public enum Status: String, Codable, CaseIterable, Sendable {
    ///         case available
    ///         case inStock = "in-stock"
    ///     }
    private static func enumDeclaration(
        of model: InferredModel, values: [String], areIntegers: Bool
    ) -> SwiftLine {
        let type = areIntegers ? "Int" : "String"
        let cases = zip(model.memberNames, values).map { name, value -> SwiftLine in
            areIntegers ? "case \(name) = \(RequestValue.integerLiteral(value))" : textCase(name, rawValue: value)
        }
        return .block("public enum \(model.name): \(type), Codable, CaseIterable, Sendable", cases)
    }

    /// A case of an enum, with its associated value.
    private struct UnionCase {
        let name: String
        /// The type of the value.
        let type: String

        /// The declaration of the case: `case circle(Circle)`.
        var declaration: SwiftLine { "case \(SwiftNames.identifier(name))(\(type))" }

        /// The line that encodes the case: `case .circle(let value): try value.encode(to: encoder)`.
        var encoding: SwiftLine { "case .\(name)(let value): try value.encode(to: encoder)" }

        /// Returns the line that decodes the case: `self = .circle(try Circle(from: decoder))`.
        ///
        /// - Parameter value: The expression of the value, such as `try Circle(from: decoder)`.
        func assignment(_ value: SwiftText) -> SwiftLine {
            .indented([.text(.list("self = .\(name)(", [value], ")"))])
        }
    }

    /// Returns the declaration of an enum with an associated value for each alternative.
    ///
    ///     public enum Shape: Decodable, Sendable {
    ///         case circle(Circle)
    ///         case unknown(JSONValue)
    ///     }
    ///
    /// - Parameters:
    ///   - model: The model that becomes the enum.
    ///   - alternatives: The types of the associated values, with their tags.
    ///   - tagKey: The key of the member that tells the alternatives apart, such as `type`. The enum then also has the
    ///     case `unknown` for other tags. Without a key, the first type that fits the value decides.
    private func unionDeclaration(
        of model: InferredModel, alternatives: [InferredModel.Alternative], tagKey: String?
    ) -> SwiftLine {
        var cases = zip(model.memberNames, alternatives).map { name, alternative in
            UnionCase(name: name, type: alternative.type.text(isOpen: model.isReceived))
        }
        var members: [SwiftLine] = []
        let decodingLines: [SwiftLine]
        if let tagKey {
            let keyName = Self.memberName(tagKey)
            decodingLines = Self.decodingByTag(cases, tags: alternatives.map(\.tag), keyName: keyName)
            cases.append(UnionCase(name: "unknown", type: "JSONValue"))
            let keyCase = Self.textCase(keyName, rawValue: coding.modelKey(tagKey))
            members = [.block("private enum CodingKeys: String, CodingKey", [keyCase]), ""]
        } else {
            decodingLines = Self.decodingByType(cases)
        }
        members.append(.block(Self.decoding, decodingLines))
        if model.isSent {
            members += ["", .block(Self.encoding, ["switch self {"] + cases.map(\.encoding) + ["}"])]
        }
        let head: SwiftText = "public enum \(model.name): \(Self.conformance(model)), Sendable"
        return .block(head, cases.map(\.declaration) + [""] + members)
    }

    /// Returns the lines that decode the case whose tag is in the object, or `unknown` for any other tag and for none.
    ///
    ///     switch try? container.decode(String.self, forKey: .type) {
    ///     case "circle":
    ///         self = .circle(try Circle(from: decoder))
    ///     default: self = .unknown(try JSONValue(from: decoder))
    ///     }
    ///
    /// - Parameters:
    ///   - cases: The cases of the enum, without `unknown`.
    ///   - tags: The tags of the cases, such as `circle`.
    ///   - keyName: The name of the coding key under which objects have their tags, such as `type`.
    private static func decodingByTag(_ cases: [UnionCase], tags: [String], keyName: String) -> [SwiftLine] {
        var lines: [SwiftLine] = [
            "let container = try decoder.container(keyedBy: CodingKeys.self)",
            "switch try? container.decode(String.self, forKey: .\(SwiftNames.identifier(keyName))) {",
        ]
        for (unionCase, tag) in zip(cases, tags) {
            lines.append("case \(SwiftLiteral.string(tag)):")
            lines.append(unionCase.assignment("try \(unionCase.type)(from: decoder)"))
        }
        return lines + ["default: self = .unknown(try JSONValue(from: decoder))", "}"]
    }

    /// Returns the lines that decode the first case whose type fits the value.
    ///
    /// If no type fits, the generated code throws the error of the last case.
    ///
    ///     if let value = try? container.decode(Int.self) {
    ///         self = .integer(value)
    ///     } else {
    ///         self = .string(try container.decode(String.self))
    ///     }
    private static func decodingByType(_ cases: [UnionCase]) -> [SwiftLine] {
        var lines: [SwiftLine] = ["let container = try decoder.singleValueContainer()"]
        guard let lastCase = cases.last else { return lines }
        var lineStart = ""
        for unionCase in cases.dropLast() {
            lines.append("\(lineStart)if let value = try? container.decode(\(unionCase.type).self) {")
            lines.append(unionCase.assignment("value"))
            lineStart = "} else "
        }
        let value: SwiftText = "try container.decode(\(lastCase.type).self)"
        return lines + ["\(lineStart){", lastCase.assignment(value), "}"]
    }
}

import EndpointKit
import EndpointTools
import JSONText

extension ImportedOperation {
    /// Returns the endpoint, when all types have names.
    ///
    /// - Parameters:
    ///   - sweep: Removes secrets of examples.
    ///   - credentials: The credentials of the operation, if they are not those of the API.
    func written(_ sweep: SecretSweep, credentials: [Credential]?) -> EndpointText {
        var text = text
        let isMultipart = if case .parts = text.body { true } else { false }
        var examples = ExampleText(sweep: sweep, isMultipart: isMultipart)
        let isUnlabelled = body?.type.model?.fields.isEmpty == false && !hasFieldOfParameter
        for (index, parameter) in text.parameters.enumerated() where parameter.constant == nil && !parameter.isInQuery {
            if parameter.key.isEmpty {
                // The fields of one structure can be flags of their own. The body comes first, and then the query.
                let isQuery = parameter.place == .query
                text.parameters[index].hasLabel = isQuery == isUnlabelled
            }
            // Only the example shows what is in a body, so an optional body is written too.
            let isLeftOut = parameter.isOptional && parameter.value == nil && parameter.place != .body
            text.parameters[index].example = isLeftOut ? "nil" : examples.example(parameter)
        }
        // A check sends examples, so nothing that writes becomes one.
        text.isExampleReal = examples.isReal && !writes
        if let response { text.returns = response.text() + ".self" }
        text.credentials = credentials
        text.pages = PageRules(self).paging
        return text
    }

    /// Whether a field of the body has the name of a parameter. The flags of both would be equal if the body had no
    /// label.
    private var hasFieldOfParameter: Bool {
        let names = Set(text.parameters.filter { $0.isOwn && !$0.isInQuery }.map(\.name))
        return body?.type.model?.labels.contains(where: names.contains) ?? false
    }
}

/// Writes values of types in Swift: those that a document gives as examples, or else values that are made up.
private struct ExampleText {
    /// Models inside of more models than this have no value. It bounds the stack.
    private static let maxDepth = 32
    /// Optional fields of models inside of more models than this are left out, because nobody reads so long an example.
    private static let maxOptionalDepth = 2
    /// The most elements of a list and members of a dictionary that are written.
    private static let maxElements = 3
    private static let maxMembers = 5
    /// A longer text is no example of a scalar.
    private static let maxTextLength = 60
    /// Longer JSON is not written.
    private static let maxJSONLength = 80

    let sweep: SecretSweep
    /// Whether the body is multipart, whose optional parts are written too: nothing else shows them.
    let isMultipart: Bool
    /// Whether every value is one of the document.
    private(set) var isReal = true
    /// The number of values that may still be written. Objects that hold objects would soon be many.
    private var remainingValues = 2_000

    init(sweep: SecretSweep, isMultipart: Bool) {
        self.sweep = sweep
        self.isMultipart = isMultipart
    }

    /// Returns the expression of a parameter's value.
    ///
    /// The document's example is taken without its secrets. If there is no example, or if it does not fit the type, a
    /// value is made up. ``isReal`` becomes false whenever the value is not exactly the document's.
    ///
    /// - Returns: The expression; nil if no value of the type can be written.
    mutating func example(_ parameter: EndpointText.Parameter) -> SwiftText? {
        var value = parameter.value
        if let own = value, !parameter.type.leaf.isEnum {
            value = sweep.cleaned(JSONValue([(parameter.key, own)]))?[parameter.key]
            isReal = isReal && value == own
        }
        if let text = expression(parameter.type, value, name: parameter.name) { return text }
        isReal = false
        return expression(parameter.type, nil, name: parameter.name)
    }

    /// Returns a value of a type.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - value: The value in the document. Without one, a value is made up, and ``isReal`` becomes false.
    ///   - name: The name of the property or parameter, which is the text of a string that is made up.
    ///   - depth: The number of models and lists around the value.
    ///   - isOpen: Whether an enum is open, as in models that responses have too.
    /// - Returns: The value; nil if none can be written.
    mutating func expression(
        _ type: InferredType, _ value: JSONValue?, name: String, depth: Int = 0, isOpen: Bool = false
    ) -> SwiftText? {
        remainingValues -= 1
        guard depth < Self.maxDepth, remainingValues > 0 else { return nil }
        switch type {
        case .optional(let inner):
            guard let value, !value.isNull else { return "nil" }
            return expression(inner, value, name: name, depth: depth, isOpen: isOpen)
        case .array(let element):
            isReal = isReal && value?.elements != nil
            // A list that is made up has one element if it is a parameter, so that the example shows what it holds.
            let elements = value?.elements?.prefix(Self.maxElements) ?? (depth == 0 ? [.null] : [])
            return .list(
                "[", elements.compactMap { expression(element, $0, name: name, depth: depth + 1, isOpen: isOpen) }, "]")
        case .dictionary(let element):
            isReal = isReal && value?.members != nil
            let members = (value?.members ?? []).prefix(Self.maxMembers).filter { $0.key.utf8.count < 60 }
            let texts = members.compactMap { key, value in
                expression(element, value, name: name, depth: depth + 1, isOpen: isOpen)
                    .map { "\(SwiftText.literal(key)): \($0)" as SwiftText }
            }
            // A dictionary literal with a repeated key would end the program that has it.
            let hasRepeatedKey = Set(members.map(\.key)).count < members.count
            return texts.isEmpty || hasRepeatedKey ? "[:]" : .list("[", texts, "]")
        case .model(let model): return self.value(of: model, value, name: name, depth: depth, isOpen: isOpen)
        case .json, .unknown:
            let text = value.flatMap(sweep.cleaned).flatMap { RequestValue.expression($0, sweep) } ?? ""
            if !text.isEmpty, text.count <= Self.maxJSONLength { return "\(text)" }
            isReal = false
            return "[:]"
        case .bytes:
            isReal = false
            return "[]"
        case .bool, .integer, .decimal, .double, .string, .date:
            if let text = value.flatMap({ scalar(type, $0) }) { return "\(text)" }
            isReal = false
            return Self.madeUpScalar(type, name: name)
        }
    }

    /// Returns a value of a type without parts, for which the document has none.
    ///
    /// - Parameter name: The name of the property or parameter, which is the text of a string.
    private static func madeUpScalar(_ type: InferredType, name: String) -> SwiftText {
        switch type {
        case .bool: "false"
        case .string: .literal(name)
        case .date: "Date(timeIntervalSince1970: 0)"
        default: "1"
        }
    }

    /// Returns a value of the document as a literal; nil if it does not fit the type.
    private func scalar(_ type: InferredType, _ value: JSONValue) -> String? {
        switch type {
        case .bool: return (value.bool ?? value.string.flatMap(Bool.init)).map { "\($0)" }
        case .integer:
            return (value.integer(Int.self) ?? value.string.flatMap { Int($0) }).map { RequestValue.grouped("\($0)") }
        case .decimal, .double:
            guard let number = value.double, number.magnitude < 1e9 else { return nil }
            return number == number.rounded() ? RequestValue.grouped("\(Int(number))") : "\(number)"
        case .date:
            guard let date = value.string.flatMap({ DateText.parse($0) }) else { return nil }
            let seconds = Int(date.timeIntervalSince1970.rounded())
            return "Date(timeIntervalSince1970: \(RequestValue.grouped("\(seconds)")))"
        default:
            guard value.members == nil, value.elements == nil, !value.isNull else { return nil }
            let text = sweep.cleaned(value.string ?? value.description)
            let isLong = text.utf8.count > Self.maxTextLength || text.contains(SecretRules.mark)
            return text.isEmpty || isLong ? nil : SwiftLiteral.string(text)
        }
    }

    /// Returns a value of a model, as ``expression(_:_:name:depth:isOpen:)`` does for all types.
    private mutating func value(
        of model: InferredModel, _ value: JSONValue?, name: String, depth: Int, isOpen: Bool
    ) -> SwiftText? {
        switch model.form {
        case .values(let values, _):
            let index = value.flatMap { values.firstIndex(of: $0.string ?? $0.description) }
            isReal = isReal && index != nil
            let text = ".\(model.labels[index ?? 0])"
            return isOpen ? ".known(\(text))" : "\(text)"
        case .structure(let fields):
            let isWholePart = isMultipart && depth == 0 && name == "body"
            return structure(model, fields, value, depth: depth, isMultipartBody: isWholePart)
        case .union(let alternatives, let key):
            return union(model, alternatives, key, value, name: name, depth: depth)
        }
    }

    /// Returns a call of a structure's initializer; nil if a required field has no value.
    private mutating func structure(
        _ model: InferredModel, _ fields: [InferredModel.Property], _ value: JSONValue?, depth: Int,
        isMultipartBody: Bool
    ) -> SwiftText? {
        var arguments: [SwiftText] = []
        for (field, property) in zip(fields, model.labels) where model.isInInitializer(field) {
            let member = member(for: field, in: value)
            // Nothing but the example shows which parts a multipart body has, so optional ones are written too.
            let isPart = isMultipartBody && field.isPart
            let hasNoValue = member == nil || member?.isNull == true
            if field.isOptional, !isPart, hasNoValue || depth > Self.maxOptionalDepth { continue }
            if model.sendsNull(field), member?.isNull == true {
                arguments.append("\(property): .null")
                continue
            }
            let text = expression(
                field.type, member, name: property, depth: isPart ? 0 : depth + 1, isOpen: model.isReceived)
            if let text {
                let argument = model.sendsNull(field) ? SwiftText.call(".value", [text]) : text
                arguments.append("\(property): \(argument)")
            } else if !field.isOptional {
                return nil
            }
        }
        isReal = isReal && (value?.members?.isEmpty == true || !arguments.isEmpty)
        return .list("\(model.name)(", arguments, ")")
    }

    /// Returns the document's value for a field: that of the object, or else the example of the field itself.
    ///
    /// - Returns: The value; nil if there is none, if the object leaves out an optional field, or if the field holds a
    ///   secret.
    private func member(for field: InferredModel.Property, in object: JSONValue?) -> JSONValue? {
        if SecretName.isCredential(field.key), !field.type.isEnum { return nil }
        if let member = object?[field.key] { return member }
        return object == nil || !field.isOptional ? field.example : nil
    }

    /// Returns a case of a union that has the kind or the tag of the value; nil if there is none.
    private mutating func union(
        _ model: InferredModel, _ alternatives: [InferredModel.Alternative], _ key: String?, _ value: JSONValue?,
        name: String, depth: Int
    ) -> SwiftText? {
        if key != nil { isReal = isReal && value != nil }
        let tag = key.flatMap { value?[$0]?.string } ?? alternatives.first?.tag
        for (alternative, label) in zip(alternatives, model.labels) {
            let isCandidate: Bool
            if key == nil {
                isCandidate = value == nil || alternative.type.jsonKind == value?.kind
            } else {
                isCandidate = alternative.tag == tag
            }
            guard isCandidate else { continue }
            let text = expression(
                alternative.type, value, name: key == nil ? label : name, depth: depth + 1,
                isOpen: model.isReceived)
            if let text { return .call(".\(label)", [text]) }
        }
        return nil
    }
}

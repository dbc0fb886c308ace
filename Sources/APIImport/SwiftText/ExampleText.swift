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
        for (index, one) in text.parameters.enumerated() where one.constant == nil && !one.isInQuery {
            if one.key.isEmpty { text.parameters[index].hasLabel = (one.place == .query) == isUnlabelled }
            // Without a body, nothing would show what is in it.
            let isLeftOut = one.isOptional && one.value == nil && one.place != .body
            text.parameters[index].example = isLeftOut ? "nil" : examples.example(one)
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
            return texts.isEmpty || Set(members.map(\.key)).count < members.count ? "[:]" : .list("[", texts, "]")
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
            switch type {
            case .bool: return "false"
            case .string: return .literal(name)
            case .date: return "Date(timeIntervalSince1970: 0)"
            default: return "1"
            }
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
            let known = value.flatMap { values.firstIndex(of: $0.string ?? $0.description) }
            isReal = isReal && known != nil
            let text = ".\(model.labels[known ?? 0])"
            return isOpen ? ".known(\(text))" : "\(text)"
        case .structure(let fields):
            var texts: [SwiftText] = []
            for (field, property) in zip(fields, model.labels) where model.isInInitializer(field) {
                // What an example leaves out need not be there.
                let example = value == nil || !field.isOptional ? field.example : nil
                let isSecret = SecretName.isCredential(field.key) && !field.type.isEnum
                let member = isSecret ? .none : value?[field.key] ?? example
                // What a multipart body lacks, nothing else shows.
                let isPart = isMultipart && depth == 0 && name == "body" && field.isPart
                if field.isOptional, !isPart, member == nil || member?.isNull == true || depth > 2 { continue }
                let inner = isPart ? 0 : depth + 1
                if model.sendsNull(field), member?.isNull == true {
                    texts.append("\(property): .null")
                    continue
                }
                guard
                    let text = expression(
                        field.type, member, name: property, depth: inner, isOpen: model.isReceived)
                else {
                    if field.isOptional { continue }
                    return nil
                }
                let value = model.sendsNull(field) ? SwiftText.call(".value", [text]) : text
                texts.append("\(property): \(value)")
            }
            isReal = isReal && (value?.members?.isEmpty == true || !texts.isEmpty)
            return .list("\(model.name)(", texts, ")")
        case .union(let all, let key):
            if key != nil { isReal = isReal && value != nil }
            let tag = key.flatMap { value?[$0]?.string } ?? all.first?.tag
            for (one, label) in zip(all, model.labels)
            where key == nil ? value == nil || one.type.jsonKind == value?.kind : one.tag == tag {
                let text = expression(
                    one.type, value, name: key == nil ? label : name, depth: depth + 1, isOpen: model.isReceived)
                if let text { return .call(".\(label)", [text]) }
            }
            return nil
        }
    }
}

import EndpointKit
import EndpointTools
import JSONText

extension ImportedOperation {
    /// Returns the Swift text of the endpoint, with the examples of its parameters, its response, its credentials and
    /// its pages.
    ///
    /// Precondition: All models of the endpoint have names.
    ///
    /// - Parameters:
    ///   - secrets: Removes secrets from examples.
    ///   - credentials: The credentials of the operation; nil if they are those of the API.
    func endpointText(secrets: ImportSecrets, credentials: [Credential]?) -> EndpointText {
        var text = text
        let isMultipart = if case .parts = text.body { true } else { false }
        var examples = ExampleText(secrets: secrets, isMultipart: isMultipart)
        for (index, parameter) in text.parameters.enumerated()
        where parameter.constant == nil && !parameter.isQueryField {
            // A parameter without a key is a structure: the whole body, or the many parameters of a query.
            if parameter.key.isEmpty { text.parameters[index].hasLabel = needsLabel(structureIn: parameter.place) }
            // Only the example shows what is in a body, so an optional body is written too.
            let isLeftOut = parameter.isOptional && parameter.value == nil && parameter.place != .body
            text.parameters[index].example = isLeftOut ? "nil" : examples.expression(for: parameter)
        }
        // A check sends real examples, so a call that changes something is listed as a placeholder.
        text.isExampleReal = examples.isReal && !writes
        if let response { text.returns = response.text() + ".self" }
        text.credentials = credentials
        text.pages = PageRules(self).paging
        return text
    }

    /// Whether the structure of the body or the query has a label in the case: `create(body: Pet)`.
    ///
    /// Only one of the two structures has no label. On the command line, each of its fields is a flag. The body has no
    /// label if it has fields, and if none of them is called like a parameter. Otherwise the query has none.
    ///
    /// - Parameter place: The part of the request that has the structure: the body or the query.
    private func needsLabel(structureIn place: EndpointText.Parameter.Place) -> Bool {
        let bodyHasFields = body?.type.model?.fields.isEmpty == false
        let isBodyUnlabelled = bodyHasFields && !hasFieldOfParameter
        return place == .query ? isBodyUnlabelled : !isBodyUnlabelled
    }

    /// Whether a field of the body is called like a parameter. Both would have the same flag on the command line if the
    /// body had no label.
    private var hasFieldOfParameter: Bool {
        let names = Set(text.parameters.filter { $0.isSingleValue && !$0.isQueryField }.map(\.name))
        return body?.type.model?.memberNames.contains(where: names.contains) ?? false
    }
}

/// Writes values of types in Swift: the examples of a document, or else values that are made up.
private struct ExampleText {
    /// The deepest nesting of models. It bounds the stack, because a document chooses the nesting.
    private static let maxDepth = 32
    /// Optional fields are left out of models that are nested more deeply, because nobody reads so long an example.
    private static let maxOptionalDepth = 2
    /// The most elements of a list that are written.
    private static let maxElements = 3
    /// The most members of a dictionary that are written.
    private static let maxMembers = 5
    /// The most bytes of a key in a dictionary.
    private static let maxKeyLength = 59
    /// The most bytes of a text. A made-up text is written for a longer one.
    private static let maxTextLength = 60
    /// The most characters of a value that may be any JSON.
    private static let maxJSONLength = 80
    /// The bound of numbers that are written. A number is made up for a larger one, because nobody reads so many
    /// digits.
    private static let numberLimit = 1e9

    let secrets: ImportSecrets
    /// Whether the body is multipart, whose optional parts are written too: nothing else shows them.
    let isMultipart: Bool
    /// Whether every value is one of the document.
    private(set) var isReal = true
    /// The number of values that may still be written. It bounds examples of objects with many objects in them.
    private var remainingValues = 2_000

    init(secrets: ImportSecrets, isMultipart: Bool) {
        self.secrets = secrets
        self.isMultipart = isMultipart
    }

    /// The place of a value in an example.
    struct Position {
        /// The name of the property or parameter with the value, which is the text of a string that is made up.
        var name: String
        /// The number of models and lists around the value.
        var depth = 0
        /// Whether an enum is an `OpenEnum`, as in models that responses have too.
        var isOpen = false

        /// The position of an element or an associated value in this one.
        var inner: Position { Position(name: name, depth: depth + 1, isOpen: isOpen) }
    }

    /// Returns the expression of a parameter's value.
    ///
    /// The example in the document is written without its secrets. Without an example that fits the type, a value is
    /// made up. ``isReal`` becomes false if the value differs from the document's.
    ///
    /// - Returns: The expression; nil if no value of the type can be written.
    mutating func expression(for parameter: EndpointText.Parameter) -> SwiftText? {
        var publicValue = parameter.value
        if let documentedValue = parameter.value, !parameter.type.leaf.isEnum {
            // In an object, a secret is found by its key too, such as `api_key`.
            let object = JSONValue([(parameter.key, documentedValue)])
            publicValue = secrets.removed(from: object)?[parameter.key]
            if publicValue != documentedValue { isReal = false }
        }
        let position = Position(name: parameter.name)
        if let text = expression(of: parameter.type, for: publicValue, at: position) { return text }
        // The document's value does not fit the type.
        isReal = false
        return expression(of: parameter.type, for: nil, at: position)
    }

    /// Returns the expression of a value: `[1, 2]` for an array of integers.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - value: The value in the document. Without one, a value is made up, and ``isReal`` becomes false.
    ///   - position: The name of the value, which a made-up text repeats, and its depth in the example.
    /// - Returns: The expression; nil if the value is nested too deeply, if the example has too many values already, or
    ///   if a part that must be there can't be written.
    mutating func expression(
        of type: InferredType, for value: JSONValue?, at position: Position
    ) -> SwiftText? {
        // The limit keeps an example short whose objects have many objects in them.
        remainingValues -= 1
        guard position.depth < Self.maxDepth, remainingValues > 0 else { return nil }
        switch type {
        case .optional(let inner):
            guard let value, !value.isNull else { return "nil" }
            return expression(of: inner, for: value, at: position)
        case .array(let element):
            return arrayExpression(of: element, for: value, at: position)
        case .dictionary(let element):
            return dictionaryExpression(of: element, for: value, at: position)
        case .model(let model):
            return modelExpression(of: model, for: value, at: position)
        case .json, .unknown:
            return anyJSONExpression(value)
        case .bytes:
            // Bytes are never taken from the document.
            isReal = false
            return "[]"
        case .bool, .integer, .decimal, .double, .string, .date:
            if let value, let text = scalarLiteral(of: type, for: value) { return "\(text)" }
            isReal = false
            return Self.madeUpScalar(type, name: position.name)
        }
    }

    /// Returns an array literal with the first elements of a list: `[1, 2, 3]`.
    ///
    /// Without a list in the document, the literal is empty, and ``isReal`` becomes false. Only the list of a whole
    /// parameter then gets one made-up element, so that the example shows what it holds.
    ///
    /// - Parameters:
    ///   - element: The type of the elements.
    ///   - value: The list in the document; nil if it is made up.
    ///   - position: The name and the depth of the list. Its elements are one level deeper.
    private mutating func arrayExpression(
        of element: InferredType, for value: JSONValue?, at position: Position
    ) -> SwiftText {
        let elements: [JSONValue]
        if let documentedElements = value?.elements {
            elements = Array(documentedElements.prefix(Self.maxElements))
        } else {
            isReal = false
            let isWholeParameter = position.depth == 0
            // Hardly any type accepts null, so a value for it is made up below.
            elements = isWholeParameter ? [.null] : []
        }
        let expressions = elements.compactMap { expression(of: element, for: $0, at: position.inner) }
        return .list("[", expressions, "]")
    }

    /// Returns a dictionary literal with the first members of an object: `["a": 1]`.
    ///
    /// Members with long keys, and members whose values can't be written, are left out.
    ///
    /// - Parameters:
    ///   - element: The type of the members' values.
    ///   - value: The object in the document. Without one, the dictionary is empty, and ``isReal`` becomes false.
    ///   - position: The name and the depth of the object. Its values are one level deeper.
    private mutating func dictionaryExpression(
        of element: InferredType, for value: JSONValue?, at position: Position
    ) -> SwiftText {
        if value?.members == nil { isReal = false }
        let firstMembers = (value?.members ?? []).prefix(Self.maxMembers)
        let members = firstMembers.filter { $0.key.utf8.count <= Self.maxKeyLength }
        var elements: [SwiftText] = []
        for (key, memberValue) in members {
            guard let text = expression(of: element, for: memberValue, at: position.inner) else { continue }
            elements.append("\(SwiftText.literal(key)): \(text)")
        }
        // A dictionary literal with a repeated key would crash the generated program.
        let hasRepeatedKey = Set(members.map(\.key)).count < members.count
        return elements.isEmpty || hasRepeatedKey ? "[:]" : .list("[", elements, "]")
    }

    /// Returns the expression of a `JSONValue`: the value without secrets if it is short, or else `[:]`.
    private mutating func anyJSONExpression(_ value: JSONValue?) -> SwiftText {
        if let value, let publicValue = secrets.removed(from: value),
            let text = RequestValue.lineLiteral(of: publicValue, secrets: secrets), text.count <= Self.maxJSONLength
        {
            return "\(text)"
        }
        isReal = false
        return "[:]"
    }

    /// Returns a value of a scalar type for which the document has no example: `1` for a number.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - name: The name of the property or parameter, which is the text of a string.
    private static func madeUpScalar(_ type: InferredType, name: String) -> SwiftText {
        switch type {
        case .bool: "false"
        case .string: .literal(name)
        case .date: "Date(timeIntervalSince1970: 0)"
        default: "1"
        }
    }

    /// Returns a value of the document as a literal: `"7"` → `7` for an integer.
    ///
    /// - Returns: The literal; nil if the value does not fit the type, if it is too long, or if it has a secret.
    private func scalarLiteral(of type: InferredType, for value: JSONValue) -> String? {
        switch type {
        case .bool:
            guard let bool = value.bool ?? value.string.flatMap(Bool.init) else { return nil }
            return "\(bool)"
        case .integer:
            guard let integer = value.integer(Int.self) ?? value.string.flatMap({ Int($0) }) else { return nil }
            return RequestValue.integerLiteral("\(integer)")
        case .decimal, .double:
            guard let number = value.double, number.magnitude < Self.numberLimit else { return nil }
            let isWhole = number == number.rounded()
            return isWhole ? RequestValue.integerLiteral("\(Int(number))") : "\(number)"
        case .date:
            guard let date = value.string.flatMap({ DateText.parse($0) }) else { return nil }
            let seconds = Int(date.timeIntervalSince1970.rounded())
            return "Date(timeIntervalSince1970: \(RequestValue.integerLiteral("\(seconds)")))"
        default:
            return textLiteral(value)
        }
    }

    /// Returns the literal of a text, or of a scalar as text; nil if it is empty or too long, or if it has a secret.
    private func textLiteral(_ value: JSONValue) -> String? {
        guard value.members == nil, value.elements == nil, !value.isNull else { return nil }
        let text = secrets.removed(from: value.string ?? value.description)
        guard !text.isEmpty, text.utf8.count <= Self.maxTextLength, !text.contains(SecretRules.mark) else { return nil }
        return SwiftLiteral.string(text)
    }

    /// Returns a value of a model: a case of an enum, or a call of a structure's initializer.
    ///
    /// - Parameters:
    ///   - model: The model of the value.
    ///   - value: The value in the document. Without one, a value is made up.
    ///   - position: The name and the depth of the value, and whether an enum is an `OpenEnum` there.
    /// - Returns: The expression; nil if no case of the enum, or no value for a required field, can be written.
    private mutating func modelExpression(
        of model: InferredModel, for value: JSONValue?, at position: Position
    ) -> SwiftText? {
        switch model.form {
        case .values(let values, _):
            let documentedIndex = value.flatMap { values.firstIndex(of: $0.string ?? $0.description) }
            if documentedIndex == nil { isReal = false }
            // Without a value that is listed, the first case is the example.
            let enumCase = ".\(model.memberNames[documentedIndex ?? 0])"
            // An `OpenEnum` has the cases `.known(…)` and `.unknown(…)`.
            return position.isOpen ? ".known(\(enumCase))" : "\(enumCase)"
        case .structure(let fields):
            let isMultipartBody = isMultipart && position.depth == 0 && position.name == "body"
            return initializerCall(
                of: model, fields: fields, for: value, depth: position.depth, isMultipartBody: isMultipartBody)
        case .union(let alternatives, let tagKey):
            return caseExpression(of: model, alternatives: alternatives, tagKey: tagKey, for: value, at: position)
        }
    }

    /// Returns a call of a structure's initializer: `Pet(name: "Rex")`.
    ///
    /// Optional fields are left out if they have no value, or if the structure is nested deeply. A multipart body has
    /// all of its fields, because nothing but the example shows which parts it may have.
    ///
    /// - Parameters:
    ///   - model: The structure that the initializer makes.
    ///   - fields: The fields of the structure.
    ///   - value: The object in the document. Without one, the values of fields are made up.
    ///   - depth: The number of models and lists around the value.
    ///   - isMultipartBody: Whether the structure is a whole multipart body.
    /// Sets ``isReal`` to false if a value in the call is made up.
    ///
    /// - Returns: The call; nil if no value can be written for a required field.
    private mutating func initializerCall(
        of model: InferredModel, fields: [InferredModel.Property], for value: JSONValue?, depth: Int,
        isMultipartBody: Bool
    ) -> SwiftText? {
        var arguments: [SwiftText] = []
        for (field, label) in zip(fields, model.memberNames) where model.isInInitializer(field) {
            let memberValue = documentedValue(of: field, in: value)
            let isNull = memberValue?.isNull == true
            let isPart = isMultipartBody && field.isPart
            let mayBeOmitted = field.isOptional && !isPart
            let lacksValue = memberValue == nil || isNull
            let isTooDeep = depth > Self.maxOptionalDepth
            if mayBeOmitted, lacksValue || isTooDeep { continue }
            if isNull, model.sendsNull(field) {
                arguments.append("\(label): .null")
                continue
            }
            // A made-up list has an element only at depth 0. A part needs one to be shown.
            let position = Position(name: label, depth: isPart ? 0 : depth + 1, isOpen: model.isReceived)
            if let text = expression(of: field.type, for: memberValue, at: position) {
                // `Nullable` has the cases `.null` and `.value(…)`.
                let argument = model.sendsNull(field) ? SwiftText.call(".value", [text]) : text
                arguments.append("\(label): \(argument)")
            } else if !field.isOptional {
                return nil
            }
        }
        // A call without arguments is real only if the object in the document is empty too.
        let isEmptyInDocument = value?.members?.isEmpty == true
        if arguments.isEmpty, !isEmptyInDocument { isReal = false }
        return .list("\(model.name)(", arguments, ")")
    }

    /// Returns the document's value for a field: the member of the object, or else the example of the field itself.
    ///
    /// - Returns: The value; nil if there is none, if the object leaves out an optional field, or if the field holds a
    ///   secret.
    private func documentedValue(of field: InferredModel.Property, in object: JSONValue?) -> JSONValue? {
        let isSecret = SecretName.isCredential(field.key) && !field.type.isEnum
        if isSecret { return nil }
        if let member = object?[field.key] { return member }
        let isLeftOut = object != nil && field.isOptional
        return isLeftOut ? nil : field.example
    }

    /// Returns a case of an enum with associated values: `.cat(Cat(name: "Tom"))`.
    ///
    /// The case is chosen by the tag of the value, such as `cat` under the key `type`. In an enum without tags, it is
    /// the first case of the value's kind in JSON, such as a string.
    ///
    /// - Parameters:
    ///   - model: The model of the enum.
    ///   - alternatives: The types and tags of the associated values, one for each case.
    ///   - tagKey: The key of the tag; nil if the kinds of the values tell the cases apart.
    ///   - value: The value in the document. Without one, the first case is taken, with a value that is made up, and
    ///     ``isReal`` becomes false.
    ///   - position: The name and the depth of the value. The associated value is one level deeper.
    /// - Returns: The case; nil if no case fits, or if its value can't be written.
    private mutating func caseExpression(
        of model: InferredModel, alternatives: [InferredModel.Alternative], tagKey: String?, for value: JSONValue?,
        at position: Position
    ) -> SwiftText? {
        // A made-up example gets a tag that the document does not show.
        if tagKey != nil, value == nil { isReal = false }
        // A value without a tag is written as the first case.
        let tag = tagKey.flatMap { value?[$0]?.string } ?? alternatives.first?.tag
        for (alternative, caseName) in zip(alternatives, model.memberNames) {
            let isChosen = tagKey == nil ? Self.hasKind(value, of: alternative) : alternative.tag == tag
            guard isChosen else { continue }
            // In an enum without tags, a made-up text is the name of its case, such as `string`.
            let textName = tagKey == nil ? caseName : position.name
            let associatedPosition = Position(name: textName, depth: position.depth + 1, isOpen: model.isReceived)
            if let associatedValue = expression(of: alternative.type, for: value, at: associatedPosition) {
                return .call(".\(caseName)", [associatedValue])
            }
        }
        return nil
    }

    /// Whether a value of the document has the kind in JSON that an alternative has, such as a string. Without a value,
    /// any alternative will do.
    private static func hasKind(_ value: JSONValue?, of alternative: InferredModel.Alternative) -> Bool {
        guard let value else { return true }
        return alternative.type.jsonKind == value.kind
    }
}

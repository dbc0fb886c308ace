/// Writes the Swift expression of a form or multipart body that is made of the fields of a structure.
///
///     .form(["name": body.name])                   // form
///     .multipart([.field("name", body.name)])      // multipart
struct BodyFieldsText {
    private let model: InferredModel
    private let formats: [String: FieldFormat]
    /// Whether the body as a whole may be nil.
    private let isBodyOptional: Bool

    init(_ model: InferredModel, formats: [String: FieldFormat], isBodyOptional: Bool) {
        self.model = model
        self.formats = formats
        self.isBodyOptional = isBodyOptional
    }

    /// A field of the model, with its format and the Swift expression of its value.
    private struct Field {
        let property: InferredModel.Property
        let format: FieldFormat
        /// The expression of the value, such as `body.name` or `body?.name`.
        let value: String
        let isOptional: Bool

        /// The key as a string literal.
        var keyLiteral: String { SwiftLiteral.string(property.key) }
        /// Whether the field is a list that becomes a part for each of its elements.
        var hasPartForEachElement: Bool { elementType != nil && format.list == .items }
        /// The type of the elements, if the field is a list that is not written as JSON.
        var elementType: InferredType? {
            if case .array(let element) = property.type, !format.isJSON { element } else { nil }
        }
    }

    /// Returns the fields that are sent, with the expressions of their values.
    ///
    /// - Parameters:
    ///   - body: The expression of the body, such as `body` or `$0`.
    ///   - isOptional: Whether that expression may be nil, so that its fields are read with `?.`.
    private func makeFields(ofBody body: String, isOptional: Bool) -> [Field] {
        let dot = isOptional ? "?." : "."
        // A field whose key does not fit on a line is left out.
        let sentProperties = zip(model.fields, model.memberNames).filter { property, _ in property.isPart }
        return sentProperties.map { property, name in
            Field(
                property: property, format: formats[property.key] ?? FieldFormat(),
                value: body + dot + SwiftNames.identifier(name), isOptional: property.isOptional || isOptional)
        }
    }

    // MARK: Forms

    /// The expression of a form: `.form(["name": body.name, "tags": body.tags?.joined(by: ",")])`.
    ///
    /// If the body may be nil, the expression is `body.map { Body.form([…]) }`.
    var form: SwiftText {
        if !isBodyOptional { return .list(".form(", [query(ofBody: "body")], ")") }
        return .closure("body.map", .list("Body.form(", [query(ofBody: "$0")], ")"))
    }

    /// Returns the expression of an `Endpoint.Query` with the items of a form.
    ///
    /// | Fields | Expression |
    /// |---|---|
    /// | without positions | `["a": body.a]` |
    /// | lists with positions | `.indexed(["b": body.b])` |
    /// | both | `["a": body.a] + Endpoint.Query.indexed(["b": body.b])` |
    /// | none | `[:]` |
    ///
    /// - Parameter body: The expression of the body, such as `body` or `$0`.
    private func query(ofBody body: String) -> SwiftText {
        let fields = makeFields(ofBody: body, isOptional: false)
        if fields.isEmpty { return "[:]" }
        let indexedItems = fields.filter { $0.format.list == .indexed }.map(dictionaryElement)
        let plainItems = fields.filter { $0.format.list != .indexed }.map(dictionaryElement)
        if indexedItems.isEmpty { return .list("[", plainItems, "]") }
        if plainItems.isEmpty { return .list(".indexed([", indexedItems, "])") }
        return .sum([.list("[", plainItems, "]"), .list("Endpoint.Query.indexed([", indexedItems, "])")])
    }

    /// Returns the element of the dictionary literal for a field: `"name": body.name`.
    ///
    /// A list that is sent as one item is joined: `"tags": body.tags?.joined(by: ",")`.
    private func dictionaryElement(_ field: Field) -> SwiftText {
        guard case .joined(let separator) = field.format.list, field.elementType != nil else {
            return "\(field.keyLiteral): \(field.value)"
        }
        let joinedList = EndpointText.joinedExpression(
            for: field.value, of: field.property.type, isOptional: field.isOptional, by: separator)
        return "\(field.keyLiteral): \(joinedList)"
    }

    // MARK: Multipart bodies

    /// The expression of a multipart body:
    /// `.multipart([.file("photo", path: body.photo), .json("attributes", body.attributes)])`.
    ///
    /// A field that may be nil becomes an optional part, and nil is removed: `[Part?]([…]).compactMap(\.self)`. A list
    /// with a part for each element is added with `+` at the end: `+ body.tags.map { Part.field("tags", $0) }`.
    var multipart: SwiftText {
        let fields = makeFields(ofBody: "body", isOptional: isBodyOptional)
        let singleFields = fields.filter { !$0.hasPartForEachElement }
        let singleParts = singleFields.map(partOrNil)
        let listsOfParts = fields.filter(\.hasPartForEachElement).map(partsOfList)
        // The array literal has to be of optional parts if one of them may be nil.
        let mayHaveNil = singleFields.contains(where: \.isOptional)
        if listsOfParts.isEmpty, !mayHaveNil { return .list(".multipart([", singleParts, "])") }
        var terms: [SwiftText] = []
        if mayHaveNil {
            terms.append(.list("[Part?]([", singleParts, "]).compactMap(\\.self)"))
        } else if !singleParts.isEmpty {
            terms.append(.list("[", singleParts, "]"))
        }
        return .list(".multipart(", [.sum(terms + listsOfParts)], ")")
    }

    /// Returns the part of a field: `.file("photo", path: body.photo)`, or, if the field may be nil,
    /// `body.photo.map { Part.file("photo", path: $0) }`.
    private func partOrNil(_ field: Field) -> SwiftText {
        let type = field.property.type
        if !field.isOptional { return "\(partCall(of: field, type: type, value: field.value))" }
        // `body?.photo.map` would call `map` only if there is a body.
        let value = isBodyOptional ? "(\(field.value))" : field.value
        return "\(value).map { Part\(partCall(of: field, type: type, value: "$0")) }"
    }

    /// Returns the parts of a list, one for each element: `body.tags.map { Part.field("tags", $0) }`.
    private func partsOfList(_ field: Field) -> SwiftText {
        let list = field.isOptional ? "(\(field.value) ?? [])" : field.value
        // Only lists get here, and each of them has an element type.
        let elementType = field.elementType ?? field.property.type
        return "\(list).map { Part\(partCall(of: field, type: elementType, value: "$0")) }"
    }

    /// Returns the expression of a part, without the name of its type: `.field("name", body.name)`.
    ///
    /// A value that is not written as text is a part with JSON: `.json("tags", body.tags)`.
    ///
    /// - Parameters:
    ///   - field: The field of the structure that the part is for.
    ///   - type: The type of the value: that of the field, or of an element of its list.
    ///   - value: The expression of the value.
    private func partCall(of field: Field, type: InferredType, value: String) -> String {
        let key = field.keyLiteral
        var typeArgument = ""
        if let contentType = field.format.contentType {
            typeArgument = ", contentType: \(SwiftLiteral.string(contentType))"
        }
        if field.property.isFile { return ".file(\(key), path: \(value)\(typeArgument))" }
        let text = field.format.isJSON ? nil : stringExpression(for: value, of: type, format: field.format)
        guard let text else { return ".json(\(key), \(value))" }
        if typeArgument.isEmpty { return ".field(\(key), \(text))" }
        return ".text(\(key), \(text)\(typeArgument))"
    }

    /// Returns the expression that converts a value to a string: `body.tags` → `body.tags.joined(separator: ",")`.
    ///
    /// - Parameters:
    ///   - value: The expression of the value.
    ///   - type: The type of the value.
    ///   - format: How the field is written. It may name the separator of a list, which is a comma otherwise.
    /// - Returns: The expression; nil unless the value is a scalar, or a list of scalars other than dates.
    private func stringExpression(
        for value: String, of type: InferredType, format: FieldFormat
    ) -> String? {
        switch type {
        // In a form, dates are written as in a query.
        case .date: return "\(value).parameterText(Coding())"
        case .array(let element) where element.isScalar && element != .date:
            var separator = ","
            if case .joined(let text) = format.list { separator = text }
            return EndpointText.stringExpression(for: value, of: type, separator: separator)
        case _ where type.isScalar: return EndpointText.stringExpression(for: value, of: type)
        default: return nil
        }
    }
}

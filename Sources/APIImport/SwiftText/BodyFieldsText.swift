/// Writes the Swift expression of a form or multipart body that is made of the fields of a structure.
///
///     .form(["name": body.name])                   // form
///     .multipart([.field("name", body.name)])      // multipart
struct BodyFieldsText {
    private let model: InferredModel
    private let formats: [String: FieldFormat]
    /// Whether the body as a whole may be nil.
    private let isBodyOptional: Bool

    init(_ model: InferredModel, _ formats: [String: FieldFormat], isBodyOptional: Bool) {
        self.model = model
        self.formats = formats
        self.isBodyOptional = isBodyOptional
    }

    /// A field of the model, with its format and the Swift expression of its value.
    private struct Field {
        let field: InferredModel.Property
        let format: FieldFormat
        /// The expression of the value, such as `body.name` or `body?.name`.
        let value: String
        let isOptional: Bool

        /// The key as a literal.
        var key: String { SwiftLiteral.string(field.key) }
        /// Whether the field is a list that becomes a part for each of its elements.
        var hasPartForEachElement: Bool { element != nil && format.list == .items }
        /// The type of the elements, if the field is a list that is not written as JSON.
        var element: InferredType? {
            if case .array(let element) = field.type, !format.isJSON { element } else { nil }
        }
    }

    /// Returns the fields that are sent, with the expressions of their values.
    ///
    /// - Parameters:
    ///   - body: The expression of the body, such as `body` or `$0`.
    ///   - isOptional: Whether the body may be nil there.
    private func fields(of body: String, isOptional: Bool) -> [Field] {
        let dot = isOptional ? "?." : "."
        let sentFields = zip(model.fields, model.memberNames).filter { field, _ in field.isPart }
        return sentFields.map { field, name in
            Field(
                field: field, format: formats[field.key] ?? FieldFormat(),
                value: body + dot + SwiftNames.identifier(name), isOptional: field.isOptional || isOptional)
        }
    }

    // MARK: Forms

    /// The expression of a form: `.form(["name": body.name, "tags": body.tags?.joined(by: ",")])`.
    ///
    /// If the body may be nil, the expression is `body.map { Body.form([…]) }`.
    var form: SwiftText {
        if !isBodyOptional { return .list(".form(", [items(of: "body")], ")") }
        return .closure("body.map", .list("Body.form(", [items(of: "$0")], ")"))
    }

    /// Returns the expression of a form's items, which is an `Endpoint.Query`.
    ///
    /// | Fields | Expression |
    /// |---|---|
    /// | without positions | `["a": body.a]` |
    /// | lists with positions | `.indexed(["b": body.b])` |
    /// | both | `["a": body.a] + Endpoint.Query.indexed(["b": body.b])` |
    /// | none | `[:]` |
    private func items(of body: String) -> SwiftText {
        let fields = fields(of: body, isOptional: false)
        let indexed = fields.filter { $0.format.list == .indexed }
        let others = fields.filter { $0.format.list != .indexed }
        var terms: [SwiftText] = []
        if !others.isEmpty || indexed.isEmpty {
            terms.append(.list("[", others.isEmpty ? [":"] : others.map(item), "]"))
        }
        if !indexed.isEmpty {
            let start = others.isEmpty ? ".indexed([" : "Endpoint.Query.indexed(["
            terms.append(.list(start, indexed.map(item), "])"))
        }
        return .sum(terms)
    }

    /// Returns the element of the dictionary literal for a field: `"name": body.name`.
    ///
    /// A list that is sent as one item is joined: `"tags": body.tags?.joined(by: ",")`.
    private func item(_ field: Field) -> SwiftText {
        guard case .joined(let separator) = field.format.list, field.element != nil else {
            return "\(field.key): \(field.value)"
        }
        let list = EndpointText.joinedExpression(
            for: field.value, of: field.field.type, isOptional: field.isOptional, by: separator)
        return "\(field.key): \(list)"
    }

    // MARK: Multipart bodies

    /// The expression of a multipart body:
    /// `.multipart([.file("photo", path: body.photo), .json("attributes", body.attributes)])`.
    ///
    /// A field that may be nil becomes an optional part, and nil is removed: `[Part?]([…]).compactMap(\.self)`. A list
    /// with a part for each element is added with `+` at the end: `+ body.tags.map { Part.field("tags", $0) }`.
    var multipart: SwiftText {
        let fields = fields(of: "body", isOptional: isBodyOptional)
        let singleFields = fields.filter { !$0.hasPartForEachElement }
        let parts = singleFields.map(partOrNil)
        let lists = fields.filter(\.hasPartForEachElement).map(partsOfList)
        // The array literal has to be of optional parts if one of them may be nil.
        let mayHaveNil = singleFields.contains(where: \.isOptional)
        if lists.isEmpty, !mayHaveNil { return .list(".multipart([", parts, "])") }
        var terms: [SwiftText] = []
        if mayHaveNil {
            terms.append(.list("[Part?]([", parts, "]).compactMap(\\.self)"))
        } else if !parts.isEmpty {
            terms.append(.list("[", parts, "]"))
        }
        return .list(".multipart(", [.sum(terms + lists)], ")")
    }

    /// Returns the part of a field: `.file("photo", path: body.photo)`, or, if the field may be nil,
    /// `body.photo.map { Part.file("photo", path: $0) }`.
    private func partOrNil(_ field: Field) -> SwiftText {
        guard field.isOptional else { return "\(part(of: field, field.field.type, field.value))" }
        // `body?.photo.map` would call `map` only if there is a body.
        let value = isBodyOptional ? "(\(field.value))" : field.value
        return "\(value).map { Part\(part(of: field, field.field.type, "$0")) }"
    }

    /// Returns the parts of a list, one for each element: `body.tags.map { Part.field("tags", $0) }`.
    private func partsOfList(_ field: Field) -> SwiftText {
        let list = field.isOptional ? "(\(field.value) ?? [])" : field.value
        return "\(list).map { Part\(part(of: field, field.element ?? field.field.type, "$0")) }"
    }

    /// Returns the expression of a part, without the name of its type: `.field("name", body.name)`.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - type: The type of the value: that of the field, or of an element of its list.
    ///   - value: The expression of the value.
    private func part(of field: Field, _ type: InferredType, _ value: String) -> String {
        var typeArgument = ""
        if let contentType = field.format.contentType {
            typeArgument = ", contentType: \(SwiftLiteral.string(contentType))"
        }
        if field.field.isFile { return ".file(\(field.key), path: \(value)\(typeArgument))" }
        guard !field.format.isJSON, let text = stringExpression(for: value, of: type, field.format) else {
            return ".json(\(field.key), \(value))"
        }
        if typeArgument.isEmpty { return ".field(\(field.key), \(text))" }
        return ".text(\(field.key), \(text)\(typeArgument))"
    }

    /// Returns the expression that converts a value to a string: `body.tags` → `body.tags.joined(separator: ",")`.
    ///
    /// - Parameters:
    ///   - value: The expression of the value.
    ///   - type: The type of the value.
    ///   - format: The format of the field, which may name the separator of a list.
    /// - Returns: The expression; nil unless the value is a scalar, or a list of scalars other than dates.
    private func stringExpression(for value: String, of type: InferredType, _ format: FieldFormat) -> String? {
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

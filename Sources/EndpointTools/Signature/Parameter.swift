import EndpointKit
import JSONText

/// A parameter of an endpoint, or a field of a structure in one.
package struct Parameter: Sendable {
    /// The Swift names that lead to the parameter: `["records", "N", "name"]`.
    ///
    /// The elements of a list are ``Signature/anyPosition``. Values without a label are `_0`, `_1` and so on.
    package let path: [String]
    private let field: Shape.Field
    /// The parameter's values in the examples.
    private let exampleValues: [CallValue]
    /// Whether this is a case of an enum with values.
    package let isCase: Bool
    /// Whether this is one of several cases, or a field in one.
    package let isInCase: Bool
    /// The path of the innermost optional parameter or field around this one; nil if there is none.
    package let enclosingOptional: [String]?

    /// Describes a parameter of an endpoint.
    ///
    /// - Parameter calls: The values of calls, which are objects with the parameters as keys.
    init(_ field: Shape.Field, calls: [CallValue]) {
        self.field = field
        path = [field.key]
        exampleValues = calls.compactMap { $0[field.key] }
        isCase = false
        isInCase = false
        enclosingOptional = nil
    }

    /// Describes a field of a structure, or a case of an enum with values.
    ///
    ///     field name of a structure pet     ["pet", "name"]             --pet.name
    ///     field name in a list records      ["records", "N", "name"]    --records.N.name
    ///
    /// A field in a list stands for the field of each element, and has the values of all elements.
    ///
    /// - Parameters:
    ///   - field: The key and shape of the field, or of the case.
    ///   - container: The parameter that has the field: a structure, an enum with values, or a list of these.
    private init(_ field: Shape.Field, in container: Parameter) {
        self.field = field
        if container.type.isArray {
            let elements = container.exampleValues.flatMap(\.parts)
            path = container.path + [Signature.anyPosition, field.key]
            exampleValues = elements.compactMap { $0[field.key] }
        } else {
            path = container.path + [field.key]
            exampleValues = container.exampleValues.compactMap { $0[field.key] }
        }
        // The fields of an enum with values are its cases. Whatever is inside a case belongs to the case too.
        isCase = container.type.element.cases != nil
        isInCase = isCase || container.isInCase
        // The innermost optional counts: the container if it is optional, or else the one around it.
        enclosingOptional = container.isOptional ? container.path : container.enclosingOptional
    }

    /// The fields of the structure, or of the structures in a list.
    package var fields: [Parameter] { type.element.fields.map { Parameter($0, in: self) } }

    /// This parameter and all fields in it, each before its own fields.
    var withFields: [Parameter] { [self] + fields.flatMap(\.withFields) }

    /// The Swift name. Values without a label are `_0`, `_1` and so on.
    package var name: String { field.key }
    /// The type, as ``ParameterReader`` simplifies it. For an optional parameter, this is the wrapped type.
    package var type: Shape { field.shape }
    package var isOptional: Bool { field.isOptional }
    /// Whether the parameter need not be given: it is optional, or it is a structure without a label, all of whose
    /// fields are.
    package var mayBeLeftOut: Bool { field.mayBeLeftOut }
    /// The index among values without a label, from 0; nil for a labelled one.
    package var position: Int? { field.position }

    /// The texts of the value in the first example that has one: one for each element of an array, `KEY=VALUE` for
    /// those of a dictionary.
    package var example: [String] { exampleValues.lazy.map { $0.texts(type) }.first { !$0.isEmpty } ?? [] }

    /// The ``example`` as people type it.
    ///
    /// A text that may be null is JSON in ``example``: `"fast"`. It needs no quotes unless it would then be read as
    /// something else, such as null, a file (`@`) or standard input (`-`).
    package var typedExample: [String] {
        guard type.nonNull != nil else { return example }
        return example.map { json in
            guard let text = (try? JSONValue(text: json.exactBytes))?.string else { return json }
            guard let first = text.first else { return json }
            let needsQuotes = text == "null" || "\"@-".contains(first)
            return needsQuotes ? json : text
        }
    }

    /// The ``example`` as arguments of a command line:
    ///
    ///     a list        a, b          --tag a --tag b
    ///     dictionary    colour=red    --filter.colour red
    ///     object        {"x": 1}      --point '{"x": 1}'
    ///
    package var exampleArguments: [Argument] {
        // The source is what an error message names as the origin of the JSON.
        let source = "example"
        let isRequiredList = type.isArray && !isOptional
        if example.isEmpty, isRequiredList {
            // A required list that is empty must still be given.
            return [Argument([name], .json(Array("[]".utf8), source: source))]
        }
        return example.map { text in
            if type.isDictionary, let member = MemberText(text) { return Argument([name, member.key], member.value) }
            if type.hasParts { return Argument([name], .json(text.exactBytes, source: source)) }
            return Argument([name], text)
        }
    }
}

extension Shape.Field {
    /// The index among values without a label, from 0: 1 for `_1`. Nil for a labelled value.
    var position: Int? { key.hasPrefix("_") ? Int(key.dropFirst()) : nil }

    /// Whether this is a value without a label, as in `add(Box)` or `case circle(Double)`.
    var isUnlabelled: Bool { position != nil }
}

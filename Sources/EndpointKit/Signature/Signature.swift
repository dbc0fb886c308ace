import JSONText

/// The name and parameters of a case of an API enum.
package struct Signature: Sendable {
    package let caseName: String
    /// That of the enum, as far as it is this case.
    let shape: ModelShape
    /// The associated values in declaration order, as the fields of an object.
    let root: Shape
    /// The values of the examples.
    private var values: [CallValue]

    /// The associated values in declaration order.
    package var parameters: [Parameter] { root.fields.map { Parameter($0, in: nil, values) } }

    /// All parameters and fields, each before its own fields.
    package var fields: [Parameter] { parameters.flatMap(\.withFields) }

    /// A type whose `Codable` is not the one synthesised for enums.
    package struct NotACase: Error, Sendable, Equatable {
        package let type: String

        init(_ type: Any.Type) { self.type = String(describing: type) }
    }

    /// The signature of a case: its parameters are what the enum's decoder asks for under the name of the case, `values` are those of examples.
    ///
    /// Throws ``NotACase`` if that is not the synthesised decoder with the cases' own names.
    init(_ shape: ModelShape, caseName: String, of type: Any.Type, values: [CallValue]) throws(NotACase) {
        guard let field = shape.directFields(of: shape.root).first(where: { $0.key == caseName }) else {
            throw NotACase(type)
        }
        var reader = ParameterReader(shape)
        self.caseName = caseName
        self.shape = shape
        root = .object(reader.fields(shape.directFields(of: field.shape)))
        self.values = values
    }

    /// The names of the models in the parameters.
    package var modelNames: [String] { shape.models.map(\.name) }

    /// The same parameters with the values of `call`, which is of this case.
    package func filled(from call: some API) throws -> Signature { filled(with: try CallValue(call, caseName)) }

    /// The same parameters with these values.
    func filled(with value: CallValue) -> Signature {
        var copy = self
        copy.values = [value]
        return copy
    }
}

/// A parameter of an endpoint, or a field in one.
package struct Parameter: Sendable {
    /// The Swift names that lead to it, with ``Signature/anyPosition`` for the elements of a list; `_0`, `_1` and so on for values without a label.
    package let path: [String]
    private let field: Shape.Field
    private let values: [CallValue]
    /// Whether it is a case of an enum with values.
    package let isCase: Bool
    /// Whether it is one of several cases, or in one.
    package let isInCase: Bool
    /// The way to the innermost optional parameter or field around it; nil if there is none.
    package let enclosingOptional: [String]?

    /// `values` are those of examples of what it is in.
    fileprivate init(_ field: Shape.Field, in outer: Parameter?, _ values: [CallValue]) {
        let isInList = outer?.type.isArray == true
        path = (outer?.path ?? []) + (isInList ? [Signature.anyPosition] : []) + [field.key]
        self.field = field
        self.values = (isInList ? values.flatMap(\.parts) : values).compactMap { $0[field.key] }
        isCase = outer?.type.element.cases != nil
        isInCase = isCase || outer?.isInCase == true
        enclosingOptional = outer.flatMap { $0.isOptional ? $0.path : $0.enclosingOptional }
    }

    /// Its own fields; of a list, those of its elements.
    package var fields: [Parameter] { type.element.fields.map { Parameter($0, in: self, values) } }

    fileprivate var withFields: [Parameter] { [self] + fields.flatMap(\.withFields) }

    /// The Swift name; `_0`, `_1` and so on for values without a label.
    package var name: String { field.key }
    /// The type, as ``ParameterReader`` writes it; for an optional parameter, the wrapped type.
    package var type: Shape { field.shape }
    package var isOptional: Bool { field.isOptional }
    /// Whether it need not be given: it is optional, or a structure without a label, all of whose fields are.
    package var mayBeLeftOut: Bool { field.mayBeLeftOut }
    /// The index among values without a label, from 0; nil for a labelled one.
    package var position: Int? { field.position }

    /// The texts of the example's value: none if it is nil, one per element for an array, `KEY=VALUE` for a dictionary.
    package var example: [String] { values.lazy.map { $0.texts(type) }.first { !$0.isEmpty } ?? [] }

    /// ``example`` as it is typed: text that may be null needs no quotes, unless it would be read as something else.
    package var typedExample: [String] {
        guard type.nonNull != nil else { return example }
        return example.map { json in
            guard let text = (try? JSONValue(text: json.exactBytes))?.string, let first = text.first,
                text != "null", !"\"@-".contains(first)
            else { return json }
            return text
        }
    }

    /// The example's value as arguments.
    package var exampleArguments: [Argument] {
        // A list that is not nil may be empty.
        if example.isEmpty, type.isArray, !isOptional {
            return [Argument([name], .json(Array("[]".utf8), source: "example"))]
        }
        return example.map { text in
            if type.isDictionary, let member = MemberText(text) { return Argument([name, member.key], member.value) }
            return Argument([name], type.hasParts ? .json(text.exactBytes, source: "example") : .text(text))
        }
    }
}

extension Shape.Field {
    /// The index among values without a label, from 0; nil for a labelled one.
    var position: Int? { key.hasPrefix("_") ? Int(key.dropFirst()) : nil }
}

/// The value of a call, or of a parameter of it, as JSON.
package struct CallValue: Sendable {
    /// With the keys of the models, and dates in ISO 8601.
    let plain: JSONValue
    /// As the API writes it; the names of case and parameters are Swift's.
    let shown: JSONValue

    /// The whole call: an object with the name of the case.
    init(_ call: some API) throws {
        let coding = type(of: call).plainCoding
        plain = try JSONValue(text: coding.encode(call))
        var own = type(of: call).coding
        own.floats = coding.floats
        switch (own.keys, own.dates) {
        case (.useDefaultKeys, .iso8601): shown = plain
        default: shown = try JSONValue(text: own.keepingNames.encode(call))
        }
    }

    /// The parameters of a call of the case `caseName`.
    init(_ call: some API, _ caseName: String) throws {
        guard let parameters = try CallValue(call)[caseName] else { throw Signature.NotACase(type(of: call)) }
        self = parameters
    }

    /// The parameters of a call whose value is a single text, with that text.
    static func texts(of call: some API, _ caseName: String) throws -> [(name: String, text: String)] {
        guard let members = try CallValue(call, caseName).shown.members else { return [] }
        return members.filter { $0.value.members == nil && $0.value.elements == nil }
            .map { ($0.key, $0.value.text) }
    }

    /// The parameters of a call by their Swift names, with values as the API writes them.
    package static func parameters(of call: some API) throws -> [(name: String, value: JSONValue)] {
        try CallValue(call, call.caseName).parameters
    }

    /// The members of an object by their Swift names, with values as the API writes them.
    package var parameters: [(name: String, value: JSONValue)] {
        shown.members.map { $0.map { ($0.key, $0.value) } } ?? []
    }

    private init(_ plain: JSONValue, _ shown: JSONValue) { (self.plain, self.shown) = (plain, shown) }

    /// The member of that name, which is the one of the model, or the element at that position; both values have the same ones in the same order.
    subscript(name: String) -> CallValue? {
        if plain.elements != nil { return Int(name).flatMap { parts.dropFirst($0).first } }
        guard let members = plain.members, let others = shown.members else { return nil }
        return zip(members, others).first { $0.0.key == name }.map { CallValue($0.0.value, $0.1.value) }
    }

    /// The values of the parameter or field that notes and rules call `key`, those of lists one by one.
    func values(named key: String) -> [CallValue] {
        let names = key.split(separator: ".").map(String.init)
        // The fields of a structure without a label stand alone.
        let unlabelled = (plain.members.map { $0.map(\.key) } ?? []).filter { $0.hasPrefix("_") && $0 != names.first }
        return ([self] + unlabelled.compactMap { self[$0] }).flatMap { object in
            names.reduce(object.elements) { values, name in values.flatMap { $0[name]?.elements ?? [] } }
        }
    }

    /// The elements of an array; the value itself if it is none.
    private var elements: [CallValue] { plain.elements == nil ? [self] : parts }

    /// The text of a scalar.
    var text: String { shown.text }

    /// The elements of an array, the values of an object.
    var parts: [CallValue] {
        if let elements = plain.elements, let others = shown.elements {
            return zip(elements, others).map(CallValue.init)
        }
        guard let members = plain.members, let others = shown.members else { return [] }
        return zip(members, others).map { CallValue($0.0.value, $0.1.value) }
    }

    /// The texts of a value of that type on a command line.
    func texts(_ type: Shape) -> [String] {
        switch type {
        // A case without values is a switch.
        case .object([]) where plain.members?.count == 0: []
        case _ where type.isJSON: [shown.description]
        case .array(let element): parts.flatMap { $0.texts(element) }
        case .dictionary(let value): memberTexts(value) ?? [shown.description]
        default: [text]
        }
    }

    /// `KEY=VALUE` for each member; nil if a value or a key can't be written so.
    private func memberTexts(_ type: Shape) -> [String]? {
        guard !type.hasParts, let members = plain.members else { return nil }
        var texts: [String] = []
        for (member, value) in zip(members, parts) {
            let own = value.texts(type)
            guard !own.isEmpty, MemberText(member.key + "=")?.key == member.key else { return nil }
            texts += own.map { "\(member.key)=\($0)" }
        }
        return texts.isEmpty ? nil : texts
    }
}

extension API {
    /// Whether it is the same case with the same values.
    package func isSameCall(as other: any API) -> Bool {
        guard let own = try? CallValue(self), let others = try? CallValue(other) else { return false }
        return type(of: other) == Self.self && own.plain == others.plain
    }

    /// How calls are written and read where no user sees it: with the models' own keys, which no conversion changes.
    static var plainCoding: Coding {
        let own = coding
        return Coding(
            data: own.data, floats: .strings(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan"),
            userInfo: own.userInfo)
    }
}

/// A member of a dictionary as a command line has it: `KEY=VALUE`.
package struct MemberText: Sendable, Equatable {
    package let key: String
    package let value: String

    /// Nil if `text` has no `=`, or if it is JSON (`{`), a file (`@`) or stdin (`-`).
    package init?(_ text: String) {
        // Unicode scalars, because a value may start with a combining mark, which makes one character with the equals sign.
        let scalars = text.unicodeScalars
        guard let first = scalars.first, first != "{", first != "@", let equals = scalars.firstIndex(of: "=") else {
            return nil
        }
        key = String(scalars[..<equals])
        value = String(scalars[equals...].dropFirst())
    }
}

import JSONText

/// The name and parameters of a case of an API enum.
package struct Signature: Sendable, Equatable {
    package let caseName: String
    /// The associated values in declaration order.
    package let parameters: [Parameter]
    /// That of the enum, as far as it is this case.
    let shape: ModelShape

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
        var reader = ParameterReader(shape: shape)
        self.caseName = caseName
        parameters = reader.parameters(shape.directFields(of: field.shape), values)
        self.shape = shape
    }

    /// The names of the models in the parameters.
    package var modelNames: [String] { shape.models.map(\.name) }

    /// The same parameters with the values of `call`, which is of this case.
    package func filled(from call: some API) throws -> Signature { try filled(with: CallValue(call, caseName)) }

    /// The same parameters with these values.
    func filled(with value: CallValue) throws -> Signature {
        try Signature(shape, caseName: caseName, of: Signature.self, values: [value])
    }
}

/// A parameter of an endpoint, or a field of a nested structure.
package struct Parameter: Sendable, Equatable {
    /// The Swift name; `_0`, `_1` and so on for values without a label.
    package let name: String
    /// The type; for an optional parameter, the wrapped type.
    package let type: ParameterType
    /// The Swift name of the type of a value without a label, if it is the app's own.
    package let typeName: String?
    package let isOptional: Bool
    /// The texts of the example's value: none if it is nil, one per element for an array, `KEY=VALUE` for a dictionary.
    package let example: [String]

    /// The index among values without a label, from 0; nil for a labelled one.
    package var position: Int? { name.hasPrefix("_") ? Int(name.dropFirst()) : nil }

    /// ``example`` as it is typed: text that may be null needs no quotes, unless it would be read as something else.
    package var typedExample: [String] {
        guard case .nullable = type else { return example }
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
            let isJSON = type.isJSON || type.isDictionary
            return Argument([name], isJSON ? .json(text.exactBytes, source: "example") : .text(text))
        }
    }
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
            .map { ($0.key, $0.value.string ?? $0.value.description) }
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
    var text: String { shown.string ?? shown.description }

    /// The elements of an array, the values of an object.
    var parts: [CallValue] {
        if let elements = plain.elements, let others = shown.elements {
            return zip(elements, others).map(CallValue.init)
        }
        guard let members = plain.members, let others = shown.members else { return [] }
        return zip(members, others).map { CallValue($0.0.value, $0.1.value) }
    }

    /// The texts of a value of that type on a command line.
    func texts(_ type: ParameterType) -> [String] {
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
    private func memberTexts(_ type: ParameterType) -> [String]? {
        guard !type.isJSON, !type.isDictionary, let members = plain.members else { return nil }
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

extension Coding {
    /// This coding, whose strategy does not change the names of a case and its parameters.
    var keepingNames: Coding {
        converting { key, path in
            path.count > 2 ? modelKey(key, path) : key
        } encode: { key, path in
            path.count > 2 ? PositionKey(stringValue: name(of: key, path: path.dropLast())) : key
        }
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

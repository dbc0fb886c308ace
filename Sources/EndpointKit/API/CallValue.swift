import JSONText

/// The value of a call, or of a parameter of it, as JSON.
package struct CallValue: Sendable {
    /// With the keys of the models, and dates in ISO 8601.
    package let plain: JSONValue
    /// As the API writes it; the names of case and parameters are Swift's.
    package let shown: JSONValue

    /// The whole call: an object with the name of the case.
    package init(_ call: some API) throws {
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
    package init(_ call: some API, _ caseName: String) throws {
        guard let parameters = try CallValue(call)[caseName] else { throw NotACase(type(of: call)) }
        self = parameters
    }

    /// The parameters of a call whose value is a single text, with that text.
    package static func texts(of call: some API, _ caseName: String) throws -> [(name: String, text: String)] {
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
    package subscript(name: String) -> CallValue? {
        if plain.elements != nil { return Int(name).flatMap { parts.dropFirst($0).first } }
        guard let members = plain.members, let others = shown.members else { return nil }
        return zip(members, others).first { $0.0.key == name }.map { CallValue($0.0.value, $0.1.value) }
    }

    /// The values of the parameter or field that notes and rules call `key`, those of lists one by one.
    package func values(named key: String) -> [CallValue] {
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
    package var text: String { shown.text }

    /// The elements of an array, the values of an object.
    package var parts: [CallValue] {
        if let elements = plain.elements, let others = shown.elements {
            return zip(elements, others).map(CallValue.init)
        }
        guard let members = plain.members, let others = shown.members else { return [] }
        return zip(members, others).map { CallValue($0.0.value, $0.1.value) }
    }
}

extension API {
    /// Whether it is the same case with the same values.
    package func isSameCall(as other: any API) -> Bool {
        guard let own = try? CallValue(self), let others = try? CallValue(other) else { return false }
        return type(of: other) == Self.self && own.plain == others.plain
    }

    /// How calls are written and read where no user sees it: with the models' own keys, which no conversion changes.
    package static var plainCoding: Coding {
        let own = coding
        return Coding(
            data: own.data, floats: .strings(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan"),
            userInfo: own.userInfo)
    }
}

/// A type whose `Codable` is not the one synthesised for enums.
package struct NotACase: Error, Sendable, Equatable {
    package let type: String

    package init(_ type: Any.Type) { self.type = String(describing: type) }
}

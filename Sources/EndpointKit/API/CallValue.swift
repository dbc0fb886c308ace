import JSONText

/// The value of a call, or of a parameter of it, as JSON in two spellings.
package struct CallValue: Sendable {
    /// The value with the keys of the Swift models, and dates in ISO 8601.
    package let plain: JSONValue
    /// The value as the API writes it, except that the names of the case and its parameters are Swift's.
    package let shown: JSONValue

    /// Encodes a whole call as an object `{"caseName": {"parameter": value, …}}`.
    ///
    /// - Throws: `EncodingError` for a value without a JSON form.
    package init(_ call: some API) throws {
        let type = type(of: call)
        try self.init(call, plainCoding: type.plainCoding, apiCoding: type.api.coding.keepingNames)
    }

    /// Encodes the parameters of a call as an object `{"parameter": value, …}`.
    ///
    /// - Parameters:
    ///   - call: A case of the API's enum, with its associated values.
    ///   - caseName: The Swift name of the call's case.
    /// - Throws: ``NotAnEnumCase`` if the call is not encoded as that case. `EncodingError` for a value without a JSON
    ///   form.
    package init(_ call: some API, _ caseName: String) throws {
        guard let parameters = try CallValue(call)[caseName] else { throw NotAnEnumCase(type(of: call)) }
        self = parameters
    }

    /// Encodes some parameters of a call as an object `{"parameter": value, …}`.
    ///
    /// - Throws: `EncodingError` for a value without a JSON form.
    init<Call: API>(_ parameters: CallParameters, of type: Call.Type) throws {
        // The keys of parameters keep their names anyway.
        try self.init(parameters, plainCoding: type.plainCoding, apiCoding: type.api.coding)
    }

    /// Encodes a value in two ways: as ``plain``, with the names of the Swift models, and as ``shown``, with the keys
    /// and dates that the API writes.
    ///
    /// - Parameters:
    ///   - value: A call or its parameters.
    ///   - plainCoding: The coding of ``plain``.
    ///   - apiCoding: The coding of ``shown``. Only infinities and NaN, which JSON does not have, are written as
    ///     `plainCoding` does.
    private init(_ value: any Encodable, plainCoding: Coding, apiCoding: Coding) throws {
        plain = try JSONValue(text: plainCoding.encode(value))
        var shownCoding = apiCoding
        shownCoding.floats = plainCoding.floats
        switch (shownCoding.keys, shownCoding.dates) {
        case (.useDefaultKeys, .iso8601):
            // The API writes keys and dates as `plainCoding` does, so the value need not be encoded again.
            shown = plain
        default:
            shown = try JSONValue(text: shownCoding.encode(value))
        }
    }

    /// Creates a value from its two spellings.
    package init(plain: JSONValue, shown: JSONValue) {
        self.plain = plain
        self.shown = shown
    }

    /// Returns the parameters of a call that are neither arrays nor objects, with their texts.
    ///
    /// - Parameters:
    ///   - call: A case of the API's enum, with its associated values.
    ///   - caseName: The Swift name of the call's case.
    /// - Throws: ``NotAnEnumCase`` if the call is not encoded as that case. `EncodingError` for a value without a JSON
    ///   form.
    package static func texts(of call: some API, _ caseName: String) throws -> [(name: String, text: String)] {
        try CallValue(call, caseName).scalars
    }

    /// The members of an object that are neither arrays nor objects, with their Swift names and their texts.
    package var scalars: [(name: String, text: String)] {
        let scalars = parameters.filter { $0.value.members == nil && $0.value.elements == nil }
        return scalars.map { ($0.name, $0.value.text) }
    }

    /// The members of an object by their Swift names, with values as the API writes them. Empty for any other value.
    package var parameters: [(name: String, value: JSONValue)] {
        (shown.members ?? []).map { ($0.key, $0.value) }
    }

    /// Returns the member whose key in the Swift model is `name`, or the element of an array at the position `name`.
    /// Nil if there is none.
    package subscript(name: String) -> CallValue? {
        let position = plain.kind == .array ? Int(name) : plain.position(ofMember: name)
        guard let position else { return nil }
        // Both spellings have the same members in the same order.
        guard let plainPart = plain.part(at: position), let shownPart = shown.part(at: position) else { return nil }
        return CallValue(plain: plainPart, shown: shownPart)
    }

    /// Returns the values of a parameter, or of a field in it. If there are lists on the path, the values in all of
    /// their elements are returned.
    ///
    ///     {"pets": [{"age": 1}, {"age": 2}]}    →    pets.age: 1, 2
    ///
    /// - Parameter path: The name of the parameter as in the notes and rules of an endpoint: `page`, `pet.name`, `_0`.
    ///   The field `page` of a structure without a label is `page`.
    package func values(named path: String) -> [CallValue] {
        let names = path.split(separator: ".").map(String.init)
        var objects = [self]
        // A structure without a label is a member with a key like `_0`. The path may also begin with one of its fields.
        for member in plain.members ?? [] where member.key.hasPrefix("_") && member.key != names.first {
            if let structureWithoutLabel = self[member.key] { objects.append(structureWithoutLabel) }
        }
        return objects.flatMap { object in object.values(at: names[...]) }
    }

    /// Returns the values at a path of names, such as `pet` and `name`, in all elements of the lists on the path.
    private func values(at names: ArraySlice<String>) -> [CallValue] {
        guard let name = names.first else { return elements }
        return elements.flatMap { element in
            element[name]?.values(at: names.dropFirst()) ?? []
        }
    }

    /// The elements of an array, or the value itself if it is no array.
    private var elements: [CallValue] { plain.elements == nil ? [self] : parts }

    /// The text of a scalar.
    package var text: String { shown.text }

    /// The elements of an array, or the values of an object's members. Empty for any other value.
    package var parts: [CallValue] {
        zip(plain.parts, shown.parts).map { CallValue(plain: $0, shown: $1) }
    }
}

extension API {
    /// Returns whether `otherCall` is the same case of the same API with the same values.
    package func isSameCall(as otherCall: any API) -> Bool {
        guard type(of: otherCall) == Self.self else { return false }
        guard let value = try? CallValue(self), let otherValue = try? CallValue(otherCall) else { return false }
        return value.plain == otherValue.plain
    }

    /// How calls are written and read where no user sees it: with the keys of the Swift models, which no strategy
    /// changes.
    package static var plainCoding: Coding {
        let apiCoding = api.coding
        return Coding(
            data: apiCoding.data, floats: .strings(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan"),
            userInfo: apiCoding.userInfo)
    }
}

/// The error of an API whose type does not encode itself as the case of an enum, as the synthesised `Codable` does.
package struct NotAnEnumCase: Error, Sendable, Equatable {
    /// The name of the Swift type.
    package let type: String

    /// Creates the error for a type.
    package init(_ type: Any.Type) { self.type = String(describing: type) }
}

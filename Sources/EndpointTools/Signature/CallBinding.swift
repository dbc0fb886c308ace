import EndpointKit
import JSONText

/// The place of a parameter in a request, and how its text is written there.
package struct CallBinding: Sendable {
    package let parameter: Parameter
    package let place: ParameterTexts.Location
    /// The text around the value, such as `bytes=` in a Range header, and the values of other parameters.
    package var pattern = TextPattern(literals: [[], []])
    /// The index of this parameter's value among the values of the pattern.
    package var indexInPattern = 0
    /// The text between the elements of an array; nil if each element has a text of its own.
    package var separator: String?
    /// Whether a single value in a JSON body must be a string, because the endpoint writes it as one. If not, it must
    /// not be a string. Nil if the parameter is given as JSON, which may be anything.
    var mustBeString: Bool?
    /// How the API writes the names of fields, if the value is a structure whose fields are separate query items or
    /// form fields, such as `filter[colour]=red`; nil for any other value.
    ///
    /// The name of ``place`` is empty if the items are named like the fields alone: `colour=red`.
    package var fieldCoding: Coding?

    /// The value of a parameter, as a request shows it.
    package enum Value {
        case texts([String])
        case json(JSONValue)
        /// The parameter is there, but the request does not show its value.
        case present
        case invalid(problem: String)
    }

    /// Reads the parameter's value from its place in a request.
    ///
    /// For example, a binding to the query item `page` reads 2 from `/movies?page=2`.
    ///
    /// - Parameter request: The texts of the request.
    /// - Returns: The value; nil if the request has nothing at the place.
    package func value(in request: ParameterTexts) -> Value? {
        if let fieldCoding { return structureValue(in: request, coding: fieldCoding) }
        if case .json(let keys) = place {
            guard let json = request.json?.value(at: keys) else { return nil }
            return bodyValue(of: json)
        }
        let sentTexts = request.texts(at: place)
        if sentTexts.isEmpty { return nil }
        if place.isFile { return .present }
        let value = textValue(of: sentTexts)
        // The header `Cookie` may hold only cookies that are no parameters, such as that of a credential.
        if case .invalid = value, place == .header("cookie") { return nil }
        return value
    }

    /// Reads a structured value that is spread over several query items or form fields; nil if there is none of them.
    ///
    ///     filter[colour]=red&filter[size]=2    →    {"colour": "red", "size": 2}
    ///
    /// The name of ``place``, here `filter`, is the first key of each item and not a part of the value. If the name is
    /// empty, the items are `colour=red&size=2`.
    ///
    /// - Parameters:
    ///   - request: The texts of the request.
    ///   - coding: How the API writes keys.
    private func structureValue(in request: ParameterTexts, coding: Coding) -> Value? {
        let coveredItems = request.items.filter { covers($0.place) }
        if coveredItems.isEmpty { return nil }
        let isWholeQueryOrForm = place.name == ""
        let fields: [KeyedText] = coveredItems.map { item in
            // Only query items and form fields are covered, and these have a name.
            let allKeys = QueryItem.keys(of: item.place.name ?? "")
            let fieldKeys = isWholeQueryOrForm ? allKeys[...] : allKeys.dropFirst()
            return (fieldKeys, item.text)
        }
        return .json(parameter.type.json(of: fields, coding: coding))
    }

    /// Whether the text at a place of a request belongs to the parameter's value.
    ///
    /// Mostly that is only the text at ``place``. A structure with a ``fieldCoding`` has a text for each field, such as
    /// these for a parameter `filter` with the field `colour`:
    ///
    ///     filter[colour]=red    covered by a binding to the query item `filter`
    ///     colour=red            covered by a binding with an empty name, because `colour` is a field
    ///
    /// - Parameter requestPlace: The place in a request, such as the query item `filter[colour]`.
    package func covers(_ requestPlace: ParameterTexts.Location) -> Bool {
        // Only query items and form fields have names, and only these can hold one field of a structure.
        guard let fieldCoding, let structureName = place.name, let itemName = requestPlace.name else {
            return requestPlace == place
        }
        // A query item and a form field are different places, even with the same name.
        let areBothQueryOrForm = requestPlace.part == place.part
        if !areBothQueryOrForm { return false }
        if structureName.isEmpty {
            let fieldName = fieldCoding.modelKey(Self.firstKey(of: itemName))
            return parameter.type.fields.contains { $0.key == fieldName }
        }
        // Comparing the beginning takes less time than splitting the name, and is enough for most names.
        return itemName.hasPrefix(structureName) && Self.firstKey(of: itemName) == structureName
    }

    /// Returns the name before the brackets: `filter` for the query item `filter[colour]`.
    private static func firstKey(of itemName: String) -> String { QueryItem.keys(of: itemName)[0] }

    /// Reads the parameter's value from the texts that a request has at the parameter's place.
    ///
    /// The literal text around the value, which is the ``pattern``, is removed. A text that holds a whole array is
    /// split at the separator: with the pattern `ids:` and the separator `,`, the text `ids:3,5` has the values `3` and
    /// `5`.
    ///
    /// - Returns: The values as texts, or `invalid` with a sentence if a text does not match the pattern.
    private func textValue(of sentTexts: [String]) -> Value {
        var values: [String] = []
        for sentText in sentTexts {
            guard let text = withoutLiterals(sentText) else {
                let shownPattern = pattern.literals.map { String(exactBytes: $0) }.joined(separator: "…")
                return .invalid(problem: "\(placePhrase): expected \(shownPattern), got '\(sentText)'")
            }
            if let separator {
                values += Self.elements(of: text, separator: separator)
            } else {
                values.append(text)
            }
        }
        return .texts(values)
    }

    /// Returns the elements of an array that one text holds: `3` and `5` for `3,5`. An empty text is an empty array,
    /// not an array with an empty element.
    private static func elements(of text: String, separator: String) -> [String] {
        if text.isEmpty { return [] }
        // Bytes, because a separator before a combining mark is no separator to a Character.
        let elementTexts = text.utf8.split(separator: separator.utf8, omittingEmptySubsequences: false)
        return elementTexts.map { String(Substring($0)) }
    }

    /// Returns this parameter's part of a text, without the literals of the pattern and the values of other parameters;
    /// nil if the text does not match the pattern.
    private func withoutLiterals(_ text: String) -> String? {
        // The value is the whole text, and may be empty. In any other pattern, values are never empty.
        let hasNoLiterals = pattern.literals == [[], []]
        if hasNoLiterals { return text }
        return pattern.values(in: text.exactBytes)?[indexInPattern]
    }

    /// The longest array in a body whose elements are read. Each becomes a text of its own, so that a body of a few
    /// megabytes could take gigabytes.
    private static let maxElements = 10_000

    /// Returns the value that a JSON body has for the parameter.
    ///
    /// A scalar, or a list of scalars, becomes texts. ``mustBeString`` says whether the endpoint writes strings there.
    /// If that is nil, the parameter is given as JSON.
    ///
    /// - Returns: The value; nil for null, which counts as left out. `present`, without the texts, for an array with
    ///   more than ``maxElements``. `invalid`, with a sentence, for a value of another kind than the parameter.
    private func bodyValue(of json: JSONValue) -> Value? {
        if json.isNull { return nil }
        guard let mustBeString else { return .json(json) }
        let scalars: [JSONValue]
        if parameter.type.isArray {
            guard let elements = json.elements else { return invalid(json, expected: "an array") }
            if elements.count > Self.maxElements { return .present }
            scalars = elements
        } else {
            scalars = [json]
        }
        if let scalarTexts = texts(of: scalars, mustBeString: mustBeString) { return .texts(scalarTexts) }
        return invalid(json, expected: mustBeString ? "a string" : parameter.type.phrase)
    }

    /// Returns the texts of scalars in JSON, such as `7` and `8` for `[7, 8]`; nil if one of them is of another kind
    /// than the parameter.
    ///
    /// - Parameters:
    ///   - scalars: One value, or the elements of an array.
    ///   - mustBeString: Whether each of them must be a string. If not, each must be a boolean for a boolean parameter,
    ///     and for any other parameter it must not be a string.
    private func texts(of scalars: [JSONValue], mustBeString: Bool) -> [String]? {
        let isBoolean = !mustBeString && parameter.type.element == .scalar(.boolean)
        let areExpected = scalars.allSatisfy { scalar in
            if isBoolean { return scalar.bool != nil }
            let isScalarString = scalar.string != nil
            return isScalarString == mustBeString
        }
        return areExpected ? scalars.map(\.text) : nil
    }

    /// Returns the problem that a value of a JSON body is not what was expected. It shows the start of the value.
    private func invalid(_ json: JSONValue, expected: String) -> Value {
        .invalid(problem: "\(phrase): expected \(expected), got '\(json.description.prefix(80))'")
    }

    /// The name of the parameter in a sentence: `query item page`. If several parameters share the place, it has the
    /// parameter's own name too: `latitude in query item location`.
    package var phrase: String {
        let isShared = pattern.literals.count > 2
        return isShared ? "\(parameter.name) in \(placePhrase)" : placePhrase
    }

    /// The name of the place in a sentence: `query item page`, or `id in the path`.
    package var placePhrase: String {
        guard case .path = place else { return place.phrase }
        // The name of a parameter without a label is `_0` or the like, which means nothing to a client. Only such a
        // parameter has a position.
        let isUnlabelled = parameter.position != nil
        let name = isUnlabelled ? "the value" : parameter.name
        return "\(name) in the path"
    }

    /// Whether two lists of texts are the same values of the parameter: `2` and `2.0` are the same number.
    func areSameValues(_ texts: [String], _ otherTexts: [String]) -> Bool {
        // A value in JSON that is no string may be a number, whatever the parameter's type is.
        let type = mustBeString == false ? .scalar(.number(nil)) : parameter.type
        return texts.map(type.canonicalText) == otherTexts.map(type.canonicalText)
    }
}

extension Shape {
    /// Returns the text of a value in one spelling for equal numbers: `2.0` for `2`. Texts of other types stay as they
    /// are.
    package func canonicalText(_ text: String) -> String {
        guard case .scalar(.number) = element, let number = Double(text) else { return text }
        return "\(number)"
    }
}

extension JSONValue {
    /// Returns the value that keys lead to from this one; nil if there is none.
    package func value(at keys: [String]) -> JSONValue? {
        var reachedValue: JSONValue? = self
        for key in keys { reachedValue = reachedValue?[key] }
        return reachedValue
    }
}

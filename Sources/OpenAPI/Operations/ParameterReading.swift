import JSONText

/// The rules for parameters that all versions share.
enum ParameterReading {
    /// Returns the name and place of a parameter.
    ///
    /// - Throws: ``PartFailure`` if one of them is missing, or the place is unknown.
    static func nameAndLocation(_ value: JSONValue) throws(PartFailure) -> (String, ParameterObject.Location) {
        guard let name = value["name"]?.string, !name.isEmpty else {
            throw PartFailure(at: value, expected: "a parameter with a 'name'", found: "none")
        }
        guard let location = value["in"]?.string.flatMap(ParameterObject.Location.init) else {
            throw PartFailure(value["in"] ?? value, expected: "'in': path, query, header or cookie")
        }
        return (name, location)
    }

    /// Returns a style by its name; nil if there is none.
    ///
    /// - Throws: ``PartFailure`` if the style is unknown.
    static func style(_ value: JSONValue?) throws(PartFailure) -> ParameterObject.Style? {
        guard let value else { return nil }
        guard let style = value.string.flatMap(ParameterObject.Style.init), style != .tabDelimited else {
            throw PartFailure(value, expected: "a style: form, simple, deepObject, …")
        }
        return style
    }

    /// Returns the style of a parameter that names none (OpenAPI 3.1, section 4.8.12.2).
    static func defaultStyle(_ location: ParameterObject.Location) -> ParameterObject.Style {
        switch location {
        case .path, .header: .simple
        case .query, .cookie, .querystring: .form
        }
    }

    /// Whether arrays and objects are exploded if nothing else is said (OpenAPI 3.1, section 4.8.12.2).
    static func isExplodedByDefault(_ style: ParameterObject.Style) -> Bool { style == .form || style == .cookie }
}

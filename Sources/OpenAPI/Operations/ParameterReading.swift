import JSONText

/// The rules for parameters that all versions share.
enum ParameterReading {
    /// Returns the name of a parameter, and the part of the request that holds it (`in`).
    ///
    /// - Parameter value: The Parameter Object.
    /// - Throws: ``PartFailure`` if the name is missing or empty, or if the place is missing or unknown.
    static func nameAndLocation(
        _ value: JSONValue
    ) throws(PartFailure) -> (name: String, location: ParameterObject.Location) {
        guard let name = value["name"]?.string, !name.isEmpty else {
            throw PartFailure(at: value, expected: "a parameter with a 'name'", found: "none")
        }
        guard let location = value["in"]?.string.flatMap(ParameterObject.Location.init) else {
            throw PartFailure(value["in"] ?? value, expected: "'in': path, query, header or cookie")
        }
        return (name, location)
    }

    /// Returns the style with a name such as `deepObject`.
    ///
    /// - Parameter value: The value of `style`; nil if there is none.
    /// - Returns: The style; nil if `value` is nil.
    /// - Throws: ``PartFailure`` if OpenAPI has no style of that name.
    static func style(_ value: JSONValue?) throws(PartFailure) -> ParameterObject.Style? {
        guard let value else { return nil }
        // Only Swagger 2.0 separates values with tabs, and it has another name for that.
        guard let style = value.string.flatMap(ParameterObject.Style.init), style != .tabDelimited else {
            throw PartFailure(value, expected: "a style: form, simple, deepObject, …")
        }
        return style
    }

    /// Returns the style of parameters at a place that do not name their style (OpenAPI 3.1, section 4.8.12.2).
    static func defaultStyle(_ location: ParameterObject.Location) -> ParameterObject.Style {
        switch location {
        case .path, .header: .simple
        case .query, .cookie, .querystring: .form
        }
    }

    /// Whether a style explodes arrays and objects if there is no `explode` (OpenAPI 3.1, section 4.8.12.2).
    static func isExplodedByDefault(_ style: ParameterObject.Style) -> Bool { style == .form || style == .cookie }
}

import JSONText

/// The rules for parameters that are the same in all versions of OpenAPI.
enum ParameterRules {
    /// Reads the name of a parameter, and its location (`in`).
    ///
    /// - Parameter object: The Parameter Object.
    /// - Throws: ``PartFailure`` if the name is missing or empty, or if the location is missing or unknown.
    static func readNameAndLocation(
        _ object: JSONValue
    ) throws(PartFailure) -> (name: String, location: ParameterObject.Location) {
        guard let name = object["name"]?.string, !name.isEmpty else {
            // An empty name is no name either.
            throw PartFailure(at: object, expected: "a parameter with a 'name'", found: "none")
        }
        guard let location = object["in"]?.string.flatMap(ParameterObject.Location.init) else {
            throw PartFailure(foundValue: object["in"] ?? object, expected: "'in': path, query, header or cookie")
        }
        return (name, location)
    }

    /// Reads a style, such as `deepObject`.
    ///
    /// - Parameter value: The value of `style`; nil if it is missing.
    /// - Returns: The style; nil if `value` is nil.
    /// - Throws: ``PartFailure`` if OpenAPI has no such style.
    static func readStyle(_ value: JSONValue?) throws(PartFailure) -> ParameterObject.Style? {
        guard let value else { return nil }
        // The style with tabs comes from Swagger 2.0. OpenAPI 3 has no name for it.
        guard let style = value.string.flatMap(ParameterObject.Style.init), style != .tabDelimited else {
            throw PartFailure(foundValue: value, expected: "a style: form, simple, deepObject, …")
        }
        return style
    }

    /// Returns the style of parameters without `style` at a location (OpenAPI 3.1, section 4.8.12.2).
    static func defaultStyle(_ location: ParameterObject.Location) -> ParameterObject.Style {
        switch location {
        case .path, .header: .simple
        case .query, .cookie, .querystring: .form
        }
    }

    /// Whether parameters with a style and without `explode` are exploded (OpenAPI 3.1, section 4.8.12.2).
    static func isExplodedByDefault(_ style: ParameterObject.Style) -> Bool { style == .form || style == .cookie }
}

import JSONText

/// A part of an operation that is left out, or that can't be read.
package struct OperationNote: Sendable {
    /// The reason why a part is left out.
    package enum Reason: Sendable, Equatable {
        /// Requests that the server sends (OpenAPI 3.1, section 4.8.18).
        case callbacks
        /// The links of a response to other operations (OpenAPI 3.1, section 4.8.20).
        case links
        /// A parameter whose style OpenAPI does not define for its location, such as `deepObject` in a path.
        case undefinedStyle(parameter: String, ParameterObject.Style, ParameterObject.Location)
        /// A parameter with several media types. The first one is used.
        case severalMediaTypes(parameter: String)
        /// A part that can't be read.
        case unreadable(OpenAPIError)
    }

    package let reason: Reason
    /// The part; nil for a part that can't be read, because its error has the pointer to it.
    private let place: JSONValue?

    /// Creates the note about a part that is left out.
    init(_ reason: Reason, at place: JSONValue) {
        self.reason = reason
        self.place = place
    }

    /// Creates the note about a part that can't be read.
    init(_ error: OpenAPIError) {
        reason = .unreadable(error)
        place = nil
    }

    /// The JSON pointer to the part, such as `#/paths/~1pets/get/callbacks`. It is found by a search of the document.
    package var pointer: String {
        if case .unreadable(let error) = reason { return error.pointer }
        return place.map(JSONPointer.text) ?? "#"
    }

    /// Returns the notes about a parameter: a style that its location does not allow, or several media types.
    ///
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - value: The Parameter Object in the document.
    static func notes(on parameter: ParameterObject, value: JSONValue) -> [OperationNote] {
        if parameter.content != nil {
            // A parameter with a media type has no style.
            guard let content = value["content"], let members = content.members, members.count > 1 else { return [] }
            return [OperationNote(.severalMediaTypes(parameter: parameter.name), at: content)]
        }
        // Without `style`, a parameter has the default style of its location.
        guard let style = value["style"], !isDefined(parameter.style, at: parameter.location) else { return [] }
        let reason = Reason.undefinedStyle(parameter: parameter.name, parameter.style, parameter.location)
        return [OperationNote(reason, at: style)]
    }

    /// Whether OpenAPI defines a style for parameters at a location (OpenAPI 3.2, section 4.12.2).
    static func isDefined(_ style: ParameterObject.Style, at location: ParameterObject.Location) -> Bool {
        switch style {
        case .matrix, .label: location == .path
        case .simple: location == .path || location == .header
        // Swagger 2.0 allows tabs at all locations.
        case .tabDelimited: true
        case .form: location == .query || location == .cookie || location == .querystring
        case .spaceDelimited, .pipeDelimited, .deepObject: location == .query
        case .cookie: location == .cookie
        }
    }
}

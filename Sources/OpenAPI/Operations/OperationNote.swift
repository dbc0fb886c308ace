import JSONText

/// A part of an operation that is left out, or that can't be read.
package struct OperationNote: Sendable {
    /// The reason why a part is left out.
    package enum Reason: Sendable, Equatable {
        /// Requests that the server sends (OpenAPI 3.1, section 4.8.18).
        case callbacks
        /// The links of a response to other operations (OpenAPI 3.1, section 4.8.20).
        case links
        /// A parameter whose style OpenAPI does not define for its place, such as `deepObject` in a path.
        case undefinedStyle(parameter: String, ParameterObject.Style, ParameterObject.Location)
        /// A parameter with several media types, of which the first one counts.
        case severalMediaTypes(parameter: String)
        /// A part that can't be read.
        case unreadable(OpenAPIError)
    }

    package let reason: Reason
    /// The part; nil for one that can't be read, whose error knows the pointer.
    private let place: JSONValue?

    /// Makes the note about a part that is left out.
    init(_ reason: Reason, _ place: JSONValue) {
        self.reason = reason
        self.place = place
    }

    /// Makes the note about a part that can't be read.
    init(_ error: OpenAPIError) {
        reason = .unreadable(error)
        place = nil
    }

    /// The pointer to the part, such as `#/paths/~1pets/get/callbacks`.
    ///
    /// The pointer is made when it is asked for, because that takes time.
    package var pointer: String {
        if case .unreadable(let error) = reason { return error.pointer }
        return place.map(JSONPointer.text) ?? "#"
    }

    /// Returns notes about a parameter: about a style that its place does not have, and about several media types.
    ///
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - value: The Parameter Object that it was read from.
    static func notes(on parameter: ParameterObject, _ value: JSONValue) -> [OperationNote] {
        if parameter.content != nil {
            // A parameter with a media type has no style.
            guard let content = value["content"], let members = content.members, members.count > 1 else { return [] }
            return [OperationNote(.severalMediaTypes(parameter: parameter.name), content)]
        }
        // A parameter that does not name its style has one that its place has.
        guard let style = value["style"], !isDefined(parameter.style, parameter.location) else { return [] }
        let reason = Reason.undefinedStyle(parameter: parameter.name, parameter.style, parameter.location)
        return [OperationNote(reason, style)]
    }

    /// Whether parameters at a place can have a style (OpenAPI 3.2, section 4.12.2).
    static func isDefined(_ style: ParameterObject.Style, _ location: ParameterObject.Location) -> Bool {
        switch style {
        case .matrix, .label: location == .path
        case .simple: location == .path || location == .header
        // Swagger 2.0 has tabs at each place.
        case .tabDelimited: true
        case .form: location == .query || location == .cookie || location == .querystring
        case .spaceDelimited, .pipeDelimited, .deepObject: location == .query
        case .cookie: location == .cookie
        }
    }
}

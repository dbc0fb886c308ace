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

    init(_ reason: Reason, _ place: JSONValue) {
        self.reason = reason
        self.place = place
    }

    /// Makes the note about a part that can't be read.
    init(_ error: OpenAPIError) {
        reason = .unreadable(error)
        place = nil
    }

    /// The pointer to the part, such as `#/paths/~1pets/get/callbacks`. It is made when it is asked for, because that
    /// takes time.
    package var pointer: String {
        if case .unreadable(let error) = reason { return error.pointer }
        return place.map(JSONPointer.text) ?? "#"
    }

    /// Returns notes about a parameter.
    ///
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - value: The Parameter Object that it was read from.
    static func notes(on parameter: ParameterObject, _ value: JSONValue) -> [OperationNote] {
        var notes: [OperationNote] = []
        // Without a name, the style is the default of the place, or a collectionFormat of Swagger 2.0.
        if let style = value["style"], parameter.content == nil, !isDefined(parameter.style, parameter.location) {
            let reason = Reason.undefinedStyle(parameter: parameter.name, parameter.style, parameter.location)
            notes.append(OperationNote(reason, style))
        }
        if parameter.content != nil, let content = value["content"], content.members?.count ?? 0 > 1 {
            notes.append(OperationNote(.severalMediaTypes(parameter: parameter.name), content))
        }
        return notes
    }

    /// Whether OpenAPI defines a style for a place (OpenAPI 3.2, section 4.12.2).
    static func isDefined(_ style: ParameterObject.Style, _ location: ParameterObject.Location) -> Bool {
        switch style {
        case .matrix, .label: location == .path
        // Swagger 2.0 has tabs at each place.
        case .simple: location == .path || location == .header
        case .tabDelimited: true
        case .form: location == .query || location == .cookie || location == .querystring
        case .spaceDelimited, .pipeDelimited, .deepObject: location == .query
        case .cookie: location == .cookie
        }
    }
}

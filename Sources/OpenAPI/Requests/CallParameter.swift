import JSONText

/// A parameter of an operation's calls: one that the document declares, a variable of the path, or the body.
package struct CallParameter: Sendable {
    /// The part of the request that holds the parameter.
    package enum Location: String, Sendable {
        case path, query
        /// The whole query as one value (OpenAPI 3.2).
        case querystring
        case header, cookie, body

        /// Creates the location of a parameter that the document declares.
        init(_ location: ParameterObject.Location) {
            switch location {
            case .path: self = .path
            case .query: self = .query
            case .querystring: self = .querystring
            case .header: self = .header
            case .cookie: self = .cookie
            }
        }
    }

    /// The key of the value in a call, such as `petID`. On a command line, the flag is its kebab case: `--pet-id`.
    package let identifier: String
    /// The name in the document; empty for the body.
    package let name: String
    package let location: Location
    package let isRequired: Bool
    package let isDeprecated: Bool
    /// The first paragraph of the description; nil if there is none.
    package let note: String?
    /// The value of an example or default in the document, or else the first value of an `enum`; nil without any.
    package let example: JSONValue?

    /// The identifier of a body whose fields are flags of their own, such as `--name`.
    ///
    /// `_0` is the key under which Swift encodes the first value without a label of an enum's case.
    static let unlabelledBody = "_0"
    /// The identifier of a body with the flag `--body`, or with flags such as `--body.name`.
    static let labelledBody = "body"
}

/// A value of a call that does not fit its parameter.
package enum CallValueError: DescribedError, Sendable, Equatable {
    /// The values of a call are not an object.
    case notCallValues
    /// A required parameter has no value.
    case missing(identifier: String)
    /// The value of a form is not an object.
    case notObject(identifier: String)
    /// A cookie that is sent without percent-encoding has a semicolon, which would start another cookie.
    case cookie(identifier: String)
    /// The method of the operation is not a token (RFC 9110, section 9.1).
    case method(String)

    package var description: String {
        switch self {
        case .notCallValues: "expected an object with the values of parameters"
        case .missing(let identifier): "\(Self.subject(identifier)) is required"
        case .notObject(let identifier): "\(Self.subject(identifier)) is sent as a form: expected an object"
        case .cookie(let identifier): "\(Self.subject(identifier)) is sent as a cookie: expected a text without ';'"
        case .method(let method): "'\(method)' is not a method that can be sent"
        }
    }

    /// Returns the name of a parameter in a message: `'petID'`, or `the body`.
    private static func subject(_ identifier: String) -> String {
        identifier == CallParameter.unlabelledBody ? "the body" : "'\(identifier)'"
    }
}

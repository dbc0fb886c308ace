import JSONText

/// The title and version of the described API (OpenAPI 3.1, section 4.8.2).
package struct InfoObject: Sendable, Equatable {
    package let title: String?
    package let summary: String?
    package let description: String?
    /// The version of the API. The version of OpenAPI is elsewhere.
    package let version: String?

    /// Reads an Info Object. A member that is missing, or that is not a string, is nil.
    init(_ value: JSONValue?) {
        title = value?["title"]?.string
        summary = value?["summary"]?.string
        description = value?["description"]?.string
        version = value?["version"]?.string
    }
}

/// A tag with its description (OpenAPI 3.1, section 4.8.22).
package struct TagObject: Sendable, Equatable {
    package let name: String
    /// The description of the tag.
    package let summary: String?
}

import EndpointKit

/// How a field of a form or a part of a multipart body is written.
struct FieldFormat: Equatable {
    /// How a list is written.
    enum List: Equatable {
        /// An item for each element.
        case items
        /// One item, with a text between the elements.
        case joined(String)
        /// An item for each element, with its position in the name.
        case indexed
    }

    var list = List.items
    /// The content type of a part; nil for the usual one.
    var contentType: String?

    /// Whether the value is written as JSON.
    var isJSON: Bool { contentType.map { MediaTypeName($0).isJSON } ?? false }
}

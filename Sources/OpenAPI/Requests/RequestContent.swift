import EndpointKit
import JSONText

/// No content of an operation's body has the media type that was asked for.
package struct BodyTypeError: DescribedError, Sendable, Equatable {
    /// The media type that was asked for.
    package let requested: String
    /// The media types of the body; empty if the operation has none.
    package let available: [String]

    package var description: String {
        guard !available.isEmpty else { return "there is no body, so it can't be \(requested)" }
        return "the body can't be \(requested): expected \(available.joined(separator: ", "))"
    }
}

/// The body of requests in one of the media types that an operation accepts.
package struct RequestContent: Sendable {
    /// The way in which a value becomes a body.
    package enum Format: Sendable {
        case json, form, multipart, text
        /// The body is given as bytes, and not as a value.
        case bytes
    }

    package let mediaType: MediaTypeObject
    package let format: Format
    /// The media type that is sent, which is no range.
    package let contentType: String

    /// Chooses one of the media types of a body.
    ///
    /// - Parameters:
    ///   - content: The media types in the order of the document.
    ///   - bodyType: The media type that the user asks for; nil for the one that suits values best.
    ///   - document: The document of the body.
    /// - Returns: The content; nil if the body has no media type, and none was asked for.
    /// - Throws: ``BodyTypeError`` if no content has the media type that was asked for.
    package static func choose(
        from content: [MediaTypeObject], bodyType: String?, in document: OpenAPIDocument
    ) throws(BodyTypeError) -> RequestContent? {
        guard let bodyType else { return preferred(from: content, document) }
        return try requested(bodyType, from: content, document)
    }

    /// Returns the content that suits values best; nil if there is none.
    ///
    /// JSON is preferred, then a form, then text, then a range that includes JSON such as `*/*`, then anything else. Of
    /// several media types of the same kind, the first one is chosen.
    private static func preferred(
        from content: [MediaTypeObject], _ document: OpenAPIDocument
    ) -> RequestContent? {
        let ranks = content.map { rank(MediaTypeName($0.contentType)) }
        guard let bestRank = ranks.min(), let index = ranks.firstIndex(of: bestRank) else { return nil }
        return RequestContent(content[index], document)
    }

    /// Returns the content with a media type that the user asks for.
    ///
    /// There are three steps, and the first that finds a content decides:
    ///
    /// 1. A media type that is written in the same way.
    /// 2. A media type that differs in case or parameters: `Application/JSON` for `application/json`.
    /// 3. A range that includes the media type: `image/*` for `image/png`.
    ///
    /// - Throws: ``BodyTypeError`` if there is none.
    private static func requested(
        _ bodyType: String, from content: [MediaTypeObject], _ document: OpenAPIDocument
    ) throws(BodyTypeError) -> RequestContent {
        let requested = MediaTypeName(bodyType)
        if let exact = content.first(where: { $0.contentType == bodyType }) { return RequestContent(exact, document) }
        if let same = content.first(where: { MediaTypeName($0.contentType).essence == requested.essence }) {
            return RequestContent(same, document)
        }
        if let range = content.first(where: { MediaTypeName($0.contentType).includes(requested) }) {
            return RequestContent(range, as: requested, document)
        }
        throw BodyTypeError(requested: bodyType, available: content.map(\.contentType))
    }

    /// Returns the rank of a media type among those of a body. The one with the least rank is chosen.
    private static func rank(_ name: MediaTypeName) -> Int {
        if name.isJSON { return 0 }
        if name.isForm || name.isMultipart { return 1 }
        if name.isText { return 2 }
        return name.includesJSON ? 3 : 4
    }

    /// Makes the content that is described by a Media Type Object, with the format for its media type.
    ///
    /// A range that includes JSON is sent as JSON, unless the schema says that the value is a string: those are the
    /// bytes of a file, which JSON would put in quotes.
    ///
    /// - Parameters:
    ///   - mediaType: The description of the content. Its media type may be a range.
    ///   - requestedType: The media type to send; nil for that of `mediaType`.
    ///   - document: The document of the schema.
    private init(
        _ mediaType: MediaTypeObject, as requestedType: MediaTypeName? = nil, _ document: OpenAPIDocument
    ) {
        let sentType = requestedType ?? MediaTypeName(mediaType.contentType)
        self.mediaType = mediaType
        if sentType.isJSON {
            format = .json
        } else if sentType.includesJSON {
            // `*/*` with a string as schema is a file.
            format = document.isString(mediaType.schema) ? .bytes : .json
        } else if sentType.isForm {
            format = .form
        } else if sentType.isMultipart {
            format = .multipart
        } else {
            format = sentType.isText ? .text : .bytes
        }
        // A range, or a text that no header can hold, is replaced by the usual media type of the format.
        if let text = sentType.headerText, !text.contains("*") {
            contentType = text
        } else {
            contentType = Self.defaultContentType(format)
        }
    }

    /// Returns the media type that is sent for a format if the document has a range.
    private static func defaultContentType(_ format: Format) -> String {
        switch format {
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .multipart: "multipart/form-data"
        case .text: "text/plain; charset=utf-8"
        case .bytes: "application/octet-stream"
        }
    }

    /// The header with the content type of a JSON body, if that is not `application/json`.
    ///
    /// All other bodies have their content type themselves, so that they need no header.
    package var contentTypeHeader: HTTPField? {
        guard format == .json, contentType != Self.defaultContentType(.json) else { return nil }
        return HTTPField("Content-Type", contentType)
    }
}

import EndpointKit
import JSONText

/// The error of a media type that the body of an operation can't have.
package struct BodyTypeError: DescribedError, Sendable, Equatable {
    /// The media type that the user asked for.
    package let requested: String
    /// The media types that the body can have; empty if the operation has no body.
    package let available: [String]

    package var description: String {
        guard !available.isEmpty else { return "there is no body, so it can't be \(requested)" }
        return "the body can't be \(requested): expected \(available.joined(separator: ", "))"
    }
}

/// The body of requests in one of the media types that an operation accepts.
package struct RequestContent: Sendable {
    /// The way in which a value is written as a body.
    package enum Format: Sendable {
        case json, form, multipart, text
        /// The body is not made from a value. It consists of bytes, such as those of a file.
        case bytes
    }

    /// The description of the body in the document.
    package let mediaType: MediaTypeObject
    package let format: Format
    /// The value of the header `Content-Type`. It is never a range such as `image/*`.
    package let contentType: String

    /// Chooses one of the media types of a body.
    ///
    /// - Parameters:
    ///   - content: The media types in the order of the document.
    ///   - bodyType: The media type that the user asks for. Nil chooses one: JSON if possible, or else a form, or else
    ///     text.
    ///   - document: The document of the body.
    /// - Returns: The content; nil if `content` is empty and the user does not ask for a media type.
    /// - Throws: ``BodyTypeError`` if the body can't have the media type that the user asks for.
    package static func choose(
        from content: [MediaTypeObject], bodyType: String?, in document: OpenAPIDocument
    ) throws(BodyTypeError) -> RequestContent? {
        guard let bodyType else { return preferredContent(from: content, in: document) }
        return try requestedContent(bodyType, from: content, in: document)
    }

    /// Returns the content into which a value can be written best, by the ranks of ``rank(_:)``; nil for an empty
    /// list.
    ///
    ///     text/plain, application/json, application/xml    →  application/json
    private static func preferredContent(
        from content: [MediaTypeObject], in document: OpenAPIDocument
    ) -> RequestContent? {
        let ranks = content.map { rank(MediaTypeName($0.contentType)) }
        guard let bestRank = ranks.min(), let index = ranks.firstIndex(of: bestRank) else { return nil }
        return RequestContent(content[index], in: document)
    }

    /// Returns the content with a media type that the user asks for.
    ///
    /// The first of these rules that finds a content wins:
    ///
    /// 1. The same text.
    /// 2. The same media type in another case or with other parameters: `Application/JSON` for `application/json`.
    /// 3. A range that includes the media type: `image/*` for `image/png`.
    ///
    /// - Throws: ``BodyTypeError`` if no rule finds a content.
    private static func requestedContent(
        _ bodyType: String, from content: [MediaTypeObject], in document: OpenAPIDocument
    ) throws(BodyTypeError) -> RequestContent {
        let requestedType = MediaTypeName(bodyType)
        if let sameText = content.first(where: { $0.contentType == bodyType }) {
            return RequestContent(sameText, in: document)
        }
        if let sameType = content.first(where: { MediaTypeName($0.contentType).essence == requestedType.essence }) {
            return RequestContent(sameType, in: document)
        }
        if let includingRange = content.first(where: { MediaTypeName($0.contentType).includes(requestedType) }) {
            return RequestContent(includingRange, as: requestedType, in: document)
        }
        throw BodyTypeError(requested: bodyType, available: content.map(\.contentType))
    }

    /// Returns the rank of a media type among those of a body. The media type with the least rank is preferred.
    ///
    /// JSON comes first, then forms, then text, then ranges such as `*/*` that include JSON, then anything else.
    private static func rank(_ name: MediaTypeName) -> Int {
        if name.isJSON { return 0 }
        if name.isForm || name.isMultipart { return 1 }
        if name.isText { return 2 }
        return name.includesJSON ? 3 : 4
    }

    /// Creates the content that a Media Type Object describes.
    ///
    /// - Parameters:
    ///   - mediaType: The description of the content. Its media type may be a range.
    ///   - requestedType: The media type to send. Nil sends the media type of `mediaType`.
    ///   - document: The document of the schema.
    private init(
        _ mediaType: MediaTypeObject, as requestedType: MediaTypeName? = nil, in document: OpenAPIDocument
    ) {
        let sentType = requestedType ?? MediaTypeName(mediaType.contentType)
        self.mediaType = mediaType
        format = Self.format(of: sentType, schema: mediaType.schema, document: document)
        // A range can't be sent, and neither can a text that breaks the rules of headers.
        if let text = sentType.headerText, !text.contains("*") {
            contentType = text
        } else {
            contentType = Self.defaultContentType(format)
        }
    }

    /// Returns the format of a body with a media type.
    ///
    /// - Parameters:
    ///   - mediaType: The media type, which may be a range.
    ///   - schema: The schema of the body; nil if it has none.
    ///   - document: The document of the schema.
    private static func format(
        of mediaType: MediaTypeName, schema: BodySchema?, document: OpenAPIDocument
    ) -> Format {
        if mediaType.isJSON { return .json }
        // Documents describe the bytes of a file as a string in `*/*`. JSON would put them in quotes.
        if mediaType.includesJSON { return document.isString(schema) ? .bytes : .json }
        if mediaType.isForm { return .form }
        if mediaType.isMultipart { return .multipart }
        return mediaType.isText ? .text : .bytes
    }

    /// Returns the media type that is sent in a format if the document has a range such as `*/*`.
    private static func defaultContentType(_ format: Format) -> String {
        switch format {
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .multipart: "multipart/form-data"
        case .text: "text/plain; charset=utf-8"
        case .bytes: "application/octet-stream"
        }
    }

    /// The header with the content type of a JSON body, such as `application/vnd.api+json`.
    ///
    /// It is nil for `application/json`, and for all other formats, because these bodies set the header themselves.
    package var contentTypeHeader: HTTPField? {
        guard format == .json, contentType != Self.defaultContentType(.json) else { return nil }
        return HTTPField("Content-Type", contentType)
    }
}

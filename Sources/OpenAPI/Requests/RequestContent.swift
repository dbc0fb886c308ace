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
struct RequestContent: Sendable {
    /// The way in which a value becomes a body.
    enum Format: Sendable {
        case json, form, multipart, text
        /// The body is given as bytes, and not as a value.
        case bytes
    }

    let mediaType: MediaTypeObject
    let format: Format
    /// The media type that is sent, which is no range.
    let contentType: String

    /// Chooses one of the media types of a body.
    ///
    /// The first one in JSON goes first, then the first form, then text, then a range that JSON is in, then bytes.
    ///
    /// - Parameters:
    ///   - content: The media types in the order of the document.
    ///   - bodyType: The media type to choose; nil for the rule above.
    /// - Returns: The content; nil if there is none, and none was asked for.
    /// - Throws: ``BodyTypeError`` if no content has the media type that was asked for.
    static func choose(
        from content: [MediaTypeObject], bodyType: String?
    ) throws(BodyTypeError) -> RequestContent? {
        guard let bodyType else {
            let ranked = content.map { (rank: rank(MediaTypeName($0.contentType)), mediaType: $0) }
            guard let best = ranked.map(\.rank).min() else { return nil }
            return ranked.first { $0.rank == best }.map { RequestContent($0.mediaType) }
        }
        let requested = MediaTypeName(bodyType)
        if let exact = content.first(where: { $0.contentType == bodyType })
            ?? content.first(where: { MediaTypeName($0.contentType).essence == requested.essence })
        {
            return RequestContent(exact)
        }
        guard let range = content.first(where: { includes(MediaTypeName($0.contentType), requested) }) else {
            throw BodyTypeError(requested: bodyType, available: content.map(\.contentType))
        }
        return RequestContent(range, as: requested)
    }

    /// Returns the position of a media type among those that are chosen.
    private static func rank(_ name: MediaTypeName) -> Int {
        if name.isJSON { return 0 }
        if name.isForm || name.isMultipart { return 1 }
        if name.isText { return 2 }
        return name.includesJSON ? 3 : 4
    }

    /// Whether a range such as `image/*` includes a media type (RFC 9110, section 12.5.1).
    private static func includes(_ range: MediaTypeName, _ name: MediaTypeName) -> Bool {
        if range.essence == "*/*" || range.essence == "*" { return true }
        return range.essence.hasSuffix("/*") && name.essence.hasPrefix(range.essence.dropLast())
    }

    /// Makes the content of a media type.
    ///
    /// - Parameters:
    ///   - mediaType: The media type or range.
    ///   - name: The media type that is sent; nil for that of `mediaType`.
    private init(_ mediaType: MediaTypeObject, as name: MediaTypeName? = nil) {
        let name = name ?? MediaTypeName(mediaType.contentType)
        self.mediaType = mediaType
        if name.isJSON || name.includesJSON {
            format = .json
        } else if name.isForm {
            format = .form
        } else if name.isMultipart {
            format = .multipart
        } else {
            format = name.isText ? .text : .bytes
        }
        if let text = name.headerText, !text.contains("*") {
            contentType = text
        } else {
            contentType = Self.defaultContentType(format)
        }
    }

    /// Returns the media type that stands for a range.
    private static func defaultContentType(_ format: Format) -> String {
        switch format {
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .multipart: "multipart/form-data"
        case .text: "text/plain; charset=utf-8"
        case .bytes: "application/octet-stream"
        }
    }

    /// The content type in a header of its own, because `Body` has another one or none; nil if none is needed.
    var contentTypeHeader: Header? {
        guard format == .json, contentType != Self.defaultContentType(.json) else { return nil }
        return Header("Content-Type", contentType)
    }
}

/// A media type or range by its name, such as `application/json; charset=utf-8` or `text/*` (RFC 9110, section 8.3.1).
package struct MediaTypeName: Sendable {
    /// The name as it is written.
    package let text: String
    /// The type and subtype in lower case, without parameters: `application/json`.
    package let essence: String

    /// Creates a name from any text.
    package init(_ text: String) {
        self.text = text
        // The text is read byte by byte, because splitting it into characters takes several times as long.
        let withoutParameters = text.utf8.prefix { $0 != UInt8(ascii: ";") }
        let bytes = withoutParameters.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        essence = String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// The name for a header; nil if it contains a line break or another character that is not allowed in headers.
    package var headerText: String? {
        let isPrintableASCII = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isPrintableASCII ? text : nil
    }

    /// Whether the name is JSON, or a format that is written in JSON (RFC 6839, section 3.1).
    package var isJSON: Bool { ["application/json", "text/json"].contains(essence) || essence.hasSuffix("+json") }

    /// Whether the name is a sequence of JSON texts, such as one on each line.
    package var isJSONSequence: Bool {
        ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-seq"].contains(essence)
    }

    /// Whether the name is a range that includes JSON.
    package var includesJSON: Bool { ["*/*", "*", "application/*"].contains(essence) }

    /// Whether the name is the media type of forms that are written like a query.
    package var isForm: Bool { essence == "application/x-www-form-urlencoded" }

    /// Whether the name is the media type of forms that have parts.
    package var isMultipart: Bool { essence == "multipart/form-data" }

    /// Whether the format is text that people read and write.
    package var isText: Bool {
        essence.hasPrefix("text/") || ["application/xml", "application/yaml"].contains(essence)
            || essence.hasSuffix("+xml") || essence.hasSuffix("+yaml")
    }

    /// Returns whether the name is a range such as `image/*` that includes a media type (RFC 9110, section 12.5.1).
    package func includes(_ mediaType: MediaTypeName) -> Bool {
        if essence == "*/*" || essence == "*" { return true }
        let isRange = essence.hasSuffix("/*")
        return isRange && mediaType.essence.hasPrefix(essence.dropLast())
    }
}

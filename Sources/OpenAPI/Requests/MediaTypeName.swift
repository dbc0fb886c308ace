/// A media type or range by its name, such as `application/json; charset=utf-8` or `text/*` (RFC 9110, section 8.3.1).
struct MediaTypeName: Sendable {
    /// The name as the document has it.
    let text: String
    /// Type and subtype in lower case.
    let essence: String

    init(_ text: String) {
        self.text = text
        let withoutParameters = text.prefix { $0 != ";" }
        essence = withoutParameters.filter { $0 != " " && $0 != "\t" }.lowercased()
    }

    /// The name in a header; nil if a line break or another unusual character is in it.
    var headerText: String? { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil }

    /// Whether the name is that of JSON, or of a format in JSON (RFC 6839, section 3.1).
    var isJSON: Bool { ["application/json", "text/json"].contains(essence) || essence.hasSuffix("+json") }

    /// Whether the name is that of JSON texts one after the other, such as one on each line.
    var isJSONSequence: Bool {
        ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-seq"].contains(essence)
    }

    /// Whether the name is a range that JSON is in.
    var includesJSON: Bool { ["*/*", "*", "application/*"].contains(essence) }

    var isForm: Bool { essence == "application/x-www-form-urlencoded" }

    var isMultipart: Bool { essence == "multipart/form-data" }

    /// Whether people write the format as text.
    var isText: Bool {
        essence.hasPrefix("text/") || ["application/xml", "application/yaml"].contains(essence)
            || essence.hasSuffix("+xml") || essence.hasSuffix("+yaml")
    }
}

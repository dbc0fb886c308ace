/// The extensions of files with responses, and the content types that they stand for.
enum SampleType {
    private static let types = [
        ("json", "application/json"), ("jsonl", "application/jsonl"), ("txt", "text/plain; charset=utf-8"),
        ("html", "text/html; charset=utf-8"), ("css", "text/css"), ("csv", "text/csv"), ("xml", "application/xml"),
        ("svg", "image/svg+xml"), ("png", "image/png"), ("jpg", "image/jpeg"), ("gif", "image/gif"),
        ("webp", "image/webp"), ("pdf", "application/pdf"), ("zip", "application/zip"),
    ]

    /// The content type of a file with that extension.
    static func contentType(_ fileExtension: String) -> String {
        types.first { $0.0 == fileExtension }?.1 ?? "application/octet-stream"
    }

    /// The extension for a body of that type, in lower case and without parameters; `isJSON` if it is JSON whatever its type.
    static func fileExtension(_ mediaType: String?, isJSON: Bool) -> String {
        if isJSON { return "json" }
        return types.first { $0.1.prefix { $0 != ";" } == mediaType ?? "" }?.0 ?? "bin"
    }
}

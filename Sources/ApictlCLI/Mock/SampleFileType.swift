import EndpointKit

/// A type of sample files: the extension of the file's name, and the content type that it stands for.
struct SampleFileType {
    let fileExtension: String
    let contentType: String

    /// The known types. Any other content type has the extension `bin`, which stands for any bytes.
    private static let all: [SampleFileType] = [
        SampleFileType(fileExtension: "json", contentType: "application/json"),
        SampleFileType(fileExtension: "jsonl", contentType: "application/jsonl"),
        SampleFileType(fileExtension: "txt", contentType: "text/plain; charset=utf-8"),
        SampleFileType(fileExtension: "html", contentType: "text/html; charset=utf-8"),
        SampleFileType(fileExtension: "css", contentType: "text/css"),
        SampleFileType(fileExtension: "csv", contentType: "text/csv"),
        SampleFileType(fileExtension: "xml", contentType: "application/xml"),
        SampleFileType(fileExtension: "svg", contentType: "image/svg+xml"),
        SampleFileType(fileExtension: "png", contentType: "image/png"),
        SampleFileType(fileExtension: "jpg", contentType: "image/jpeg"),
        SampleFileType(fileExtension: "gif", contentType: "image/gif"),
        SampleFileType(fileExtension: "webp", contentType: "image/webp"),
        SampleFileType(fileExtension: "pdf", contentType: "application/pdf"),
        SampleFileType(fileExtension: "zip", contentType: "application/zip"),
    ]

    /// Returns the content type that an extension stands for.
    static func contentType(forExtension fileExtension: String) -> String {
        all.first { $0.fileExtension == fileExtension }?.contentType ?? "application/octet-stream"
    }

    /// Returns the extension for a content type, whatever its parameters are: `html` for `text/html; charset=latin1`.
    ///
    /// - Parameter contentType: The value of the header `Content-Type`; nil if there is none.
    static func fileExtension(forContentType contentType: String?) -> String {
        guard let contentType else { return "bin" }
        let mediaType = mediaType(of: contentType)
        return all.first { Self.mediaType(of: $0.contentType) == mediaType }?.fileExtension ?? "bin"
    }

    /// Returns a content type without its parameters, in lower case: `text/html` for `Text/HTML; charset=utf-8`.
    private static func mediaType(of contentType: String) -> String { contentType.prefix { $0 != ";" }.lowercased() }
}

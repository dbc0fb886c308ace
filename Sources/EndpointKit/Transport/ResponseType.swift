extension ResponseHead {
    /// Whether the content type is JSON; nil if there is none.
    package var isJSON: Bool? {
        mediaType.map { type in
            type.hasSuffix("+json") || type.hasSuffix("/json") || type.hasSuffix("json-seq")
                || Self.documentStreams.contains(type)
        }
    }

    /// Whether the content type is a stream of JSON documents.
    package var isDocumentStream: Bool {
        mediaType.map { $0.hasSuffix("json-seq") || Self.documentStreams.contains($0) } ?? false
    }

    /// Whether the content type is a stream of documents or events, which may never end.
    package var isStream: Bool {
        mediaType == "text/event-stream" || isDocumentStream
    }

    private static let documentStreams: Set = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-lines",
    ]
}

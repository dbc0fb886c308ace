extension ResponseHead {
    /// Whether the content type is JSON; nil if there is none.
    package var isJSON: Bool? {
        mediaType.map { type in
            type.hasSuffix("+json") || type.hasSuffix("/json") || type.hasSuffix("json-seq")
                || Self.documentStreams.contains(type)
        }
    }

    /// Whether the content type is a stream of documents or events, which may never end.
    package var isStream: Bool {
        mediaType.map { type in
            type == "text/event-stream" || type.hasSuffix("json-seq") || Self.documentStreams.contains(type)
        } ?? false
    }

    private static let documentStreams: Set = ["application/x-ndjson", "application/jsonl", "application/json-lines"]
}

/// The kind of source that `import` reads. Its name is the first word after `import`.
enum ImportKind: String, CaseIterable {
    /// Curl commands, whose responses are requested from the server.
    case curl
    /// JSON responses: URLs that are requested, and files.
    case json
    /// A recording of requests with their responses, in HTTP Archive format.
    case har
    /// An OpenAPI document.
    case openapi

    /// The options of `import` that this kind does not use, without dashes.
    ///
    /// A recording, for instance, has its responses already, so that `--send` would do nothing.
    var optionsWithoutEffect: Set<String> {
        switch self {
        case .curl: ["header"]
        case .json: ["only", "skip"]
        case .har: ["header", "response", "send"]
        case .openapi: ["method", "path", "send", "response", "map", "struct"]
        }
    }
}

/// The request and the response model of one call of an API.
public struct Endpoint: Sendable {
    /// The method, such as ``HTTPMethod/get``.
    public var method: HTTPMethod
    /// The path after the base URL's own.
    public var path: Path
    /// The query without credentials, which are added when a request is made.
    public var query: Query
    /// Headers; they replace those of ``API/headers`` with the same name.
    public var headers: Headers
    /// The body, which also sets `Content-Type` unless ``headers`` does; nil sends none.
    public var body: Body?
    /// The body of a successful response.
    public var response: ResponseModel
    /// What it does, in a few words.
    public var summary: String
    /// A note for each parameter, by the parameter's Swift name.
    public var notes: [String: String]
    /// Credentials that replace the API's own, ``API/credentials``; nil keeps those.
    public var credentials: [Credential]?
    /// How a list is divided into pages; nil if it is not.
    public var pages: Paging?
    /// A recorded response, for `--sample`, tests and mock servers.
    public var sample: Sample?
    /// Where it is declared: the arm of the API's switch.
    public var source: SourceLine

    /// An endpoint whose response is a `Model`: ``EmptyResponse`` for no body, ``RawResponse`` for one that is not JSON.
    ///
    /// `file` and `line` are where reports say that it is declared.
    public init<Model: Codable & Sendable>(
        _ method: HTTPMethod, _ path: Path, query: Query = [:], headers: Headers = [:], body: Body? = nil,
        returns model: Model.Type, summary: String, notes: [String: String] = [:],
        credentials: [Credential]? = nil, sample: Sample? = nil,
        file: String = #filePath, line: Int = #line
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.response = ResponseModel(model)
        self.summary = summary
        self.notes = notes
        self.credentials = credentials
        self.sample = sample
        source = SourceLine(file: file, line: line)
    }
}

extension Endpoint {
    /// A GET request.
    public static func get<Model: Codable & Sendable>(
        _ path: Path, query: Query = [:], headers: Headers = [:], returns model: Model.Type,
        summary: String, notes: [String: String] = [:], credentials: [Credential]? = nil, sample: Sample? = nil,
        file: String = #filePath, line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .get, path, query: query, headers: headers, returns: model, summary: summary, notes: notes,
            credentials: credentials, sample: sample, file: file, line: line)
    }

    /// A HEAD request: the response has headers and no body.
    public static func head(
        _ path: Path, query: Query = [:], headers: Headers = [:], summary: String, notes: [String: String] = [:],
        credentials: [Credential]? = nil, sample: Sample? = nil,
        file: String = #filePath, line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .head, path, query: query, headers: headers, returns: EmptyResponse.self, summary: summary, notes: notes,
            credentials: credentials, sample: sample, file: file, line: line)
    }

    /// An OPTIONS request.
    public static func options<Model: Codable & Sendable>(
        _ path: Path, query: Query = [:], headers: Headers = [:], returns model: Model.Type,
        summary: String, notes: [String: String] = [:], credentials: [Credential]? = nil, sample: Sample? = nil,
        file: String = #filePath, line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .options, path, query: query, headers: headers, returns: model, summary: summary, notes: notes,
            credentials: credentials, sample: sample, file: file, line: line)
    }

    /// A POST request.
    public static func post<Model: Codable & Sendable>(
        _ path: Path, query: Query = [:], headers: Headers = [:], body: Body? = nil, returns model: Model.Type,
        summary: String, notes: [String: String] = [:], credentials: [Credential]? = nil, sample: Sample? = nil,
        file: String = #filePath, line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .post, path, query: query, headers: headers, body: body, returns: model, summary: summary, notes: notes,
            credentials: credentials, sample: sample, file: file, line: line)
    }

    /// A PUT request.
    public static func put<Model: Codable & Sendable>(
        _ path: Path, query: Query = [:], headers: Headers = [:], body: Body? = nil, returns model: Model.Type,
        summary: String, notes: [String: String] = [:], credentials: [Credential]? = nil, sample: Sample? = nil,
        file: String = #filePath, line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .put, path, query: query, headers: headers, body: body, returns: model, summary: summary, notes: notes,
            credentials: credentials, sample: sample, file: file, line: line)
    }

    /// A PATCH request (RFC 5789).
    public static func patch<Model: Codable & Sendable>(
        _ path: Path, query: Query = [:], headers: Headers = [:], body: Body? = nil, returns model: Model.Type,
        summary: String, notes: [String: String] = [:], credentials: [Credential]? = nil, sample: Sample? = nil,
        file: String = #filePath, line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .patch, path, query: query, headers: headers, body: body, returns: model, summary: summary, notes: notes,
            credentials: credentials, sample: sample, file: file, line: line)
    }

    /// A DELETE request.
    public static func delete<Model: Codable & Sendable>(
        _ path: Path, query: Query = [:], headers: Headers = [:], body: Body? = nil, returns model: Model.Type,
        summary: String, notes: [String: String] = [:], credentials: [Credential]? = nil, sample: Sample? = nil,
        file: String = #filePath, line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .delete, path, query: query, headers: headers, body: body, returns: model, summary: summary, notes: notes,
            credentials: credentials, sample: sample, file: file, line: line)
    }
}

/// A line of a source file.
public struct SourceLine: Sendable, Hashable {
    /// The path of the file when it was compiled.
    public let file: String
    /// From 1.
    public let line: Int

    /// That line of that file.
    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}

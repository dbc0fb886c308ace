/// Everything one call of an API is made of, and what it answers.
public struct Endpoint: Sendable {
    /// The method, such as ``Method/get``.
    public var method: Method
    /// The path behind the base URL's own.
    public var path: Path
    /// The query without credentials, which are added when a request is made.
    public var query: Query
    /// Header fields; they take the place of those of ``API/headers`` with the same name.
    public var headers: Headers
    /// The body, which sets `Content-Type` too unless ``headers`` do; nil sends none.
    public var body: Body?
    /// What is answered where the status is a success.
    public var response: ResponseModel
    /// What it does, in a few words.
    public var summary: String
    /// A note per parameter, by the parameter's Swift name.
    public var notes: [String: String]
    /// What this endpoint is signed with where it is not the API's own ``API/credentials``.
    public var credentials: [Credential]?
    /// A recorded answer.
    public var sample: Sample?

    /// An endpoint whose answer is a `Model`: ``EmptyResponse`` for no body, ``RawResponse`` for one that is not JSON.
    public init<Model: Codable & Sendable>(
        _ method: Method, _ path: Path, query: Query = [:], headers: Headers = [:], body: Body? = nil,
        returns model: Model.Type, _ summary: String, notes: [String: String] = [:],
        credentials: [Credential]? = nil, sample: Sample? = nil
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
    }
}

extension Endpoint {
    /// A GET request.
    public static func get<Model: Codable & Sendable>(
        _ path: Path, query: Query = [:], headers: Headers = [:], returns model: Model.Type, _ summary: String,
        notes: [String: String] = [:], credentials: [Credential]? = nil, sample: Sample? = nil
    ) -> Endpoint {
        Endpoint(
            .get, path, query: query, headers: headers, returns: model, summary, notes: notes,
            credentials: credentials, sample: sample)
    }

    /// A POST request.
    public static func post<Model: Codable & Sendable>(
        _ path: Path, query: Query = [:], headers: Headers = [:], body: Body? = nil, returns model: Model.Type,
        _ summary: String, notes: [String: String] = [:], credentials: [Credential]? = nil, sample: Sample? = nil
    ) -> Endpoint {
        Endpoint(
            .post, path, query: query, headers: headers, body: body, returns: model, summary, notes: notes,
            credentials: credentials, sample: sample)
    }

    /// A PUT request.
    public static func put<Model: Codable & Sendable>(
        _ path: Path, query: Query = [:], headers: Headers = [:], body: Body? = nil, returns model: Model.Type,
        _ summary: String, notes: [String: String] = [:], credentials: [Credential]? = nil, sample: Sample? = nil
    ) -> Endpoint {
        Endpoint(
            .put, path, query: query, headers: headers, body: body, returns: model, summary, notes: notes,
            credentials: credentials, sample: sample)
    }

    /// A PATCH request (RFC 5789).
    public static func patch<Model: Codable & Sendable>(
        _ path: Path, query: Query = [:], headers: Headers = [:], body: Body? = nil, returns model: Model.Type,
        _ summary: String, notes: [String: String] = [:], credentials: [Credential]? = nil, sample: Sample? = nil
    ) -> Endpoint {
        Endpoint(
            .patch, path, query: query, headers: headers, body: body, returns: model, summary, notes: notes,
            credentials: credentials, sample: sample)
    }

    /// A DELETE request.
    public static func delete<Model: Codable & Sendable>(
        _ path: Path, query: Query = [:], headers: Headers = [:], body: Body? = nil, returns model: Model.Type,
        _ summary: String, notes: [String: String] = [:], credentials: [Credential]? = nil, sample: Sample? = nil
    ) -> Endpoint {
        Endpoint(
            .delete, path, query: query, headers: headers, body: body, returns: model, summary, notes: notes,
            credentials: credentials, sample: sample)
    }
}

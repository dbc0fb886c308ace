/// The request and the response model of one call of an API.
public struct Endpoint: Sendable {
    /// The method, such as ``HTTPMethod/get``.
    package var method: HTTPMethod
    /// The path after the base URL's own.
    package var path: Path
    /// The URL of a finished request without its query; see ``API/placedEndpoint``. Nil if the endpoint has a path.
    package var url: String?
    /// The server of requests for which the caller chooses none; nil for the API's first server.
    package var server: Server?
    /// The query without credentials, which are added when a request is made.
    package var query: Query
    /// The headers. They replace the API's own with the same name.
    package var headers: Headers
    /// The body, which also sets `Content-Type` unless ``headers`` does. Nil sends none.
    package var body: Body?
    /// How the body of a successful response is read.
    package var response: ResponseModel
    /// A few words about what the call does.
    package var summary: String
    /// A note for each parameter, by its Swift name: `page`, `pet.name` for a field, `_0` for a value without a label.
    package var notes: [String: String]
    /// Rules for the values of parameters that their types do not express.
    package var rules: [ParameterRule]
    /// Credentials that replace the API's own. Nil keeps the API's.
    package var credentials: [Credential]?
    /// How a list is divided into pages; nil for a response that is no list, or is not divided.
    package var pages: Paging?
    /// The sample that the endpoint names itself.
    private var ownSample: Sample?
    /// Finds the endpoint's sample in the file with the samples of the API. The file is read when it is called.
    package var findSampleOfAPI: (@Sendable () -> Sample?)?
    /// The line of the declaration, in the case of the API's switch.
    package var source: DeclarationLine

    /// A recorded response, for `--sample`, tests and mock servers; nil if there is none.
    package var sample: Sample? {
        get { ownSample ?? findSampleOfAPI?() }
        set {
            ownSample = newValue
            // Otherwise, an endpoint whose sample is set to nil would get the one of the API.
            findSampleOfAPI = nil
        }
    }
}

extension Endpoint {
    /// Creates an endpoint of any method. The functions of the usual methods, such as `.get(…)`, are shorter.
    ///
    ///     Endpoint("PURGE", "/cache/\(id)", returns: EmptyResponse.self, summary: "Empties a cache")
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - path: The path after the server's URL: `"/movie/\(id)"`.
    ///   - query: The query without credentials: `["page": page]`.
    ///   - headers: Headers, which replace those of the API with the same name.
    ///   - body: The body, which also sets `Content-Type` unless a header does.
    ///   - model: The type of the response: ``EmptyResponse`` for no body, ``RawResponse`` for one that is not JSON.
    ///   - summary: A few words about what the call does.
    ///   - notes: A note for each parameter: `["page": "from 1", 0: "a pet's id"]`.
    ///   - rules: Rules for the values of parameters: `[.range("page", 1...500)]`.
    ///   - credentials: Credentials that replace the API's own. Nil keeps the API's.
    ///   - pages: How the list is divided into pages; nil if it is not.
    ///   - sample: A recorded response, which can stand in for the server.
    ///   - file: The source file of the declaration, which reports name. Leave it out.
    ///   - line: The line in that file. Leave it out.
    public init(
        _ method: HTTPMethod,
        _ path: Path,
        query: Query = [:],
        headers: Headers = [:],
        body: Body? = nil,
        returns model: any (Decodable & Sendable).Type,
        summary: String = "",
        notes: [ParameterName: String] = [:],
        rules: [ParameterRule] = [],
        credentials: [Credential]? = nil,
        pages: Paging? = nil,
        sample: Sample? = nil,
        file: String = #filePath,
        line: Int = #line
    ) {
        self.init(
            method: method, path: path, query: query, headers: headers, body: body, response: ResponseModel(model),
            summary: summary, notes: Self.notesByName(notes), rules: rules, credentials: credentials, pages: pages,
            ownSample: sample, source: DeclarationLine(file: file, line: line))
    }

    /// Returns notes with the Swift names of the parameters as keys.
    ///
    /// Two literals may have the same name, such as `0` and `"_0"`. Then one of the notes is returned.
    private static func notesByName(_ notes: [ParameterName: String]) -> [String: String] {
        var notesByName: [String: String] = [:]
        for (parameter, note) in notes { notesByName[parameter.text] = note }
        return notesByName
    }
}

// MARK: - The usual methods

extension Endpoint {
    /// Returns an endpoint of the method GET, which retrieves something.
    ///
    ///     .get("/pets/\(id)", returns: Pet.self, summary: "One pet")
    ///
    /// The parameters are those of
    /// ``init(_:_:query:headers:body:returns:summary:notes:rules:credentials:pages:sample:file:line:)``.
    public static func get(
        _ path: Path,
        query: Query = [:],
        headers: Headers = [:],
        returns model: any (Decodable & Sendable).Type,
        summary: String,
        notes: [ParameterName: String] = [:],
        rules: [ParameterRule] = [],
        credentials: [Credential]? = nil,
        pages: Paging? = nil,
        sample: Sample? = nil,
        file: String = #filePath,
        line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .get, path, query: query, headers: headers, returns: model, summary: summary, notes: notes, rules: rules,
            credentials: credentials, pages: pages, sample: sample, file: file, line: line)
    }

    /// Returns an endpoint of the method HEAD, whose response has headers and no body.
    ///
    ///     .head("/pets/\(id)", summary: "Whether there is the pet")
    ///
    /// The parameters are those of
    /// ``init(_:_:query:headers:body:returns:summary:notes:rules:credentials:pages:sample:file:line:)``.
    public static func head(
        _ path: Path,
        query: Query = [:],
        headers: Headers = [:],
        summary: String,
        notes: [ParameterName: String] = [:],
        rules: [ParameterRule] = [],
        credentials: [Credential]? = nil,
        sample: Sample? = nil,
        file: String = #filePath,
        line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .head, path, query: query, headers: headers, returns: EmptyResponse.self, summary: summary, notes: notes,
            rules: rules, credentials: credentials, sample: sample, file: file, line: line)
    }

    /// Returns an endpoint of the method POST, which lets the server process a body.
    ///
    ///     .post("/pets", body: .json(pet), returns: Pet.self, summary: "Adds a pet")
    ///
    /// The parameters are those of
    /// ``init(_:_:query:headers:body:returns:summary:notes:rules:credentials:pages:sample:file:line:)``.
    public static func post(
        _ path: Path,
        query: Query = [:],
        headers: Headers = [:],
        body: Body? = nil,
        returns model: any (Decodable & Sendable).Type,
        summary: String,
        notes: [ParameterName: String] = [:],
        rules: [ParameterRule] = [],
        credentials: [Credential]? = nil,
        pages: Paging? = nil,
        sample: Sample? = nil,
        file: String = #filePath,
        line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .post, path, query: query, headers: headers, body: body, returns: model, summary: summary, notes: notes,
            rules: rules, credentials: credentials, pages: pages, sample: sample, file: file, line: line)
    }

    /// Returns an endpoint of the method PUT, which replaces something.
    ///
    ///     .put("/pets/\(id)", body: .json(pet), returns: Pet.self, summary: "Replaces a pet")
    ///
    /// The parameters are those of
    /// ``init(_:_:query:headers:body:returns:summary:notes:rules:credentials:pages:sample:file:line:)``.
    public static func put(
        _ path: Path,
        query: Query = [:],
        headers: Headers = [:],
        body: Body? = nil,
        returns model: any (Decodable & Sendable).Type,
        summary: String,
        notes: [ParameterName: String] = [:],
        rules: [ParameterRule] = [],
        credentials: [Credential]? = nil,
        sample: Sample? = nil,
        file: String = #filePath,
        line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .put, path, query: query, headers: headers, body: body, returns: model, summary: summary, notes: notes,
            rules: rules, credentials: credentials, sample: sample, file: file, line: line)
    }

    /// Returns an endpoint of the method PATCH, which changes a part of something (RFC 5789).
    ///
    ///     .patch("/pets/\(id)", body: .json(changes), returns: Pet.self, summary: "Changes a pet")
    ///
    /// The parameters are those of
    /// ``init(_:_:query:headers:body:returns:summary:notes:rules:credentials:pages:sample:file:line:)``.
    public static func patch(
        _ path: Path,
        query: Query = [:],
        headers: Headers = [:],
        body: Body? = nil,
        returns model: any (Decodable & Sendable).Type,
        summary: String,
        notes: [ParameterName: String] = [:],
        rules: [ParameterRule] = [],
        credentials: [Credential]? = nil,
        sample: Sample? = nil,
        file: String = #filePath,
        line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .patch, path, query: query, headers: headers, body: body, returns: model, summary: summary, notes: notes,
            rules: rules, credentials: credentials, sample: sample, file: file, line: line)
    }

    /// Returns an endpoint of the method DELETE, which removes something.
    ///
    ///     .delete("/pets/\(id)", returns: EmptyResponse.self, summary: "Removes a pet")
    ///
    /// The parameters are those of
    /// ``init(_:_:query:headers:body:returns:summary:notes:rules:credentials:pages:sample:file:line:)``.
    public static func delete(
        _ path: Path,
        query: Query = [:],
        headers: Headers = [:],
        body: Body? = nil,
        returns model: any (Decodable & Sendable).Type,
        summary: String,
        notes: [ParameterName: String] = [:],
        rules: [ParameterRule] = [],
        credentials: [Credential]? = nil,
        sample: Sample? = nil,
        file: String = #filePath,
        line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .delete, path, query: query, headers: headers, body: body, returns: model, summary: summary, notes: notes,
            rules: rules, credentials: credentials, sample: sample, file: file, line: line)
    }

    /// Returns an endpoint of the method OPTIONS, which asks how requests may be made.
    ///
    ///     .options("/pets", returns: EmptyResponse.self, summary: "The methods that are allowed")
    ///
    /// The parameters are those of
    /// ``init(_:_:query:headers:body:returns:summary:notes:rules:credentials:pages:sample:file:line:)``.
    public static func options(
        _ path: Path,
        query: Query = [:],
        headers: Headers = [:],
        returns model: any (Decodable & Sendable).Type,
        summary: String,
        notes: [ParameterName: String] = [:],
        rules: [ParameterRule] = [],
        credentials: [Credential]? = nil,
        sample: Sample? = nil,
        file: String = #filePath,
        line: Int = #line
    ) -> Endpoint {
        Endpoint(
            .options, path, query: query, headers: headers, returns: model, summary: summary, notes: notes,
            rules: rules, credentials: credentials, sample: sample, file: file, line: line)
    }
}

/// A line of a source file.
package struct DeclarationLine: Sendable, Hashable {
    /// The path of the file when it was compiled.
    package let file: String
    /// The line, from 1.
    package let line: Int
}

import JSONText

/// The recorded JSON responses of an API in one document: an object with the body for each endpoint.
///
///     {"popular": {"page": 1, "results": []}, "video": {…}, "robots": "User-agent: *"}
///
/// Of an endpoint that returns ``RawResponse``, a string is the text itself. Other files beside the document are samples of their own:
/// `sample: Sample("image/png", PackageResources.clinic_scan_png)`.
///
/// A package embeds the file with one line in `Package.swift`, `resources: [.embedInCode("Samples")]`, and names it with one line in the API:
///
///     static let samples: Samples? = Samples(PackageResources.movies_json)
public struct Samples: Sendable {
    private let document: JSONValue?
    /// What is wrong with the document; nil if nothing is.
    package let problem: String?

    /// The samples in a JSON text. One that is not an object holds none, which `lint()` of EndpointTools reports.
    public init(_ text: [UInt8]) {
        do {
            let value = try JSONValue(text: text)
            document = value
            problem = value.members == nil ? "the samples are not a JSON object" : nil
        } catch {
            document = nil
            problem = "the samples are not one JSON document: \(error)"
        }
    }

    package var names: [String] { document?.members.map { $0.map(\.key) } ?? [] }

    /// The sample of an endpoint by the name of its case, in Swift's spelling or as a command line has it; nil if there is none.
    package func sample(_ caseName: String, for model: ResponseModel) -> Sample? {
        guard let body = document?[caseName] ?? document?[KebabCase.text(caseName)] else { return nil }
        if model.kind == .bytes, let text = body.string { return Sample("text/plain; charset=utf-8", text.exactBytes) }
        return .json(Array(body.written))
    }
}

extension API {
    /// ``endpoint`` with the sample from ``samples`` if it has none.
    package var resolvedEndpoint: Endpoint {
        var endpoint = placedEndpoint
        if endpoint.sample == nil, let samples = Self.samples, let name = try? caseName {
            endpoint.sample = samples.sample(name, for: endpoint.response)
        }
        return endpoint
    }
}

/// A recorded response that stands in for the server.
public struct Sample: Sendable {
    /// The value of `Content-Type`; empty if there is no such header.
    package let contentType: String
    private let content: @Sendable () -> [UInt8]

    /// The bytes of the body. Computed on demand, so that declaring a sample costs nothing.
    package var bytes: [UInt8] { content() }

    /// A response of any type; `content` is evaluated each time it is needed.
    public init(_ contentType: String, _ content: @autoclosure @escaping @Sendable () -> [UInt8]) {
        self.contentType = contentType
        self.content = content
    }

    /// A JSON response.
    public static func json(_ content: @autoclosure @escaping @Sendable () -> [UInt8]) -> Sample {
        Sample("application/json", content())
    }

    /// A response with an empty body.
    public static let empty = Sample("", [])
}

import JSONText
import Locking

/// The recorded JSON responses of an API in one document: an object with the body for each endpoint.
///
///     {"popular": {"page": 1, "results": []}, "video": {…}, "robots": "User-agent: *"}
///
/// For an endpoint that returns ``RawResponse``, a string is the text of the body. Other files beside the document are
/// samples of their own: `sample: Sample("image/png", PackageResources.clinic_scan_png)`.
///
/// A package embeds the file with one line in `Package.swift`, `resources: [.embedInCode("Samples")]`, and names it
/// with one line in the API:
///
///     static let api = APIInfo(name: "movies", servers: […], samples: Samples(PackageResources.movies_json))
public struct Samples: Sendable {
    private let document: LazyDocument

    /// Creates the samples in a JSON text, which is read when the first sample is needed.
    ///
    /// A text that is not an object holds no samples. `lint()` of EndpointTools reports it.
    ///
    /// - Parameter text: The text. It is evaluated once at most.
    public init(_ text: @autoclosure @escaping @Sendable () -> [UInt8]) {
        document = LazyDocument(text)
    }

    /// The names of the endpoints that have a sample, as the document spells them.
    package var names: [String] { document.content.members.map(\.key) }

    /// The fault of the document; nil if there is none.
    package var problem: String? { document.content.problem }

    /// Returns the sample of an endpoint.
    ///
    /// - Parameters:
    ///   - caseName: The name of the endpoint's case. The document may also spell it as the command line does:
    ///     `new-movies`.
    ///   - model: What the endpoint returns.
    /// - Returns: The sample. Nil if the document has none.
    package func sample(_ caseName: String, for model: ResponseModel) -> Sample? {
        let value = document.content.value
        guard let body = value?[caseName] ?? value?[KebabCase.text(caseName)] else { return nil }
        if model.kind == .bytes, let text = body.string { return Sample("text/plain; charset=utf-8", text.exactBytes) }
        return .json(Array(body.written))
    }
}

/// The document of an API's samples, which is parsed at its first use.
private final class LazyDocument: Sendable {
    /// A document, or its fault.
    struct Content: Sendable {
        var value: JSONValue?
        var problem: String?

        var members: [(key: String, value: JSONValue)] { value?.members ?? [] }

        init(_ text: [UInt8]) {
            do {
                let value = try JSONValue(text: text)
                self.value = value
                if value.members == nil { problem = "the samples are not a JSON object" }
            } catch {
                problem = "the samples are not one JSON document: \(error)"
            }
        }
    }

    private let text: @Sendable () -> [UInt8]
    private let parsed = Lock<Content?>(nil)

    init(_ text: @escaping @Sendable () -> [UInt8]) { self.text = text }

    var content: Content {
        parsed.withLock { parsed in
            if let parsed { return parsed }
            let content = Content(text())
            parsed = content
            return content
        }
    }
}

extension API {
    /// ``endpoint`` with the sample from the API's samples if it has none.
    package var resolvedEndpoint: Endpoint {
        var endpoint = placedEndpoint
        if let samples = Self.api.samples, let name = try? caseName {
            let model = endpoint.response
            endpoint.findSampleOfAPI = { samples.sample(name, for: model) }
        }
        return endpoint
    }
}

/// A recorded response that stands in for the server.
public struct Sample: Sendable {
    /// The value of `Content-Type`; empty if there is no such header.
    package let contentType: String
    /// The status of the response; nil for the usual one, 200 or 204.
    package let status: Int?
    private let content: @Sendable () -> [UInt8]

    /// The bytes of the body. Computed on demand, so that declaring a sample costs nothing.
    package var bytes: [UInt8] { content() }

    /// Creates a response of any content type. `content` is evaluated each time it is needed.
    public init(_ contentType: String, _ content: @autoclosure @escaping @Sendable () -> [UInt8]) {
        self.init(contentType, status: nil, content())
    }

    /// Creates a response with a status of its own.
    package init(_ contentType: String, status: Int?, _ content: @autoclosure @escaping @Sendable () -> [UInt8]) {
        self.contentType = contentType
        self.status = status
        self.content = content
    }

    /// Returns a JSON response. `content` is evaluated each time it is needed.
    public static func json(_ content: @autoclosure @escaping @Sendable () -> [UInt8]) -> Sample {
        Sample("application/json", content())
    }

    /// A response with an empty body.
    public static let empty = Sample("", [])
}

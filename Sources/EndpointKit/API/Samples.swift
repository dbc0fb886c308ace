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
    package var names: [String] { document.parse().members.map(\.key) }

    /// The fault of the document; nil if there is none.
    package var problem: String? { document.parse().problem }

    /// Returns the sample of an endpoint.
    ///
    /// - Parameters:
    ///   - caseName: The name of the endpoint's case. The document may also spell it as the command line does:
    ///     `new-movies`.
    ///   - model: What the endpoint returns.
    /// - Returns: The sample. Nil if the document has none.
    package func sample(_ caseName: String, for model: ResponseModel) -> Sample? {
        let samples = document.parse().value
        guard let body = samples?[caseName] ?? samples?[KebabCase.text(caseName)] else { return nil }
        if model.kind == .bytes, let text = body.string { return Sample("text/plain; charset=utf-8", text.exactBytes) }
        return .json(Array(body.written))
    }
}

/// The document of an API's samples, which is parsed at its first use.
private final class LazyDocument: Sendable {
    /// A document that has been parsed, or its fault.
    struct Content: Sendable {
        /// The document; nil if it is not JSON.
        var value: JSONValue?
        /// The fault; nil if there is none.
        var problem: String?

        /// The sample of each endpoint by its name.
        var members: [(key: String, value: JSONValue)] { value?.members ?? [] }

        /// Parses a document.
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

    private let makeText: @Sendable () -> [UInt8]
    private let parsedContent = Lock<Content?>(nil)

    /// Creates a document whose text is asked for when it is needed.
    init(_ makeText: @escaping @Sendable () -> [UInt8]) { self.makeText = makeText }

    /// Returns the content. The first call parses the document, and later calls return the same content.
    func parse() -> Content {
        parsedContent.withLock { parsedContent in
            if let parsedContent { return parsedContent }
            let content = Content(makeText())
            parsedContent = content
            return content
        }
    }
}

extension API {
    /// The endpoint of this case as ``placedEndpoint``, which finds its sample among those of the API if it names none
    /// itself.
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

    /// The bytes of the body. They are computed on demand, so that declaring a sample costs nothing.
    package var bytes: [UInt8] { content() }

    /// Creates a response of any content type.
    ///
    ///     Sample("image/png", PackageResources.clinic_scan_png)
    ///
    /// - Parameters:
    ///   - contentType: The value of `Content-Type`.
    ///   - content: The bytes of the body. They are evaluated each time they are needed.
    public init(_ contentType: String, _ content: @autoclosure @escaping @Sendable () -> [UInt8]) {
        self.init(contentType, status: nil, content())
    }

    /// Creates a response with a status of its own.
    package init(_ contentType: String, status: Int?, _ content: @autoclosure @escaping @Sendable () -> [UInt8]) {
        self.contentType = contentType
        self.status = status
        self.content = content
    }

    /// Returns a JSON response.
    ///
    /// - Parameter content: The bytes of the body. They are evaluated each time they are needed.
    public static func json(_ content: @autoclosure @escaping @Sendable () -> [UInt8]) -> Sample {
        Sample("application/json", content())
    }

    /// A response with an empty body.
    public static let empty = Sample("", [])
}

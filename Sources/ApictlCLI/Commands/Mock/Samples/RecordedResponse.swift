import EndpointKit
import JSONText

/// A response as it is recorded: indented, and without what must not or need not be kept.
struct RecordedResponse: Sendable, Equatable {
    let head: ResponseHead
    let body: [UInt8]
    private let fileExtension: String
    /// Whether the endpoint's responses have no body.
    private let isBodiless: Bool

    /// Headers of the connection, of one moment and of browsers' rules, and cookies.
    private static let dropped: Set<String> = [
        "age", "alt-svc", "connection", "content-encoding", "content-length", "date", "keep-alive", "nel",
        "proxy-authenticate", "report-to", "server", "set-cookie", "set-cookie2", "strict-transport-security",
        "trailer", "transfer-encoding", "upgrade", "via",
    ]

    init(_ response: Response, of endpoint: Endpoint, _ redactor: Redactor) {
        let bytes = redactor.redact(response.body)
        let pretty = response.head.isJSON == true ? Self.pretty(bytes) : nil
        body = pretty ?? bytes
        isBodiless = endpoint.isBodiless
        let type = SampleType.fileExtension(response.head.mediaType, isJSON: pretty != nil)
        // No body, several documents, or what the redactor has broken.
        let fileExtension = bytes.isEmpty || pretty == nil && type == "json" ? "txt" : type
        self.fileExtension = fileExtension
        let fields = response.head.fields.filter { field in
            let name = field.name.lowercased()
            return !Self.dropped.contains(name) && !name.hasPrefix("access-control-")
                && !(name == "content-type" && field.value == SampleType.contentType(fileExtension))
                && !SecretName.isCredential(name)
        }
        head = ResponseHead(
            status: response.head.status, fields: fields.map { .init($0.name, redactor.redact($0.value)) })
    }

    /// The name of the file for the call of that number.
    func name(_ name: SampleName, number: Int) -> SampleName {
        var name = name
        name.fileExtension = fileExtension
        name.number = number == 1 ? nil : number
        name.status = head.status == (body.isEmpty && isBodiless ? 204 : 200) ? nil : head.status
        return name
    }

    /// One JSON document, indented; as it is if that would make it many times longer, and nil if it is not one.
    private static func pretty(_ bytes: [UInt8]) -> [UInt8]? {
        guard (try? JSONDocument(bytes)) != nil else { return nil }
        var formatter = JSONFormatter(style: .pretty(indent: .spaces(2)))
        var text: [UInt8] = []
        var start = 0
        do {
            while start < bytes.count {
                let end = min(start + 4096, bytes.count)
                try formatter.feed(bytes[start..<end], into: &text)
                // Deep nesting makes 500 bytes of one.
                if text.count > bytes.count * 8 + 65_536 { return bytes }
                start = end
            }
            try formatter.finish(into: &text)
        } catch {
            return nil
        }
        return text
    }
}

extension Endpoint {
    /// Whether a successful response is 204 unless said otherwise.
    var isBodiless: Bool { response.kind == .empty && method != .head }
}

import EndpointKit
import JSONText

/// A response as it is kept in a file, and the name of the file.
struct RecordedSample {
    private(set) var response: Response
    /// The name of the file. Its number is 1 until the recorder sets it.
    var name: SampleName

    /// Headers that a replay must not repeat: those of the connection, those about one moment or about browsers, and
    /// cookies.
    private static let omittedHeaders = HTTPField.ofConnection.union([
        "age", "alt-svc", "content-encoding", "date", "nel", "proxy-authenticate", "report-to", "server", "set-cookie",
        "set-cookie2", "strict-transport-security", "via",
    ])

    /// Makes the sample of a response. JSON is indented, and secrets and ``omittedHeaders`` are removed.
    ///
    /// - Parameters:
    ///   - response: The received response.
    ///   - callName: The name of the call's files. The name of this file also has an extension, and the status unless
    ///     that is the usual one.
    ///   - endpoint: The endpoint of the call.
    ///   - redactor: Removes the secrets of the call.
    init(_ response: Response, callName: SampleName, of endpoint: Endpoint, redactor: Redactor) {
        let body = redactor.redact(body: response.body)
        let indented = response.head.isJSON == true ? JSONFormatter.indented(body) : nil
        let status = response.head.status

        var name = callName
        name.fileExtension = Self.fileExtension(for: response, isJSON: indented != nil, isEmpty: body.isEmpty)
        if status != endpoint.sampleStatus(isEmpty: body.isEmpty) { name.status = status }

        let recordedFields = response.head.fields.filter { Self.isRecorded($0, forBodyIn: name) }
        let fields = recordedFields.map { HTTPField($0.name, redactor.redact($0.value)) }
        self.response = Response(head: ResponseHead(status: status, fields: fields), body: indented ?? body)
        self.name = name
    }

    /// The text of the file with the headers, a line each; empty without headers.
    var headersText: String {
        response.head.fields.map { "\($0.name): \($0.value)\n" }.joined()
    }

    /// Returns the sample without the secrets that ``SecretRules`` finds.
    ///
    /// - Parameter contentType: The type of the body.
    func withoutListedSecrets(contentType: String?) -> RecordedSample {
        var copy = self
        copy.response.head.fields = response.head.fields.map(SecretRules.redacted)
        copy.response.body = SecretRules.redacted(response.body, contentType: contentType)
        return copy
    }

    /// Returns the extension of the file, which tells the type of the body.
    ///
    /// It is `json` only for a body that is one document of JSON, because files with this extension are checked when
    /// they are read. Without a body, the extension is `txt`.
    ///
    /// - Parameters:
    ///   - response: The response, whose content type tells the extension of other bodies.
    ///   - isJSON: Whether the body is one document of JSON. A body whose type is JSON may be several documents, or a
    ///     document that the redactor has broken. It is kept as text.
    ///   - isEmpty: Whether the body is empty.
    private static func fileExtension(for response: Response, isJSON: Bool, isEmpty: Bool) -> String {
        if isEmpty { return "txt" }
        if isJSON { return "json" }
        let fileExtension = SampleFileType.fileExtension(forContentType: response.head["Content-Type"])
        return fileExtension == "json" ? "txt" : fileExtension
    }

    /// Whether a header is written into the file with the response's headers.
    ///
    /// - Parameters:
    ///   - field: A header of the response.
    ///   - bodyName: The name of the file with the body, whose extension stands for a content type.
    private static func isRecorded(_ field: HTTPField, forBodyIn bodyName: SampleName) -> Bool {
        let header = field.name.lowercased()
        if omittedHeaders.contains(header) || header.hasPrefix("access-control-") { return false }
        // The extension of the file stands for this type already.
        if header == "content-type", field.value == bodyName.contentType { return false }
        return !SecretRules.isSecret(header: header)
    }
}

extension Endpoint {
    /// Returns the status that a file has if its name has none: 204 for an empty file of an endpoint without a response
    /// body, otherwise 200.
    ///
    /// - Parameter isEmpty: Whether the file is empty.
    func sampleStatus(isEmpty: Bool) -> Int { isEmpty && respondsWithNoContent ? 204 : 200 }
}

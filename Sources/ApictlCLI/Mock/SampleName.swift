import EndpointKit
import EndpointTools

/// The name of a file with a response. It says which calls get the response.
///
///     movies.video.json                 any call of the endpoint
///     movies.video@id=550&page=2.json   calls with these parameters
///     movies.video.2.json               the second such call
///     movies.video!503.json             a response with that status
///     movies.video!503.headers          the headers of that response
///
/// Names and values of parameters are percent-encoded, including dots.
struct SampleName: Sendable, Hashable {
    var endpoint: String
    var parameters: [SampleFileParameter] = []
    /// The turn of the file among those for the same calls, from 1.
    var number = 1
    /// The status of the response; nil if the name has none.
    var status: Int?
    var fileExtension = ""

    private static let headersExtension = "headers"
    /// The most bytes of a recorded name before its number. File systems allow 255 bytes for the whole name.
    private static let maxStem = 200

    // MARK: Reading

    /// Reads the name of a file, from its end to its beginning. Nil if the name has another form.
    init?(_ name: String) {
        var stem = name[...]
        guard let fileExtension = Self.cut(from: &stem, after: "."), !fileExtension.isEmpty else { return nil }
        self.fileExtension = String(fileExtension)
        if let text = Self.cut(from: &stem, after: "!") {
            guard let status = Int(text), (200...999).contains(status) else { return nil }
            self.status = status
        }
        // The name of an endpoint has dots too, so that text after the last dot that is not a number belongs to the
        // endpoint.
        if let dot = stem.lastIndex(of: "."), let number = Int(stem[dot...].dropFirst()), number > 0 {
            self.number = number
            stem = stem[..<dot]
        }
        let parts = stem.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].contains(".") else { return nil }
        endpoint = KebabCase.text(String(parts[0]))
        if parts.count > 1 {
            guard let parameters = Self.parameters(parts[1]) else { return nil }
            self.parameters = parameters
        }
    }

    /// Cuts the last `mark` and the text after it off from `text`.
    ///
    /// - Returns: The text after the mark; nil if there is none.
    private static func cut(from text: inout Substring, after mark: Character) -> Substring? {
        guard let index = text.lastIndex(of: mark) else { return nil }
        let tail = text[index...].dropFirst()
        text = text[..<index]
        return tail
    }

    /// Reads parameters such as `id=550&page=2`; nil if one of them has no name or no `=`.
    private static func parameters(_ text: Substring) -> [SampleFileParameter]? {
        var parameters: [SampleFileParameter] = []
        for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { return nil }
            let name = KebabCase.text(PercentEncoding.decode(parts[0]))
            parameters.append(SampleFileParameter(name, PercentEncoding.decode(parts[1])))
        }
        return parameters
    }

    // MARK: Recording

    /// Makes the name for a response to a call. Number, status and extension are still to be set.
    ///
    /// If the name would be too long for a file, a hash stands for all parameters.
    ///
    /// - Parameters:
    ///   - call: The call; nil if it is not known.
    ///   - declaration: The endpoint.
    ///   - pageItems: The query items that chose a page.
    ///   - redactor: Knows the secrets of the call. A parameter whose value contains a secret is left out.
    init(
        recording call: EndpointCall?, of declaration: EndpointDeclaration, _ pageItems: [QueryItem],
        _ redactor: Redactor = Redactor()
    ) {
        endpoint = declaration.name
        parameters = SampleFileParameter.all(of: call, declaration, pageItems).filter { parameter in
            parameter.isRecorded(of: declaration.signature) && redactor.redact(parameter.text) == parameter.text
        }
        if stem.utf8.count > Self.maxStem { parameters = [.hash(parameters)] }
    }

    // MARK: Text

    /// The name of the file.
    var text: String {
        let numberText = number == 1 ? "" : ".\(number)"
        let statusText = status.map { "!\($0)" } ?? ""
        return "\(stem)\(numberText)\(statusText).\(fileExtension)"
    }

    /// The name before its number: `movies.video@id=550`.
    private var stem: String {
        if parameters.isEmpty { return endpoint }
        let pairs = parameters.map { "\(Self.encoded($0.name))=\(Self.encoded($0.text))" }
        return "\(endpoint)@\(pairs.joined(separator: "&"))"
    }

    /// Returns a text in percent-encoding, in which a dot is `%2E`, because dots separate the parts of the name.
    private static func encoded(_ text: String) -> String {
        PercentEncoding.encode(text).replacingBytes(of: ".", with: "%2E")
    }

    // MARK: Use

    /// Whether the name has a status that is not a success. A redirect counts as a failure.
    var isFailure: Bool { status.map { $0 >= 300 } ?? false }

    /// Whether the file has the headers of a response instead of its body.
    var isOfHeaders: Bool { fileExtension == Self.headersExtension }

    /// The name of the file with the headers of this one's response.
    var headersName: SampleName {
        var copy = self
        copy.fileExtension = Self.headersExtension
        return copy
    }

    /// Returns whether both files respond to the same calls, whatever their numbers and statuses are.
    func isOfSameCall(as other: SampleName) -> Bool {
        endpoint == other.endpoint && parameters == other.parameters
    }

    /// Returns whether the file responds to a call with these parameters. The call may have others too.
    ///
    /// - Parameters:
    ///   - call: The parameters of the call.
    ///   - signature: The parameters of the endpoint, which tell how values are compared.
    func fits(_ call: [SampleFileParameter], _ signature: Signature) -> Bool {
        parameters.allSatisfy { parameter in
            if parameter.name == SampleFileParameter.hashName {
                return parameter == .hash(call.filter { $0.isRecorded(of: signature) })
            }
            return call.contains(SampleFileParameter(parameter.name, parameter.text, of: signature))
        }
    }
}

extension SampleName {
    /// A type of files with responses.
    private struct FileType {
        let fileExtension: String
        let contentType: String
    }

    /// The known types of files. Any other file is `bin`, which stands for any bytes.
    private static let types: [FileType] = [
        FileType(fileExtension: "json", contentType: "application/json"),
        FileType(fileExtension: "jsonl", contentType: "application/jsonl"),
        FileType(fileExtension: "txt", contentType: "text/plain; charset=utf-8"),
        FileType(fileExtension: "html", contentType: "text/html; charset=utf-8"),
        FileType(fileExtension: "css", contentType: "text/css"),
        FileType(fileExtension: "csv", contentType: "text/csv"),
        FileType(fileExtension: "xml", contentType: "application/xml"),
        FileType(fileExtension: "svg", contentType: "image/svg+xml"),
        FileType(fileExtension: "png", contentType: "image/png"),
        FileType(fileExtension: "jpg", contentType: "image/jpeg"),
        FileType(fileExtension: "gif", contentType: "image/gif"),
        FileType(fileExtension: "webp", contentType: "image/webp"),
        FileType(fileExtension: "pdf", contentType: "application/pdf"),
        FileType(fileExtension: "zip", contentType: "application/zip"),
    ]

    /// The content type that the extension stands for.
    var contentType: String {
        Self.types.first { $0.fileExtension == fileExtension }?.contentType ?? "application/octet-stream"
    }

    /// Returns the extension for a content type, whatever its parameters are: `html` for `text/html; charset=latin1`.
    static func fileExtension(for contentType: String?) -> String {
        let mediaType = contentType.map(Self.mediaType) ?? ""
        return types.first { Self.mediaType(of: $0.contentType) == mediaType }?.fileExtension ?? "bin"
    }

    /// Returns a content type without its parameters, in lower case.
    private static func mediaType(of contentType: String) -> String { contentType.prefix { $0 != ";" }.lowercased() }
}

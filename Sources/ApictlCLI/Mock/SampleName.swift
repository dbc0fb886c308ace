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
    private static let maxStemLength = 200

    // MARK: Reading

    /// Reads the name of a file, such as `movies.video@id=550.2!503.json`.
    ///
    /// The name is read from its end to its beginning: extension, status, number, parameters and endpoint.
    ///
    /// - Returns: Nil if the name has another form.
    init?(_ fileName: String) {
        var remaining = fileName[...]
        guard let fileExtension = Self.cutEnd(of: &remaining, after: "."), !fileExtension.isEmpty else { return nil }
        self.fileExtension = String(fileExtension)
        if let statusText = Self.cutEnd(of: &remaining, after: "!") {
            guard let status = Int(statusText), (200...999).contains(status) else { return nil }
            self.status = status
        }
        // The name of an endpoint has dots too. So text after the last dot that is no number belongs to the endpoint.
        if let dot = remaining.lastIndex(of: "."), let number = Int(remaining[dot...].dropFirst()), number > 0 {
            self.number = number
            remaining = remaining[..<dot]
        }
        let endpointAndParameters = remaining.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let endpoint = endpointAndParameters[0]
        guard endpoint.contains(".") else { return nil }
        self.endpoint = KebabCase.text(String(endpoint))
        if endpointAndParameters.count > 1 {
            guard let parameters = Self.parameters(in: endpointAndParameters[1]) else { return nil }
            self.parameters = parameters
        }
    }

    /// Cuts the last `separator` and the text after it off from `text`.
    ///
    /// - Returns: The text after the separator; nil if there is none.
    private static func cutEnd(of text: inout Substring, after separator: Character) -> Substring? {
        guard let index = text.lastIndex(of: separator) else { return nil }
        let end = text[index...].dropFirst()
        text = text[..<index]
        return end
    }

    /// Reads parameters such as `id=550&page=2`.
    ///
    /// - Returns: Nil if one of them has no name or no `=`.
    private static func parameters(in text: Substring) -> [SampleFileParameter]? {
        var parameters: [SampleFileParameter] = []
        for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
            let nameAndValue = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard nameAndValue.count == 2, !nameAndValue[0].isEmpty else { return nil }
            let name = KebabCase.text(PercentEncoding.decode(nameAndValue[0]))
            let value = PercentEncoding.decode(nameAndValue[1])
            parameters.append(SampleFileParameter(name: name, text: value))
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
    ///   - declaration: The endpoint, whose name the file has.
    ///   - pageItems: The query items that chose a page.
    ///   - redactor: Knows the secrets of the call. A parameter whose value contains a secret is left out.
    init(
        recording call: EndpointCall?, of declaration: EndpointDeclaration, pageItems: [QueryItem],
        redactor: Redactor
    ) {
        endpoint = declaration.name
        let callParameters = SampleFileParameter.parameters(of: call, declaration: declaration, pageItems: pageItems)
        parameters = callParameters.filter { parameter in
            let isSecret = redactor.redact(parameter.text) != parameter.text
            return !isSecret && parameter.isRecorded(for: declaration.signature)
        }
        if stem.utf8.count > Self.maxStemLength { parameters = [.hash(of: parameters)] }
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

    /// The content type that the extension stands for.
    var contentType: String { SampleFileType.contentType(forExtension: fileExtension) }

    /// The name of the file with the headers of this one's response.
    var headersName: SampleName {
        var copy = self
        copy.fileExtension = Self.headersExtension
        return copy
    }

    /// Whether both files respond to the same calls, whatever their numbers and statuses are.
    func isOfSameCall(as other: SampleName) -> Bool {
        endpoint == other.endpoint && parameters == other.parameters
    }

    /// Whether the file responds to a call with these parameters. The call may have others too.
    ///
    /// - Parameters:
    ///   - callParameters: The parameters of the call.
    ///   - signature: The parameters of the endpoint, whose types tell how values are compared.
    func fits(_ callParameters: [SampleFileParameter], of signature: Signature) -> Bool {
        parameters.allSatisfy { parameter in
            // The hash stands for all parameters of a call that a recorded name would have.
            if parameter.name == SampleFileParameter.hashName {
                return parameter == .hash(of: callParameters.filter { $0.isRecorded(for: signature) })
            }
            let canonicalParameter = SampleFileParameter(
                name: parameter.name, text: parameter.text, canonicalFor: signature)
            return callParameters.contains(canonicalParameter)
        }
    }
}

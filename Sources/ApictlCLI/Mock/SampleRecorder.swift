import EndpointKit
import EndpointTools
import JSONText
import MockServer
import Synchronization

/// Writes responses of a real server into a directory, as files for `mock --samples`.
final class SampleRecorder: Sendable {
    /// The most responses of one call; the rest is not recorded.
    private static let maxResponses = 100

    private let directory: String
    private let files: any FileSystem
    /// The last response of each call, and the name of its file.
    private let recorded = Mutex<[SampleName: (response: Response, name: SampleName)]>([:])

    /// Makes the directory if necessary. Throws ``FileError``.
    init(_ directory: String, _ files: any FileSystem) throws {
        (self.directory, self.files) = (directory, files)
        try files.makeDirectory(directory)
    }

    /// Writes a response to a request of `plan`; `call` is nil if it is not known which one was made.
    ///
    /// Returns the response without secrets and cookies, and the name of the file, which has no tokens either; nil if there are too many of that
    /// call.
    func record(
        _ response: Response, to call: EndpointCall?, of plan: CallPlan, pageItems: [ResponseHead.Field] = [],
        _ redactor: Redactor
    ) -> (response: Response, file: Result<String?, any Error>) {
        let declaration = plan.declaration
        var redactor = redactor
        redactor.add(plan.bodySecrets)
        let call = SampleName(recording: call, of: declaration, pageItems, redactor)
        // Whichever server it was: links lead to the one that a replay knows.
        let known = try? declaration.api.servers.first?.base()
        let linked = response.replacing(plan.request.base.text, with: (known ?? plan.request.base).text)
        let (shown, name) = Self.kept(linked, call, declaration.endpoint, redactor)
        var kept = shown
        kept.head.fields = kept.head.fields.map(SecretRules.redacted)
        kept.body = SecretRules.redacted(kept.body, contentType: response.head["Content-Type"])
        return (shown, Result { try recorded.withLock { try write(kept, name, &$0[call]) } })
    }

    /// Writes the response unless it is the same as the one before, and returns the name of its file; nil if there are too many of that call.
    private func write(
        _ response: Response, _ name: SampleName, _ last: inout (response: Response, name: SampleName)?
    ) throws -> String? {
        if let last, last.response == response { return last.name.text }
        var name = name
        name.number = (last?.name.number ?? 0) + 1
        guard name.number <= Self.maxResponses else { return nil }
        let lines = response.head.fields.map { "\($0.name): \($0.value)\n" }
        try files.replace("\(directory)/\(name.text)", with: response.body)
        if !lines.isEmpty { try files.replace("\(directory)/\(name.headers.text)", with: lines.joined().exactBytes) }
        try removeOthers(than: name, keepsHeaders: !lines.isEmpty)
        last = (response, name)
        return name.text
    }

    /// Removes files of earlier runs that would respond instead of that of `name`, or after it.
    private func removeOthers(than name: SampleName, keepsHeaders: Bool) throws {
        for file in try files.list(directory) {
            guard let other = SampleName(file), other.endpoint == name.endpoint, other.parameters == name.parameters,
                other != name, other.number >= name.number, !(keepsHeaders && other == name.headers),
                other.number > name.number || name.isFailure || !other.isFailure
            else { continue }
            try files.remove("\(directory)/\(file)")
        }
    }

    // MARK: What is kept

    /// Headers of the connection, of one moment and of browsers' rules, and cookies.
    private static let dropped = Header.ofConnection.union([
        "age", "alt-svc", "content-encoding", "date", "nel", "proxy-authenticate", "report-to", "server", "set-cookie",
        "set-cookie2", "strict-transport-security", "via",
    ])

    /// The response indented and without what must not or need not be kept, and `call` with its extension and status.
    static func kept(
        _ response: Response, _ call: SampleName, _ endpoint: Endpoint, _ redactor: Redactor
    ) -> (Response, SampleName) {
        let bytes = redactor.redact(body: response.body)
        let pretty = response.head.isJSON == true ? JSONFormatter.indented(bytes) : nil
        var name = call
        name.fileExtension = pretty == nil ? SampleName.fileExtension(for: response.head["Content-Type"]) : "json"
        // No body, several documents, or what the redactor has broken.
        if bytes.isEmpty || pretty == nil && name.fileExtension == "json" { name.fileExtension = "txt" }
        let status = response.head.status
        if status != endpoint.sampleStatus(isEmpty: bytes.isEmpty) { name.status = status }
        let fields = response.head.fields.filter { field in
            let header = field.name.lowercased()
            return !dropped.contains(header) && !header.hasPrefix("access-control-")
                && !(header == "content-type" && field.value == name.contentType)
                && !SecretRules.isSecret(header: header)
        }
        let head = ResponseHead(status: status, fields: fields.map { .init($0.name, redactor.redact($0.value)) })
        return (Response(head: head, body: pretty ?? bytes), name)
    }
}

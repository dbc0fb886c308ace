import APIImport
import EndpointKit
import EndpointTools
import MockServer

/// The responses in an HTTP archive as files for `mock --samples`, with the names that `--record` would give them.
struct RecordedSamples {
    /// A response of a call, and the number of its file.
    private struct Numbered {
        let response: Response
        let number: Int
    }

    /// The contents of the files by their names.
    private(set) var files: [String: [UInt8]] = [:]
    /// The last response of each call.
    private var last: [SampleName: Numbered] = [:]

    /// Reads an archive. Requests that no endpoint fits, and responses without a body, are left out.
    ///
    /// - Parameters:
    ///   - text: The content of the archive.
    ///   - name: The name of the archive, for messages.
    ///   - routes: The endpoints that are served.
    ///   - report: Receives a line about requests that are left out.
    /// - Throws: ``UsageError`` if `text` is not an archive.
    init(_ text: [UInt8], _ name: String, _ routes: CallRoutes, report: (String) -> Void) throws {
        let archive = try HAR(text, in: name, keepsFiles: true)
        var withoutEndpoint = 0
        var withoutBody = 0
        for request in archive.requests {
            guard let reading = Self.reading(request, routes) else {
                withoutEndpoint += 1
                continue
            }
            // The browser had the body of a response 304 already, so that the archive does not have it. 1xx is no final
            // response.
            guard let response = request.response, response.head.status >= 200, response.head.status != 304 else {
                withoutBody += 1
                continue
            }
            add(Self.withDeclaredLinks(response, to: request, reading.declaration.api), to: reading)
        }
        if withoutEndpoint > 0 { report("\(name): requests of no endpoint: \(withoutEndpoint), left out") }
        if withoutBody > 0 { report("\(name): requests without a recorded body: \(withoutBody), left out") }
    }

    /// Returns the response with its links changed to the API's first server, whichever server it came from.
    ///
    /// Files of `--record` have the same links. When `mock` sends a sample, it replaces the first server by itself.
    private static func withDeclaredLinks(
        _ response: Response, to request: ImportedRequest, _ api: CatalogueAPI
    ) -> Response {
        guard let base = try? api.servers.first?.base() else { return response }
        let path = request.path.hasPrefix(base.path + "/") ? base.path : ""
        return response.replacing(request.origin + path, with: base.text)
    }

    /// Adds the files of a response, unless it is the same as the last one of its call.
    private mutating func add(_ response: Response, to reading: CallReading) {
        let call = SampleName(recording: reading.call, of: reading.declaration, reading.pageItems)
        let sample = RecordedSample(
            response.withoutListedSecrets, to: call, of: reading.route.endpoint, Redactor())
        if let last = last[call], last.response == sample.response { return }
        var name = sample.name
        name.number = (last[call]?.number ?? 0) + 1
        last[call] = Numbered(response: sample.response, number: name.number)
        files[name.text] = sample.response.body
        files[name.headersName.text] = sample.headersText.exactBytes
    }

    /// Returns the call that a recorded request makes; nil if no endpoint fits.
    ///
    /// The request may have been sent to any server, such as a test server, so that all APIs are tried. APIs that
    /// declare the request's server are tried first.
    private static func reading(_ request: ImportedRequest, _ routes: CallRoutes) -> CallReading? {
        let target = request.url.dropFirst(request.origin.utf8.count)
        let fields = request.headers.map { HTTPField($0.name, $0.value ?? "") }
        var body: [UInt8] = []
        if case .bytes(let bytes) = request.content { body = bytes }
        let declaring = routes.mounts.filter { declares(request.origin, $0.api) }
        for mount in declaring + routes.mounts {
            let received = ReceivedRequest(
                method: request.method, target: mount.path + target, fields: fields, body: body)
            if case .found(let reading, _) = routes.match(received) { return reading }
        }
        return nil
    }

    /// Whether an API has a server of an origin, such as `https://api.example.com`.
    private static func declares(_ origin: String, _ api: CatalogueAPI) -> Bool {
        api.servers.contains { server in
            guard let base = try? server.base() else { return false }
            return base.text.hasPrefix(origin)
        }
    }
}

extension Response {
    /// This response without the secrets that ``SecretRules`` finds.
    fileprivate var withoutListedSecrets: Response {
        let fields = head.fields.map(SecretRules.redacted)
        let body = SecretRules.redacted(body, contentType: head["Content-Type"])
        return Response(head: ResponseHead(status: head.status, fields: fields), body: body)
    }
}

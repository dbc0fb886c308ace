import APIImport
import EndpointKit
import EndpointTools
import MockServer

/// The responses in an HTTP archive (HAR) as files for `mock --samples`, with the names that `--record` would give
/// them.
struct ArchiveSamples {
    /// A response of a call, and the number of its file.
    private struct NumberedResponse {
        let response: Response
        let number: Int
    }

    /// The contents of the files by their names.
    private(set) var files: [String: [UInt8]] = [:]
    /// The last response of each call. The key is the name of the call's file without number and status.
    private var lastResponses: [SampleName: NumberedResponse] = [:]

    /// Reads an archive. Requests that no endpoint fits, and responses without a body, are left out and counted in a
    /// report.
    ///
    /// - Parameters:
    ///   - text: The content of the archive.
    ///   - name: The name of the archive, for messages.
    ///   - routes: The endpoints that are served.
    ///   - report: Receives a line about requests that are left out.
    /// - Throws: ``UsageError`` if `text` is not an archive.
    init(_ text: [UInt8], name: String, routes: CallRoutes, report: (String) -> Void) throws {
        let archive = try HAR(text, in: name, keepsFiles: true)
        var countWithoutEndpoint = 0
        var countWithoutBody = 0
        for request in archive.requests {
            guard let call = Self.call(of: request, in: routes) else {
                countWithoutEndpoint += 1
                continue
            }
            // A status 1xx is that of no final response. With 304, the browser had the body already, so that the
            // archive does not have it.
            guard let response = request.response, response.head.status >= 200, response.head.status != 304 else {
                countWithoutBody += 1
                continue
            }
            let linkedResponse = Self.withDeclaredLinks(response, to: request, of: call.declaration.api)
            addFiles(for: linkedResponse, to: call)
        }
        if countWithoutEndpoint > 0 { report("\(name): requests of no endpoint: \(countWithoutEndpoint), left out") }
        if countWithoutBody > 0 { report("\(name): requests without a recorded body: \(countWithoutBody), left out") }
    }

    /// Returns a response whose links lead to the API's first server, whichever server it came from.
    ///
    /// Files of `--record` have the same links. When `mock` sends a sample, it replaces the first server by itself.
    private static func withDeclaredLinks(
        _ response: Response, to request: ImportedRequest, of api: CatalogueAPI
    ) -> Response {
        guard let firstServer = try? api.servers.first?.base() else { return response }
        // The recorded server may have the path of the declared one, such as `/3`, or none.
        let serverPath = request.path.hasPrefix(firstServer.path + "/") ? firstServer.path : ""
        return response.replacingLinks(to: request.origin + serverPath, with: firstServer.text)
    }

    /// Adds the files of a response, one with its body and one with its headers, unless the last response of the call
    /// is the same.
    ///
    /// The files of a call have the numbers 1, 2, 3, … in their names, and respond in this order.
    private mutating func addFiles(for response: Response, to call: ReceivedCall) {
        // The secrets of the recorded requests are not known, only those that the published rules find.
        let redactor = Redactor()
        let callName = SampleName(
            recording: call.call, of: call.declaration, pageItems: call.pageItems, redactor: redactor)
        let sample = RecordedSample(
            response.withoutListedSecrets, callName: callName, of: call.route.endpoint, redactor: redactor)
        let lastResponse = lastResponses[callName]
        if let lastResponse, lastResponse.response == sample.response { return }
        var name = sample.name
        name.number = (lastResponse?.number ?? 0) + 1
        lastResponses[callName] = NumberedResponse(response: sample.response, number: name.number)
        files[name.text] = sample.response.body
        files[name.headersName.text] = sample.headersText.exactBytes
    }

    /// Returns the call that a recorded request makes; nil if no endpoint fits.
    ///
    /// The request may have been sent to any server, such as a test server. So each API is tried at the path that it is
    /// under here (its mount). APIs that declare the request's server are tried first.
    private static func call(of request: ImportedRequest, in routes: CallRoutes) -> ReceivedCall? {
        let pathAndQuery = request.url.dropFirst(request.origin.utf8.count)
        let fields = request.headers.map { HTTPField($0.name, $0.value ?? "") }
        var body: [UInt8] = []
        if case .bytes(let bytes) = request.content { body = bytes }
        let declaringMounts = routes.mounts.filter { isDeclared(request.origin, by: $0.api) }
        for mount in declaringMounts + routes.mounts {
            let received = ReceivedRequest(
                method: request.method, target: mount.path + pathAndQuery, fields: fields, body: body)
            if case .found(let call, _) = routes.match(received) { return call }
        }
        return nil
    }

    /// Whether an API declares a server of an origin, such as `https://api.example.com`.
    private static func isDeclared(_ origin: String, by api: CatalogueAPI) -> Bool {
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

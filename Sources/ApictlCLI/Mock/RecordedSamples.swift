import APIImport
import EndpointKit
import MockServer

/// The responses of an HTTP archive as files for `mock --samples`, with names as `--record` gives them.
struct RecordedSamples {
    private(set) var files: [String: [UInt8]] = [:]
    /// The last response of each call, and its number.
    private var last: [SampleName: (response: Response, number: Int)] = [:]

    /// Calls `report` with a line about requests that no endpoint makes. Throws ``UsageError`` if `text`, named `name`, is not an archive.
    init(_ text: [UInt8], _ name: String, _ routes: CallRoutes, report: (String) -> Void) throws {
        let archive = try HAR(text, in: name, keepsFiles: true)
        var omitted: [(reason: String, count: Int)] = [("of no endpoint", 0), ("without a recorded body", 0)]
        for request in archive.requests {
            guard let reading = Self.reading(request, routes) else {
                omitted[0].count += 1
                continue
            }
            // A 304 says that the browser had the body already.
            guard let response = request.response, response.head.status >= 200, response.head.status != 304 else {
                omitted[1].count += 1
                continue
            }
            // As in `--record`, links lead to the server that a replay knows.
            let base = try? reading.declaration.api.servers.first?.base()
            let path = base.flatMap { request.path.hasPrefix($0.path + "/") ? $0.path : nil } ?? ""
            let linked = base.map { response.replacing(request.origin + path, with: $0.text) }
            add(linked ?? response, to: reading)
        }
        for (reason, count) in omitted where count > 0 {
            report("\(name): requests \(reason): \(count), left out")
        }
    }

    private mutating func add(_ response: Response, to reading: CallReading) {
        let call = SampleName(recording: reading.call, of: reading.declaration, reading.pageItems)
        var name: SampleName
        let kept: Response
        (kept, name) = SampleRecorder.kept(
            response.withoutListedSecrets, call, reading.route.endpoint, Redactor())
        if let last = last[call], last.response == kept { return }
        name.number = (last[call]?.number ?? 0) + 1
        last[call] = (kept, name.number)
        files[name.text] = kept.body
        files[name.headers.text] = kept.head.fields.flatMap { "\($0.name): \($0.value)\n".exactBytes }
    }

    /// The endpoint and call of a recorded request, whichever server it was sent to; the APIs that have the server come first.
    private static func reading(_ request: ImportedRequest, _ routes: CallRoutes) -> CallReading? {
        let target = request.url.dropFirst(request.origin.utf8.count)
        let own = routes.mounts.filter { mount in
            mount.api.servers.contains { (try? $0.base().text)?.hasPrefix(request.origin) == true }
        }
        var body: [UInt8] = []
        if case .bytes(let bytes) = request.content { body = bytes }
        for mount in own + routes.mounts {
            let received = ReceivedRequest(
                method: request.method, target: mount.path + target,
                fields: request.headers.map { .init($0.name, $0.value ?? "") }, body: body)
            if case .found(let reading, _) = routes.match(received) { return reading }
        }
        return nil
    }
}

extension Response {
    /// This response without what ``SecretRules`` finds.
    fileprivate var withoutListedSecrets: Response {
        let fields = head.fields.map(SecretRules.redacted)
        let body = SecretRules.redacted(body, contentType: head["Content-Type"])
        return Response(head: ResponseHead(status: head.status, fields: fields), body: body)
    }
}

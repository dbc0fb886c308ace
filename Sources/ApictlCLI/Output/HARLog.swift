import EndpointKit
import JSONText
import MockServer
import Synchronization

/// Writes exchanges to a file in the HTTP Archive format (HAR), version 1.2.
///
/// Every redirect becomes an entry, but only the last attempt of retries. An exchange is written as soon as it ends, so
/// that a long run does not fill the memory. The file is complete after ``finish()``.
final class HARLog: Sendable {
    private struct State {
        var isEmpty = true
        /// The first error of the file. Nothing is written after it.
        var failure: (any Error)?
    }

    private let file: any FileReplacement
    /// The beginning of the file, up to the first entry.
    private let head: String
    private let state = Mutex(State())

    init(_ file: any FileReplacement, _ context: CommandContext) {
        self.file = file
        let creator: JSONValue = ["name": JSONValue(context.tool), "version": JSONValue(context.version)]
        head = #"{"log":{"version":"1.2","creator":\#(creator.description),"entries":["#
    }

    /// Begins to record one exchange, for which `client` would be used.
    func recording(_ client: Client) -> HARRecording { HARRecording(client, self) }

    /// Adds entries, each on a line of its own. An error is kept for ``finish()``, so that it does not stop the run.
    fileprivate func add(_ entries: [JSONValue]) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do {
                for entry in entries {
                    let separator = state.isEmpty ? head + "\n" : ",\n"
                    state.isEmpty = false
                    try file.write(separator.exactBytes + entry.written)
                }
            } catch {
                state.failure = error
            }
        }
    }

    /// Completes the file and puts it into place.
    ///
    /// - Throws: The file's first error.
    func finish() throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            try file.write((state.isEmpty ? head : "") + "]}}\n")
        }
        try file.commit()
    }

    /// Removes a file that is not complete.
    func discard() { file.discard() }
}

/// One exchange that is recorded.
struct HARRecording: Sendable {
    /// Sends the requests of the exchange.
    let client: Client
    private let log: HARLog
    private let exchange: HARExchange

    fileprivate init(_ client: Client, _ log: HARLog) {
        let exchange = HARExchange(client.transport)
        var client = client
        client.transport = exchange
        client.retry.onRetry = { [onRetry = client.retry.onRetry] retry in
            exchange.beginAgain(after: retry.reason)
            onRetry?(retry)
        }
        self.client = client
        self.log = log
        self.exchange = exchange
    }

    /// Ends the exchange and writes its entries without the secrets that `redactors` know.
    func end(_ redactors: [Redactor]) { log.add(exchange.entries(redactors)) }
}

/// Passes the requests of one exchange on, and keeps what is sent and received, with its secrets.
private final class HARExchange: Transport {
    struct Transfer {
        let request: Request
        let start = Date()
        var head: ResponseHead?
        /// Empty if it is too long.
        var body: [UInt8] = []
        var size = 0
        var isWhole = false
        var times: TransferTimes?
        var problem: String?
    }

    private struct State {
        var transfers: [Transfer] = []
        /// Why each earlier attempt was not the last one.
        var failures: [String] = []
    }

    private let base: any Transport
    private let state = Mutex(State())

    init(_ base: any Transport) { self.base = base }

    func beginAgain(after failure: String) {
        state.withLock { $0 = State(failures: $0.failures + [failure]) }
    }

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        let (attempt, index) = state.withLock { state in
            state.transfers.append(Transfer(request: request))
            return (state.failures.count, state.transfers.count - 1)
        }
        // Of an earlier attempt nothing is kept.
        let note: @Sendable ((inout Transfer) -> Void) -> Void = { [self] change in
            state.withLock { if $0.failures.count == attempt { change(&$0.transfers[index]) } }
        }
        var options = options
        options.onTimes = { [onTimes = options.onTimes] times in
            note { $0.times = times }
            onTimes?(times)
        }
        do {
            var response = try await base.send(request, options: options)
            note { [head = response.head] in $0.head = head }
            response.body = response.body.tap { chunk in
                note { transfer in
                    transfer.isWhole = chunk == nil
                    transfer.size += chunk?.count ?? 0
                    if transfer.size > HAREntry.maxBody { transfer.body = [] } else { transfer.body += chunk ?? [] }
                }
            }
            return response
        } catch {
            note { $0.problem = (error as? TransportError)?.message ?? "not sent" }
            throw error
        }
    }

    /// The transfers as members of `entries`, without the secrets that `redactors` know.
    func entries(_ redactors: [Redactor]) -> [JSONValue] {
        let state = state.withLock { $0 }
        let failures = state.failures.enumerated().map { "attempt \($0 + 1): \($1)" }
        return state.transfers.enumerated().map { index, transfer in
            HAREntry(transfer: transfer, redactors: redactors).json(index == 0 ? failures : [])
        }
    }
}

/// An entry of the file.
private struct HAREntry {
    /// The longest body that is kept, in bytes.
    static let maxBody = 1 << 20

    let transfer: HARExchange.Transfer
    let redactors: [Redactor]

    private func redact(_ text: String) -> String { redactors.reduce(text) { $1.redact($0) } }

    private func redact(body: [UInt8], isCut: Bool = false) -> [UInt8] {
        redactors.reduce(body) { $1.redact(body: $0, isCut: isCut) }
    }

    func json(_ failures: [String]) -> JSONValue {
        let comments = failures + [transfer.problem].compactMap(\.self)
        let (timings, total) = timings
        return JSONValue(members: [
            "startedDateTime": DateText.iso8601(transfer.start) ?? "", "time": total, "request": request,
            "response": response, "cache": [:] as JSONValue, "timings": timings,
            "comment": comments.isEmpty ? nil : redact(comments.joined(separator: "; ")),
        ])
    }

    private func list(_ pairs: some Sequence<(name: String, value: String)>) -> JSONValue {
        JSONValue(pairs.map { ["name": JSONValue(shown: $0.name), "value": JSONValue(shown: $0.value)] as JSONValue })
    }

    /// In milliseconds; a phase that there was not, or of which nothing is known, is -1.
    private var timings: (JSONValue, JSONValue) {
        let times = transfer.times
        let new = times.flatMap { $0.reusedConnection ? nil : $0 }
        let phases: [(String, Duration?)] = [
            ("blocked", nil), ("dns", new?.nameLookup), ("connect", new.map { $0.connect + ($0.tls ?? .zero) }),
            ("send", .zero), ("wait", times?.firstByte ?? .zero),
            ("receive", times?.content ?? .zero),
        ]
        func milliseconds(_ time: Duration?) -> JSONValue {
            JSONValue(time.map { ($0.inSeconds * 1_000_000).rounded() / 1000 } ?? -1)
        }
        let total = phases.reduce(Duration.zero) { $0 + ($1.1 ?? .zero) }
        // The time of TLS is part of that to connect.
        return (JSONValue((phases + [("ssl", new?.tls)]).map { ($0, milliseconds($1)) }), milliseconds(total))
    }

    /// The headers, without what ``SecretRules`` finds.
    private func headers(_ fields: [ResponseHead.Field]) -> JSONValue {
        list(
            fields.lazy.map { field in
                let shown = SecretRules.redacted(field)
                return (shown.name, shown.value)
            })
    }

    private var request: JSONValue {
        let request = transfer.request
        let fields = request.headers.map { ResponseHead.Field($0.name, redact($0.value.description)) }
        let url = redact(request.urlWithRedactedQuery).split(separator: "?", maxSplits: 1)
        let items = url.dropFirst().joined().split(separator: "&").filter { item in
            !item.contains(SecretRules.mark) && SecretRules.redacted(query: String(item)) == item
        }
        return JSONValue(members: [
            "method": request.method.rawValue,
            "url": SecretRules.redacted(String(url[0])) + (items.isEmpty ? "" : "?" + items.joined(separator: "&")),
            "httpVersion": transfer.head?.version ?? "", "cookies": [] as JSONValue, "headers": headers(fields),
            "queryString": list(FormText.items(items.joined(separator: "&")).map { ($0.name, $0.value) }),
            "postData": request.body.map { postData($0, fields) }, "headersSize": -1,
            "bodySize": request.body.map { $0.bytes?.count ?? -1 } ?? 0,
        ])
    }

    private func postData(_ body: RequestBody, _ fields: [ResponseHead.Field]) -> JSONValue {
        let type = fields.first { $0.name.isSameName(as: "Content-Type") }?.value ?? ""
        let text = body.bytes.flatMap { self.text(redact(body: SecretRules.redacted($0, contentType: type))) }
        return JSONValue(members: [
            "mimeType": type, "text": text ?? "",
            "comment": text == nil ? body.bytes.map { omission($0.count) } ?? "a file, left out" : nil,
        ])
    }

    private func omission(_ count: Int) -> String {
        "\(ByteCountText.shown(count)), left out: " + (count > Self.maxBody ? "longer than 1 MiB" : "not text")
    }

    /// Bytes without secrets as text; nil if they are not, or too many.
    private func text(_ bytes: [UInt8]) -> String? {
        let text = String(exactBytes: bytes)
        return bytes.count > Self.maxBody || text.holdsRawBytes ? nil : text
    }

    private var response: JSONValue {
        let received = redactors.reduce(transfer.head) { $0?.redacted(by: $1) }
        let head = received ?? ResponseHead(version: "", status: 0)
        let listed = SecretRules.redacted(transfer.body, contentType: head["Content-Type"])
        let body = redact(body: listed, isCut: !transfer.isWhole)
        let size = transfer.isWhole ? transfer.size : -1
        let text = self.text(body)
        let comment =
            transfer.size > Self.maxBody
            ? omission(transfer.size) : received == nil || transfer.isWhole ? nil : "not read to its end"
        let content = JSONValue(members: [
            "size": size, "mimeType": JSONValue(shown: head["Content-Type"] ?? ""),
            "text": body.isEmpty ? nil : text ?? Data(body).base64EncodedString(),
            "encoding": text == nil ? "base64" : nil, "comment": comment,
        ])
        return JSONValue(members: [
            "status": head.status, "statusText": JSONValue(shown: head.reason), "httpVersion": head.version,
            "cookies": [] as JSONValue, "headers": headers(head.fields), "content": content,
            "redirectURL": JSONValue(shown: head["Location"].map { SecretRules.redacted($0) } ?? ""), "headersSize": -1,
            "bodySize": size < 0 ? -1 : transfer.times.map { Int($0.receivedBytes) } ?? -1,
        ])
    }
}

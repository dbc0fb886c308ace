import EndpointKit
import JSONText
import MockServer

/// Formats one transfer as an entry of an HTTP archive, without secrets.
struct HAREntry {
    /// The longest body that is kept, in bytes: 1 MiB, so that an archive of many exchanges stays readable.
    static let maxBody = 1 << 20
    /// The size that HAR requires if a size is not known.
    private static let unknownSize = -1

    let transfer: HARTransport.Transfer
    /// The redactors that remove the secrets of the call. They are applied one after the other.
    let redactors: [Redactor]

    /// Returns the entry.
    ///
    /// - Parameter comments: Remarks about the entry. If the transfer failed, the reason is added to them.
    func json(comments: [String]) -> JSONValue {
        let comment = (comments + [transfer.problem].compactMap(\.self)).joined(separator: "; ")
        let timings = HARTimings(transfer.times)
        return JSONValue(members: [
            "startedDateTime": DateText.iso8601(transfer.start) ?? "",
            "time": HARTimings.milliseconds(timings.total),
            "request": request,
            "response": response,
            "cache": [:] as JSONValue,
            "timings": timings.json,
            "comment": comment.isEmpty ? nil : redact(comment),
        ])
    }

    // MARK: Request

    /// The member `request`. Query items with a secret are left out of the URL.
    private var request: JSONValue {
        let request = transfer.request
        let fields = sentFields
        let url = redact(request.urlWithRedactedQuery).split(separator: "?", maxSplits: 1)
        let query = url.dropFirst().joined().split(separator: "&").filter(Self.isPublic).joined(separator: "&")
        let base = SecretRules.redacted(String(url[0]))
        return JSONValue(members: [
            "method": request.method.rawValue,
            "url": query.isEmpty ? base : "\(base)?\(query)",
            "httpVersion": transfer.head?.version ?? "",
            "cookies": cookies(Self.pairs(ofCookies: transfer.sentCookies ?? "")),
            "headers": headers(fields),
            "queryString": list(FormText.items(query).map { HTTPField($0.name, $0.value) }),
            "postData": request.body.map { postData($0, fields) },
            "headersSize": Self.unknownSize,
            "bodySize": request.body.map { $0.bytes?.count ?? Self.unknownSize } ?? 0,
        ])
    }

    /// The headers of the request as they were sent. The transport has joined its cookies with those of the request.
    private var sentFields: [HTTPField] {
        let fields = transfer.request.headers.map { HTTPField($0.name, redact($0.value)) }
        guard let cookies = transfer.sentCookies else { return fields }
        let others = fields.filter { !$0.name.isSameName(as: "Cookie") }
        return others + [HTTPField("Cookie", redact(cookies))]
    }

    /// Returns the pairs `name=value` of a header `Cookie`.
    private static func pairs(ofCookies value: String) -> [Substring] {
        value.unicodeScalars.split(separator: ";").map { Substring($0.drop { $0 == " " }) }
    }

    /// Returns the pairs `name=value` of the headers `Set-Cookie`, without their attributes.
    private static func setCookies(in head: ResponseHead) -> [Substring] {
        let fields = head.fields.filter { $0.name.isSameName(as: "Set-Cookie") }
        return fields.map { Substring($0.value.unicodeScalars.prefix { $0 != ";" }) }
    }

    /// Returns cookies by their names. Their values are secrets.
    private func cookies(_ pairs: [Substring]) -> JSONValue {
        list(
            pairs.map { pair in
                let name = Substring(pair.unicodeScalars.prefix { $0 != "=" })
                return HTTPField(redact(String(name)), SecretRules.mark)
            })
    }

    /// Returns whether a query item such as `page=2` has no secret. A redacted item had one.
    private static func isPublic(_ item: Substring) -> Bool {
        !item.contains(SecretRules.mark) && SecretRules.redacted(query: String(item)) == item
    }

    /// Returns the body of the request, or a comment that says why it is left out.
    private func postData(_ body: RequestBody, _ fields: [HTTPField]) -> JSONValue {
        let type = fields.first { $0.name.isSameName(as: "Content-Type") }?.value ?? ""
        guard let bytes = body.bytes else {
            if let parts = body.parts {
                return JSONValue(members: ["mimeType": type, "params": JSONValue(parts.map(param)), "text": ""])
            }
            return JSONValue(members: ["mimeType": type, "text": "", "comment": "a file, left out"])
        }
        let text = text(redact(body: SecretRules.redacted(bytes, contentType: type)))
        return JSONValue(members: [
            "mimeType": type, "text": text ?? "", "comment": text == nil ? omission(bytes.count) : nil,
        ])
    }

    /// Returns a part of a form with files. The content of a file is left out.
    private func param(_ part: Part) -> JSONValue {
        switch part {
        case .field(let name, let value):
            JSONValue(members: ["name": redact(name), "value": redactedField(name, value)])
        case .text(let name, let value, let type):
            JSONValue(members: ["name": redact(name), "value": redactedField(name, value), "contentType": type])
        case .file(let name, let path, let filename, let type):
            JSONValue(members: [
                "name": redact(name), "fileName": redact(filename ?? Multipart.filename(path)), "contentType": type,
            ])
        case .bytes(let name, _, let filename, let type), .stream(let name, _, let filename, let type):
            JSONValue(members: [
                "name": redact(name), "fileName": filename.map { redact($0) }, "contentType": type,
            ])
        }
    }

    /// Returns the value of a field without secrets.
    private func redactedField(_ name: String, _ value: String) -> String {
        SecretName.isCredential(name) ? SecretRules.mark : redact(SecretRules.redacted(value))
    }

    // MARK: Response

    /// The member `response`. Without a response, it has the status 0.
    private var response: JSONValue {
        let head = redactedHead ?? ResponseHead(version: "", status: 0)
        let location = head["Location"].map { SecretRules.redacted($0) } ?? ""
        let receivedSize = transfer.times.map { Int($0.receivedBytes) } ?? Self.unknownSize
        return JSONValue(members: [
            "status": head.status,
            "statusText": JSONValue(shown: head.reason),
            "httpVersion": head.version,
            "cookies": cookies(Self.setCookies(in: head)),
            "headers": headers(head.fields),
            "content": content(type: head["Content-Type"]),
            "redirectURL": JSONValue(shown: location),
            "headersSize": Self.unknownSize,
            "bodySize": transfer.isComplete ? receivedSize : Self.unknownSize,
        ])
    }

    /// The head of the response without secrets; nil if none was received.
    private var redactedHead: ResponseHead? {
        redactors.reduce(transfer.head) { head, redactor in head?.redacted(by: redactor) }
    }

    /// Returns the body of the response with its size: as text, or in Base64 if it is not UTF-8.
    private func content(type: String?) -> JSONValue {
        let publicBody = SecretRules.redacted(transfer.body, contentType: type)
        let body = redact(body: publicBody, isCut: !transfer.isComplete)
        let text = text(body)
        return JSONValue(members: [
            "size": transfer.isComplete ? transfer.receivedSize : Self.unknownSize,
            "mimeType": JSONValue(shown: type ?? ""),
            "text": body.isEmpty ? nil : text ?? Data(body).base64EncodedString(),
            "encoding": text == nil ? "base64" : nil,
            "comment": contentComment,
        ])
    }

    /// The reason why the body of the response is missing or incomplete; nil if it is complete.
    private var contentComment: String? {
        if transfer.receivedSize > Self.maxBody { return omission(transfer.receivedSize) }
        if transfer.head == nil || transfer.isComplete { return nil }
        return "not read to its end"
    }

    // MARK: Text and secrets

    /// Returns a text without the secrets of the call.
    private func redact(_ text: String) -> String {
        redactors.reduce(text) { text, redactor in redactor.redact(text) }
    }

    /// Returns a body without the secrets of the call.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - isCut: Whether the body is incomplete, so that it may end with the beginning of a secret.
    private func redact(body: [UInt8], isCut: Bool = false) -> [UInt8] {
        redactors.reduce(body) { body, redactor in redactor.redact(body: body, isCut: isCut) }
    }

    /// Returns headers without the values that ``SecretRules`` finds.
    private func headers(_ fields: [HTTPField]) -> JSONValue {
        list(fields.map(SecretRules.redacted))
    }

    /// Returns `[{"name": …, "value": …}, …]`.
    private func list(_ fields: [HTTPField]) -> JSONValue {
        let pairs = fields.map { field -> JSONValue in
            ["name": JSONValue(shown: field.name), "value": JSONValue(shown: field.value)]
        }
        return JSONValue(pairs)
    }

    /// Returns a body without secrets as text; nil if it is not UTF-8, or is longer than ``maxBody``.
    private func text(_ bytes: [UInt8]) -> String? {
        let text = String(exactBytes: bytes)
        return bytes.count > Self.maxBody || text.holdsRawBytes ? nil : text
    }

    /// Returns the reason why a body of `count` bytes is left out, such as `2.1 MB, left out: longer than 1 MiB`.
    private func omission(_ count: Int) -> String {
        let reason = count > Self.maxBody ? "longer than 1 MiB" : "not text"
        return "\(ByteCountText.shown(count)), left out: \(reason)"
    }
}

/// The phases of a transfer as HAR divides them. A phase is nil if it did not take place or is not known.
private struct HARTimings {
    var nameLookup: Duration?
    /// The time to connect, including ``tls``.
    var connect: Duration?
    var tls: Duration?
    var wait = Duration.zero
    var receive = Duration.zero

    /// Reads the phases. A connection that was used before needs no name lookup and no handshake.
    init(_ times: TransferTimes?) {
        guard let times else { return }
        wait = times.firstByte
        receive = times.content
        if !times.reusedConnection {
            nameLookup = times.nameLookup
            connect = times.connect + (times.tls ?? .zero)
            tls = times.tls
        }
    }

    /// The time of all phases. ``tls`` is part of ``connect``.
    var total: Duration { (nameLookup ?? .zero) + (connect ?? .zero) + wait + receive }

    /// The member `timings`. The time of sending is not known by itself, so that it is 0.
    var json: JSONValue {
        [
            "blocked": Self.milliseconds(nil),
            "dns": Self.milliseconds(nameLookup),
            "connect": Self.milliseconds(connect),
            "send": Self.milliseconds(.zero),
            "wait": Self.milliseconds(wait),
            "receive": Self.milliseconds(receive),
            "ssl": Self.milliseconds(tls),
        ]
    }

    /// Returns a time in milliseconds, rounded to microseconds; -1 for nil, as HAR requires.
    static func milliseconds(_ time: Duration?) -> JSONValue {
        guard let time else { return JSONValue(-1.0) }
        return JSONValue((time.inSeconds * 1_000_000).rounded() / 1000)
    }
}

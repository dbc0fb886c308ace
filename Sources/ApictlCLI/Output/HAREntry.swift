import EndpointKit
import JSONText
import MockServer

/// Formats one transfer as an entry of an HTTP archive (HAR 1.2), without secrets.
///
/// Secrets are removed twice: the redactors know the secrets of the call, such as the values of its credentials, and
/// ``SecretRules`` finds others by their names and by the beginnings of tokens.
struct HAREntry {
    /// The longest body that is kept, in bytes: 1 MiB, so that an archive of many exchanges stays readable.
    static let maxBody = 1 << 20
    /// The size that HAR requires if a size is not known.
    private static let unknownSize = -1

    let transfer: HARTransport.Transfer
    /// The redactors that remove the secrets of the call. They are applied one after the other.
    let redactors: [Redactor]

    /// Returns the transfer as an entry of an HTTP archive (HAR 1.2).
    ///
    /// - Parameter comments: Remarks about the entry. If the transfer failed, the reason is added to them.
    func json(comments: [String]) -> JSONValue {
        var allComments = comments
        if let problem = transfer.problem { allComments.append(problem) }
        let comment = allComments.joined(separator: "; ")
        let timings = HARTimings(transfer.times)
        return JSONValue(members: [
            "startedDateTime": DateText.iso8601(transfer.start) ?? "",
            "time": HARTimings.milliseconds(timings.total),
            "request": requestJSON,
            "response": responseJSON,
            "cache": [:] as JSONValue,
            "timings": timings.json,
            "comment": comment.isEmpty ? nil : redact(comment),
        ])
    }

    // MARK: Request

    /// The member `request` of the entry.
    private var requestJSON: JSONValue {
        let request = transfer.request
        let fields = sentFields
        let url = PublicURL(redact(request.urlWithRedactedQuery))
        let body = request.body
        var bodySize = 0
        // The length of a body that is read from a file or made of parts is not known.
        if let body { bodySize = body.bytes?.count ?? Self.unknownSize }
        return JSONValue(members: [
            "method": request.method.rawValue,
            "url": url.text,
            "httpVersion": transfer.head?.version ?? "",
            "cookies": cookiesJSON(of: Self.pairs(ofCookies: transfer.sentCookies ?? "")),
            "headers": headersJSON(of: fields),
            "queryString": namesAndValues(of: FormText.items(url.query).map { HTTPField($0.name, $0.value) }),
            "postData": body.map { postData($0, headers: fields) },
            "headersSize": Self.unknownSize,
            "bodySize": bodySize,
        ])
    }

    /// The headers of the request as they were sent.
    ///
    /// A transport joins the cookies of servers with those of the request, so that its header `Cookie` replaces that of
    /// the request.
    private var sentFields: [HTTPField] {
        let fields = transfer.request.headers.map { HTTPField($0.name, redact($0.value)) }
        guard let sentCookies = transfer.sentCookies else { return fields }
        let fieldsWithoutCookies = fields.filter { !$0.name.isSameName(as: "Cookie") }
        return fieldsWithoutCookies + [HTTPField("Cookie", redact(sentCookies))]
    }

    /// Returns the pairs `name=value` of a header `Cookie`: `a=1; b=2` has `a=1` and `b=2`.
    private static func pairs(ofCookies value: String) -> [Substring] {
        value.unicodeScalars.split(separator: ";").map { Substring($0.drop { $0 == " " }) }
    }

    /// Returns the pairs `name=value` of the headers `Set-Cookie`, without the attributes that follow a semicolon.
    private static func setCookies(in head: ResponseHead) -> [Substring] {
        let fields = head.fields.filter { $0.name.isSameName(as: "Set-Cookie") }
        return fields.map { Substring($0.value.unicodeScalars.prefix { $0 != ";" }) }
    }

    /// Returns the names of cookies, each with a mark in place of its value, because values of cookies are secrets.
    ///
    /// - Parameter pairs: The cookies, such as `name=value`.
    private func cookiesJSON(of pairs: [Substring]) -> JSONValue {
        let cookies = pairs.map { pair in
            let name = Substring(pair.unicodeScalars.prefix { $0 != "=" })
            return HTTPField(redact(String(name)), SecretRules.mark)
        }
        return namesAndValues(of: cookies)
    }

    /// Returns the member `postData` of a request in an HTTP archive (HAR 1.2): the body without secrets.
    ///
    /// Text and the fields of a form are kept. Any other body is left out, with a comment that says why.
    ///
    /// - Parameters:
    ///   - body: The body: bytes, the parts of a multipart form, or a file.
    ///   - headers: The headers of the request, which have the content type.
    private func postData(_ body: RequestBody, headers: [HTTPField]) -> JSONValue {
        let contentType = headers.first { $0.name.isSameName(as: "Content-Type") }?.value ?? ""
        if let bytes = body.bytes {
            // The rules find secrets by their names, such as `token=…`. The redactors find the secrets of the call
            // anywhere.
            let bytesWithoutNamedSecrets = SecretRules.redacted(bytes, contentType: contentType)
            let archivedText = archivedText(of: redact(body: bytesWithoutNamedSecrets))
            let comment = archivedText == nil ? commentOnOmittedBody(byteCount: bytes.count) : nil
            return JSONValue(members: ["mimeType": contentType, "text": archivedText ?? "", "comment": comment])
        }
        if let parts = body.parts {
            let params = JSONValue(parts.map(formPart))
            return JSONValue(members: ["mimeType": contentType, "params": params, "text": ""])
        }
        return JSONValue(members: ["mimeType": contentType, "text": "", "comment": "a file, left out"])
    }

    /// Returns a part of a multipart form as an element of the member `params`. The content of a file is left out.
    private func formPart(_ part: Part) -> JSONValue {
        switch part {
        case .field(let name, let value):
            JSONValue(members: ["name": redact(name), "value": redactedValue(value, ofField: name)])
        case .text(let name, let value, let type):
            JSONValue(members: [
                "name": redact(name), "value": redactedValue(value, ofField: name), "contentType": type,
            ])
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

    /// Returns the value of a form's field without secrets. The whole value is a secret if its name says so.
    private func redactedValue(_ value: String, ofField name: String) -> String {
        SecretName.isCredential(name) ? SecretRules.mark : redact(SecretRules.redacted(value))
    }

    // MARK: Response

    /// The member `response` of the entry. If no response was received, its status is 0.
    private var responseJSON: JSONValue {
        let head = redactedHead ?? ResponseHead(version: "", status: 0)
        let location = head["Location"].map { SecretRules.redacted($0) } ?? ""
        let receivedSize = transfer.times.map { Int($0.receivedBytes) } ?? Self.unknownSize
        return JSONValue(members: [
            "status": head.status,
            "statusText": JSONValue(shown: head.reason),
            "httpVersion": head.version,
            "cookies": cookiesJSON(of: Self.setCookies(in: head)),
            "headers": headersJSON(of: head.fields),
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

    /// Returns the member `content`: the body of the response as text, or in Base64 if it is not UTF-8.
    ///
    /// - Parameter type: The content type of the body; nil if the response has none.
    private func content(type: String?) -> JSONValue {
        let bodyWithoutNamedSecrets = SecretRules.redacted(transfer.body, contentType: type)
        let body = redact(body: bodyWithoutNamedSecrets, isCut: !transfer.isComplete)
        let text = archivedText(of: body)
        let isBase64 = text == nil
        let encodedBody = text ?? Data(body).base64EncodedString()
        return JSONValue(members: [
            "size": transfer.isComplete ? transfer.receivedSize : Self.unknownSize,
            "mimeType": JSONValue(shown: type ?? ""),
            "text": body.isEmpty ? nil : encodedBody,
            "encoding": isBase64 ? "base64" : nil,
            "comment": contentComment,
        ])
    }

    /// The reason why the body of the response is missing or incomplete; nil if it is complete.
    private var contentComment: String? {
        if transfer.receivedSize > Self.maxBody { return commentOnOmittedBody(byteCount: transfer.receivedSize) }
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

    /// Returns headers without the secrets that ``SecretRules`` finds in them.
    private func headersJSON(of fields: [HTTPField]) -> JSONValue {
        namesAndValues(of: fields.map(SecretRules.redacted))
    }

    /// Returns headers, cookies or query items as HAR writes them: `[{"name": …, "value": …}, …]`.
    private func namesAndValues(of fields: [HTTPField]) -> JSONValue {
        let pairs = fields.map { field -> JSONValue in
            ["name": JSONValue(shown: field.name), "value": JSONValue(shown: field.value)]
        }
        return JSONValue(pairs)
    }

    /// Returns a body as the archive has it, as text; nil if it is not UTF-8, or is longer than ``maxBody``.
    private func archivedText(of body: [UInt8]) -> String? {
        guard body.count <= Self.maxBody else { return nil }
        let text = String(exactBytes: body)
        return text.holdsRawBytes ? nil : text
    }

    /// Returns the comment about a body that is left out, such as `2.1 MB, left out: longer than 1 MiB`.
    ///
    /// - Parameter byteCount: The length of the body. One that is not too long is left out because it is not text.
    private func commentOnOmittedBody(byteCount: Int) -> String {
        let reason = byteCount > Self.maxBody ? "longer than 1 MiB" : "not text"
        return "\(ByteCountText.shown(byteCount)), left out: \(reason)"
    }
}

/// A URL without the query items that have a secret.
private struct PublicURL {
    /// The URL up to its query.
    let base: String
    /// The query items without a secret, with `&` between them; empty if there are none.
    let query: String

    var text: String { query.isEmpty ? base : "\(base)?\(query)" }

    /// Leaves out the query items that have a secret.
    ///
    /// - Parameter redactedURL: The URL, in which marks stand for the secrets that are already known.
    init(_ redactedURL: String) {
        let baseAndQuery = redactedURL.split(separator: "?", maxSplits: 1)
        let items = baseAndQuery.dropFirst().joined().split(separator: "&")
        base = SecretRules.redacted(baseAndQuery.first.map(String.init) ?? "")
        query = items.filter(Self.isPublic).joined(separator: "&")
    }

    /// Returns whether a query item such as `page=2` has no secret. An item with a mark had one.
    private static func isPublic(_ item: Substring) -> Bool {
        !item.contains(SecretRules.mark) && SecretRules.redacted(query: String(item)) == item
    }
}

/// The phases of a transfer as HAR divides them. A phase is nil if it did not take place or is not known.
private struct HARTimings {
    var nameLookup: Duration?
    /// The time to connect, including the TLS handshake.
    var connect: Duration?
    /// The time of the TLS handshake.
    var tls: Duration?
    /// The time from the end of the set-up to the first byte of the response, in which the request is sent.
    var wait = Duration.zero
    /// The time from the first byte of the response to the last one.
    var receive = Duration.zero

    /// Divides the times of a transfer into HAR's phases.
    ///
    /// A connection that was used before needs no name lookup and no handshake, so that these phases stay nil.
    ///
    /// - Parameter times: The times of the transfer; nil if it sent nothing.
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

    /// The time of all phases. The TLS handshake is part of the time to connect, so it is not added again.
    var total: Duration { (nameLookup ?? .zero) + (connect ?? .zero) + wait + receive }

    /// The member `timings` of the entry. The time of sending is part of ``wait``, so that it is 0 itself.
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

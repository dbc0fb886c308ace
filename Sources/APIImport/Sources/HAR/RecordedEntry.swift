import EndpointKit
import JSONText

/// One request of a recording, with its response.
struct RecordedEntry {
    private let request: JSONValue
    private let response: JSONValue?
    private let method: String
    private let url: String
    /// Whether the entry has the messages of a WebSocket, as Chrome records them.
    private let hasMessages: Bool

    private static let staticTypes = ["javascript", "ecmascript", "/css", "image/", "font", "audio/", "video/", "wasm"]
    private static let staticEndings = [
        ".js", ".mjs", ".css", ".map", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico", ".woff",
        ".woff2", ".ttf", ".otf", ".mp4", ".webm", ".mp3", ".wasm",
    ]

    /// Reads an element of `log.entries`; nil if it has no request with a method and a URL.
    init?(_ entry: JSONValue) {
        guard let request = entry["request"], let method = request["method"]?.string,
            let url = request["url"]?.string
        else { return nil }
        self.request = request
        self.method = method
        self.url = url
        response = entry["response"]
        hasMessages = entry["_webSocketMessages"] != nil
    }

    /// Returns the reason why the entry is left out, for a note; nil if it is a request to an endpoint of an API.
    ///
    /// - Parameter keepsFiles: Whether requests for static files are kept.
    func reasonToLeaveOut(keepsFiles: Bool) -> String? {
        let headers = Self.readHeaders(of: request)
        let status = response?["status"]?.integer(Int.self) ?? 0
        if isWebSocket(headers, status: status) { return "for WebSockets" }
        let isMethod = !method.isEmpty && method.utf8.allSatisfy(\.isTokenByte)
        if !hasScheme("http") || !isMethod { return "not of HTTP" }
        // Before some requests, a browser asks the server whether they are allowed (CORS).
        if headers.contains(where: { $0.name.isSameName(as: "Access-Control-Request-Method") }) {
            return "before others (preflight)"
        }
        // Browsers record the status 0 if no response came.
        if status == 0 { return "without a response" }
        if !keepsFiles, isStatic { return "for static files" }
        return nil
    }

    /// Whether the entry is the connection of a WebSocket.
    private func isWebSocket(_ headers: [HTTPField], status: Int) -> Bool {
        let switchingProtocols = 101
        let upgrade = headers.first { $0.name.isSameName(as: "Upgrade") }?.value
        return hasMessages || status == switchingProtocols || upgrade?.isSameName(as: "websocket") == true
            || hasScheme("ws")
    }

    /// Whether the URL has a scheme, with or without TLS: `http` or `https`.
    private func hasScheme(_ scheme: String) -> Bool {
        let urlScheme = url.prefix { $0 != ":" }.lowercased()
        return urlScheme == scheme || urlScheme == scheme + "s"
    }

    /// Whether the response is a file of a web page, by its media type or the end of its name.
    private var isStatic: Bool {
        guard method == "GET" else { return false }
        let type = response?["content"]?["mimeType"]?.string?.lowercased() ?? ""
        let path = url.prefix { !"?#".contains($0) }.lowercased()
        let hasStaticType = Self.staticTypes.contains { type.firstRange(of: $0) != nil }
        return hasStaticType || Self.staticEndings.contains(where: path.hasSuffix)
    }

    /// Returns the request with its response; nil if the URL can't be used.
    func importedRequest() -> ImportedRequest? {
        var imported = ImportedRequest()
        guard (try? imported.setURL(url)) != nil else { return nil }
        imported.method = method
        imported.headers = Self.readHeaders(of: request).map { ($0.name, $0.value) }
        imported.content = content
        if case .bytes = imported.content, let type = request["postData"]?["mimeType"]?.string,
            type.hasPrefix("multipart/"), imported.header("Content-Type") == nil
        {
            // Some recordings have the type only beside the body. Without the boundary in it, the parts of the body,
            // and so the secrets in them, could not be told from each other.
            imported.headers.append(("Content-Type", type))
        }
        imported.response = response.flatMap(Self.response)
        // The endpoint would be declared with the content type of a multipart body, but without its parts.
        if case .none = imported.content { imported.omitUnrecordedForm() }
        return imported
    }

    // MARK: Parts

    /// Returns the recorded headers of a request or response. Names and values that HTTP does not allow are left out.
    ///
    /// Browsers record several headers of one name as one, with a value on each line.
    private static func readHeaders(of message: JSONValue) -> [HTTPField] {
        var headers: [HTTPField] = []
        for header in message["headers"]?.elements ?? [] {
            let name = header["name"]?.string ?? ""
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else { continue }
            let values = header["value"]?.string?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
            for value in values where isHeaderValue(value) { headers.append(.init(name, String(value))) }
        }
        return headers
    }

    /// Whether a text has no control characters except for tabs, as header values must (RFC 9110, section 5.5).
    private static func isHeaderValue(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { byte in
            let isControl = byte < 0x20 || byte == 0x7F
            return !isControl || byte == UInt8(ascii: "\t")
        }
    }

    /// The body of the request: the parts of a multipart body in `postData.params`, or else `postData.text`, or else a
    /// form with the items in `postData.params`.
    private var content: ImportedRequest.Content {
        let data = request["postData"]
        let params = data?["params"]?.elements ?? []
        if data?["mimeType"]?.string?.hasPrefix("multipart/form-data") == true, !params.isEmpty {
            return .parts(params.map(Self.part))
        }
        let text = data?["text"]?.string ?? ""
        if !text.isEmpty { return .bytes(Self.bytes(of: text, encoding: data?["encoding"])) }
        let form = Self.formText(of: params)
        return form.isEmpty ? .none : .bytes(form.exactBytes)
    }

    /// Returns the part of a multipart body for a recorded item. An item with a file name becomes a file.
    private static func part(_ param: JSONValue) -> Part {
        let name = param["name"]?.string ?? ""
        guard let file = param["fileName"]?.string else { return .field(name, param["value"]?.string ?? "") }
        return .file(name, path: file, contentType: param["contentType"]?.string ?? "application/octet-stream")
    }

    /// Returns the text of a form from its recorded items: `a=1&b=x%20y`.
    ///
    /// Chrome records names and values percent-encoded, as they were sent, and Firefox decodes them. The items count as
    /// encoded if one of them has an escape such as `%5B`, and none has a character that would have to be encoded.
    private static func formText(of params: [JSONValue]) -> String {
        let items = params.map { (name: $0["name"]?.string ?? "", value: $0["value"]?.string ?? "") }
        let texts = items.flatMap { [$0.name, $0.value] }
        let areEncoded = texts.allSatisfy(isEncoded) && texts.contains { $0.utf8.contains(UInt8(ascii: "%")) }
        func encoded(_ text: String) -> String { areEncoded ? text : PercentEncoding.encode(text) }
        return items.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    }

    /// Whether a text has only what an encoded form may have (WHATWG URL, application/x-www-form-urlencoded).
    private static func isEncoded(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.allSatisfy { index in
            let byte = bytes[index]
            if byte.isLetterOrDigit || "-._~*+!'()".utf8.contains(byte) { return true }
            // A percent sign needs two hexadecimal digits after it.
            let digits = bytes[index...].dropFirst().prefix(2)
            let isPercentSign = byte == UInt8(ascii: "%")
            return isPercentSign && digits.count == 2 && digits.allSatisfy(Hexadecimal.isDigit)
        }
    }

    /// Returns the bytes of a recorded body, which is text, or Base64 if the recording says so.
    private static func bytes(of text: String, encoding: JSONValue?) -> [UInt8] {
        guard encoding?.string == "base64", let data = Data(base64Encoded: text) else { return text.exactBytes }
        return Array(data)
    }

    /// Returns the recorded response; nil if it is successful and the recording leaves out its body.
    private static func response(_ value: JSONValue) -> Response? {
        let status = value["status"]?.integer() ?? 0
        let content = value["content"]
        let text = content?["text"]?.string
        // 204 (No Content) and 205 (Reset Content) have no body (RFC 9110, sections 15.3.5 and 15.3.6).
        let mayHaveBody = (200..<300).contains(status) && ![204, 205].contains(status)
        let isKnownEmpty = content?["size"]?.integer() == 0
        let lacksBody = text == nil && mayHaveBody && !isKnownEmpty
        if lacksBody { return nil }
        var headers = readHeaders(of: value)
        let hasContentType = headers.contains { $0.name.isSameName(as: "Content-Type") }
        if let type = content?["mimeType"]?.string, !type.isEmpty, !hasContentType {
            headers.append(.init("Content-Type", type))
        }
        let body = bytes(of: text ?? "", encoding: content?["encoding"])
        return Response(head: ResponseHead(status: status, fields: headers), body: body)
    }
}

extension ImportedRequest {
    /// Removes the `Content-Type` of a multipart body whose parts were not recorded, and adds a note about it.
    fileprivate mutating func omitUnrecordedForm() {
        guard header("Content-Type")?.lowercased().hasPrefix("multipart/") == true else { return }
        headers.removeAll { $0.name.isSameName(as: "Content-Type") }
        notes.append("a multipart body was not recorded: that \(method) is declared without one")
    }
}

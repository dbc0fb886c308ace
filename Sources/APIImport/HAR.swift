import EndpointKit
import JSONText

/// The requests of a recording in the HTTP archive format, version 1.2, with their responses.
package struct HAR {
    package private(set) var requests: [ImportedRequest] = []
    /// How many entries were left out, by what they are.
    package private(set) var leftOut: [String: Int] = [:]

    private static let staticTypes = ["javascript", "ecmascript", "/css", "image/", "font", "audio/", "video/", "wasm"]
    private static let staticEndings = [
        ".js", ".mjs", ".css", ".map", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico", ".woff",
        ".woff2", ".ttf",
        ".otf", ".mp4", ".webm", ".mp3", ".wasm",
    ]

    /// Reads a recording, also of static files if it `keepsFiles`.
    ///
    /// Throws ``ImportError``, and ``JSONSyntaxError`` for a text that is not JSON.
    package init(_ text: [UInt8], keepsFiles: Bool = false) throws {
        // A mark of variables is nothing special here.
        let mark = String(ShellReader.mark)
        let text = text.contains(0xF4) ? String(exactBytes: text).replacingBytes(of: mark, with: "?").exactBytes : text
        guard let entries = try JSONValue(text: text)["log"]?["entries"]?.elements else {
            throw ImportError("this is not a HAR file: it has no list at log.entries")
        }
        for (index, entry) in entries.enumerated() {
            guard let request = entry["request"], let method = request["method"]?.string,
                let url = request["url"]?.string
            else {
                throw ImportError("this is not a HAR file: log.entries[\(index)] has no request with method and url")
            }
            var imported = ImportedRequest()
            imported.method = method
            imported.headers = Self.headers(request).map { ($0.name, $0.value) }
            imported.content = Self.content(request["postData"])
            if case .bytes = imported.content, let type = request["postData"]?["mimeType"]?.string,
                type.hasPrefix("multipart/"), imported.header("Content-Type") == nil
            {
                // Only the boundary tells the parts, and so the secrets among them, from each other.
                imported.headers.append(("Content-Type", type))
            }
            imported.response = entry["response"].flatMap(Self.response)
            if case .none = imported.content { imported.omitUnrecordedForm() }
            let isHTTP =
                method.utf8.allSatisfy(\.isTokenByte) && !method.isEmpty && url.hasPrefix("http")
                && (try? imported.take(url: url)) != nil
            if !isHTTP {
                leftOut["not of HTTP", default: 0] += 1
            } else if imported.header("Access-Control-Request-Method") != nil {
                leftOut["before others (preflight)", default: 0] += 1
            } else if !keepsFiles, Self.isStatic(imported, entry["response"]?["content"]?["mimeType"]?.string ?? "") {
                leftOut["for static files", default: 0] += 1
            } else {
                requests.append(imported)
            }
        }
    }

    private static func isStatic(_ request: ImportedRequest, _ type: String) -> Bool {
        request.method == "GET"
            && (staticTypes.contains { type.lowercased().firstRange(of: $0) != nil }
                || staticEndings.contains(where: request.path.lowercased().hasSuffix))
    }

    /// The headers that a message can have. Several of one name may be recorded as lines of one value.
    private static func headers(_ message: JSONValue) -> [ResponseHead.Field] {
        (message["headers"]?.elements ?? []).flatMap { header -> [ResponseHead.Field] in
            guard let name = header["name"]?.string, !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
                return []
            }
            let values = header["value"]?.string?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
            return values.filter { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") } }
                .map { .init(name, String($0)) }
        }
    }

    private static func content(_ data: JSONValue?) -> ImportedRequest.Content {
        let params = (data?["params"]?.elements ?? []).map { param in
            (name: param["name"]?.string ?? "", value: param["value"]?.string ?? "", param: param)
        }
        if data?["mimeType"]?.string?.hasPrefix("multipart/form-data") == true, !params.isEmpty {
            return .parts(
                params.map { name, value, param in
                    guard let file = param["fileName"]?.string else { return .field(name, value) }
                    return .file(
                        name, path: file, contentType: param["contentType"]?.string ?? "application/octet-stream")
                })
        }
        let text = data?["text"]?.string ?? ""
        if !text.isEmpty { return .bytes(bytes(text, data?["encoding"])) }
        let form = params.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
        return form.isEmpty ? .none : .bytes(form.joined(separator: "&").exactBytes)
    }

    private static func bytes(_ text: String, _ encoding: JSONValue?) -> [UInt8] {
        encoding?.string == "base64" ? Data(base64Encoded: text).map { Array($0) } ?? text.exactBytes : text.exactBytes
    }

    /// Nil if the recording does not have the body.
    private static func response(_ value: JSONValue) -> Response? {
        let (status, content): (Int, JSONValue?) = (value["status"]?.integer() ?? 0, value["content"])
        let text = content?["text"]?.string
        if text == nil, content?["size"]?.integer() != 0, (200..<300).contains(status), ![204, 205].contains(status) {
            return nil
        }
        var fields = headers(value)
        if let type = content?["mimeType"]?.string, !type.isEmpty,
            !fields.contains(where: { $0.name.isSameName(as: "Content-Type") })
        {
            fields.append(.init("Content-Type", type))
        }
        return Response(
            head: ResponseHead(status: status, fields: fields), body: bytes(text ?? "", content?["encoding"]))
    }
}

extension ImportedRequest {
    /// Takes away the type of a form whose parts were not recorded.
    fileprivate mutating func omitUnrecordedForm() {
        guard header("Content-Type")?.lowercased().hasPrefix("multipart/") == true else { return }
        headers.removeAll { $0.name.isSameName(as: "Content-Type") }
        notes.append("a multipart body was not recorded: that \(method) is declared without one")
    }
}

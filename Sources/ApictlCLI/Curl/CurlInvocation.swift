import EndpointKit

/// A curl command as a structure: its arguments, what is fed to its stdin, and what it can't do the same way.
struct CurlInvocation: Sendable, Equatable {
    /// One argument: text in which variables of the shell may stand.
    struct Argument: Sendable, Equatable, ExpressibleByStringLiteral {
        enum Piece: Sendable, Equatable {
            case text(String)
            /// `$NAME`, put in by the shell.
            case variable(String)
        }

        var pieces: [Piece]

        init(_ pieces: [Piece]) { self.pieces = pieces }
        init(_ text: String) { pieces = [.text(text)] }
        init(stringLiteral text: String) { self.init(text) }
    }

    var arguments: [Argument] = []
    /// Bytes for stdin, for a body that no argument can hold.
    var input: [UInt8]?
    var warnings: [String] = []
}

extension CurlInvocation {
    /// The command that sends `request`.
    init(_ request: Request) {
        // A POST, PUT or PATCH without a body says so with Content-Length: 0, which curl does for empty data only.
        let announcesBody: [Method] = [.post, .put, .patch]
        let body = request.body ?? (announcesBody.contains(request.method) ? RequestBody(bytes: []) : nil)
        let secretItems = request.query.filter(\.value.holdsSecrets)
        var plain = request
        plain.query.removeAll(where: \.value.holdsSecrets)
        let url = plain.redactedURL

        addMethod(request.method, hasBody: body != nil, hasSecretQuery: !secretItems.isEmpty)
        if url.contains(where: { "[]{}".contains($0) }) { arguments.append("--globoff") }
        if request.path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            arguments.append("--path-as-is")
        }
        arguments.append(Argument(url))
        for item in secretItems { add(secret: item, toURL: body == nil) }
        for header in request.headers { add(header) }
        for name in request.withheldHeaders { arguments += ["--header", Argument(name + ":")] }
        let names = request.headers.map(\.name) + request.withheldHeaders
        if !names.contains(where: { $0.lowercased() == "accept-encoding" }) { arguments.append("--compressed") }
        if let body {
            // curl would call it a form.
            if !names.contains(where: { $0.lowercased() == "content-type" }) {
                arguments += ["--header", "Content-Type:"]
            }
            add(body)
        }
    }

    /// The method, where curl would not choose it by itself.
    private mutating func addMethod(_ method: Method, hasBody: Bool, hasSecretQuery: Bool) {
        if hasSecretQuery, !hasBody { arguments.append("--get") }
        if method == .head, !hasBody {
            arguments.append("--head")
        } else if method != (hasBody ? .post : .get) {
            arguments += ["--request", Argument(method.rawValue)]
        }
    }

    /// curl itself encodes what a variable holds: with `--get` from data, else with `--url-query`, which is newer.
    private mutating func add(secret item: QueryItem, toURL isGet: Bool) {
        let option: Argument = isGet ? "--data-urlencode" : "--url-query"
        if !isGet { warn("--url-query needs curl 7.87 or newer") }
        arguments += [option, Argument([.text(PercentEncoding.encode(item.name) + "=")] + pieces(of: item.value))]
        warnAboutUnset(item.value)
    }

    private mutating func add(_ header: Header) {
        if case .basic(let user, let password)? = header.value.pieces.last, header.isNamed("Authorization") {
            arguments += [
                "--user", Argument([.variable(user.variable), .text(":"), .variable(password.variable)]),
            ]
        } else if header.value.pieces == [.text("")] {
            arguments += ["--header", Argument(header.name + ";")]
        } else {
            arguments += ["--header", Argument([.text(header.name + ": ")] + pieces(of: header.value))]
        }
        warnAboutUnset(header.value)
    }

    private mutating func add(_ body: RequestBody) {
        if let parts = body.parts {
            // curl makes up a boundary of its own, so the field with ours must not be sent.
            if let index = arguments.firstIndex(where: { $0.startsWith("Content-Type: multipart/form-data") }) {
                arguments.removeSubrange(index - 1...index)
            }
            for part in parts { add(part) }
        } else if let bytes = body.bytes {
            add(bytes)
        }
    }

    private mutating func add(_ part: Part) {
        switch part {
        case .field(let name, let value):
            if (name + value).exactBytes.contains(0) { warn("the field \(name) holds a NUL byte, which is cut off") }
            arguments += ["--form-string", Argument("\(name)=\(value)")]
        case .file(let name, let path, let filename, let contentType):
            let quotedPath = "\"" + path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
            let shownName = filename.map { ";filename=\"\($0.replacing("\"", with: "\\\""))\"" } ?? ""
            arguments += ["--form", Argument("\(name)=@\(quotedPath);type=\(contentType)\(shownName)")]
        }
    }

    /// Inline where an argument can hold it; a NUL byte can't stand in one, and the kernel limits its length.
    private mutating func add(_ bytes: [UInt8]) {
        if bytes.count < 100_000, !bytes.contains(0) {
            arguments += ["--data-raw", Argument(String(exactBytes: bytes))]
        } else {
            input = bytes
            arguments += ["--data-binary", "@-"]
        }
    }

    private func pieces(of text: SensitiveText) -> [Argument.Piece] {
        text.pieces.flatMap { piece -> [Argument.Piece] in
            switch piece {
            case .text(let text): [.text(text)]
            case .secret(let secret): [.variable(secret.variable)]
            case .basic(let user, let password): [.variable(user.variable), .text(":"), .variable(password.variable)]
            }
        }
    }

    private mutating func warnAboutUnset(_ text: SensitiveText) {
        for secret in text.secrets where !secret.isSet { warn("\(secret.variable) is not set") }
    }

    private mutating func warn(_ text: String) {
        if !warnings.contains(text) { warnings.append(text) }
    }
}

extension CurlInvocation.Argument {
    fileprivate func startsWith(_ prefix: String) -> Bool {
        if case .text(let text)? = pieces.first { text.hasPrefix(prefix) } else { false }
    }
}

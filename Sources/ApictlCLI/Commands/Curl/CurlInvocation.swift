import EndpointKit

/// A curl command: its arguments, its stdin, and warnings about differences from `call`.
struct CurlInvocation: Sendable, Equatable {
    /// An argument, which may include shell variables.
    struct Argument: Sendable, Equatable, ExpressibleByStringLiteral {
        enum Piece: Sendable, Equatable {
            case text(String)
            /// `$NAME`, which the shell expands.
            case variable(String)
        }

        var pieces: [Piece]

        init(_ pieces: [Piece]) { self.pieces = pieces }
        init(_ text: String) { pieces = [.text(text)] }
        init(stringLiteral text: String) { self.init(text) }
    }

    var arguments: [Argument] = []
    /// Bytes for stdin, for a body that can't be an argument.
    var input: [UInt8]?
    var warnings: [String] = []

    /// The same without secrets that come from elsewhere, such as a value that a server sent.
    func redacted(_ redact: (String) -> String) -> CurlInvocation {
        var copy = self
        copy.arguments = arguments.map { argument in
            Argument(
                argument.pieces.map { piece in
                    guard case .text(let text) = piece else { return piece }
                    return .text(redact(text))
                })
        }
        copy.input = input.map { redact(String(exactBytes: $0)).exactBytes }
        return copy
    }
}

extension CurlInvocation {
    /// The command that sends `request`; `replacement` is the value of `--body`, if given.
    init(_ request: Request, replacement: Word? = nil) {
        let request = request.withTypedSecrets
        // A POST, PUT or PATCH without a body has Content-Length: 0, which curl only sends with empty data.
        let announcesBody = replacement != nil || [.post, .put, .patch].contains(request.method)
        let body = replacement == nil ? request.body ?? (announcesBody ? RequestBody(bytes: []) : nil) : RequestBody([])
        let secretItems = request.query.filter(\.value.holdsSecrets)
        var plain = request
        plain.query.removeAll(where: \.value.holdsSecrets)
        let url = plain.redactedURL

        addMethod(request.method, hasBody: body != nil, hasSecretQuery: !secretItems.isEmpty)
        if url.contains(where: { "[]{}".contains($0) }) { arguments.append("--globoff") }
        // Dot segments can come from the base URL; newer versions of curl also resolve encoded ones.
        if url.prefix(while: { $0 != "?" }).split(separator: "/").contains(where: Self.isDotSegment) {
            arguments.append("--path-as-is")
        }
        arguments.append(Argument(url))
        for item in secretItems { add(secret: item, toURL: body == nil) }
        // curl makes its own boundary, so the header with ours must not be sent.
        let isForm = body?.parts != nil
        for header in request.headers where !(isForm && header.namesBoundary) { add(header) }
        for name in request.withheldHeaders { arguments += ["--header", Argument(name + ":")] }
        if !request.specifies(header: "Accept-Encoding") { arguments.append("--compressed") }
        if let body {
            // By default curl would send the Content-Type of a form.
            if !request.specifies(header: "Content-Type") {
                arguments += ["--header", "Content-Type:"]
            }
            if let replacement { add(replacement: replacement) } else { add(body) }
        }
    }

    /// `@FILE`, `-` for stdin, or the text itself.
    private mutating func add(replacement word: Word) {
        if word.isStdin {
            arguments += ["--data-binary", "@-"]
        } else if word.file != nil {
            arguments += ["--data-binary", Argument(word.text)]
        } else {
            add(word.text.exactBytes)
        }
    }

    private static func isDotSegment(_ segment: Substring) -> Bool {
        let text = PercentEncoding.decode(segment)
        return text == "." || text == ".."
    }

    /// Adds options for the method if curl would not choose it by default.
    private mutating func addMethod(_ method: HTTPMethod, hasBody: Bool, hasSecretQuery: Bool) {
        if hasSecretQuery, !hasBody { arguments.append("--get") }
        if method == .head, !hasBody {
            arguments.append("--head")
        } else if method != (hasBody ? .post : .get) {
            arguments += ["--request", Argument(method.rawValue)]
        }
    }

    /// Adds a query item whose value curl encodes, because it is in a variable: with `--get`, or with the newer `--url-query`.
    private mutating func add(secret item: QueryItem, toURL isGet: Bool) {
        let option: Argument = isGet ? "--data-urlencode" : "--url-query"
        if !isGet { warn("--url-query needs curl 7.87 or newer") }
        arguments += [option, Argument([.text(PercentEncoding.encode(item.name) + "=")] + pieces(of: item.value))]
        warnAboutUnset(item.value)
    }

    private mutating func add(_ header: Header) {
        if case .basic(let user, let password)? = header.value.pieces.last, header.isNamed("Authorization") {
            arguments += ["--user", Argument([piece(user), .text(":"), piece(password)])]
        } else if header.value.pieces.allSatisfy(\.isBlank) {
            // "Name:" would remove the header.
            arguments += ["--header", Argument(header.name + ";")]
        } else {
            arguments += ["--header", Argument([.text(header.name + ": ")] + pieces(of: header.value))]
        }
        warnAboutUnset(header.value)
    }

    private mutating func add(_ body: RequestBody) {
        if let parts = body.parts {
            for part in parts { add(part) }
        } else if let bytes = body.bytes {
            add(bytes)
        }
    }

    private mutating func add(_ part: Part) {
        switch part {
        case .field(let name, let value):
            if (name + value).exactBytes.contains(0) {
                warn("the field \(name) contains a NUL byte; curl cuts it off there")
            }
            arguments += ["--form-string", Argument("\(name)=\(value)")]
        case .file(let name, let path, let filename, let contentType):
            // "-" would mean stdin.
            let file = Self.quotedInForm(path == "-" ? "./-" : path)
            let shownName = filename.map { ";filename=" + Self.quotedInForm($0) } ?? ""
            arguments += ["--form", Argument("\(name)=@\(file);type=\(contentType)\(shownName)")]
        }
    }

    /// A file name quoted for `--form`, which allows any character in it.
    private static func quotedInForm(_ name: String) -> String {
        let escaped = name.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: "\"", with: "\\\"")
        return "\"\(escaped)\""
    }

    /// Adds data as an argument if possible, otherwise as stdin: an argument can't contain a NUL byte, and its length is limited.
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
            case .text, .date: [.text(SensitiveText([piece]).description)]
            case .secret(let secret): [self.piece(secret)]
            case .basic(let user, let password): [self.piece(user), .text(":"), self.piece(password)]
            }
        }
    }

    /// The secret's variable; a secret without a variable is redacted.
    private func piece(_ secret: Secret) -> Argument.Piece {
        secret.variable.map { .variable($0) } ?? .text(secret.description)
    }

    private mutating func warnAboutUnset(_ text: SensitiveText) {
        for secret in text.secrets where !secret.isSet {
            if let name = secret.variable { warn("\(name) is not set; the command will send an empty value") }
        }
    }

    private mutating func warn(_ text: String) {
        if !warnings.contains(text) { warnings.append(text) }
    }
}

extension Request {
    /// The request with secrets that were typed on the command line as plain text.
    fileprivate var withTypedSecrets: Request {
        func plain(_ text: SensitiveText) -> SensitiveText {
            SensitiveText(
                text.pieces.map { piece in
                    if case .secret(let secret) = piece, secret.variable == nil, let value = secret.reveal() {
                        .text(value)
                    } else {
                        piece
                    }
                })
        }
        var copy = self
        copy.query = query.map { QueryItem($0.name, plain($0.value)) }
        copy.headers = headers.map { Header($0.name, plain($0.value)) }
        return copy
    }
}

extension SensitiveText.Piece {
    fileprivate var isBlank: Bool {
        if case .text(let text) = self { text.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } } else { false }
    }
}

extension Header {
    fileprivate var namesBoundary: Bool {
        isNamed("Content-Type") && value.description.hasPrefix("multipart/form-data; boundary=")
    }
}

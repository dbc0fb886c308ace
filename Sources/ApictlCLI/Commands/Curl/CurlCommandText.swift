import EndpointKit
import EndpointTools

/// A curl command: its arguments, and warnings about differences from `call`.
struct CurlCommandText: Sendable, Equatable {
    /// A text in which secrets are shell variables.
    typealias Argument = SensitiveText

    var arguments: [Argument] = []
    private(set) var warnings: [String] = []

    /// Makes the command that does what `call` would do with a plan.
    ///
    /// Warnings name the options that curl does not have. One difference remains: after a 303, curl repeats a method
    /// that is given with `--request`, while `call` sends GET.
    ///
    /// - Parameters:
    ///   - plan: The resolved request of the call, and its options.
    ///   - context: The context, whose environment some options depend on.
    init(_ plan: CallPlan, _ context: CommandContext) {
        let givenOptions = plan.options.common.given
        var request = plan.request
        request.headers.removeAll(where: plan.headersOmittedFromCurl.contains)
        let signing = CurlSigning(removingSignersFrom: &request)
        self.init(request, bodyOption: plan.options.request.body)
        // With `--continue`, the rest of a file must not be compressed, because the first part is not.
        if plan.options.output.resumes { arguments.removeAll { $0 == "--compressed" } }
        arguments += signing.arguments
        for warning in signing.warnings { warn(warning) }
        for option in CurlOption.all(startingWith: givenOptions) { arguments += option.arguments(plan, context) }
        // By default, `call` fails for a status of 400 or more. curl fails only with this option.
        if plan.options.output.unsuccessful != .accept { arguments.insert("--fail-with-body", at: 0) }
        if plan.options.transfer.redirectLimit > 0 { arguments.insert("--location", at: 0) }
        let missingOptions = givenOptions.filter { !CurlOption.covered.contains($0) }.map { "--" + $0 }
        if !missingOptions.isEmpty { warn("curl has no \(missingOptions.joined(separator: ", no ")); left out") }
    }

    /// Makes the command that sends a request.
    ///
    /// - Parameters:
    ///   - request: The request that the command sends.
    ///   - bodyOption: The value of `--body`, which replaces the request's body; nil if it is not given. If it names a
    ///     file or stdin, curl reads it itself.
    init(_ request: Request, bodyOption: SourcedText? = nil) {
        let body = CurlBody(of: request, bodyOption: bodyOption)
        let secretItems = request.query.filter(\.content.holdsVariables)
        // With --get, curl appends to the URL what would otherwise be data.
        let usesGet = !secretItems.isEmpty && body == .none
        if usesGet { arguments.append("--get") }
        addMethod(request.method, with: body)
        addURL(Self.publicURL(of: request))
        for item in secretItems { addSecretQueryItem(item, usesGet: usesGet) }
        addHeaders(of: request, with: body)
        addBody(body)
    }

    /// Returns the command without the given secrets, such as values that a server has sent.
    ///
    /// Variables of the shell stay, because only their names are in the command.
    ///
    /// - Parameter redact: Returns a text without these secrets.
    func redacted(_ redact: (String) -> String) -> CurlCommandText {
        func redactedPiece(_ piece: Argument.Piece) -> Argument.Piece {
            guard let text = piece.shellText else { return piece }
            return .text(redact(text))
        }
        var redactedCommand = self
        redactedCommand.arguments = arguments.map { Argument($0.pieces.map(redactedPiece)) }
        return redactedCommand
    }

    // MARK: Method and URL

    /// Adds the method if curl would not choose it by itself: it chooses POST for a request with data, or else GET.
    private mutating func addMethod(_ method: HTTPMethod, with body: CurlBody) {
        let hasBody = body != .none
        if method == .head, !hasBody {
            arguments.append("--head")
            return
        }
        let methodByDefault: HTTPMethod = hasBody ? .post : .get
        if method == methodByDefault { return }
        arguments += ["--request", Argument(method.rawValue)]
        if method == .head { warn("with data, curl waits for a body of the response to HEAD") }
    }

    /// Adds the URL, and the options that keep curl from changing it: by default, it expands brackets and braces, and
    /// removes dot segments.
    private mutating func addURL(_ url: String) {
        if url.contains(where: { "[]{}".contains($0) }) { arguments.append("--globoff") }
        // Dot segments can come from the base URL. Newer versions of curl resolve encoded ones too.
        let segments = url.prefix { $0 != "?" }.split(separator: "/")
        let hasDotSegments = segments.contains { [".", ".."].contains(PercentEncoding.decode($0)) }
        if hasDotSegments { arguments.append("--path-as-is") }
        arguments.append(Argument(url))
    }

    /// Returns the URL without the query items that have variables. A secret that was typed on the command line may be
    /// shown.
    private static func publicURL(of request: Request) -> String {
        var publicRequest = request
        let publicItems = request.query.filter { !$0.content.holdsVariables }
        publicRequest.query = publicItems.map { item in
            var revealedItem = item
            revealedItem.content = SensitiveText(shellPieces(of: item.content).compactMap(\.shellText).joined())
            return revealedItem
        }
        return (try? publicRequest.revealedURL()) ?? publicRequest.urlWithRedactedQuery
    }

    /// Adds a query item whose value is in a variable of the shell. curl must encode the value, because only the shell
    /// knows it.
    ///
    /// - Parameters:
    ///   - item: The query item.
    ///   - usesGet: Whether the command has `--get`, which puts data into the URL. Otherwise the item is added with
    ///     `--url-query`, which older versions of curl do not have.
    private mutating func addSecretQueryItem(_ item: QueryItem, usesGet: Bool) {
        if !usesGet { warn("--url-query needs curl 7.87 or newer") }
        let option: Argument = usesGet ? "--data-urlencode" : "--url-query"
        // curl encodes only what follows the `=`.
        let nameAndEquals = Argument.Piece.text(PercentEncoding.encode(item.name) + "=")
        arguments += [option, Argument([nameAndEquals] + Self.shellPieces(of: item.content))]
        warnAboutUnsetVariables(in: item.content)
    }

    // MARK: Headers

    /// Adds the headers of the request. Also adds arguments for headers that curl must not send by itself.
    private mutating func addHeaders(of request: Request, with body: CurlBody) {
        for header in request.headers {
            // curl makes a boundary of its own.
            if body.isForm && header.namesBoundary { continue }
            addHeader(header)
        }
        for name in request.withheldHeaders { addRemoval(ofHeader: name) }
        // `call` asks for compression by default, curl only with this option.
        if !request.specifies(header: "Accept-Encoding") { arguments.append("--compressed") }
        // By default, curl would send the Content-Type of a form.
        if body != .none, !request.specifies(header: "Content-Type") { addRemoval(ofHeader: "Content-Type") }
    }

    /// Adds a header in the form that curl needs for it.
    ///
    /// | Header | Argument |
    /// |---|---|
    /// | `Authorization` with user and password | `--user "$USER:$PASSWORD"` |
    /// | without a value, or with blanks only | `--header 'X-Empty;'` |
    /// | any other | `--header 'Accept: text/html'` |
    ///
    /// A value with a variable is not blank, even if the variable is empty.
    private mutating func addHeader(_ header: HTTPField) {
        let valuePieces = Self.shellPieces(of: header.content)
        let lastPiece = header.content.pieces.last
        if header.isNamed("Authorization"), let lastPiece, lastPiece.isUserAndPassword {
            // curl writes what comes before the last piece, the name of the scheme, by itself.
            arguments += ["--user", Argument(Self.shellPieces(of: SensitiveText([lastPiece])))]
        } else if valuePieces.allSatisfy(\.isBlank) {
            // With a colon instead of the semicolon, curl would send no such header.
            arguments += ["--header", Argument(header.name + ";")]
        } else {
            arguments += ["--header", Argument([.text(header.name + ": ")] + valuePieces)]
        }
        warnAboutUnsetVariables(in: header.content)
    }

    /// Adds the argument that keeps curl from sending a header of its own.
    private mutating func addRemoval(ofHeader name: String) {
        arguments += ["--header", Argument(name + ":")]
    }

    // MARK: Body

    /// Adds the arguments for a body. There are none for a body that can't be written as an argument.
    private mutating func addBody(_ body: CurlBody) {
        switch body {
        case .none, .unknown: break
        case .stdin: arguments += ["--data-binary", "@-"]
        case .file(let atAndPath): arguments += ["--data-binary", Argument(atAndPath)]
        case .bytes(let bytes): addData(bytes)
        case .form(let parts): for part in parts { addFormPart(part) }
        }
    }

    /// Adds the bytes of a body, or the name of a file for bytes that can't be an argument.
    private mutating func addData(_ bytes: [UInt8]) {
        // Linux allows 128 KiB for an argument, which also holds the quotes. A NUL byte would end it.
        let canBeArgument = bytes.count < 100_000 && !bytes.contains(0)
        if canBeArgument {
            arguments += ["--data-raw", Argument(String(exactBytes: bytes))]
        } else {
            arguments += ["--data-binary", "@body"]
            warn("the body can't be an argument: it must be in the file body")
        }
    }

    /// Adds a part of a form.
    ///
    /// curl can only take texts and files. A part that the program makes in memory must therefore be saved as a file
    /// first, which a warning says.
    private mutating func addFormPart(_ part: Part) {
        switch part {
        case .field(let name, let value):
            arguments += ["--form-string", Argument("\(name)=\(value)")]
        case .text(let name, let value, let contentType):
            // The value is quoted. Otherwise curl would read a `;` in it as the start of a type, and `@` or `<` as a
            // file.
            arguments += ["--form", Argument("\(name)=\(Self.quotedInForm(value));type=\(contentType)")]
        case .file(let name, let path, let filename, let contentType):
            // In curl, a file `-` would mean stdin.
            let file = Self.quotedInForm(path == "-" ? "./-" : path)
            let shownName = filename.map { ";filename=" + Self.quotedInForm($0) } ?? ""
            arguments += ["--form", Argument("\(name)=@\(file);type=\(contentType)\(shownName)")]
        case .bytes(let name, _, let filename?, let contentType),
            .stream(let name, _, let filename?, let contentType):
            let file = Self.quotedInForm(filename)
            arguments += ["--form", Argument("\(name)=@\(file);type=\(contentType)")]
            warn("the part \(name) is no file here: it must be in the file \(filename)")
        case .bytes(let name, _, nil, let contentType), .stream(let name, _, nil, let contentType):
            // With `<` instead of `@`, curl sends the content of a file without its name.
            arguments += ["--form", Argument("\(name)=<\(Self.quotedInForm(name));type=\(contentType)")]
            warn("the part \(name) is no file here: it must be in the file \(name)")
        }
    }

    /// Returns a text in the quotes of `--form`, between which any character is allowed: `a"b` becomes `"a\"b"`.
    private static func quotedInForm(_ text: String) -> String {
        let escaped = text.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: "\"", with: "\\\"")
        return "\"\(escaped)\""
    }

    // MARK: Secrets and warnings

    /// Returns a text as pieces for a shell. A secret becomes the variable that it comes from, such as `$TOKEN`.
    ///
    /// A secret without a variable was typed on the command line, so it may be shown as text. A user with a password
    /// becomes `$USER:$PASSWORD`.
    private static func shellPieces(of text: SensitiveText) -> [Argument.Piece] {
        text.pieces.flatMap { piece -> [Argument.Piece] in
            switch piece {
            case .text: [piece]
            case .secret(let secret):
                secret.variable == nil ? [.text(secret.reveal() ?? secret.description)] : [piece]
            case .basic(let user, let password):
                shellPieces(of: SensitiveText([.secret(user), .text(":"), .secret(password)]))
            }
        }
    }

    /// Warns about each variable in a text that has no value.
    private mutating func warnAboutUnsetVariables(in text: SensitiveText) {
        let unsetVariables = text.secrets.filter { !$0.isSet }.compactMap(\.variable)
        for name in unsetVariables { warnAboutUnsetVariable(name) }
    }

    /// Warns that a variable of the shell is not set.
    mutating func warnAboutUnsetVariable(_ name: String) {
        warn("\(name) is not set; the command will send an empty value")
    }

    /// Adds a warning, unless there is the same already.
    private mutating func warn(_ warning: String) {
        if !warnings.contains(warning) { warnings.append(warning) }
    }
}

/// The body that curl sends.
private enum CurlBody: Equatable {
    case none
    case stdin
    /// The value of `--body` for a file: `@FILE`.
    case file(String)
    case bytes([UInt8])
    case form([Part])
    /// A body that can't be written as an argument.
    case unknown

    /// Finds out how curl gets the body of a request.
    ///
    /// - Parameters:
    ///   - request: The request that curl is to send.
    ///   - bodyOption: The value of `--body`, which replaces the request's body; nil if it is not given.
    init(of request: Request, bodyOption: SourcedText?) {
        if let bodyOption {
            self.init(bodyOption)
        } else if let body = request.body {
            self.init(body)
        } else {
            // Without a body, these methods have Content-Length: 0, which curl only sends with empty data.
            let announcesBody = [.post, .put, .patch].contains(request.method)
            self = announcesBody ? .bytes([]) : .none
        }
    }

    /// Reads the value of `--body`: `-` or `@-` for stdin, `@FILE` for a file, or the text of the body.
    private init(_ bodyOption: SourcedText) {
        if bodyOption.isStdin {
            self = .stdin
        } else if bodyOption.filePath != nil {
            self = .file(bodyOption.text)
        } else {
            self = .bytes(bodyOption.text.exactBytes)
        }
    }

    /// Reads the body of a request. A body that is neither a form nor bytes in memory is ``unknown``.
    private init(_ body: RequestBody) {
        if let parts = body.parts {
            self = .form(parts)
        } else if let bytes = body.bytes {
            self = .bytes(bytes)
        } else {
            self = .unknown
        }
    }

    /// Whether the body is a form in parts.
    var isForm: Bool { if case .form = self { true } else { false } }
}

extension CurlCommandText.Argument {
    /// Makes an argument of one variable of the shell.
    static func variable(_ name: String) -> Self { Self([.variable(name)]) }
    /// Makes an argument of a time in seconds, which may have a fraction.
    static func seconds(_ duration: Duration) -> Self { Self("\(duration.inSeconds)") }
}

extension SensitiveText.Piece {
    /// Makes a variable of the shell.
    static func variable(_ name: String) -> Self { .secret(Secret(variable: name, value: nil)) }

    /// The name of the variable of the shell that has the piece's value; nil for text.
    var shellVariable: String? { if case .secret(let secret) = self { secret.variable } else { nil } }

    /// Whether the piece is a user and password, as Basic authentication sends them.
    fileprivate var isUserAndPassword: Bool { if case .basic = self { true } else { false } }

    /// The text, which may be shown; nil for a variable.
    var shellText: String? { shellVariable == nil ? SensitiveText([self]).description : nil }

    /// Whether the piece has only spaces and tabs. A variable is not blank.
    fileprivate var isBlank: Bool {
        guard let shellText else { return false }
        return shellText.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}

extension SensitiveText {
    /// Whether a secret in the text comes from a variable.
    fileprivate var holdsVariables: Bool { secrets.contains { $0.variable != nil } }
}

extension HTTPField {
    /// Whether the header gives the boundary between the parts of a form.
    fileprivate var namesBoundary: Bool {
        isNamed("Content-Type") && value.description.hasPrefix("multipart/form-data; boundary=")
    }
}

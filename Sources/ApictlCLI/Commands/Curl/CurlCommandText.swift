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
    ///   - plan: The plan of the call.
    ///   - context: The context.
    init(_ plan: CallPlan, _ context: CommandContext) {
        let given = plan.options.common.given
        var request = plan.request
        request.headers.removeAll(where: plan.headersOmittedFromCurl.contains)
        let signing = CurlSigning(&request)
        self.init(request, replacement: plan.options.request.body)
        // The rest of a file must not be compressed, because the first part is not.
        if plan.options.output.resumes { arguments.removeAll { $0 == "--compressed" } }
        arguments += signing.arguments
        for warning in signing.warnings { warn(warning) }
        for form in CurlForm.all(in: given) { arguments += form.arguments(plan, context) }
        // `call` fails for a status of 400 and more by default, curl does only with this option.
        if plan.options.output.unsuccessful != .accept { arguments.insert("--fail-with-body", at: 0) }
        if plan.options.transfer.redirectLimit > 0 { arguments.insert("--location", at: 0) }
        let missing = given.filter { !CurlForm.covered.contains($0) }.map { "--" + $0 }
        if !missing.isEmpty { warn("curl has no \(missing.joined(separator: ", no ")); left out") }
    }

    /// Makes the command that sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - replacement: The value of `--body`, which replaces the request's body; nil if it is not given. A file or
    ///     stdin stays one in the command.
    init(_ request: Request, replacement: SourcedText? = nil) {
        let body = CurlBody(request, replacement: replacement)
        let secretItems = request.query.filter(\.content.holdsVariables)
        // With this option, curl appends to the URL what would otherwise be data.
        if !secretItems.isEmpty, body == .none { arguments.append("--get") }
        addMethod(request.method, body)
        addURL(Self.publicURL(of: request))
        for item in secretItems { add(secret: item, isGet: body == .none) }
        addHeaders(of: request, body)
        add(body)
    }

    /// Returns the command without secrets that come from elsewhere, such as a value that a server sent.
    ///
    /// - Parameter redact: Returns a text without these secrets.
    func redacted(_ redact: (String) -> String) -> CurlCommandText {
        var copy = self
        copy.arguments = arguments.map { argument in
            let pieces = argument.pieces.map { piece -> Argument.Piece in
                if let text = piece.shellText { return .text(redact(text)) }
                return piece
            }
            return Argument(pieces)
        }
        return copy
    }

    // MARK: Method and URL

    /// Adds the method if curl would not choose it by itself.
    private mutating func addMethod(_ method: HTTPMethod, _ body: CurlBody) {
        let hasBody = body != .none
        if method == .head, !hasBody {
            arguments.append("--head")
            return
        }
        if method == (hasBody ? .post : .get) { return }
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

    /// Returns the URL without query items whose secrets come from variables. A secret that was typed on the command
    /// line may be shown.
    private static func publicURL(of request: Request) -> String {
        var copy = request
        copy.query = request.query.filter { !$0.content.holdsVariables }.map { item in
            var revealed = item
            revealed.content = SensitiveText(pieces(of: item.content).compactMap(\.shellText).joined())
            return revealed
        }
        return (try? copy.revealedURL()) ?? copy.urlWithRedactedQuery
    }

    /// Adds a query item whose value is in a variable of the shell. curl must encode the value, because only the shell
    /// knows it.
    ///
    /// - Parameters:
    ///   - item: The query item.
    ///   - isGet: Whether the command has `--get`, which puts data into the URL. Otherwise the option is `--url-query`,
    ///     which is newer.
    private mutating func add(secret item: QueryItem, isGet: Bool) {
        if !isGet { warn("--url-query needs curl 7.87 or newer") }
        let name = Argument.Piece.text(PercentEncoding.encode(item.name) + "=")
        arguments += [isGet ? "--data-urlencode" : "--url-query", Argument([name] + Self.pieces(of: item.content))]
        warnAboutUnset(item.content)
    }

    // MARK: Headers

    /// Adds the headers of the request, and arguments that remove headers which curl would add by itself.
    private mutating func addHeaders(of request: Request, _ body: CurlBody) {
        for header in request.headers {
            // curl makes a boundary of its own.
            if body.isForm && header.namesBoundary { continue }
            add(header)
        }
        for name in request.withheldHeaders { addRemoval(ofHeader: name) }
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
    private mutating func add(_ header: HTTPField) {
        let value = Self.pieces(of: header.content)
        let isBlank = value.allSatisfy { $0.shellText?.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } == true }
        if let last = header.content.pieces.last, case .basic = last, header.isNamed("Authorization") {
            arguments += ["--user", Argument(Self.pieces(of: SensitiveText([last])))]
        } else if isBlank {
            // With a colon instead of the semicolon, curl would send no such header.
            arguments += ["--header", Argument(header.name + ";")]
        } else {
            arguments += ["--header", Argument([.text(header.name + ": ")] + value)]
        }
        warnAboutUnset(header.content)
    }

    /// Adds the argument that keeps curl from sending a header of its own.
    private mutating func addRemoval(ofHeader name: String) {
        arguments += ["--header", Argument(name + ":")]
    }

    // MARK: Body

    /// Adds the arguments for a body. There are none for a body that can't be written as an argument.
    private mutating func add(_ body: CurlBody) {
        switch body {
        case .none: break
        case .stdin: arguments += ["--data-binary", "@-"]
        case .file(let word): arguments += ["--data-binary", Argument(word)]
        case .bytes(let bytes): add(bytes)
        case .form(let parts): for part in parts { add(part) }
        case .unknown: break
        }
    }

    /// Adds the bytes of a body, or the name of a file for bytes that can't be an argument.
    private mutating func add(_ bytes: [UInt8]) {
        // Linux allows 128 KiB for an argument. A NUL byte would end it.
        let canBeArgument = bytes.count < 100_000 && !bytes.contains(0)
        if canBeArgument {
            arguments += ["--data-raw", Argument(String(exactBytes: bytes))]
        } else {
            arguments += ["--data-binary", "@body"]
            warn("the body can't be an argument: it must be in the file body")
        }
    }

    /// Adds a part of a form.
    private mutating func add(_ part: Part) {
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

    /// Returns a text as pieces for a shell, in which a secret is the variable that it comes from.
    ///
    /// A secret without a variable was typed on the command line, so that it may be shown as text. User and password
    /// become `$USER:$PASSWORD`.
    private static func pieces(of text: SensitiveText) -> [Argument.Piece] {
        text.pieces.flatMap { piece -> [Argument.Piece] in
            switch piece {
            case .secret(let secret) where secret.variable == nil: [.text(secret.reveal() ?? secret.description)]
            case .text, .secret: [piece]
            case .basic(let user, let password):
                pieces(of: SensitiveText([.secret(user), .text(":"), .secret(password)]))
            }
        }
    }

    /// Warns about each secret in a text whose variable is not set.
    private mutating func warnAboutUnset(_ text: SensitiveText) {
        for secret in text.secrets where !secret.isSet {
            if let name = secret.variable { warnAboutUnset(name) }
        }
    }

    /// Warns that a variable of the shell is not set.
    mutating func warnAboutUnset(_ name: String) {
        warn("\(name) is not set; the command will send an empty value")
    }

    /// Adds a warning once.
    private mutating func warn(_ text: String) {
        if !warnings.contains(text) { warnings.append(text) }
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

    /// Reads the body of a request, or the value of `--body` that replaces it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - replacement: The value of `--body`; nil if it is not given.
    init(_ request: Request, replacement: SourcedText?) {
        if let word = replacement {
            if word.isStdin {
                self = .stdin
            } else {
                self = word.file == nil ? .bytes(word.text.exactBytes) : .file(word.text)
            }
        } else if let body = request.body {
            if let parts = body.parts {
                self = .form(parts)
            } else {
                self = body.bytes.map { .bytes($0) } ?? .unknown
            }
        } else {
            // Without a body, these methods have Content-Length: 0, which curl only sends with empty data.
            let announcesBody = [.post, .put, .patch].contains(request.method)
            self = announcesBody ? .bytes([]) : .none
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

    /// The name of the variable; nil for text.
    var shellVariable: String? { if case .secret(let secret) = self { secret.variable } else { nil } }

    /// The text, which may be shown; nil for a variable.
    var shellText: String? { shellVariable == nil ? SensitiveText([self]).description : nil }
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

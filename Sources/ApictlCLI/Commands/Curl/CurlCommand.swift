import EndpointKit
import EndpointTools

/// `curl`: prints the curl command that sends the same request as `call`.
struct CurlCommand: Command {
    static let name = "curl"
    static let usage = "curl API.ENDPOINT|URL [parameters] [options]"
    static let summary = "print the curl command that sends the same request"
    static let table = CallOptions.table
    static let operands = CommandOperands.call

    static func notes(_ context: CommandContext) -> CommandNotes {
        var notes = CallCommand.notes(context)
        notes.paragraphs.append(
            "The printed command can be pasted into sh, bash, zsh and fish. Options that curl does not have, such as --select and --timing, are left out; a note on stderr names them."
        )
        return notes
    }

    private let request: CallRequest

    init(_ words: CommandWords<CallOptions>) throws { request = try words.request(of: Self.name, with: words.options) }

    func run(_ context: CommandContext) async throws -> ExitCode {
        if context.reportsJSON { context.environment.signals.watch(.milliseconds(200)) }
        let request = try context.completed(request)
        let resolver = try CallResolver(
            context, environmentFiles: request.options.request.environmentFiles, apis: [request.declaration.api])
        let plan = try resolver.curlPlan(request)
        var curl = CurlCommandText(plan, resolver.context)
        let environment = context.environment
        // The shell has no variables of --env-file and of the configuration.
        for name in plan.request.usedVariables where !environment.isSet(name) { curl.warnAboutUnset(name) }
        for warning in context.reportsJSON ? [] : curl.warnings {
            try environment.stderr.write("note: \(warning.safeToShow)\n")
        }
        try environment.stdout.write(ShellText.command(curl) + "\n")
        return .success
    }
}

extension CurlCommandText {
    /// The command that does what `plan` says, with warnings about options that curl lacks.
    init(_ plan: CallPlan, _ context: CommandContext) {
        var request = plan.request
        request.headers.removeAll(where: plan.headersOmittedFromCurl.contains)
        self.init(request, replacement: plan.options.request.body)
        // The rest of a file must not be compressed, because the first part is not.
        if plan.options.output.resumes { arguments.removeAll { $0 == "--compressed" } }
        for form in CurlForm.all(in: plan.options.common.given) { arguments += form.arguments(plan, context) }
        let missing = plan.options.common.given.filter { !CurlForm.covered.contains($0) }.map { "--" + $0 }
        // One difference remains: after a 303, curl keeps a method given with --request, while call sends GET.
        if plan.options.output.unsuccessful != .accept { arguments.insert("--fail-with-body", at: 0) }
        if plan.options.transfer.redirectLimit > 0 { arguments.insert("--location", at: 0) }
        if !missing.isEmpty { warnings.append("curl has no \(missing.joined(separator: ", no ")); left out") }
    }
}

extension CurlCommandText.Argument {
    static func variable(_ name: String) -> Self { Self([.variable(name)]) }
    static func seconds(_ duration: Duration) -> Self { Self("\(duration.inSeconds)") }
}

/// A curl command: its arguments, and warnings about differences from `call`.
struct CurlCommandText: Sendable, Equatable {
    /// A text with shell variables as its secrets.
    typealias Argument = SensitiveText

    var arguments: [Argument] = []
    var warnings: [String] = []

    /// The same without secrets that come from elsewhere, such as a value that a server sent.
    func redacted(_ redact: (String) -> String) -> CurlCommandText {
        var copy = self
        copy.arguments = arguments.map { Argument($0.pieces.map { $0.shellText.map { .text(redact($0)) } ?? $0 }) }
        return copy
    }
}

extension CurlCommandText {
    /// The command that sends `request`; `replacement` is the value of `--body`, if given.
    init(_ request: Request, replacement: SourcedText? = nil) {
        // A POST, PUT or PATCH without a body has Content-Length: 0, which curl only sends with empty data.
        let announcesBody = replacement != nil || [.post, .put, .patch].contains(request.method)
        let body = replacement == nil ? request.body ?? (announcesBody ? RequestBody(bytes: []) : nil) : RequestBody([])
        var plain = request
        plain.query = request.query.filter { !$0.value.holdsVariables }.map { item in
            var plainItem = item
            plainItem.value = SensitiveText(Self.pieces(of: item.value).compactMap(\.shellText).joined())
            return plainItem
        }
        // What was typed may be shown.
        let url = (try? plain.revealedURL()) ?? plain.urlWithRedactedQuery
        let secretItems = request.query.filter(\.value.holdsVariables)

        // The method, if curl would not choose it.
        if !secretItems.isEmpty, body == nil { arguments.append("--get") }
        if request.method == .head, body == nil {
            arguments.append("--head")
        } else if request.method != (body == nil ? .get : .post) {
            arguments += ["--request", Argument(request.method.rawValue)]
            if request.method == .head { warn("with data, curl waits for a body of the response to HEAD") }
        }
        if url.contains(where: { "[]{}".contains($0) }) { arguments.append("--globoff") }
        // Dot segments can come from the base URL; newer versions of curl also resolve encoded ones.
        let segments = url.prefix { $0 != "?" }.split(separator: "/")
        if segments.contains(where: { [".", ".."].contains(PercentEncoding.decode($0)) }) {
            arguments.append("--path-as-is")
        }
        arguments.append(Argument(url))
        for item in secretItems { add(secret: item, toURL: body == nil) }
        // curl makes its own boundary, so the header with ours must not be sent.
        let isForm = body?.parts != nil
        for header in request.headers where !(isForm && header.namesBoundary) { add(header) }
        for name in request.withheldHeaders { arguments += ["--header", Argument(name + ":")] }
        if !request.specifies(header: "Accept-Encoding") { arguments.append("--compressed") }
        // By default curl would send the Content-Type of a form.
        if body != nil, !request.specifies(header: "Content-Type") { arguments += ["--header", "Content-Type:"] }
        if let replacement {
            add(replacement: replacement)
        } else if let parts = body?.parts {
            for part in parts { add(part) }
        } else if let bytes = body?.bytes {
            add(bytes)
        }
    }

    /// `@FILE`, `-` for stdin, or the text itself.
    private mutating func add(replacement word: SourcedText) {
        guard word.isStdin || word.file != nil else { return add(word.text.exactBytes) }
        arguments += ["--data-binary", word.isStdin ? "@-" : Argument(word.text)]
    }

    /// Adds a query item whose value curl encodes, because it is in a variable: with `--get`, or with the newer `--url-query`.
    private mutating func add(secret item: QueryItem, toURL isGet: Bool) {
        if !isGet { warn("--url-query needs curl 7.87 or newer") }
        let name = Argument.Piece.text(PercentEncoding.encode(item.name) + "=")
        arguments += [isGet ? "--data-urlencode" : "--url-query", Argument([name] + Self.pieces(of: item.value))]
        warnAboutUnset(item.value)
    }

    private mutating func add(_ header: Header) {
        let value = Self.pieces(of: header.value)
        if let last = header.value.pieces.last, case .basic = last, header.isNamed("Authorization") {
            arguments += ["--user", Argument(Self.pieces(of: SensitiveText([last])))]
        } else if value.allSatisfy({ $0.shellText?.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } == true }) {
            // "Name:" would remove the header.
            arguments += ["--header", Argument(header.name + ";")]
        } else {
            arguments += ["--header", Argument([.text(header.name + ": ")] + value)]
        }
        warnAboutUnset(header.value)
    }

    private mutating func add(_ part: Part) {
        switch part {
        case .field(let name, let value):
            arguments += ["--form-string", Argument("\(name)=\(value)")]
        case .text(let name, let value, let contentType):
            // Quoted, because curl would read a `;` in the value as the start of a type, and `@` or `<` as a file.
            arguments += ["--form", Argument("\(name)=\(Self.quotedInForm(value));type=\(contentType)")]
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

    /// Adds data; an argument can't contain a NUL byte, and its length is limited.
    private mutating func add(_ bytes: [UInt8]) {
        let isShort = bytes.count < 100_000 && !bytes.contains(0)
        arguments += isShort ? ["--data-raw", Argument(String(exactBytes: bytes))] : ["--data-binary", "@body"]
        if !isShort { warn("the body can't be an argument: it must be in the file body") }
    }

    /// The text with the variables of its secrets; a secret without one was typed on the command line, so it is shown.
    private static func pieces(of text: SensitiveText) -> [Argument.Piece] {
        text.pieces.flatMap { part -> [Argument.Piece] in
            switch part {
            case .secret(let secret) where secret.variable == nil: [.text(secret.reveal() ?? secret.description)]
            case .text, .secret: [part]
            case .basic(let user, let password): [.secret(user), .text(":"), .secret(password)]
            }
        }
    }

    private mutating func warnAboutUnset(_ text: SensitiveText) {
        for secret in text.secrets where !secret.isSet {
            if let name = secret.variable { warnAboutUnset(name) }
        }
    }

    fileprivate mutating func warnAboutUnset(_ name: String) {
        warn("\(name) is not set; the command will send an empty value")
    }

    private mutating func warn(_ text: String) {
        if !warnings.contains(text) { warnings.append(text) }
    }
}

extension SensitiveText.Piece {
    /// A variable of the shell.
    static func variable(_ name: String) -> Self { .secret(Secret(variable: name, value: nil)) }

    /// The name of the variable; nil for text.
    var shellVariable: String? { if case .secret(let secret) = self { secret.variable } else { nil } }

    /// The text, which may be shown; nil for a variable.
    var shellText: String? { shellVariable == nil ? SensitiveText([self]).description : nil }
}

extension SensitiveText {
    /// Whether a secret in it comes from a variable.
    fileprivate var holdsVariables: Bool { secrets.contains { $0.variable != nil } }
}

extension Header {
    fileprivate var namesBoundary: Bool {
        isNamed("Content-Type") && value.description.hasPrefix("multipart/form-data; boundary=")
    }
}

import EndpointKit

/// Reads the words of a curl command, and makes the requests that the command would send.
///
/// The options are read one after the other, in ``read(_:)``. When all are read, ``makeRequests()`` makes a request for
/// each URL, because what an option means may depend on the others: `--get` moves `--data` to the query.
package struct CurlArguments {
    /// The files and variables that a command refers to.
    ///
    /// `read` returns the content of a file, of which `-` is stdin. `variable` returns the value of a variable of the
    /// shell, nil if it is not set.
    package typealias Surroundings = (read: (String) throws -> [UInt8], variable: (String) -> String?)

    private let surroundings: Surroundings
    /// The parts that all requests of the command have.
    private var request = ImportedRequest()
    private var urls: [String] = []
    /// The items that options such as `--url-query` add to the query, percent-encoded.
    private var query: [String] = []
    private var cookies: [String] = []
    /// The headers of options such as `--user-agent`. A `--header` of the same name replaces one.
    private var optionHeaders: [ImportedRequest.NameValue] = []
    /// The data of all options such as `--data`, joined in their order; nil if there is none.
    private var data: [UInt8]?
    /// The file that is all of the data; nil if there is other data too.
    private var dataFile: String?
    /// The parts of `--form`.
    private var parts: [Part] = []
    /// The files of `--upload-file`, the first of which goes to the first URL.
    private var uploads: [String] = []
    /// The names of the options that are given and have an effect on others: `get`, `head`, `json`, `globoff`,
    /// `path-as-is`.
    private var flags: Set<String> = []
    /// Whether an option sets the header `Authorization`, or removes it with an empty value.
    private var hasAuthorization = false
    private var user: (name: String, password: String)?
    /// The options of authentication schemes that credentials don't have, such as `--digest`.
    private var schemeOptions: [String] = []
    /// The options that an endpoint can't have, such as `--limit-rate`, for a note.
    private var unusedOptions: [String] = []
    /// The options about the connection that `call` has too, such as `--insecure`.
    private var connectionOptions: Set<String> = []
    /// The options of output, such as `--output`, except for those in ``impliedOptions``.
    private var outputOptions: [String] = []
    /// The options of output and transfer that say what `call` does by itself.
    private static let impliedOptions: Set = [
        "silent", "show-error", "location", "compressed", "fail", "fail-with-body", "buffer", "progress-bar",
        "progress-meter", "basic", "disable", "follow", "styled-output",
    ]

    /// Returns the requests of the curl commands in a text that was copied from a shell. Other commands are skipped.
    ///
    /// Assignments before a command count: `TOKEN=abc; curl -H "X-Key: $TOKEN" …`.
    ///
    /// - Throws: ``ImportError``, and the errors of reading a file.
    package static func requests(text: String, _ surroundings: Surroundings) throws -> [ImportedRequest] {
        var requests: [ImportedRequest] = []
        var assignedValues: [String: String] = [:]
        // A prompt, and words that may stand before a command.
        let wordsBeforeCommand = ["$", "export", "sudo", "time", "env", "command", "then", "do"]
        for command in try ShellReader.commands(text) {
            var words = command.drop { wordsBeforeCommand.contains($0) }
            while let word = words.first, let assignment = parseAssignment(word) {
                assignedValues[assignment.name] = assignment.value
                words = words.dropFirst()
            }
            let program = words.first?.split(separator: "/").last
            guard program == "curl" || program == "curl.exe" else { continue }
            let variable = { [assignedValues] name in assignedValues[name] ?? surroundings.variable(name) }
            requests += try self.requests(words.dropFirst(), (surroundings.read, variable))
        }
        if requests.isEmpty { throw ImportError("there is no curl command in the text") }
        return requests
    }

    /// Returns the variable that a word sets, with its value: `TOKEN=abc` → `TOKEN`, `abc`.
    ///
    /// - Returns: The name and the value; nil if the word is no assignment.
    private static func parseAssignment(_ word: String) -> (name: String, value: String)? {
        guard let equals = word.firstIndex(of: "="), equals > word.startIndex else { return nil }
        let name = word[..<equals]
        guard name.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }) else { return nil }
        return (String(name), String(word[equals...].dropFirst()))
    }

    /// Returns the requests of a command, one for each URL.
    ///
    /// - Parameters:
    ///   - words: The words after `curl`. The option `--next` begins a part with options of its own.
    ///   - surroundings: The files and variables that the words refer to.
    /// - Throws: ``ImportError``, and the errors of reading a file.
    package static func requests(
        _ words: some Collection<String>, _ surroundings: Surroundings
    ) throws -> [ImportedRequest] {
        let options = try CurlOptions.parse(words)
        // An empty part is kept: it has no URL, which is an error.
        let optionsOfParts = options.split(omittingEmptySubsequences: false) { $0.name == "next" }
        return try optionsOfParts.flatMap { optionsOfPart in
            var arguments = CurlArguments(surroundings: surroundings)
            for option in optionsOfPart { try arguments.read(option) }
            return try arguments.makeRequests()
        }
    }

    private init(surroundings: Surroundings) { self.surroundings = surroundings }

    // MARK: Options

    /// Reads an option or a URL of the command. What it says about the requests is kept until all options are read.
    ///
    /// - Throws: ``ImportError`` for an option that must not be ignored, such as `--config`, and the errors of reading
    ///   a file.
    private mutating func read(_ option: CurlOptions.GivenOption) throws {
        let value = option.value
        switch option.name {
        case "url": urls.append(value)
        case "request": request.method = filled(value)
        case "get", "head", "globoff", "path-as-is": flags.insert(option.name)
        // After a plus sign, the text is sent as it is.
        case "url-query": query.append(value.hasPrefix("+") ? String(value.dropFirst()) : try urlEncoded(value))
        case "user": readUser(value)
        case "header": try readHeader(value)
        case "user-agent": setHeader("User-Agent", to: value)
        // With `;auto`, curl replaces the value when it follows a redirect.
        case "referer":
            let sentValue = value.hasSuffix(";auto") ? String(value.dropLast(";auto".count)) : value
            setHeader("Referer", to: sentValue)
        // curl sends `bytes=600-` for `-r 600`.
        case "range": setHeader("Range", to: "bytes=\(value.contains("-") ? value : value + "-")")
        case "oauth2-bearer": setHeader("Authorization", to: "Bearer \(value)")
        case "cookie": readCookie(value)
        case "form": parts.append(try parsePart(value))
        case "form-string":
            let (name, text) = Self.split(value, at: "=")
            parts.append(.field(name, text))
        case "upload-file": uploads.append(filled(value))
        case "data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json": try readData(option)
        default: try readOther(option)
        }
    }

    /// Reads the value of `--user`: `NAME:PASSWORD`.
    private mutating func readUser(_ value: String) {
        let (name, password) = Self.split(value, at: ":")
        user = (name, password)
        // The variable may hold the name alone, or both, as in `--user "$LOGIN"`.
        if !value.contains(":"), let variable = ImportedRequest.variables(in: value).first {
            request.notes.append("if $\(variable) is USER:PASSWORD, the variable to set needs the Base64 text of both")
        }
    }

    /// Reads the value of `--header`: `NAME: VALUE`, or `@FILE` with a header on each line.
    ///
    /// A text that is no header is left out, as curl does. If it has a variable, a note is added.
    private mutating func readHeader(_ value: String) throws {
        if let file = try readFile(namedIn: value) {
            let lines = file.split { "\r\n".utf8.contains($0) }
            request.headers += lines.compactMap { Self.parseHeader(String(exactBytes: $0)) }
        } else if let header = Self.parseHeader(value) {
            request.headers.append(header)
        } else if let variable = ImportedRequest.variables(in: value).first {
            request.notes.append("the header in $\(variable) is left out; write it as NAME: VALUE")
        }
    }

    /// Reads the value of `--cookie`: cookies such as `a=1`, or the name of a file with cookies, which is not read.
    ///
    /// A variable counts as cookies.
    private mutating func readCookie(_ value: String) {
        let hasVariable = !ImportedRequest.variables(in: value).isEmpty
        if value.contains("=") || hasVariable {
            cookies.append(value)
        } else {
            request.notes.append("the cookies of a file are not read")
        }
    }

    /// Sets the header of an option such as `--user-agent`. The last option counts, and an empty value sends none.
    private mutating func setHeader(_ name: String, to value: String) {
        optionHeaders.removeAll { $0.name == name }
        optionHeaders.append((name, value.isEmpty ? nil : value))
    }

    /// Whether a `--header` has that name, so that curl sends no header of its own with it.
    private func isReplacedByHeader(_ name: String) -> Bool {
        request.headers.contains { $0.name.isSameName(as: name) }
    }

    /// Reads an option that adds to the data of the request, such as `--data`.
    ///
    /// Data may be in a file, as in `--data @FILE`, but not that of `--data-raw`.
    private mutating func readData(_ option: CurlOptions.GivenOption) throws {
        let value = option.value
        switch option.name {
        case "data-raw": add(data: value.exactBytes)
        case "data-urlencode": add(data: try urlEncoded(value).exactBytes)
        case "data-binary": add(data: try readFile(namedIn: value) ?? value.exactBytes, ofFile: path(in: value))
        case "json":
            // The flag makes ``setHeaders()`` add the headers of JSON.
            flags.insert(option.name)
            add(data: try readFile(namedIn: value) ?? value.exactBytes, separator: "")
        default:
            // From a file, `--data` takes no line breaks.
            let file = try readFile(namedIn: value)?.filter { !"\r\n\0".utf8.contains($0) }
            add(data: file ?? value.exactBytes)
        }
    }

    /// Adds data to that of the options before: `-d a=1 -d b=2` → `a=1&b=2`.
    ///
    /// - Parameters:
    ///   - newData: The data of the option.
    ///   - separator: The text between the earlier data and this data. `--json` has none.
    ///   - file: The path of the file that has the data; nil if the command has it.
    private mutating func add(data newData: [UInt8], separator: String = "&", ofFile file: String? = nil) {
        if let earlierData = data {
            data = earlierData + separator.utf8 + newData
            // The data is no longer the content of one file.
            dataFile = nil
        } else {
            data = newData
            dataFile = file
        }
    }

    /// Reads an option that no endpoint can have, such as one about the connection or the output.
    ///
    /// - Throws: ``ImportError`` for an option that must not be ignored, such as `--config`.
    private mutating func readOther(_ option: CurlOptions.GivenOption) throws(ImportError) {
        switch option.effect {
        case .refused: throw ImportError("\(option.text) is not read; write its options into the command")
        case .scheme: schemeOptions.append(option.text)
        case .output: addOutput(option)
        case .connection:
            // `call` has the option, but an endpoint does not, so the note names it too.
            addConnection(option)
            addUnused(option)
        case nil: addUnused(option)
        }
    }

    /// Remembers an option of output, unless it says what `call` does by itself.
    private mutating func addOutput(_ option: CurlOptions.GivenOption) {
        // `--no-buffer` counts like `--buffer`, which it reverses.
        let name = option.name.hasPrefix("no-") ? String(option.name.dropFirst("no-".count)) : option.name
        if Self.impliedOptions.contains(name) || outputOptions.contains(option.text) { return }
        outputOptions.append(option.text)
    }

    /// Adds an option about the connection, such as `--cert`, to those that `call` gets. Its secrets are left out.
    private mutating func addConnection(_ option: CurlOptions.GivenOption) {
        let value = filled(option.value)
        let connectionOption: ImportedRequest.ConnectionOption
        switch option.name {
        case "proxy" where value.contains("@"):
            // Name and password of a proxy are left out with the option.
            return
        case "cert":
            // A password may follow the colon.
            connectionOption = .init(name: option.name, value: String(value.prefix { $0 != ":" }))
        default:
            let takesValue = CurlOptions.takesValue(option.name) == true
            connectionOption = .init(name: option.name, value: takesValue ? value : nil)
        }
        // `call` has these options too, so they are not listed among the other options of the request.
        connectionOptions.insert(option.text)
        request.connection.append(connectionOption)
    }

    /// Remembers an option that an endpoint can't have, for a note.
    private mutating func addUnused(_ option: CurlOptions.GivenOption) {
        if !unusedOptions.contains(option.text) { unusedOptions.append(option.text) }
    }

    // MARK: Requests

    /// Completes the shared parts of the requests, and returns a request for each URL of the command.
    ///
    /// Precondition: All options have been read.
    private mutating func makeRequests() throws -> [ImportedRequest] {
        if urls.isEmpty { throw ImportError("the curl command has no URL") }
        try checkMethod()
        if !cookies.isEmpty { setHeader("Cookie", to: cookies.joined(separator: "; ")) }
        // With `--get`, the data is the query, and the request has no content.
        if flags.contains("get"), let data {
            query.append(String(exactBytes: data))
            self.data = nil
        }
        setContent()
        setHeaders()
        if !unusedOptions.isEmpty {
            request.notes.append("not part of an endpoint: \(unusedOptions.joined(separator: ", "))")
        }
        // Notes may quote variables of the shell, which get their `$` back.
        request.notes = request.notes.map { ImportedRequest.filling($0) }
        request.otherOptions = unusedOptions.filter { !connectionOptions.contains($0) } + outputOptions
        return try urls.enumerated().map { index, url in
            let upload = uploads.indices.contains(index) ? uploads[index] : nil
            return try makeRequest(to: url, upload: upload)
        }
    }

    /// Checks that the value of `--request` is a method. A `$` in it is left from a variable that is not set.
    private func checkMethod() throws(ImportError) {
        guard request.method.utf8.allSatisfy({ $0.isTokenByte && $0 != UInt8(ascii: "$") }) else {
            throw ImportError("'\(request.method)' is not a method")
        }
    }

    /// Sets the content of all requests of the command: the data of options such as `--data`, or else the parts of
    /// `--form`.
    ///
    /// With data, it also sets whether curl would send its default content type, that of a form.
    private mutating func setContent() {
        if let data {
            request.content = dataContent(data)
            let hasContentType = flags.contains("json") || isReplacedByHeader("Content-Type")
            request.hasImpliedType = !hasContentType
        } else if !parts.isEmpty {
            request.content = .parts(parts)
        }
    }

    /// Returns the content for the data of options such as `--data`.
    ///
    /// Bytes that are no text can't be written in Swift. If all of them are from one file, that file is the content.
    private func dataContent(_ data: [UInt8]) -> ImportedRequest.Content {
        let isText = String(validating: data, as: UTF8.self) != nil
        if let dataFile, !isText { return .file(dataFile) }
        return .bytes(data)
    }

    /// Adds the headers of options and of the content, except for those that a `--header` replaces. Sets
    /// ``hasAuthorization``.
    private mutating func setHeaders() {
        if flags.contains("json") {
            optionHeaders += [("Content-Type", "application/json"), ("Accept", "application/json")]
        } else if request.hasImpliedType {
            optionHeaders.append(("Content-Type", "application/x-www-form-urlencoded"))
        }
        // A header without a value counts here: with `-H 'Authorization:'`, curl does not send that of `--user`.
        hasAuthorization = (request.headers + optionHeaders).contains { $0.name.isSameName(as: "Authorization") }
        request.headers += optionHeaders.filter { !isReplacedByHeader($0.name) }
        // A header without a value, such as `-H 'Accept:'`, only keeps another one from being sent.
        request.headers.removeAll { $0.value == nil }
    }

    /// Returns the request to a URL: a copy of the shared ``request``, with the parts that depend on the URL.
    ///
    /// - Parameters:
    ///   - url: The URL as it was typed.
    ///   - upload: The path of the file that is sent instead of the shared content; nil if there is none.
    /// - Throws: ``ImportError`` for a URL or path that can't be used.
    private func makeRequest(to url: String, upload: String?) throws -> ImportedRequest {
        var request = request
        if !flags.contains("globoff") {
            try Self.checkGlobs(in: url, subject: "the URL")
            if let upload { try Self.checkGlobs(in: upload, subject: "the file of -T") }
        }
        if let upload { request.content = .file(upload) }
        if request.method.isEmpty { request.method = impliedMethod(request.content, isUpload: upload != nil) }
        try request.setURL(fillServer(of: url), keepsDots: flags.contains("path-as-is"))
        let hasDots = ImportedPath.segments(of: request.path).contains { $0 == "." || $0 == ".." }
        if hasDots { throw ImportError("an endpoint's path can't have '.' or '..', as --path-as-is sends it") }
        setAuthentication(of: &request)
        if let upload { Self.appendName(ofFile: upload, to: &request) }
        addQuery(to: &request)
        request.noteTextAroundVariables()
        return request
    }

    /// Appends the name of an uploaded file to a path that ends with a slash, as curl does.
    ///
    /// - Parameters:
    ///   - file: The path of the file. Nothing is appended for `-`, which is stdin.
    ///   - request: The request with the path.
    private static func appendName(ofFile file: String, to request: inout ImportedRequest) {
        guard file != "-", request.path.hasSuffix("/") else { return }
        let name = PercentEncoding.encode(file.split(separator: "/").last.map(String.init) ?? "")
        request.path += name
        request.typedPath += name
    }

    /// Adds the query items of options such as `--url-query` to those of the URL.
    private func addQuery(to request: inout ImportedRequest) {
        request.query += query.flatMap(ImportedRequest.items)
        let typedQueries = ([request.typedQuery].compactMap(\.self) + query).filter { !$0.isEmpty }
        if !typedQueries.isEmpty { request.typedQuery = typedQueries.joined(separator: "&") }
    }

    /// Returns the method of a request without `--request`.
    private func impliedMethod(_ content: ImportedRequest.Content, isUpload: Bool) -> String {
        if flags.contains("head") { return "HEAD" }
        if isUpload { return "PUT" }
        return content == .none ? "GET" : "POST"
    }

    /// Sets how a request authenticates: by `--user`, or else by the user and password in its URL.
    ///
    /// A header `Authorization` replaces both. Credentials don't have the schemes of options such as `--digest`, so the
    /// request gets a note. The scheme does not become Basic instead, which would send the password as it is.
    private func setAuthentication(of request: inout ImportedRequest) {
        if hasAuthorization {
            request.authentication = .none
            return
        }
        if let user { request.authentication = .basic(user: user.name, password: user.password) }
        guard let option = schemeOptions.first else { return }
        request.notes.append("no credential is declared for \(option): endpoints don't have its scheme")
        if case .basic(let user, let password) = request.authentication {
            request.authentication = .other(option: option, user: user, password: password)
        }
    }

    /// Parses a value of `--header`.
    ///
    /// | Value | Header |
    /// |---|---|
    /// | `NAME: VALUE` | the name with the value |
    /// | `NAME:` | the name with nil: curl does not send the header |
    /// | `NAME;` | the name with an empty value |
    ///
    /// - Returns: The header; nil if the text has neither a colon nor a semicolon.
    private static func parseHeader(_ text: String) -> ImportedRequest.NameValue? {
        let scalars = text.unicodeScalars
        guard let separator = scalars.firstIndex(where: { $0 == ":" || $0 == ";" }) else { return nil }
        let name = String(scalars[..<separator])
        let textAfterSeparator = String(scalars[separator...].dropFirst())
        let value = String(exactBytes: textAfterSeparator.exactBytes.trimmingBlanks())
        let isRemoved = value.isEmpty && scalars[separator] == ":"
        return (name: name, value: isRemoved ? nil : value)
    }

    // MARK: Values

    /// Returns a text with the values of the shell's variables in it. `$NAME` stays for a variable that is not set.
    private func filled(_ text: String) -> String { ImportedRequest.filling(text, surroundings.variable) }

    /// Returns the path in a value such as `@FILE`; nil for any other value.
    private func path(in value: String) -> String? {
        let scalars = value.unicodeScalars
        return scalars.first == "@" ? filled(String(scalars.dropFirst())) : nil
    }

    /// Returns the content of the file that a value such as `@FILE` names; nil for any other value.
    private func readFile(namedIn value: String) throws -> [UInt8]? { try path(in: value).map(surroundings.read) }

    /// Returns the data for a value of `--data-urlencode` or `--url-query`.
    ///
    /// | Value | Data |
    /// |---|---|
    /// | `TEXT`, `=TEXT` | the text, encoded |
    /// | `NAME=TEXT` | `NAME=` and the text, encoded |
    /// | `@FILE` | the content of the file, encoded |
    /// | `NAME@FILE` | `NAME=` and the content of the file, encoded |
    private func urlEncoded(_ value: String) throws -> String {
        guard let sign = value.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
            return Self.formEncoded(value.exactBytes)
        }
        let name = value[..<sign]
        let textOrPath = String(value[sign...].dropFirst())
        let isPath = value[sign] == "@"
        let bytes = isPath ? try surroundings.read(filled(textOrPath)) : textOrPath.exactBytes
        let encodedText = Self.formEncoded(bytes)
        return name.isEmpty ? encodedText : "\(name)=\(encodedText)"
    }

    /// Returns bytes percent-encoded as in a form, with a plus sign for a space: `a b&c` → `a+b%26c`.
    private static func formEncoded(_ bytes: [UInt8]) -> String {
        PercentEncoding.encode(bytes: bytes).replacing("%20", with: "+")
    }

    /// Returns the texts before and after the first separator: `a=b=c` → `a`, `b=c`.
    ///
    /// The second text is empty if there is no separator.
    static func split(_ value: String, at separator: Character) -> (before: String, after: String) {
        let parts = value.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }

    // MARK: Forms

    /// Returns the part for a value of `--form`, such as `photo=@cat.png;type=image/png`.
    ///
    /// The keys `headers=` and `encoder=`, and all files but the first, are left out with a note.
    private mutating func parsePart(_ value: String) throws -> Part {
        let (name, text) = Self.split(value, at: "=")
        let formPart = CurlFormPart(text)
        for key in formPart.ignoredKeys { request.notes.append("\(key)… of the part '\(name)' is not sent") }
        if formPart.hasSeveralFiles { request.notes.append("only the first file of the part '\(name)' is sent") }
        let contentType = formPart.contentType.map { filled(String(exactBytes: $0.exactBytes.trimmingBlanks())) }
        switch formPart.source {
        case .file:
            return .file(
                name, path: filled(formPart.content), filename: formPart.filename.map(filled),
                contentType: contentType ?? CurlFormPart.contentType(ofFile: formPart.content))
        case .text:
            return Self.textPart(name, text: formPart.content, contentType: contentType)
        case .contentOfFile:
            let content = String(exactBytes: try surroundings.read(filled(formPart.content)))
            return Self.textPart(name, text: content, contentType: contentType)
        }
    }

    /// Returns a part with a text, and with a content type unless it is nil.
    private static func textPart(_ name: String, text: String, contentType: String?) -> Part {
        guard let contentType else { return .field(name, text) }
        return .text(name, text, contentType: contentType)
    }

    // MARK: URLs

    /// Returns a URL with the values of the variables in its server: `https://$HOST/$ID` → `https://example.com/$ID`.
    ///
    /// The server must be known to declare the API. Variables in the user, the path and the query stay, because they
    /// become credentials and parameters.
    ///
    /// - Throws: ``ImportError`` if a variable of the server is not set.
    private func fillServer(of url: String) throws(ImportError) -> String {
        var filledURL = url
        // A value may have variables again: `HOST=api.$DOMAIN`. The limit ends a value that contains itself.
        let maxRounds = 10
        for _ in 0..<maxRounds {
            let variablesInServer = ImportedRequest.variables(in: Self.server(of: filledURL))
            guard let name = variablesInServer.first else { break }
            guard let value = surroundings.variable(name) else {
                throw ImportError("the URL's server is in $\(name), which is not set")
            }
            filledURL = ImportedRequest.filling(filledURL) { otherName in
                // Other variables stay, between their marks.
                otherName == name ? value : "\(ShellReader.mark)\(otherName)\(ShellReader.mark)"
            }
        }
        return filledURL
    }

    /// Returns the server in a URL, with the text before it that may have a variable of the server.
    ///
    /// `https://user@example.com:80/a` → `@example.com:80`, `https://example.com/a` → `https://example.com`
    private static func server(of url: String) -> String {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        let authority = url[..<end]
        // The scheme of the URL may be in the variable too: `$SERVER/a`.
        guard let at = authority.lastIndex(of: "@") else { return String(authority) }
        return String(authority[at...])
    }

    /// Checks that a URL or file name is not a pattern that curl would expand, such as `{a,b}` or `[1-9]`.
    ///
    /// - Parameters:
    ///   - text: The URL or file name.
    ///   - subject: What the text is, for the error: `the URL`.
    /// - Throws: ``ImportError``, which does not repeat the text, because it may hold a secret.
    private static func checkGlobs(in text: String, subject: String) throws(ImportError) {
        // In the server, brackets are those of an IPv6 address.
        var textAfterServer = text[...]
        if let scheme = text.firstRange(of: "://") {
            textAfterServer = text[scheme.upperBound...].drop { !"/?#".contains($0) }
        }
        try checkGlob(in: textAfterServer, from: "[", to: "]", subject: subject)
        // The server may have a pattern in braces too.
        try checkGlob(in: text[...], from: "{", to: "}", subject: subject)
    }

    /// Checks that a text has no opening bracket with a closing one somewhere after it.
    ///
    /// - Parameters:
    ///   - text: The URL or the file name, or a part of it.
    ///   - open: The opening bracket.
    ///   - close: The closing bracket.
    ///   - subject: What the text is, for the error: `the URL`.
    private static func checkGlob(
        in text: Substring, from open: String, to close: String, subject: String
    ) throws(ImportError) {
        guard let start = text.firstRange(of: open), text[start.upperBound...].contains(close) else { return }
        throw ImportError(
            "\(subject) has a pattern in \(open)…\(close), which curl replaces; write what it stands for, or --globoff")
    }
}

extension ImportedRequest {
    /// Adds a note for each credential that has other text beside a variable, such as `key-$SUFFIX`.
    ///
    /// The import declares one variable for the whole value of a credential. So that variable must be set to the value
    /// of the shell's variable together with the text around it.
    fileprivate mutating func noteTextAroundVariables() {
        // The value of a query item without `=` is nil.
        for (name, value) in headers + query where ImportSecrets.isCredential(name, value: value ?? "") {
            // The scheme of `Authorization: Bearer $TOKEN` is declared beside the variable.
            let hasScheme = name.isSameName(as: "Authorization")
            // A value without a scheme stays whole.
            let schemeAndSecret = (value ?? "").split(separator: " ", maxSplits: hasScheme ? 1 : 0)
            let subject = Self.filling(name) + (hasScheme ? " after its scheme" : "")
            noteTextAroundVariable(in: schemeAndSecret.last.map(String.init), subject: subject)
        }
        guard case .basic(let user, let password) = authentication else { return }
        noteTextAroundVariable(in: user, subject: "the user")
        noteTextAroundVariable(in: password, subject: "the password")
    }

    /// Adds a note if a value has a variable and other text.
    ///
    /// - Parameters:
    ///   - value: The value of a credential; nil if it has none.
    ///   - subject: What the value is, for the note: `the password`.
    private mutating func noteTextAroundVariable(in value: String?, subject: String) {
        guard let value, let variable = Self.variables(in: value).first else { return }
        let isOnlyVariable = Self.filling(value) == "$" + variable
        if isOnlyVariable { return }
        notes.append("\(variable) stands for all of \(subject): set it to that, with the text around $\(variable)")
    }
}

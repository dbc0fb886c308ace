import EndpointKit

/// A curl command: what its options say about the requests that it sends.
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
    /// The items of the query, percent-encoded.
    private var query: [String] = []
    private var cookies: [String] = []
    /// The headers of options such as `--user-agent`. A `--header` of the same name takes the place of one.
    private var optionHeaders: [ImportedRequest.NameValue] = []
    /// The data of all options in their order; nil if there is none.
    private var data: [UInt8]?
    /// The file that is all of the data; nil if there is other data too.
    private var dataFile: String?
    private var parts: [Part] = []
    private var uploads: [String] = []
    /// Options without a value.
    private var flags: Set<String> = []
    /// Whether an option sets the header `Authorization`, if only to send none.
    private var hasAuthorization = false
    private var user: (name: String, password: String)?
    /// The options of schemes that credentials don't have, such as `--digest`.
    private var schemes: [String] = []
    /// The options that are not part of an endpoint.
    private var others: [String] = []
    /// The options about the connection that `call` has too.
    private var connectionOptions: Set<String> = []
    /// The options of output that `call` does not imply.
    private var outputs: [String] = []
    /// The options of output and transfer that say what `call` does by itself.
    private static let implied: Set = [
        "silent", "show-error", "location", "compressed", "fail", "fail-with-body", "buffer", "progress-bar",
        "progress-meter", "basic", "disable", "follow", "styled-output",
    ]

    /// Returns the requests of the curl commands in a text of a shell. Other commands are skipped.
    ///
    /// - Throws: ``ImportError``, and the errors of reading a file.
    package static func requests(text: String, _ surroundings: Surroundings) throws -> [ImportedRequest] {
        var requests: [ImportedRequest] = []
        var assigned: [String: String] = [:]
        for command in try ShellReader.commands(text) {
            // A prompt, and words that may stand before a command.
            var words = command.drop { ["$", "export", "sudo", "time", "env", "command", "then", "do"].contains($0) }
            while let word = words.first, let assignment = assignment(word) {
                assigned[assignment.name] = assignment.value
                words = words.dropFirst()
            }
            guard let name = words.first?.split(separator: "/").last, name == "curl" || name == "curl.exe" else {
                continue
            }
            let variable = { [assigned] in assigned[$0] ?? surroundings.variable($0) }
            requests += try self.requests(words.dropFirst(), (surroundings.read, variable))
        }
        if requests.isEmpty { throw ImportError("there is no curl command in the text") }
        return requests
    }

    /// Returns the name and value of a variable that a word sets: `TOKEN=abc`; nil for any other word.
    private static func assignment(_ word: String) -> (name: String, value: String)? {
        guard let equals = word.firstIndex(of: "="), equals > word.startIndex else { return nil }
        let name = word[..<equals]
        guard name.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }) else { return nil }
        return (String(name), String(word[equals...].dropFirst()))
    }

    /// Returns the requests of the command with these words after `curl`, one for each URL.
    ///
    /// - Throws: ``ImportError``, and the errors of reading a file.
    package static func requests(
        _ words: some Collection<String>, _ surroundings: Surroundings
    ) throws -> [ImportedRequest] {
        try CurlOptions.items(words).split(omittingEmptySubsequences: false) { $0.name == "next" }.flatMap { items in
            var command = CurlArguments(surroundings: surroundings)
            for item in items { try command.read(item) }
            return try command.requests()
        }
    }

    private init(surroundings: Surroundings) { self.surroundings = surroundings }

    /// Takes what an option says about the requests.
    private mutating func read(_ item: CurlOptions.Item) throws {
        let value = item.value
        switch item.name {
        case "url": urls.append(value)
        case "request": request.method = filled(value)
        case "get", "head", "globoff", "path-as-is": flags.insert(item.name)
        case "url-query": query.append(value.hasPrefix("+") ? String(value.dropFirst()) : try encoded(value))
        case "user":
            user = Self.pair(value, ":")
            if !value.contains(":"), let own = ImportedRequest.variables(in: value).first {
                request.notes.append("if $\(own) is USER:PASSWORD, the variable to set needs the Base64 text of both")
            }
        case "header":
            let lines = try file(value).map { $0.split { "\r\n".utf8.contains($0) }.map { String(exactBytes: $0) } }
            request.headers += (lines ?? [value]).compactMap(Self.header)
            if Self.header(value) == nil, let own = ImportedRequest.variables(in: value).first, lines == nil {
                request.notes.append("the header in $\(own) is left out; write it as NAME: VALUE")
            }
        case "user-agent": set("User-Agent", value)
        case "referer": set("Referer", value.hasSuffix(";auto") ? String(value.dropLast(5)) : value)
        // curl sends `bytes=600-` for `-r 600`.
        case "range": set("Range", "bytes=\(value.contains("-") ? value : value + "-")")
        case "oauth2-bearer": set("Authorization", "Bearer \(value)")
        case "cookie" where value.contains("=") || !ImportedRequest.variables(in: value).isEmpty: cookies.append(value)
        case "cookie": request.notes.append("the cookies of a file are not read")
        case "data", "data-ascii":
            add(data: try file(value)?.filter { !"\r\n\0".utf8.contains($0) } ?? value.exactBytes)
        case "data-raw": add(data: value.exactBytes)
        case "data-binary":
            add(data: try file(value) ?? value.exactBytes, of: fileName(value))
        case "data-urlencode": add(data: try encoded(value).exactBytes)
        case "json":
            flags.insert(item.name)
            add(data: try file(value) ?? value.exactBytes, separator: "")
        case "form", "form-string": parts.append(try part(value, isPlain: item.name == "form-string"))
        case "upload-file": uploads.append(filled(value))
        default: try readOther(item)
        }
    }

    /// Sets the header of an option. The last option counts, and an empty value sends none.
    private mutating func set(_ name: String, _ value: String) {
        optionHeaders.removeAll { $0.name == name }
        optionHeaders.append((name, value.isEmpty ? nil : value))
    }

    /// Returns whether a `--header` has that name, if only to send none.
    private func isReplaced(_ name: String) -> Bool { request.headers.contains { $0.name.isSameName(as: name) } }

    private mutating func add(data more: [UInt8], separator: String = "&", of file: String? = nil) {
        dataFile = data == nil ? file : nil
        data = data.map { $0 + separator.utf8 + more } ?? more
    }

    /// Takes what an option says about the connection or the output, which are no parts of an endpoint.
    ///
    /// - Throws: ``ImportError`` for an option that must not be ignored, such as `--config`.
    private mutating func readOther(_ item: CurlOptions.Item) throws(ImportError) {
        switch item.effect {
        case .refused: throw ImportError("\(item.shown) is not read; write its options into the command")
        case .scheme: schemes.append(item.shown)
        case .output: addOutput(item)
        case .connection:
            addConnection(item)
            addUnused(item)
        case nil: addUnused(item)
        }
    }

    /// Remembers an option of output, unless `call` does by itself what it says.
    private mutating func addOutput(_ item: CurlOptions.Item) {
        let name = item.name.hasPrefix("no-") ? String(item.name.dropFirst(3)) : item.name
        if !Self.implied.contains(name), !outputs.contains(item.shown) { outputs.append(item.shown) }
    }

    /// Adds an option about the connection to the calls, without the secrets that it may have.
    private mutating func addConnection(_ item: CurlOptions.Item) {
        let value = filled(item.value)
        let option: ImportedRequest.ConnectionOption
        switch item.name {
        case "proxy" where value.contains("@"):
            // Name and password of a proxy are left out with the option.
            return
        case "cert":
            // A password may follow the colon.
            option = .init(name: item.name, value: String(value.prefix { $0 != ":" }))
        default:
            let takesValue = CurlOptions.all[item.name]?.takesValue == true
            option = .init(name: item.name, value: takesValue ? value : nil)
        }
        connectionOptions.insert(item.shown)
        request.connection.append(option)
    }

    /// Remembers an option that is not part of an endpoint, for a note.
    private mutating func addUnused(_ item: CurlOptions.Item) {
        if !others.contains(item.shown) { others.append(item.shown) }
    }

    // MARK: Requests

    /// Returns the requests of the command when all of its options are read: one for each URL.
    private mutating func requests() throws -> [ImportedRequest] {
        if urls.isEmpty { throw ImportError("the curl command has no URL") }
        // A variable that is not set has its sign.
        guard request.method.utf8.allSatisfy({ $0.isTokenByte && $0 != UInt8(ascii: "$") }) else {
            throw ImportError("'\(request.method)' is not a method")
        }
        if !cookies.isEmpty { set("Cookie", cookies.joined(separator: "; ")) }
        if flags.contains("get") {
            query += data.map { [String(exactBytes: $0)] } ?? []
            data = nil
        }
        setContent()
        setHeaders()
        if !others.isEmpty { request.notes.append("not part of an endpoint: \(others.joined(separator: ", "))") }
        request.notes = request.notes.map { ImportedRequest.filling($0) }
        request.otherOptions = others.filter { !connectionOptions.contains($0) } + outputs
        return try urls.enumerated().map { index, url in
            try completed(request, url: url, upload: uploads.dropFirst(index).first)
        }
    }

    /// Sets the content that all requests have: parts, or data.
    private mutating func setContent() {
        if !parts.isEmpty { request.content = .parts(parts) }
        guard let data else { return }
        // Bytes can't stand in Swift text.
        let file = String(validating: data, as: UTF8.self) == nil ? dataFile : nil
        request.content = file.map { .file($0) } ?? .bytes(data)
        request.hasImpliedType = !flags.contains("json") && !isReplaced("Content-Type")
    }

    /// Adds the headers that options imply, unless a `--header` takes their place.
    private mutating func setHeaders() {
        if flags.contains("json") {
            optionHeaders += [("Content-Type", "application/json"), ("Accept", "application/json")]
        } else if request.hasImpliedType {
            optionHeaders.append(("Content-Type", "application/x-www-form-urlencoded"))
        }
        hasAuthorization = (request.headers + optionHeaders).contains { $0.name.isSameName(as: "Authorization") }
        request.headers += optionHeaders.filter { !isReplaced($0.name) }
        request.headers.removeAll { $0.value == nil }
    }

    /// Returns the request with its URL, method, authentication, and the file that is uploaded to the URL.
    private func completed(_ shared: ImportedRequest, url: String, upload: String?) throws -> ImportedRequest {
        var request = shared
        if !flags.contains("globoff") {
            try Self.checkGlobs(url, "the URL")
            if let upload { try Self.checkGlobs(upload, "the file of -T") }
        }
        if let upload { request.content = .file(upload) }
        if request.method.isEmpty { request.method = impliedMethod(request.content, isUpload: upload != nil) }
        try request.take(url: serverFilled(url), keepsDots: flags.contains("path-as-is"))
        if ImportedPath.split(request.path).contains(where: { $0 == "." || $0 == ".." }) {
            throw ImportError("an endpoint's path can't have '.' or '..', as --path-as-is sends it")
        }
        setAuthentication(of: &request, hasHeader: hasAuthorization)
        // curl appends the name of the file to a URL that ends with a slash.
        if let upload, upload != "-", request.path.hasSuffix("/") {
            let name = PercentEncoding.encode(upload.split(separator: "/").last.map(String.init) ?? "")
            request.path += name
            request.typedPath += name
        }
        request.query += query.flatMap(ImportedRequest.items)
        let pieces = ([request.typedQuery].compactMap(\.self) + query).filter { !$0.isEmpty }
        if !pieces.isEmpty { request.typedQuery = pieces.joined(separator: "&") }
        request.noteTextAroundVariables()
        return request
    }

    /// Returns the method of a request without `--request`.
    private func impliedMethod(_ content: ImportedRequest.Content, isUpload: Bool) -> String {
        if flags.contains("head") { return "HEAD" }
        if isUpload { return "PUT" }
        return content == .none ? "GET" : "POST"
    }

    /// Sets how a request authenticates, from `--user` or its URL, and the options of schemes.
    ///
    /// A scheme that credentials don't have is noted, and never becomes Basic, which would send the password as it is.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - hasHeader: Whether an option sets the header `Authorization`, if only to send none. It takes the place of all.
    private func setAuthentication(of request: inout ImportedRequest, hasHeader: Bool) {
        if hasHeader { return request.authentication = .none }
        if let user { request.authentication = .basic(user: user.name, password: user.password) }
        guard let option = schemes.first else { return }
        request.notes.append("no credential is declared for \(option): endpoints don't have its scheme")
        if case .basic(let user, let password) = request.authentication {
            request.authentication = .other(option: option, user: user, password: password)
        }
    }

    /// Reads a header as curl does: `NAME: VALUE`, `NAME:` for one that is not sent, and `NAME;` for an empty one.
    ///
    /// - Returns: The header, whose value is nil if it is not sent; nil for a text that is no header.
    private static func header(_ text: String) -> ImportedRequest.NameValue? {
        let scalars = text.unicodeScalars
        guard let end = scalars.firstIndex(where: { $0 == ":" || $0 == ";" }) else { return nil }
        let value = String(exactBytes: String(scalars[end...].dropFirst()).exactBytes.trimmingBlanks())
        return (String(scalars[..<end]), value.isEmpty && scalars[end] == ":" ? nil : value)
    }

    // MARK: Values

    /// Returns a text with the values of variables; `$NAME` stays for one that is not set.
    private func filled(_ text: String) -> String { ImportedRequest.filling(text, surroundings.variable) }

    /// Returns the path in `@FILE`; nil for another value.
    private func fileName(_ value: String) -> String? {
        value.unicodeScalars.first == "@" ? filled(String(value.unicodeScalars.dropFirst())) : nil
    }

    /// Returns the content of `@FILE`; nil for another value.
    private func file(_ value: String) throws -> [UInt8]? { try fileName(value).map(surroundings.read) }

    /// Encodes the value of `--data-urlencode`: `TEXT`, `=TEXT`, `NAME=TEXT`, `@FILE`, `NAME@FILE`.
    private func encoded(_ value: String) throws -> String {
        guard let sign = value.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
            return Self.formEncoded(value.exactBytes)
        }
        let (name, text) = (value[..<sign], String(value[sign...].dropFirst()))
        let bytes = value[sign] == "@" ? try surroundings.read(filled(text)) : text.exactBytes
        let encoded = Self.formEncoded(bytes)
        return name.isEmpty ? encoded : "\(name)=\(encoded)"
    }

    /// Percent-encodes bytes as in a form, with a plus sign for a space, as curl does.
    private static func formEncoded(_ bytes: [UInt8]) -> String {
        PercentEncoding.encode(bytes: bytes).replacing("%20", with: "+")
    }

    /// Splits a text at the first separator; without one, the second part is empty.
    static func pair(_ value: String, _ separator: Character = "=") -> (String, String) {
        let parts = value.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }

    // MARK: Forms

    /// Returns the part of `--form`, or of `--form-string` if it `isPlain`. What can't be sent is noted.
    private mutating func part(_ value: String, isPlain: Bool) throws -> Part {
        let (name, text) = Self.pair(value)
        if isPlain { return .field(name, text) }
        let part = CurlFormPart(text)
        for key in part.ignored { request.notes.append("\(key)… of the part '\(name)' is not sent") }
        if part.hasSeveralFiles { request.notes.append("only the first file of the part '\(name)' is sent") }
        let type = part.contentType.map { filled(String(exactBytes: $0.exactBytes.trimmingBlanks())) }
        switch part.source {
        case .file:
            return .file(
                name, path: filled(part.content), filename: part.filename.map(filled),
                contentType: type ?? CurlFormPart.contentType(ofFile: part.content))
        case .text, .contentOfFile:
            let isFile = part.source == .contentOfFile
            let value =
                isFile ? String(exactBytes: try surroundings.read(filled(part.content))) : part.content
            return type.map { .text(name, value, contentType: $0) } ?? .field(name, value)
        }
    }

    // MARK: URLs

    /// Returns a URL with the values of the variables in the name of its server. Those in its path and query stay.
    private func serverFilled(_ url: String) throws(ImportError) -> String {
        var url = url
        for _ in 0..<10 {
            let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
            let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
            // User and password may stay variables.
            let server = url[..<end].lastIndex(of: "@").map { url[$0..<end] } ?? url[..<end]
            guard let name = ImportedRequest.variables(in: String(server)).first else { break }
            guard let value = surroundings.variable(name) else {
                throw ImportError("the URL's server is in $\(name), which is not set")
            }
            url = ImportedRequest.filling(url) { $0 == name ? value : "\(ShellReader.mark)\($0)\(ShellReader.mark)" }
        }
        return url
    }

    /// Checks that a text is not a pattern of several, such as `{a,b}`. The brackets of an address are none.
    ///
    /// - Throws: ``ImportError``, which does not repeat the text, because it may hold a secret.
    private static func checkGlobs(_ text: String, _ name: String) throws(ImportError) {
        let server = text.firstRange(of: "://").map { text[$0.upperBound...].prefix { !"/?#".contains($0) } }
        let path = server.map { text[$0.endIndex...] } ?? text[...]
        for (text, open, close) in [(path, "[", "]"), (text[...], "{", "}")] {
            guard let start = text.firstRange(of: open), text[start.upperBound...].contains(close) else { continue }
            let problem = "has a pattern in \(open)…\(close), which curl replaces"
            throw ImportError("\(name) \(problem); write what it stands for, or --globoff")
        }
    }
}

extension ImportedRequest {
    /// Adds a note for each credential whose variable stands beside other text, such as `key-$SUFFIX`.
    ///
    /// The import declares one variable for the whole value of a credential. So the variable must be set to more than it
    /// has in the shell.
    fileprivate mutating func noteTextAroundVariables() {
        for (name, value) in headers + query where SecretSweep.isCredential(name, value ?? "") {
            // The scheme, such as `Bearer`, is declared beside the variable.
            let hasScheme = name.isSameName(as: "Authorization")
            let words = (value ?? "").split(separator: " ", maxSplits: hasScheme ? 1 : 0)
            noteTextAround(words.last.map(String.init), of: Self.filling(name) + (hasScheme ? " after its scheme" : ""))
        }
        guard case .basic(let user, let password) = authentication else { return }
        noteTextAround(user, of: "the user")
        noteTextAround(password, of: "the password")
    }

    /// Adds a note if a value has a variable and other text.
    ///
    /// - Parameters:
    ///   - value: The value of a credential.
    ///   - subject: What the value is, for the note.
    private mutating func noteTextAround(_ value: String?, of subject: String) {
        guard let value, let variable = Self.variables(in: value).first, Self.filling(value) != "$" + variable else {
            return
        }
        notes.append("\(variable) stands for all of \(subject): set it to that, with the text around $\(variable)")
    }
}

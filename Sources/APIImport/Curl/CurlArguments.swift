import EndpointKit

/// A curl command: what its options say about the requests that it sends.
package struct CurlArguments {
    /// What a command refers to.
    package struct Surroundings {
        /// Reads a file that an option names; `-` is stdin.
        let read: (String) throws -> [UInt8]
        /// The value of a variable of the shell; nil if it is not known.
        let variable: (String) -> String?

        package init(read: @escaping (String) throws -> [UInt8], variable: @escaping (String) -> String?) {
            (self.read, self.variable) = (read, variable)
        }
    }

    private let surroundings: Surroundings
    private var request = ImportedRequest()
    private var cookies: [String] = []
    private var urls: [String] = []
    private var method: String?
    private var data: [UInt8]?
    private var query: [String] = []
    /// The files of which the data is made, as they are.
    private var files: [String] = []
    private var parts: [Part] = []
    private var upload: String?
    private var isGet = false
    private var isHead = false
    private var isJSON = false
    private var globs = true
    private var keepsDots = false
    private var others: [String] = []

    /// The requests of the curl commands in a text of a shell. Throws ``ImportError``, and what reading a file does.
    package static func requests(text: String, _ surroundings: Surroundings) throws -> [ImportedRequest] {
        var requests: [ImportedRequest] = []
        var assigned: [String: String] = [:]
        for command in try ShellReader.commands(text) {
            // A prompt, `export`, and variables that are set.
            var words = command.drop { $0 == "$" || $0 == "export" }
            while let word = words.first, let equals = word.firstIndex(of: "="), equals > word.startIndex,
                word[..<equals].utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") })
            {
                assigned[String(word[..<equals])] = String(word[equals...].dropFirst())
                words = words.dropFirst()
            }
            guard let name = words.first?.split(separator: "/").last, name == "curl" || name == "curl.exe" else {
                continue
            }
            let own = Surroundings(read: surroundings.read) { [assigned] in assigned[$0] ?? surroundings.variable($0) }
            requests += try self.requests(words.dropFirst(), own)
        }
        if requests.isEmpty { throw ImportError("there is no curl command in the text") }
        return requests
    }

    /// The requests of the command with these words after `curl`, one for each URL. Throws ``ImportError``, and what reading a file does.
    package static func requests(
        _ words: some Collection<String>, _ surroundings: Surroundings
    ) throws -> [ImportedRequest] {
        try CurlOptions.items(words).split(omittingEmptySubsequences: false) { $0.name == "next" }.flatMap { items in
            var command = CurlArguments(surroundings: surroundings)
            for item in items { try command.take(item) }
            return try command.requests()
        }
    }

    private init(surroundings: Surroundings) { self.surroundings = surroundings }

    private mutating func take(_ item: CurlOptions.Item) throws {
        let value = item.value
        switch item.name {
        case "url": urls.append(value)
        case "request": method = value
        case "head": isHead = true
        case "get": isGet = true
        case "globoff": globs = false
        case "path-as-is": keepsDots = true
        case "header": try addHeader(value)
        case "user-agent": addHeader("User-Agent", value)
        case "referer": addHeader("Referer", value.hasSuffix(";auto") ? String(value.dropLast(5)) : value)
        case "range": addHeader("Range", "bytes=\(value)")
        case "oauth2-bearer": addHeader("Authorization", "Bearer \(value)")
        case "cookie":
            let isText = value.contains("=") || !ImportedRequest.variables(in: value).isEmpty
            if isText { addHeader("Cookie", value) } else { note("the cookies of a file are not read") }
        case "user":
            let (name, password) = Self.pair(value, ":")
            request.user = (name, password)
        case "data", "data-ascii": try add(data: value.hasPrefix("@") ? lines(value) : value.exactBytes)
        case "data-raw": add(data: value.exactBytes)
        case "data-binary":
            try add(data: file(value) ?? value.exactBytes)
            if value.unicodeScalars.first == "@" { files.append(String(value.unicodeScalars.dropFirst())) }
        case "data-urlencode": try add(data: encoded(value).exactBytes)
        case "json":
            isJSON = true
            try add(data: file(value) ?? value.exactBytes, isJSON: true)
        case "url-query": query.append(value.hasPrefix("+") ? String(value.dropFirst()) : try encoded(value))
        case "form": try add(part: value)
        case "form-string":
            let (name, text) = Self.pair(value)
            parts.append(.field(name, text))
        case "upload-file": upload = value
        case "config", "variable": throw ImportError("\(item.shown) is not read; write its options into the command")
        case "digest", "ntlm", "ntlm-wb", "negotiate", "anyauth", "aws-sigv4":
            note("\(item.shown) is a scheme that credentials don't have; what stands for it is not declared")
        default: takeOther(item)
        }
    }

    /// What says how to connect is for `call`, which has some of curl's options.
    private mutating func takeOther(_ item: CurlOptions.Item) {
        switch item.name {
        case "insecure", "netrc", "http1.1", "http2": request.connection.append("--\(item.name)")
        case "cert":
            request.connection += ["--cert", String(item.value.prefix { $0 != ":" })]
        case "cacert", "key", "unix-socket", "resolve", "max-time", "connect-timeout", "retry":
            request.connection += ["--\(item.name)", item.value]
        case "proxy" where !item.value.contains("@"): request.connection += ["--proxy", item.value]
        default:
            let name = item.name.hasPrefix("no-") ? String(item.name.dropFirst(3)) : item.name
            if CurlOptions.all[name]?.isOfOutput == true { return }
        }
        if !others.contains(item.shown) { others.append(item.shown) }
    }

    private mutating func note(_ text: String) { request.notes.append(text) }

    // MARK: Headers

    private mutating func addHeader(_ text: String) throws {
        if let bytes = try file(text) {
            for line in String(exactBytes: bytes).split(separator: "\n") { try addHeader(String(line)) }
            return
        }
        let scalars = text.unicodeScalars
        guard let end = scalars.firstIndex(where: { $0 == ":" || $0 == ";" }) else { return }
        let value = String(exactBytes: String(scalars[end...].dropFirst()).exactBytes.trimmingBlanks())
        // `Name:` takes curl's own header away, `Name;` sends it empty.
        if value.isEmpty, scalars[end] == ":" { return }
        addHeader(String(scalars[..<end]), value)
    }

    private mutating func addHeader(_ name: String, _ value: String) {
        if name.isSameName(as: "Cookie") { return cookies.append(value) }
        request.headers.append(.init(name: name, value: value))
    }

    // MARK: Data

    private mutating func add(data more: [UInt8], isJSON: Bool = false) {
        if data == nil { data = [] } else if !isJSON { data?.append(UInt8(ascii: "&")) }
        data?.append(contentsOf: more)
    }

    /// The bytes of `@FILE`; nil for another value.
    private func file(_ value: String) throws -> [UInt8]? {
        value.unicodeScalars.first == "@" ? try surroundings.read(String(value.unicodeScalars.dropFirst())) : nil
    }

    /// The bytes of `@FILE` without line ends.
    private func lines(_ value: String) throws -> [UInt8] {
        try (file(value) ?? []).filter { !"\r\n\0".utf8.contains($0) }
    }

    /// The value of `--data-urlencode`: `TEXT`, `=TEXT`, `NAME=TEXT`, `@FILE`, `NAME@FILE`.
    private func encoded(_ value: String) throws -> String {
        guard let sign = value.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
            return PercentEncoding.encode(value)
        }
        let (name, text) = (value[..<sign], String(value[sign...].dropFirst()))
        let encoded = PercentEncoding.encode(bytes: value[sign] == "@" ? try surroundings.read(text) : text.exactBytes)
        return name.isEmpty ? encoded : "\(name)=\(encoded)"
    }

    private static func pair(_ value: String, _ separator: Character = "=") -> (String, String) {
        let parts = value.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }

    /// Adds `NAME=TEXT`, `NAME=@FILE` or `NAME=<FILE`, with `;type=` and `;filename=` after it.
    private mutating func add(part text: String) throws {
        var (name, rest) = Self.pair(text)
        let sign = rest.first { "@<".contains($0) && rest.first == $0 }
        if sign != nil { rest.removeFirst() }
        var content = Self.word(&rest)
        var attributes: [String: String] = [:]
        while rest.first == ";" {
            let before = rest
            rest.removeFirst()
            let (key, value) = Self.pair(rest)
            guard ["type", "filename", "encoder", "headers"].contains(key.drop { $0 == " " }) else {
                // A semicolon of the text.
                content += before
                break
            }
            rest = value
            attributes[String(key.drop { $0 == " " })] = Self.word(&rest)
        }
        if sign == "@" {
            let type = attributes["type"] ?? Self.contentType(ofFile: content)
            parts.append(.file(name, path: content, filename: attributes["filename"], contentType: type))
        } else {
            if attributes["type"] != nil { note("the content type of the field '\(name)' is not sent") }
            parts.append(.field(name, sign == nil ? content : String(exactBytes: try surroundings.read(content))))
        }
    }

    /// Takes a text up to a semicolon, or one in quotes without them.
    private static func word(_ rest: inout String) -> String {
        guard rest.first == "\"" else {
            let word = String(rest.prefix { $0 != ";" })
            rest = String(rest.dropFirst(word.count))
            return word
        }
        var (word, isEscaped) = ("", false)
        var open = rest.dropFirst()
        while let letter = open.popFirst(), letter != "\"" || isEscaped {
            isEscaped = letter == "\\" && !isEscaped
            if !isEscaped { word.append(letter) }
        }
        rest = String(open.drop { $0 != ";" })
        return word
    }

    /// curl's guess by the end of a file's name.
    private static func contentType(ofFile path: String) -> String {
        let types = [
            "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml",
            "txt": "text/plain", "htm": "text/html", "html": "text/html", "pdf": "application/pdf",
            "xml": "application/xml",
        ]
        return types[path.split(separator: ".").last?.lowercased() ?? ""] ?? "application/octet-stream"
    }

    // MARK: Requests

    private mutating func requests() throws -> [ImportedRequest] {
        if urls.isEmpty { throw ImportError("the curl command has no URL") }
        if !cookies.isEmpty { request.headers.append(.init(name: "Cookie", value: cookies.joined(separator: "; "))) }
        if let data, isGet { query.append(String(exactBytes: data)) }
        if isGet { data = nil }
        request.method =
            method ?? (isHead ? "HEAD" : upload != nil ? "PUT" : data != nil || !parts.isEmpty ? "POST" : "GET")
        guard !request.method.isEmpty, request.method.utf8.allSatisfy(\.isTokenByte) else {
            throw ImportError("'\(request.method)' is not a method")
        }
        if let upload { request.content = .file(upload) }
        if !parts.isEmpty { request.content = .parts(parts) }
        if let data {
            // Bytes can't stand in Swift text.
            let isFile = files.count == 1 && String(validating: data, as: UTF8.self) == nil
            request.content = isFile ? .file(files[0]) : .bytes(data)
            request.hasImpliedType = !isJSON && request.header("Content-Type") == nil
            if request.hasImpliedType { addHeader("Content-Type", "application/x-www-form-urlencoded") }
        }
        if isJSON, request.header("Content-Type") == nil { addHeader("Content-Type", "application/json") }
        if isJSON, request.header("Accept") == nil { addHeader("Accept", "application/json") }
        if !others.isEmpty { note("not part of an endpoint: \(others.joined(separator: ", "))") }
        return try urls.map(request(to:))
    }

    private func request(to url: String) throws -> ImportedRequest {
        var request = request
        let user = request.user
        if globs { try Self.checkGlobs(url) }
        try request.take(url: serverFilled(url), keepsDots: keepsDots)
        if let user { request.user = user }
        if let upload, request.path.hasSuffix("/") {
            request.path += PercentEncoding.encode(upload.split(separator: "/").last.map(String.init) ?? "")
        }
        for text in query { request.query += ImportedRequest.items(text) }
        return request
    }

    /// The URL with the variables in its server's name replaced.
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

    /// Throws ``ImportError`` for a URL that stands for several.
    private static func checkGlobs(_ url: String) throws(ImportError) {
        let afterHost = url.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        for (open, close) in [("[", "]"), ("{", "}")] {
            let text = String(Substring(open == "[" ? afterHost.drop { $0 != UInt8(ascii: "/") } : url.utf8[...]))
            guard let start = text.firstRange(of: open), text[start.upperBound...].contains(close) else { continue }
            let pattern = text[start.lowerBound...].prefix { String($0) != close } + close
            throw ImportError(
                "the URL has the pattern '\(pattern)', which curl replaces; write one URL of it, or --globoff to send it as it is"
            )
        }
    }
}

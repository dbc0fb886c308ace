import EndpointKit

/// A curl command: what its options say about the requests that it sends.
package struct CurlArguments {
    /// What a command refers to: files that options name, of which `-` is stdin, and variables of the shell; nil if one is not known.
    package typealias Surroundings = (read: (String) throws -> [UInt8], variable: (String) -> String?)

    private typealias Item = CurlOptions.Item

    private let items: [Item]
    private let surroundings: Surroundings
    private var notes: [String] = []

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
            let own = { [assigned] in assigned[$0] ?? surroundings.variable($0) }
            requests += try self.requests(words.dropFirst(), (surroundings.read, own))
        }
        if requests.isEmpty { throw ImportError("there is no curl command in the text") }
        return requests
    }

    /// The requests of the command with these words after `curl`, one for each URL. Throws ``ImportError``, and what reading a file does.
    package static func requests(
        _ words: some Collection<String>, _ surroundings: Surroundings
    ) throws -> [ImportedRequest] {
        try CurlOptions.items(words).split(omittingEmptySubsequences: false) { $0.name == "next" }.flatMap { items in
            var command = CurlArguments(items: Array(items), surroundings: surroundings)
            return try command.requests()
        }
    }

    private init(items: [Item], surroundings: Surroundings) {
        (self.items, self.surroundings) = (items, surroundings)
    }

    private func values(_ name: String) -> [String] { items.lazy.filter { $0.name == name }.map(\.value) }

    private func has(_ name: String) -> Bool { items.contains { $0.name == name } }

    // MARK: Requests

    private mutating func requests() throws -> [ImportedRequest] {
        if !has("url") { throw ImportError("the curl command has no URL") }
        var request = ImportedRequest()
        request.headers = try headers()
        let parts = try items.compactMap { try part($0) }
        let query = try values("url-query").map { $0.hasPrefix("+") ? String($0.dropFirst()) : try encoded($0) }
        var data = try data()
        let added = has("get") ? data.map { [String(exactBytes: $0)] } ?? [] : []
        if has("get") { data = nil }
        let upload = values("upload-file").last
        let usual = upload != nil ? "PUT" : data != nil || !parts.isEmpty ? "POST" : "GET"
        request.method = values("request").last ?? (has("head") ? "HEAD" : usual)
        guard !request.method.isEmpty, request.method.utf8.allSatisfy(\.isTokenByte) else {
            throw ImportError("'\(request.method)' is not a method")
        }
        if let upload { request.content = .file(upload) }
        if !parts.isEmpty { request.content = .parts(parts) }
        let isJSON = has("json")
        if let data {
            // Bytes can't stand in Swift text.
            let files = values("data-binary").compactMap(Self.fileName)
            let isFile = files.count == 1 && String(validating: data, as: UTF8.self) == nil
            request.content = isFile ? .file(files[0]) : .bytes(data)
            request.hasImpliedType = !isJSON && request.header("Content-Type") == nil
        }
        let type = isJSON ? "application/json" : request.hasImpliedType ? "application/x-www-form-urlencoded" : nil
        for (name, value) in [("Content-Type", type), ("Accept", isJSON ? type : nil)] {
            if let value, request.header(name) == nil { request.headers.append((name, value)) }
        }
        request.connection = try connection()
        request.notes = notes
        let user = values("user").last.map { Self.pair($0, ":") }
        let (globs, keepsDots) = (!has("globoff"), has("path-as-is"))
        return try values("url").map { url in
            var copy = request
            if globs { try Self.checkGlobs(url) }
            try copy.take(url: serverFilled(url), keepsDots: keepsDots)
            if let user { copy.user = (user.0, user.1) }
            if let upload, copy.path.hasSuffix("/") {
                copy.path += PercentEncoding.encode(upload.split(separator: "/").last.map(String.init) ?? "")
            }
            copy.query += (query + added).flatMap(ImportedRequest.items)
            return copy
        }
    }

    /// The words for `call` that say how to connect. Notes what is not part of an endpoint.
    private mutating func connection() throws(ImportError) -> [String] {
        var words: [String] = []
        var others: [String] = []
        for item in items {
            switch item.effect {
            case .request, .output: continue
            case .refused: throw ImportError("\(item.shown) is not read; write its options into the command")
            case .scheme:
                notes.append(
                    "\(item.shown) is a scheme that credentials don't have; what stands for it is not declared")
                continue
            case .connection where item.name == "cert":
                words += ["--cert", String(item.value.prefix { $0 != ":" })]
            case .connection where item.name != "proxy" || !item.value.contains("@"):
                words += ["--\(item.name)"] + (CurlOptions.all[item.name]?.takesValue == true ? [item.value] : [])
            case .connection, nil: break
            }
            if !others.contains(item.shown) { others.append(item.shown) }
        }
        if !others.isEmpty { notes.append("not part of an endpoint: \(others.joined(separator: ", "))") }
        return words
    }

    // MARK: Headers

    /// The headers in their order, with one for all cookies at the end.
    private mutating func headers() throws -> [ImportedRequest.Field] {
        var fields: [ImportedRequest.Field] = []
        for item in items {
            let value = item.value
            switch item.name {
            case "header":
                let lines = try file(value).map { String(exactBytes: $0).split(separator: "\n").map(String.init) }
                fields += (lines ?? [value]).compactMap(Self.header)
            case "user-agent": fields.append(("User-Agent", value))
            case "referer":
                fields.append(("Referer", value.hasSuffix(";auto") ? String(value.dropLast(5)) : value))
            case "range": fields.append(("Range", "bytes=\(value)"))
            case "oauth2-bearer": fields.append(("Authorization", "Bearer \(value)"))
            case "cookie" where value.contains("=") || !ImportedRequest.variables(in: value).isEmpty:
                fields.append(("Cookie", value))
            case "cookie": notes.append("the cookies of a file are not read")
            default: break
            }
        }
        let cookies = fields.filter { $0.name.isSameName(as: "Cookie") }.compactMap(\.value)
        fields.removeAll { $0.name.isSameName(as: "Cookie") }
        return fields + (cookies.isEmpty ? [] : [("Cookie", cookies.joined(separator: "; "))])
    }

    /// `NAME: VALUE`. `Name:` takes curl's own header away, `Name;` sends it empty.
    private static func header(_ text: String) -> ImportedRequest.Field? {
        let scalars = text.unicodeScalars
        guard let end = scalars.firstIndex(where: { $0 == ":" || $0 == ";" }) else { return nil }
        let value = String(exactBytes: String(scalars[end...].dropFirst()).exactBytes.trimmingBlanks())
        return value.isEmpty && scalars[end] == ":" ? nil : (String(scalars[..<end]), value)
    }

    // MARK: Data

    /// The data of all options in their order; nil if there is none.
    private func data() throws -> [UInt8]? {
        var data: [UInt8]?
        for item in items {
            let more: [UInt8]
            switch item.name {
            case "data", "data-ascii":
                more = try file(item.value)?.filter { !"\r\n\0".utf8.contains($0) } ?? item.value.exactBytes
            case "data-raw": more = item.value.exactBytes
            case "data-binary", "json": more = try file(item.value) ?? item.value.exactBytes
            case "data-urlencode": more = try encoded(item.value).exactBytes
            default: continue
            }
            if data != nil, item.name != "json" { data?.append(UInt8(ascii: "&")) }
            data = data ?? []
            data?.append(contentsOf: more)
        }
        return data
    }

    /// The path in `@FILE`; nil for another value.
    private static func fileName(_ value: String) -> String? {
        value.unicodeScalars.first == "@" ? String(value.unicodeScalars.dropFirst()) : nil
    }

    /// The bytes of `@FILE`; nil for another value.
    private func file(_ value: String) throws -> [UInt8]? { try Self.fileName(value).map(surroundings.read) }

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

    // MARK: Forms

    /// The part of `--form-string`, or of `NAME=TEXT`, `NAME=@FILE` or `NAME=<FILE` with `;type=` and `;filename=` after it.
    private mutating func part(_ item: Item) throws -> Part? {
        guard ["form", "form-string"].contains(item.name) else { return nil }
        let (name, text) = Self.pair(item.value)
        if item.name == "form-string" { return .field(name, text) }
        var rest = text[...].unicodeScalars
        let sign = rest.first == "@" || rest.first == "<" ? rest.popFirst() : nil
        let ends: [Unicode.Scalar] = sign == "@" ? [";", ","] : [";"]
        let content = Self.word(&rest, ends)
        var (type, filename) = (String?.none, String?.none)
        var isType = false
        while rest.first == ";" {
            let start = rest.dropFirst().drop { $0 == " " }
            let key = ["type=", "filename=", "encoder=", "headers="].first { start.starts(with: $0.unicodeScalars) }
            if let key, key != "type=" || !isType {
                (rest, isType) = (start.dropFirst(key.utf8.count), key == "type=")
            } else if !isType {
                // curl skips it.
                rest = start
            }
            if isType {
                // What has no name of its own belongs to the type.
                let piece = rest.dropFirst().prefix { !ends.contains($0) }
                type = (type ?? "") + String(rest.prefix(1)) + String(piece)
                rest = rest[piece.endIndex...]
            } else {
                let word = Self.word(&rest, ends)
                if key == "filename=" { filename = word }
            }
        }
        if !rest.isEmpty { notes.append("only the first file of the part '\(name)' is sent") }
        type = type.map { String(exactBytes: $0.exactBytes.trimmingBlanks()) }
        if sign == "@" {
            return .file(
                name, path: content, filename: filename, contentType: type ?? Self.contentType(ofFile: content))
        }
        if type != nil { notes.append("the content type of the field '\(name)' is not sent") }
        return .field(name, sign == nil ? content : String(exactBytes: try surroundings.read(content)))
    }

    /// The next word of a part, without blanks around it: up to one of `ends`, unless it begins with a quote that has another one.
    private static func word(_ text: inout Substring.UnicodeScalarView, _ ends: [Unicode.Scalar]) -> String {
        text = text.drop { $0 == " " || $0 == "\t" }
        if text.first == "\"" {
            var (word, rest) = ("".unicodeScalars, text.dropFirst())
            while let scalar = rest.popFirst() {
                if scalar == "\"" {
                    text = rest.drop { !ends.contains($0) }
                    return String(word)
                }
                let isEscape = scalar == "\\" && (rest.first == "\\" || rest.first == "\"")
                word.append(isEscape ? rest.removeFirst() : scalar)
            }
        }
        let word = text.prefix { !ends.contains($0) }
        text = text[word.endIndex...]
        return String(exactBytes: String(word).exactBytes.trimmingBlanks())
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

    // MARK: URLs

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

    /// Throws ``ImportError`` for a URL that stands for several. The brackets of an address in its server are no pattern.
    private static func checkGlobs(_ url: String) throws(ImportError) {
        let afterServer = url.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2).drop { $0 != UInt8(ascii: "/") }
        for (text, open, close) in [(Substring(afterServer), "[", "]"), (url[...], "{", "}")] {
            guard let start = text.firstRange(of: open), text[start.upperBound...].contains(close) else { continue }
            let pattern = text[start.lowerBound...].prefix { String($0) != close } + close
            throw ImportError(
                "the URL has the pattern '\(pattern)', which curl replaces; write one URL of it, or --globoff to send it as it is"
            )
        }
    }
}

import EndpointKit

extension ProcessEnvironment {
    /// The bytes that `word` refers to or consists of, and their name in messages.
    ///
    /// `owner` is the option or parameter, for messages; that input is too long ends with `advice`. Throws ``UsageError`` and ``FileError``.
    func bytes(_ word: SourcedText, of owner: String, advice: String = "") throws -> (
        bytes: [UInt8], source: String
    ) {
        func readAll(_ input: any ByteInput, _ name: String) throws -> ([UInt8], String) {
            (try input.readAll(name: name, advice: advice, until: deadline), name)
        }
        if word.isStdin { return try readAll(stdin, "stdin") }
        guard let file = try file(word, of: owner) else { return (word.text.exactBytes, "the JSON given") }
        return try readAll(files.open(file), file)
    }

    /// The body for the value of `--body`; a regular file is read while it is sent. Throws ``UsageError`` and ``FileError``.
    ///
    /// If `isRead` is false, stdin and pipes are not read: something else will do that.
    func body(_ word: SourcedText, isRead: Bool) throws -> RequestBody {
        if word.isStdin, !isRead { return RequestBody([]) }
        if !word.isStdin, let file = try file(word, of: "--body"), !isRead || !files.isStream(file) {
            return RequestBody([.file(path: file)])
        }
        let advice = "; put it into a file and use --body @FILE"
        return RequestBody(bytes: try bytes(word, of: "--body", advice: advice).bytes)
    }

    private func file(_ word: SourcedText, of owner: String) throws(UsageError) -> String? {
        guard let file = word.file else { return nil }
        if file.isEmpty {
            throw .unusableValue(option: owner, problem: "expected a file name after '@'", source: word.source)
        }
        return file
    }
}

extension CallOptions {
    /// The headers and query items to add to a request. Throws ``UsageError``.
    func additions() throws(UsageError) -> RequestOptions {
        var additions = RequestOptions()
        for word in headers { try additions.add(header: word) }
        for word in query { additions.query.append(try QueryItem(argument: word)) }
        return additions
    }
}

extension RequestOptions {
    /// Adds the value of `-H`: `Name: value` adds a header, `Name:` removes one, `Name;` sends it empty, as in curl. Throws ``UsageError``.
    mutating func add(header word: SourcedText) throws(UsageError) {
        func invalid(_ name: String, _ problem: String, got: String = "in") -> UsageError {
            if word.source.position == nil { return .invalidHeader(name: name, problem: problem, source: word.source) }
            return .unusableValue(option: "--header", problem: "\(problem), \(got) '\(name)'", source: word.source)
        }
        // Unicode scalars, because a value may start with a combining mark, which makes one character with the colon.
        let scalars = word.text.unicodeScalars
        guard let end = scalars.firstIndex(where: { $0 == ":" || $0 == ";" }), end > scalars.startIndex else {
            throw invalid(word.start, "expected 'Name: value'", got: "got")
        }
        let name = String(scalars[..<end])
        let rest = scalars[end...].dropFirst()
        let value = String(rest.drop { $0 == " " || $0 == "\t" })
        let isEmpty = scalars[end] == ";"
        if isEmpty, !rest.isEmpty {
            throw invalid(name, "expected 'Name: value', or 'Name;' for an empty one", got: "got")
        }
        do {
            let header = try Header(name, value).checked()
            if value.isEmpty, !isEmpty { withheldHeaders.append(name) } else { headers.append(header) }
        } catch {
            throw invalid(name, error.headerFault)
        }
    }
}

extension QueryItem {
    /// The item of `--query NAME=VALUE`. Throws ``UsageError``.
    init(argument word: SourcedText) throws(UsageError) {
        let (name, value) = try OptionValueType.member.read(word, "--query")
        self.init(name, value)
    }
}

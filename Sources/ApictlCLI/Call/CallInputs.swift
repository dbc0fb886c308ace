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

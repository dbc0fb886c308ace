import EndpointKit

/// Reads the files (`@FILE`) and stdin (`-`) that arguments refer to.
struct ArgumentInput {
    let environment: ProcessEnvironment

    /// The bytes that `word` refers to or consists of, and their name in messages.
    ///
    /// `owner` is the option or parameter, for messages. Throws ``UsageError`` and ``FileError``.
    func bytes(_ word: Word, of owner: String) throws -> (bytes: [UInt8], source: String) {
        if word.isStdin { return (try environment.stdin.readAll(name: "stdin"), "stdin") }
        guard let file = try file(word, of: owner) else { return (word.text.exactBytes, "the JSON given") }
        return (try environment.files.open(file).readAll(name: file), file)
    }

    /// The body for the value of `--body`; a regular file is read while it is sent. Throws ``UsageError`` and ``FileError``.
    ///
    /// If `isRead` is false, stdin and pipes are not read: something else will do that.
    func body(_ word: Word, isRead: Bool) throws -> RequestBody {
        let (input, name): (any ByteInput, String)
        if word.isStdin {
            guard isRead else { return RequestBody([]) }
            (input, name) = (environment.stdin, "stdin")
        } else {
            guard let file = try file(word, of: "--body") else { return RequestBody(bytes: word.text.exactBytes) }
            guard isRead, environment.files.isStream(file) else { return RequestBody([.file(path: file)]) }
            (input, name) = (try environment.files.open(file), file)
        }
        return RequestBody(bytes: try input.readAll(name: name, advice: "; put it into a file and use --body @FILE"))
    }

    private func file(_ word: Word, of owner: String) throws(UsageError) -> String? {
        guard let file = word.file else { return nil }
        if file.isEmpty { throw .fileNameExpected(parameter: owner, position: word.position) }
        return file
    }
}

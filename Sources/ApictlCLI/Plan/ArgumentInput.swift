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

    /// The body for the value of `--body`; a file is read while it is sent. Throws ``UsageError`` and ``FileError``.
    func body(_ word: Word) throws -> RequestBody {
        if word.isStdin {
            let advice = "; put it into a file and use --body @FILE"
            return RequestBody(bytes: try environment.stdin.readAll(name: "stdin", advice: advice))
        }
        guard let file = try file(word, of: "--body") else { return RequestBody(bytes: word.text.exactBytes) }
        return RequestBody([.file(path: file)])
    }

    private func file(_ word: Word, of owner: String) throws(UsageError) -> String? {
        guard let file = word.file else { return nil }
        if file.isEmpty { throw .fileNameExpected(parameter: owner, position: word.position) }
        return file
    }
}

import EndpointKit

extension ProcessEnvironment {
    /// Returns the bytes that a word refers to (`@FILE`, `-` for stdin) or consists of, and their name in messages.
    ///
    /// - Parameters:
    ///   - owner: The name of the option or parameter, for messages.
    ///   - advice: The end of the message about an input that is too long.
    /// - Throws: ``UsageError`` and ``FileError``.
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

    /// Returns the body for the value of `--body`. A regular file is read while it is sent.
    ///
    /// - Parameter isRead: Whether stdin and pipes are read. Otherwise something else will do that.
    /// - Throws: ``UsageError`` and ``FileError``.
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

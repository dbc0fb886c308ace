import EndpointKit

extension ProcessEnvironment {
    /// Returns the bytes that a word stands for, and their name in messages.
    ///
    /// | Word | Bytes | Name |
    /// |---|---|---|
    /// | `@FILE` | those of the file | the path |
    /// | `-` | those of stdin | `stdin` |
    /// | any other word | those of the word itself | `the JSON given` |
    ///
    /// - Parameters:
    ///   - word: The word.
    ///   - owner: The name of the option or parameter, for messages.
    ///   - advice: The end of the message about an input that is too long.
    /// - Throws: ``UsageError`` for `@` without a file name, and ``FileError`` for an input that can't be read.
    func bytes(_ word: SourcedText, of owner: @autoclosure () -> String, advice: String = "") throws -> (
        bytes: [UInt8], source: String
    ) {
        func readAll(_ input: any ByteInput, _ name: String) throws -> ([UInt8], String) {
            (try input.readAll(name: name, advice: advice, until: deadline), name)
        }
        if word.isStdin { return try readAll(stdin, "stdin") }
        guard let file = try file(word, of: owner()) else { return (word.text.exactBytes, "the JSON given") }
        return try readAll(files.open(file), file)
    }

    /// Returns the body for the value of `--body`.
    ///
    /// Only the path of a regular file is kept. The file itself is read while it is sent.
    ///
    /// - Parameters:
    ///   - word: The value: a text, `@FILE`, or `-` for stdin.
    ///   - isRead: Whether stdin and pipes are read now. It is false for a printed curl command, which reads them
    ///     itself.
    /// - Throws: ``UsageError`` for `@` without a file name, and ``FileError`` for an input that can't be read.
    func body(_ word: SourcedText, isRead: Bool) throws -> RequestBody {
        if word.isStdin, !isRead { return RequestBody([]) }
        if !word.isStdin, let file = try file(word, of: "--body"), !isRead || !files.isStream(file) {
            return RequestBody([.file(path: file)])
        }
        let advice = "; put it into a file and use --body @FILE"
        return RequestBody(bytes: try bytes(word, of: "--body", advice: advice).bytes)
    }

    /// Returns the path in a word such as `@FILE`; nil if the word names no file.
    ///
    /// - Throws: ``UsageError`` if nothing follows the `@`.
    private func file(_ word: SourcedText, of owner: @autoclosure () -> String) throws(UsageError) -> String? {
        guard let file = word.file else { return nil }
        if file.isEmpty {
            throw .unusableValue(option: owner(), problem: "expected a file name after '@'", source: word.source)
        }
        return file
    }
}

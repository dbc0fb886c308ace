import EndpointKit

extension ProcessEnvironment {
    /// Returns the bytes that a word of the command line stands for. Reads the file or stdin that the word names.
    ///
    /// | Word | Bytes |
    /// |---|---|
    /// | `@FILE` | the content of the file |
    /// | `-` | all of stdin |
    /// | any other word | the word itself |
    ///
    /// - Parameters:
    ///   - word: The value of an option or parameter.
    ///   - owner: The name of the option or parameter, for messages.
    ///   - advice: The end of the message about an input that is too long; empty for no advice.
    /// - Throws: ``UsageError`` for `@` without a file name, and ``FileError`` for an input that can't be read.
    func readBytes(
        of word: SourcedText, for owner: @autoclosure () -> String, advice: String = ""
    ) throws -> [UInt8] {
        if word.isStdin { return try stdin.readAll(name: "stdin", advice: advice, until: deadline) }
        guard let path = try filePath(in: word, of: owner()) else { return word.text.exactBytes }
        return try files.open(path).readAll(name: path, advice: advice, until: deadline)
    }

    /// Makes the body of a request from the value of `--body`: a text, `@FILE`, or `-` for stdin.
    ///
    /// Stdin and pipes are read at once. Of a regular file, only the path is kept. The file itself is read while it is
    /// sent.
    ///
    /// - Parameters:
    ///   - word: The value.
    ///   - readsStreams: Whether stdin and pipes are read. False for a printed curl command, which reads them itself.
    ///     A body from stdin is empty then.
    /// - Throws: ``UsageError`` for `@` without a file name, and ``FileError`` for an input that can't be read.
    func readBody(_ word: SourcedText, readsStreams: Bool) throws -> RequestBody {
        if word.isStdin, !readsStreams { return RequestBody([]) }
        if !word.isStdin, let path = try filePath(in: word, of: "--body") {
            let isReadNow = readsStreams && files.isStream(path)
            if !isReadNow { return RequestBody([.file(path: path)]) }
        }
        let advice = "; put it into a file and use --body @FILE"
        return RequestBody(bytes: try readBytes(of: word, for: "--body", advice: advice))
    }

    /// Returns the path in a word such as `@FILE`; nil if the word names no file.
    ///
    /// - Parameter owner: The name of the option or parameter, for messages.
    /// - Throws: ``UsageError`` if nothing follows the `@`.
    private func filePath(
        in word: SourcedText, of owner: @autoclosure () -> String
    ) throws(UsageError) -> String? {
        guard let path = word.filePath else { return nil }
        if path.isEmpty {
            throw .unusableValue(option: owner(), problem: "expected a file name after '@'", source: word.source)
        }
        return path
    }
}

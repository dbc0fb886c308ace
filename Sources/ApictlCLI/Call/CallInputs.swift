import EndpointKit

extension ProcessEnvironment {
    /// Returns the bytes that a word of the command line stands for, and the name of their source in messages. Reads
    /// the file or stdin that the word names.
    ///
    /// | Word | Bytes | Source |
    /// |---|---|---|
    /// | `@FILE` | the content of the file | the path |
    /// | `-` | all of stdin | `stdin` |
    /// | any other word | the word itself | `the JSON given` |
    ///
    /// - Parameters:
    ///   - word: The word.
    ///   - owner: The name of the option or parameter, for messages.
    ///   - advice: The end of the message about an input that is too long; empty for no advice.
    /// - Throws: ``UsageError`` for `@` without a file name, and ``FileError`` for an input that can't be read.
    func readBytes(of word: SourcedText, for owner: @autoclosure () -> String, advice: String = "") throws -> (
        bytes: [UInt8], source: String
    ) {
        if word.isStdin { return (try stdin.readAll(name: "stdin", advice: advice, until: deadline), "stdin") }
        if let path = try filePath(in: word, of: owner()) {
            return (try files.open(path).readAll(name: path, advice: advice, until: deadline), path)
        }
        return (word.text.exactBytes, "the JSON given")
    }

    /// Makes the body of a request from the value of `--body`: a text, `@FILE`, or `-` for stdin.
    ///
    /// Stdin and pipes are read at once. Of a regular file, only the path is kept. The file itself is read while it is
    /// sent.
    ///
    /// - Parameters:
    ///   - word: The value.
    ///   - readsStreams: Whether stdin and pipes are read. False for a printed curl command, which reads them itself.
    ///     Then the body of stdin is empty.
    /// - Throws: ``UsageError`` for `@` without a file name, and ``FileError`` for an input that can't be read.
    func readBody(_ word: SourcedText, readsStreams: Bool) throws -> RequestBody {
        if word.isStdin, !readsStreams { return RequestBody([]) }
        if !word.isStdin, let path = try filePath(in: word, of: "--body") {
            let isReadNow = readsStreams && files.isStream(path)
            if !isReadNow { return RequestBody([.file(path: path)]) }
        }
        let advice = "; put it into a file and use --body @FILE"
        return RequestBody(bytes: try readBytes(of: word, for: "--body", advice: advice).bytes)
    }

    /// Returns the path in a word such as `@FILE`; nil if the word names no file.
    ///
    /// - Parameter owner: The name of the option or parameter, for messages.
    /// - Throws: ``UsageError`` if nothing follows the `@`.
    private func filePath(
        in word: SourcedText, of owner: @autoclosure () -> String
    ) throws(UsageError) -> String? {
        guard let path = word.file else { return nil }
        if path.isEmpty {
            throw .unusableValue(option: owner(), problem: "expected a file name after '@'", source: word.source)
        }
        return path
    }
}

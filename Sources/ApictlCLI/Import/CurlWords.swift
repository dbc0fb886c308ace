import APIImport

/// The words after `curl` that `import` and `call` take.
enum CurlWords {
    /// Returns the requests of curl commands, in one of three forms.
    ///
    /// | Words | Meaning |
    /// |---|---|
    /// | `-` | stdin has commands, as a shell reads them |
    /// | one word with white space: `'curl https://…'` | a command in quotes, with or without `curl` and a prompt |
    /// | any others: `https://… -H …` | the arguments of one command |
    ///
    /// - Parameters:
    ///   - words: The words after `curl`.
    ///   - environment: The files, stdin and the variables that the commands may refer to.
    ///   - references: Records the files and variables that commands on stdin refer to.
    /// - Throws: `ImportError` for a command that can't be understood, and ``FileError`` for a file that can't be read.
    static func requests(
        _ words: [String], _ environment: ProcessEnvironment, _ references: PastedReferences
    ) throws -> [ImportedRequest] {
        func read(_ path: String) throws -> [UInt8] { try environment.readFile(path).bytes }
        let surroundings: CurlArguments.Surroundings = (read: read, variable: environment.value)
        if words == ["-"] {
            let recorded = references.recordingUses(of: surroundings)
            return try CurlArguments.requests(text: String(exactBytes: read("-")), recorded)
        }
        if words.count == 1, words[0].contains(where: \.isWhitespace) {
            return try CurlArguments.requests(text: wholeCommand(words[0]), surroundings)
        }
        return try CurlArguments.requests(words, surroundings)
    }

    /// Returns a quoted command with the word `curl` at its start: `-I https://…` becomes `curl -I https://…`.
    ///
    /// A command that was copied from a page may start with the prompt of a shell: `$ curl …`. It stays as it is.
    private static func wholeCommand(_ text: String) -> String {
        guard let curl = text.firstRange(of: "curl") else { return "curl " + text }
        let isAfterPrompt = text[..<curl.lowerBound].allSatisfy { "$ \n".contains($0) }
        return isAfterPrompt ? text : "curl " + text
    }
}

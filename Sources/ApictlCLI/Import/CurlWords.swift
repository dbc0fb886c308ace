import APIImport

/// The words after `curl` that `import` and `call` take.
enum CurlWords {
    /// Reads the requests of curl commands, which may be given in three forms.
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
    ///   - references: Records the files and variables that commands on stdin refer to. Such commands may be pasted
    ///     from a web page that nobody has read. Words on the command line were typed here, so nothing is recorded.
    /// - Throws: `ImportError` for a command that can't be understood, and ``FileError`` for a file that can't be read.
    static func readRequests(
        in words: [String], _ environment: ProcessEnvironment, recordingIn references: PastedReferences
    ) throws -> [ImportedRequest] {
        let filesAndVariables: CurlArguments.Surroundings = (
            read: { path in try environment.readFile(path).bytes }, variable: environment.value
        )
        if words == ["-"] {
            let commands = String(exactBytes: try environment.readFile("-").bytes)
            return try CurlArguments.requests(text: commands, references.recordingUses(of: filesAndVariables))
        }
        let isQuotedCommand = words.count == 1 && words[0].contains(where: \.isWhitespace)
        if isQuotedCommand {
            return try CurlArguments.requests(text: addingCurl(to: words[0]), filesAndVariables)
        }
        return try CurlArguments.requests(words, filesAndVariables)
    }

    /// Returns a quoted command with the word `curl` at its start: `-I https://…` becomes `curl -I https://…`.
    ///
    /// A command that was copied from a page may start with the prompt of a shell: `$ curl …`. It stays as it is.
    private static func addingCurl(to text: String) -> String {
        guard let curl = text.firstRange(of: "curl") else { return "curl " + text }
        let isAfterPrompt = text[..<curl.lowerBound].allSatisfy { "$ \n".contains($0) }
        return isAfterPrompt ? text : "curl " + text
    }
}

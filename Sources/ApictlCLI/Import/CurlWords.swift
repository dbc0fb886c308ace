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
    ///   - words: The words.
    ///   - environment: The files, stdin and the variables.
    ///   - references: Notes the files and variables that commands on stdin use.
    /// - Throws: `ImportError` and ``FileError``.
    static func requests(
        _ words: [String], _ environment: ProcessEnvironment, _ references: PastedReferences
    ) throws -> [ImportedRequest] {
        func read(_ path: String) throws -> [UInt8] { try environment.file(path).bytes }
        let surroundings: CurlArguments.Surroundings = (read: read, variable: environment.value)
        if words == ["-"] {
            let pasted = references.noting(surroundings)
            return try CurlArguments.requests(text: String(exactBytes: read("-")), pasted)
        }
        if words.count == 1, words[0].contains(where: \.isWhitespace) {
            // A copied command may start with the prompt of a shell: `$ curl …`.
            let start = words[0].firstRange(of: "curl").map { words[0][..<$0.lowerBound] }
            let isWhole = start?.allSatisfy { "$ \n".contains($0) } == true
            return try CurlArguments.requests(text: isWhole ? words[0] : "curl " + words[0], surroundings)
        }
        return try CurlArguments.requests(words, surroundings)
    }
}

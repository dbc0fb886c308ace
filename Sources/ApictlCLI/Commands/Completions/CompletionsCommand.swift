/// `completions SHELL`: prints a shell's completion script, which asks the tool itself what may come next.
struct CompletionsCommand: Command {
    /// A shell with programmable completion.
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    static let table = OptionTable<DisplayOptions>([
        Option("help", short: "h", HelpCommand.optionHelp) { $0.help = true }
    ])

    let shell: Shell

    /// The command that `words` describe; nil for `--help`. Throws ``UsageError``.
    static func parse(_ words: [Word]) throws(UsageError) -> CompletionsCommand? {
        var options = DisplayOptions()
        let (positionals, _) = try table.parse(words, into: &options, most: 1)
        if options.help { return nil }
        let names = Shell.allCases.map(\.rawValue)
        guard let word = positionals.first else { throw .shellExpected(names) }
        guard let shell = Shell(rawValue: word.text) else {
            throw .unknownShell(word.text, position: word.position, shells: names)
        }
        return CompletionsCommand(shell: shell)
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        try context.environment.stdout.write(CompletionScript.text(shell, tool: context.tool))
        return .success
    }
}

/// `__complete WORD…`: prints what may replace the last word, one candidate a line, a tab and a description after it. A line
/// ``CompletionAnswer/filesLine`` asks for file names too.
///
/// Prints nothing if the words make no sense: a shell shows what is printed while someone types.
struct CompleteCommand: Command {
    /// The words after the tool's name up to the cursor; the last one may be empty.
    let words: [String]

    func run(_ context: RunContext) async throws -> ExitCode {
        let answer = Completion(registry: context.registry).answer(words)
        var text = ""
        for candidate in answer.candidates {
            let description = candidate.description.safeToShow
            text += candidate.text.safeToShow + (description.isEmpty ? "" : "\t" + description) + "\n"
        }
        if answer.takesFiles { text += CompletionAnswer.filesLine + "\n" }
        try context.environment.stdout.write(text)
        return .success
    }
}

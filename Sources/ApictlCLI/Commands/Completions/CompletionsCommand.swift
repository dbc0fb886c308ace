/// `completions SHELL`: prints a shell's completion script, which asks the tool itself what may come next.
struct CompletionsCommand: Command {
    /// A shell with programmable completion.
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    static let name = "completions"
    static let usage = "completions bash|zsh|fish"
    static let summary = "print a shell's completion script"
    static let operands = CommandOperands.values(Shell.allCases.map(\.rawValue))
    static let table = NoOptions.table

    /// Shows for each shell how its script is loaded.
    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(
            paragraphs: ["Completion never uses the network."],
            example: """
                bash  source <(\(context.tool) completions bash)      in ~/.bashrc
                zsh   source <(\(context.tool) completions zsh)       in ~/.zshrc, after compinit
                fish  \(context.tool) completions fish | source       in ~/.config/fish/config.fish

                """)
    }

    private let shell: Shell

    /// Reads the name of the shell.
    ///
    /// - Throws: ``UsageError`` unless there is exactly one word, which names a shell with a script.
    init(_ words: CommandWords<NoOptions>) throws {
        try words.requireAtMost(1)
        let shellNames = Shell.allCases.map(\.rawValue).joined(separator: ", ")
        guard let word = words.operands.first else { throw UsageError("completions needs a shell: \(shellNames)") }
        guard let shell = Shell(rawValue: word.text) else {
            throw UsageError("there is no completion for \(word.shown), only for \(shellNames)")
        }
        self.shell = shell
    }

    /// Prints the script of the shell. Its placeholders TOOL and FUNCTION become the name of the tool, and the name of
    /// a function that is derived from it.
    func run(_ context: CommandContext) async throws -> ExitCode {
        // The name of a function may only have letters, digits and underscores.
        let function = "_" + context.tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        let script = String(decoding: shell.script, as: UTF8.self)
        try context.environment.stdout.write(
            script.replacing("FUNCTION", with: function).replacing("TOOL", with: context.tool))
        return .success
    }
}

extension CompletionsCommand.Shell {
    /// The completion script, which asks `TOOL __complete` for candidates.
    ///
    /// Bash splits words after `=` and `:`, and before `@`. Its script joins these parts again, and removes all but the
    /// last part from the candidates. It works from version 3.2 on, and keeps the order of candidates from 4.4 on.
    fileprivate var script: [UInt8] {
        switch self {
        case .bash: PackageResources.completion_bash
        case .zsh: PackageResources.completion_zsh
        case .fish: PackageResources.completion_fish
        }
    }
}

import EndpointKit

/// Parses a command line into a command.
struct Parser {
    let registry: APIRegistry
    let commands: [any Command.Type]

    /// The help topic that a message about an error recommends: the endpoint, or else the command. It is nil before
    /// the command's name.
    private(set) var topic: String?
    /// The common options that were read, such as `--json-errors`. They count even if the words after them are wrong.
    private(set) var common = CommonOptions()
    /// All words of the command line.
    private(set) var allWords: [String] = []
    /// The state after the last word that was read, from which completion finds the words that may follow.
    private(set) var state = State()

    /// The meaning of the words that were read, and the options that may follow. Completion uses it, also after an
    /// error.
    struct State {
        /// The kind of operands that the command takes; nil before the command's name.
        var operandKind: CommandOperands?
        /// The options that may follow. They are empty if nothing may follow.
        var specs: [OptionSpec] = []
        /// The operands that were read, up to and including the name of an endpoint.
        var operands: [SourcedText] = []
        /// The call that the words make; nil before the name of an endpoint.
        var call: CallWords?
        /// The option whose value comes next.
        var openOption: OptionSpec?
        /// The words after which all others belong to another program, such as `curl` for `import`.
        var foreignPrograms: Set<String> = []

        /// Whether the words that follow belong to another program.
        var isInForeignProgram: Bool { operands.first.map { foreignPrograms.contains($0.text) } ?? false }
    }

    /// Parses a command line.
    ///
    /// Afterwards ``topic``, ``common`` and ``state`` describe the words that were read. After an error, these are the
    /// words before the wrong one.
    ///
    /// - Parameter arguments: The words after the name of the tool.
    /// - Returns: The command, with its options and operands.
    /// - Throws: ``UsageError`` for words that make no command, and the errors of reading an API's declarations.
    mutating func parse(_ arguments: [String]) throws -> any Command {
        // Shells call this hidden command for the words that may follow.
        if arguments.first == "__complete" {
            let words = Array(arguments.dropFirst())
            return HelpCommand(isPaged: false) { Completion(words, $0).text }
        }
        allWords = arguments
        var words = arguments.enumerated().map { SourcedText($1, .argument($0 + 1)) }
        // Many tools have a command `version`. Here it means the option.
        if let first = words.first, first.text == "version" { words[0] = first.with("--version") }

        let start: CommandLineStart
        do {
            start = try readStart(of: words)
        } catch {
            // `apictl -X PUT https://…` is a call, whose options may come before what it calls.
            guard commands.contains(where: { $0 == CallCommand.self }), beginsCall(words) else { throw error }
            topic = CallCommand.name
            return try makeCommand(CallCommand.self, from: words)
        }
        if let firstOperand = start.firstOperand {
            // If the operand names no command, this state without options stays, and completion has nothing to offer.
            state = State()
            let command = try chooseCommand(by: firstOperand, remainingWords: start.remainingWords)
            return try makeCommand(command.type, from: command.words)
        }
        if start.asksForVersion { return HelpCommand(isPaged: false) { "\($0.tool) \($0.version)\n" } }
        return HelpCommand { HelpText.overview($0) }
    }

    // MARK: Before the command

    /// The start of a command line: the options before the first other word, which usually names a command.
    private struct CommandLineStart {
        /// Whether `--version` was given.
        var asksForVersion = false
        /// The first word that is not an option; nil if there is none.
        var firstOperand: SourcedText?
        /// The words after ``firstOperand``, which are not read yet.
        var remainingWords: [SourcedText] = []
    }

    /// Reads the options before the first other word. Stores their values in ``common``, and in ``state`` the options
    /// that may follow.
    ///
    /// - Throws: ``UsageError`` for an unknown option, and for a word after `--version`.
    private mutating func readStart(of words: [SourcedText]) throws(UsageError) -> CommandLineStart {
        let version = OptionSpec(name: "version", short: "V")
        var scanner = OptionScanner(words, options: NoOptions.table.specs + [version])
        scanner.unknownHint = "; options come after the command"
        // In many tools, `-v` prints the version.
        if words.first?.text == "-v" { scanner.unknownHint = "; -V prints the version, and -v comes after a command" }
        var options = NoOptions()
        // Options before an error count too, such as `--json-errors`.
        defer {
            common = options.common
            state = State(specs: scanner.options, openOption: scanner.openOption)
        }
        var start = CommandLineStart()
        while let item = try scanner.next() {
            switch item {
            case .option(version, value: nil, source: _):
                start.asksForVersion = true
            case .option(let spec, let value, let source):
                try NoOptions.table.apply(spec, value: value, source: source, to: &options)
            case .positional(let word):
                if start.asksForVersion { throw .unexpectedArgument(word) }
                start.firstOperand = word
                start.remainingWords = Array(scanner.takeRemainingWords())
            }
        }
        return start
    }

    /// Whether words are options of `call`, followed by a URL or the name of an endpoint.
    ///
    /// An unknown option counts as a switch here. `call` will report it.
    private func beginsCall(_ words: [SourcedText]) -> Bool {
        var scanner = OptionScanner(words, options: CallCommand.table.specs)
        while !scanner.remainingWords.isEmpty {
            // The scanner has moved past an option that it reports as an error.
            guard case .positional(let word)? = try? scanner.next() else { continue }
            return CalledURL.isURL(word.text) || registry.splitName(word.text) != nil
        }
        return false
    }

    // MARK: The command

    /// A command, and the words that it is given.
    private struct ChosenCommand {
        let type: any Command.Type
        let words: [SourcedText]
    }

    /// Returns the command that a command line is for. The names `call` and `describe` may be left out.
    ///
    /// The command or the API becomes the ``topic`` of messages.
    ///
    /// | Command line | Command |
    /// |---|---|
    /// | `list …` | `list …` |
    /// | `https://…`, `:8080/…`, `example.com/…` | `call https://…` |
    /// | `movies.popular …`, `movies popular …` | `call movies.popular …` |
    /// | `movies` | `describe movies` |
    ///
    /// - Parameters:
    ///   - firstOperand: The first word that is not an option.
    ///   - remainingWords: The words after it.
    /// - Throws: ``UsageError`` for a word that names neither a command nor an API.
    private mutating func chooseCommand(
        by firstOperand: SourcedText, remainingWords: [SourcedText]
    ) throws(UsageError) -> ChosenCommand {
        if let type = commands.first(where: { $0.name == firstOperand.text }) {
            topic = type.name
            return ChosenCommand(type: type, words: remainingWords)
        }
        let words = [firstOperand] + remainingWords
        if CalledURL.isURL(firstOperand.text) {
            topic = CallCommand.name
            return ChosenCommand(type: CallCommand.self, words: words)
        }
        let startsWithAPI =
            registry.apiOrGroup(firstOperand.text) != nil || registry.splitName(firstOperand.text) != nil
        if !startsWithAPI { throw unknownCommandError(firstOperand) }

        // The name of an API or group may have several words, up to the first option.
        let nameWords = [firstOperand] + remainingWords.prefix { !$0.text.hasPrefix("-") }
        if let subject = registry.apiOrGroup(joining: nameWords) {
            topic = subject.name
            return ChosenCommand(type: DescribeCommand.self, words: words)
        }
        // The words name an endpoint, which becomes the topic when its name is read.
        return ChosenCommand(type: CallCommand.self, words: words)
    }

    /// Returns the error that the first operand names neither a command nor an API.
    private func unknownCommandError(_ word: SourcedText) -> UsageError {
        if registry.isInGroup(word.text) { return registry.unknownAPIError(word, apiName: word.text) }
        let names = commands.map { $0.name } + registry.names
        // Of `movie.popular`, only `movie` is unknown.
        let unknownPart = String(word.text.prefix { $0 != "." })
        return registry.unknownNameError(word, kind: .command, unknownPart: unknownPart, candidates: names)
    }

    /// Parses the words of a command, and makes the command. Updates ``topic``, ``common`` and ``state``, also after an
    /// error, because messages and completion use them.
    ///
    /// - Parameters:
    ///   - type: The type of the command.
    ///   - words: The words after the command's name.
    /// - Throws: ``UsageError`` for words that the command can't use, and the errors of reading an API's declarations.
    private mutating func makeCommand<CommandType: Command>(
        _ type: CommandType.Type, from words: [SourcedText]
    ) throws -> any Command {
        var reader = CommandReader<CommandType>(words, after: self)
        defer {
            topic = reader.topic
            common = reader.common
            state = reader.state
        }
        try reader.readWords()
        return try reader.makeCommand()
    }
}
